"""Printing of problems, and exit codes: the one place where an error becomes words and a number."""

import contextlib
import shlex
import sys
from typing import TextIO

from sim.core.errors import Problem, UsageProblem
from sim.core.text import visible
from sim.core.values import EndReason

OK, FAILURES, USAGE, STOPPED, INTERRUPTED, TERMINATED = 0, 1, 2, 3, 130, 143

_SHOWN_CHOICES = 12
_NOT_WORTH_HIDING = 3
"""“and 1 more” would hide what someone came to read."""
_SHOWN_PROBLEMS = 100


def print_problems(failure: UsageProblem, err: TextIO | None = None) -> None:
    """Every problem, up to a hundred: what, why, valid choices."""
    for problem in failure.problems[:_SHOWN_PROBLEMS]:
        say(_text(problem), err)
    more = len(failure.problems) - _SHOWN_PROBLEMS
    if more > 0:
        say(f"skopos: and {more:,} more problems", err)


def say(text: str, err: TextIO | None = None) -> None:
    """Tell the person something beside the results; nobody who listens is no reason to stop."""
    with contextlib.suppress(OSError):
        print(text, file=err or sys.stderr, flush=True)


def command(*words: object) -> str:
    """A `skopos` command to be copied into a shell; what a terminal would act on is shown as symbols."""
    return f"`{visible(shlex.join(('skopos', *map(str, words))))}`"


def _text(problem: Problem) -> str:
    place = f"{visible(problem.where)}: " if problem.where else ""
    lines = [f"skopos: {place}{problem.title}: {visible(problem.what)}"]
    if problem.why:
        lines.append(f"  {visible(problem.why)}")
    if problem.choices:
        most = _SHOWN_CHOICES if len(problem.choices) > _SHOWN_CHOICES + _NOT_WORTH_HIDING else None
        shown = [visible(choice) for choice in problem.choices[:most]]
        more = len(problem.choices) - len(shown)
        lines.append(f"  Valid: {', '.join(shown)}{f' and {more} more' if more else ''}")
    return "\n".join(lines)


def exit_code(end_reason: str | None) -> int:
    """The exit code of one conversation's end."""
    match end_reason:
        case EndReason.INFRASTRUCTURE:
            return FAILURES
        case EndReason.BUDGET:
            return STOPPED
        case EndReason.INTERRUPTED | None:
            return INTERRUPTED
        case _:
            return OK
