"""The taxonomy of functions: recurring questions by target language, read from `functions/`."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import TypeAdapter

from scenarios.document import read
from sim.core.values import FunctionRule

_RULES: TypeAdapter[tuple[FunctionRule, ...]] = TypeAdapter(tuple[FunctionRule, ...])


@cache
def taxonomy(language: str) -> tuple[FunctionRule, ...]:
    """The functions of a target language (ISO 639-3); empty where none are written."""
    path = Path(str(files("scenarios").joinpath("functions", f"{language}.yaml")))
    if not (language.isalpha() and path.is_file()):
        return ()
    return _RULES.validate_python(read(path).data)
