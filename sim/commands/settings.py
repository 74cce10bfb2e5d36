"""Settings: flags > SKOPOS_* > skopos.toml > defaults; a plan or a run goes between flags and SKOPOS_*.

A setting is a long option of the command under its own name. Keys of providers are no settings: they
come from the environment alone.
"""

import argparse
import difflib
import importlib
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from sim.core.errors import Problem, UsageProblem
from sim.runs import toml_file

FILE = "skopos.toml"


def apply(
    parser: argparse.ArgumentParser, environment: Mapping[str, str], folder: Path, words: Sequence[str] = ()
) -> None:
    """Make settings the defaults of `parser`'s options; `words` are those of the command line.

    Of options that exclude each other, one that is set from nearer leaves the others unset. Raises
    UsageProblem for a skopos.toml that cannot be read or has a key of no command, and for values an
    option does not take.
    """
    document = _document(folder / FILE)
    options = {option.dest: option for option in parser._actions if option.option_strings}
    unknown = sorted(document.keys() - options.keys())
    if unknown:
        _refuse_unknown(unknown, folder / FILE)
    written: dict[str, Any] = {}
    exported: dict[str, Any] = {}
    for name, option in options.items():
        if name in document:
            written[name] = _value(option, document[name], f"{name} in {FILE}")
        variable = f"SKOPOS_{name.upper()}"
        if environment.get(variable):
            exported[name] = _value(option, environment[variable], variable)
    flags = given(parser, words)
    for group in parser._mutually_exclusive_groups:
        names = {option.dest for option in group._group_actions}
        if names & flags:
            _unset(exported, names)
        if names & flags or any(exported.get(name) for name in names):
            _unset(written, names)
    parser.set_defaults(**(written | exported))


def given(parser: argparse.ArgumentParser, words: Sequence[str]) -> frozenset[str]:
    """The options that the words of a command line name themselves."""
    named = {word.partition("=")[0] for word in takewhile(lambda word: word != "--", words)}
    return frozenset(option.dest for option in parser._actions if not named.isdisjoint(option.option_strings))


def _unset(values: dict[str, Any], names: set[str]) -> None:
    for name in names:
        values.pop(name, None)


def _refuse_unknown(names: list[str], path: Path) -> None:
    """Raise UsageProblem for names that are an option of no command: they would be passed over in silence."""
    from sim.commands.main import COMMANDS

    known: set[str] = set()
    for command in COMMANDS:
        parser = argparse.ArgumentParser()
        importlib.import_module(f"sim.commands.{command}").add_arguments(parser)
        known |= {option.dest for option in parser._actions if option.option_strings}
    problems = [
        Problem(
            "Unknown setting",
            f"{name} in {path} is an option of no command.",
            choices=tuple(difflib.get_close_matches(name, known, n=5, cutoff=0.5) or sorted(known)),
        )
        for name in names
        if name not in known
    ]
    if problems:
        raise UsageProblem(*problems)


def _document(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        document = toml_file.read(path)
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
