"""Settings: flags > SKOPOS_* > skopos.toml of the project > the user's > defaults; a plan or a run goes
between flags and SKOPOS_*.

A setting is a long option of the command under its own name; `[models.NAME]` names models. Keys of providers
are no settings: they come from the environment alone.
"""

import argparse
import difflib
import importlib
from collections.abc import Mapping, Sequence
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from sim.commands import errors
from sim.core.errors import Problem, UsageProblem
from sim.core.text import visible
from sim.runs import settings_file
from sim.runs.book import Book
from sim.runs.places import places
from sim.runs.presets import presets
from sim.runs.settings_file import FILE, SettingsFile
from sim.runs.trust import is_trusted

_TOLD = 40
"""Unknown keys told of one file."""


def apply(
    parser: argparse.ArgumentParser, environment: Mapping[str, str], folder: Path, words: Sequence[str] = ()
) -> Book:
    """Make settings the defaults of `parser`'s options; the models that have names of their own.

    `words` are those of the command line. Of options that exclude each other, one that is set from nearer
    leaves the others unset. Raises UsageProblem with everything that is wrong with the files, and for values
    an option does not take.
    """
    flags = given(parser, words)
    options = {option.dest: option for option in parser._actions if option.option_strings}
    where = places(environment)
    user, found = settings_file.read(where.settings), settings_file.read(folder / FILE)
    if found.path.resolve() == user.path.resolve():
        found = SettingsFile(found.path)
    _refuse_problems((user, found), options)
    exported = _exported(options, environment)
    trusted = "trust" in flags or exported.get("trust") or is_trusted(found, where)
    project = found if trusted else _harmless(found, "trust" in options)
    layers = [exported, _written(options, project), _written(options, user)]
    for group in parser._mutually_exclusive_groups:
        names = {option.dest for option in group._group_actions}
        taken = bool(names & flags)
        for layer in layers:
            if taken:
                _unset(layer, names)
            taken = taken or any(layer.get(name) for name in names)
    for layer in reversed(layers):
        parser.set_defaults(**layer)
    return _book(user, project, found)


def _book(user: SettingsFile, project: SettingsFile, found: SettingsFile) -> Book:
    """The named models; `found` is the project's file as it stands, `project` what of it counts."""
    named = {**presets(), **user.models, **project.models}
    placed = found.placed if project is not found else ()
    withheld = [name for name in placed if name in project.models or name not in named]
    return Book(named, dict.fromkeys(withheld, str(found.path)))


def _harmless(found: SettingsFile, told: bool) -> SettingsFile:
    """What of a file counts that nobody trusts; `told` where it matters to the command."""
    guarded = found.guarded
    if not guarded:
        return found
    if told:
        way = errors.command("trust", found.path.parent)
        what = visible(f"ignored in {found.path}, which is not trusted: {', '.join(guarded)}")
        errors.say(f"skopos: {what}; see {way}")
    return found.harmless()


def _exported(options: Mapping[str, argparse.Action], environment: Mapping[str, str]) -> dict[str, Any]:
    """What the environment sets."""
    found = {}
    for name, option in options.items():
        variable = f"SKOPOS_{name.upper()}"
        if environment.get(variable):
            found[name] = _value(option, environment[variable], variable)
    return found


def _written(options: Mapping[str, argparse.Action], file: SettingsFile) -> dict[str, Any]:
    """What a file sets."""
    return {
        name: _value(option, file.options[name], f"{name} in {file.path}")
        for name, option in options.items()
        if name in file.options
    }


def given(parser: argparse.ArgumentParser, words: Sequence[str]) -> frozenset[str]:
    """The options that the words of a command line name themselves."""
    named = {word.partition("=")[0] for word in takewhile(lambda word: word != "--", words)}
    return frozenset(option.dest for option in parser._actions if not named.isdisjoint(option.option_strings))


def _unset(values: dict[str, Any], names: set[str]) -> None:
    for name in names:
        values.pop(name, None)


def _refuse_problems(files: Sequence[SettingsFile], options: Mapping[str, argparse.Action]) -> None:
    """Raise UsageProblem with all that is wrong with the files.

    A key that is an option of no command would be passed over in silence.
    """
    problems = [problem for file in files for problem in file.problems]
    if any(file.options.keys() - options.keys() for file in files):
        known = _all_options()
        problems += [
            Problem(
                "Unknown setting",
                f"{name} in {file.path} is an option of no command.",
                choices=tuple(difflib.get_close_matches(name[:80], known, n=5, cutoff=0.5) or sorted(known)),
                where=file.where(name),
            )
            for file in files
            for name in islice((name for name in file.options if name not in known), _TOLD)
        ]
    problems += [
        Problem(
            "Unknown setting",
            "No file can trust itself: say --trust on the command line.",
            where=file.where("trust"),
        )
        for file in files
        if "trust" in file.options
    ]
    if problems:
        raise UsageProblem(*problems)


def _all_options() -> set[str]:
    """The names of the options of every command, and of the one table."""
    from sim.commands.main import COMMANDS

    known = {"models"}
    for command in COMMANDS:
        parser = argparse.ArgumentParser()
        importlib.import_module(f"sim.commands.{command}").add_arguments(parser)
        known |= {option.dest for option in parser._actions if option.option_strings}
    return known


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
