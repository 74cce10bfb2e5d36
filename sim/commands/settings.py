"""Settings: flags > SKOPOS_* > skopos.toml > defaults.

A setting is a long option of the command under its own name. Keys of providers are no settings: they
come from the environment alone.
"""

import argparse
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.core.errors import Problem, UsageProblem

FILE = "skopos.toml"


def apply(parser: argparse.ArgumentParser, environment: Mapping[str, str], folder: Path) -> None:
    """Make settings the defaults of `parser`'s options.

    Raises UsageProblem for a skopos.toml that cannot be read, and for values an option does not take.
    """
    document = _document(folder / FILE)
    options = {option.dest: option for option in parser._actions if option.option_strings}
    defaults: dict[str, Any] = {}
    for name, option in options.items():
        if name in document:
            defaults[name] = _value(option, document[name], f"{name} in {FILE}")
        variable = f"SKOPOS_{name.upper()}"
        if environment.get(variable):
            defaults[name] = _value(option, environment[variable], variable)
    parser.set_defaults(**defaults)


def _document(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as failure:
        raise UsageProblem(
            Problem("Unreadable settings", f"{path} cannot be read.", str(failure))
        ) from failure
    return {name.replace("-", "_"): value for name, value in document.items()}


def _value(option: argparse.Action, value: Any, where: str) -> Any:
    if isinstance(option, argparse._StoreTrueAction):
        if value in (True, "1", "true", "yes"):
            return True
        if value in (False, "0", "false", "no"):
            return False
        raise _unusable(where, value, ("true", "false"))
    try:
        typed = option.type(str(value)) if callable(option.type) else str(value)
    except (ValueError, argparse.ArgumentTypeError) as failure:
        raise _unusable(where, value, ()) from failure
    if option.choices is not None and typed not in option.choices:
        raise _unusable(where, value, tuple(map(str, option.choices)))
    return typed


def _unusable(where: str, value: Any, choices: tuple[str, ...]) -> UsageProblem:
    return UsageProblem(Problem("Unusable setting", f"{where} is {value!r}.", choices=choices))
