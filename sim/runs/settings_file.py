"""`skopos.toml`: what a settings file says, and what of it a folder may decide.

A file lies in a project or at user level. It sets options of commands by their names and names models. It
knows no command: which options there are is for `sim/commands`.
"""

import hashlib
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from sim.core import files
from sim.core.errors import Problem
from sim.runs import named, toml_file, toml_problems
from sim.runs.named import ModelName, NamedModel
from sim.runs.toml_lines import line_of

FILE = "skopos.toml"
_TITLE = "Unusable settings"
_RUNS = re.compile(r"(?:^|[,=])\s*(?:command|python):")
"""In a value: something of the project's own would be run."""
_MODELS: TypeAdapter[dict[str, NamedModel]] = TypeAdapter(dict[ModelName, NamedModel])


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """One file, read."""

    path: Path
    text: str = ""
    digest: str = ""
    """SHA-256 of the whole file; empty where there is none."""
    options: dict[str, Any] = field(default_factory=dict)
    """By the options' names, with underscores."""
    models: dict[str, NamedModel] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    """Of the file itself and of its models, all of them."""

    def where(self, *path: str | int) -> str:
        """`file:line` of what stands at `path`."""
        line = line_of(self.text, path)
        return str(self.path) if line is None else f"{self.path}:{line}"

    @property
    def guarded(self) -> tuple[str, ...]:
        """What a folder decides only once it is trusted, in words."""
        found = [name.replace("_", "-") for name in self.options if _runs(self.options[name])]
        for name, model in self.models.items():
            keys = [key for key in ("api_base", "api_key_env") if getattr(model, key)]
            keys += ["model"] if _runs(model.model) else []
            found += [f"{key} of {name}" for key in keys]
        return tuple(found)

    def harmless(self) -> "SettingsFile":
        """Less what is guarded; models without what they are go altogether."""
        kept = {name: model for name, model in self.models.items() if not _runs(model.model)}
        return replace(
            self,
            options={name: value for name, value in self.options.items() if not _runs(value)},
            models={
                name: model.model_copy(update={"api_base": None, "api_key_env": None})
                for name, model in kept.items()
            },
        )

    @property
    def placed(self) -> tuple[str, ...]:
        """Models whose place the file decides."""
        return tuple(name for name, model in self.models.items() if model.api_base or _runs(model.model))


def read(path: Path) -> SettingsFile:
    """The settings in a file; empty ones where there is none. What cannot be used is in its problems."""
    if not path.exists():
        return SettingsFile(path)
    try:
        data = files.read(path)
        text = data.decode("utf-8-sig")
        document = toml_file.parsed(text)
    except (OSError, ValueError) as failure:
        problem = Problem("Unreadable settings", f"{path} cannot be read.", str(failure))
        return SettingsFile(path, problems=(problem,))
    tables = document.pop("models", {})
    options = {name.replace("-", "_"): value for name, value in document.items()}
    found = SettingsFile(path, text, hashlib.sha256(data).hexdigest(), options)
    try:
        return replace(found, models=_MODELS.validate_python(tables))
    except ValidationError as failure:
        problems = toml_problems.found(
            failure, text, title=_TITLE, of="a model", file=str(path), known=named.keys, under="models"
        )
        return replace(found, problems=problems)


def _runs(value: Any) -> bool:
    return isinstance(value, str) and bool(_RUNS.search(value))
