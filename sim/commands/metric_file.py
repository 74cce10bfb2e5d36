"""The values of MT metrics as a CSV file gives them: a line an output, a column a metric.

Columns `system`, `mode`, `scenario` and `turn` say whose value it is (`mode` and `turn` may be absent or
empty), every other column is a metric. It computes no metric.
"""

import csv
import io
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sim.core import files
from sim.core.errors import Problem, UsageProblem

if TYPE_CHECKING:
    from sim.analysis.outputs import Metric, Output

LARGEST = 50_000_000
"""Bytes of a file."""
_OUTPUT = ("system", "mode", "scenario", "turn")
_NEEDED = ("system", "scenario")
_LOWER = frozenset({"ter", "wer", "cer"})
"""Metrics of which less is better, whatever the case of their name."""
_SUFFIX = ":lower"
"""Marks any other of that kind."""
_BEYOND = ""
"""Where the reader puts cells beyond the last column; a column without a name is refused."""
_DIGITS = 9
"""Of a turn."""
_TOLD = 20
"""Problems named at once."""


def read(path: Path, modes: Sequence[str]) -> "list[Metric]":
    """The metrics of a file; a line without a mode is of the only one of `modes`.

    Raises UsageProblem with the problems of all lines.
    """
    from sim.analysis.outputs import Metric

    problems: list[Problem] = []
    try:
        text = io.StringIO(files.read(path, LARGEST).decode("utf-8-sig"), newline="")
        reader = csv.DictReader(text, restkey=_BEYOND, strict=True)
        head = reader.fieldnames or ()
        names = [name for name in head if name not in _OUTPUT]
        problems += [_at(path, 1, said) for said in _missing(head, names)]
        values: dict[str, dict[Output, float]] = {name: {} for name in names}
        for row in [] if problems else reader:
            try:
                _take(row, values, modes)
            except ValueError as problem:
                problems.append(_at(path, reader.line_num, str(problem)))
    except (OSError, UnicodeDecodeError, csv.Error) as failure:
        problems.append(Problem("Unreadable metrics", f"{path} cannot be read.", str(failure)))
    if problems:
        raise UsageProblem(*problems[:_TOLD])
    return [Metric(name.removesuffix(_SUFFIX), _lower(name), held) for name, held in values.items() if held]


def _at(path: Path, line: int, said: str) -> Problem:
    return Problem("Unusable metrics", said, where=f"{path}:{line}")


def _missing(head: Sequence[str], metrics: Sequence[str]) -> Iterator[str]:
    yield from (f"There is no column {name!r}." for name in _NEEDED if name not in head)
    if not metrics:
        yield "There is no column of a metric."
    if not all(name.strip() for name in head):
        yield "A column has no name."
    yield from (f"Two columns are named {name!r}." for name, n in Counter(head).items() if n > 1)


def _take(
    row: Mapping[str, str | None], values: "dict[str, dict[Output, float]]", modes: Sequence[str]
) -> None:
    """Put a line's values where they belong. Raises ValueError for a line that says nothing usable."""
    if _BEYOND in row:
        raise ValueError("The line has more cells than there are columns.")
    output = _output(row, modes)
    for name, held in values.items():
        text = (row[name] or "").strip()
        if text:
            if output in held:
                raise ValueError(f"An output has a second value of {name}.")
            held[output] = _number(name, text)


def _output(row: Mapping[str, str | None], modes: Sequence[str]) -> "Output":
    from sim.analysis.outputs import Output

    for name in _NEEDED:
        if not row[name]:
            raise ValueError(f"The line names no {name}.")
    turn, mode = row.get("turn") or "", row.get("mode") or (modes[0] if len(modes) == 1 else "")
    if mode not in modes:
        raise ValueError(f"{mode!r} is none of this run's modes: {', '.join(modes) or 'it has no record'}.")
    if turn and not (turn.isdecimal() and len(turn) <= _DIGITS):
        raise ValueError(f"{turn!r} is no turn.")
    return Output(str(row["system"]), mode, str(row["scenario"]), int(turn) if turn else None)


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is no value of {name}.")
    return value


def _lower(name: str) -> bool:
    return name.endswith(_SUFFIX) or name.casefold() in _LOWER
