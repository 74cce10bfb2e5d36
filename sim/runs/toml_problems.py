"""What is wrong with a user's TOML document, as problems with file and line."""

import difflib
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import ValidationError

from sim.core.errors import Problem
from sim.runs.toml_lines import line_of

_SECRET = ("api_key_env", "api_base")
"""Keys whose value may hold a secret by mistake: it is never repeated."""
_TOLD = 40
"""Errors told of one file: each looks through all of it."""
_OURS = ("languages", "[key]")
"""Steps of a place that stand in no file."""

Path = tuple[str | int, ...]


def found(
    failure: ValidationError,
    text: str,
    *,
    title: str,
    of: str,
    file: str,
    known: Callable[[Path], Sequence[str]],
    under: str = "",
) -> tuple[Problem, ...]:
    """One problem for each of the first errors; `known` gives the keys that the table at a path may have.

    `of` says what the document is: `a plan`; `under` names the table that it is in the file.
    """
    errors = failure.errors(include_url=False)
    return tuple(_problem(dict(error), text, title, of, file, known, under) for error in errors[:_TOLD])


def _problem(
    error: dict[str, Any],
    text: str,
    title: str,
    of: str,
    file: str,
    known: Callable[[Path], Sequence[str]],
    under: str,
) -> Problem:
    steps: Path = tuple(step for step in error["loc"] if step not in _OURS)
    whole = (under, *steps) if under else steps
    place = ".".join(map(str, whole)) or "the whole"
    line = line_of(text, whole)
    where = file if line is None else f"{file}:{line}"
    if error["type"] == "extra_forbidden":
        return Problem(title, f"{place} is no key of {of}.", choices=_nearest(steps, known), where=where)
    said = str(error["msg"]).removeprefix("Value error, ")
    given = error["input"]
    plain = isinstance(given, str | int | float | bool) and not (steps and steps[-1] in _SECRET)
    shown = f" ({given!r})" if plain else ""
    return Problem(title, f"{place}{shown}: {said[:1].lower()}{said[1:]}.", where=where)


def _nearest(steps: Path, known: Callable[[Path], Sequence[str]]) -> tuple[str, ...]:
    """The keys there may be, those that may have been meant first."""
    keys = list(known(steps[:-1]))
    near = difflib.get_close_matches(str(steps[-1])[:80], keys, n=3, cutoff=0.6)
    return tuple(dict.fromkeys((*near, *keys)))
