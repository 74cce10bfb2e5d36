"""Lines that cannot be read, set aside so that a run can go on.

Each is kept, bytes as they were, under `journal/torn` with the number it had; nothing is deleted and nothing
is guessed. A damaged run.json is not for this: what it would have said cannot be known.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sim.core.errors import Problem
from sim.runs import lines, private
from sim.runs.journal import read_event
from sim.runs.store import Writer

_NUMBER = re.compile(r":(\d+)$")


@dataclass(frozen=True, slots=True)
class Mended:
    """What was set aside of one file."""

    file: Path
    problems: tuple[Problem, ...]
    """Of each whole line that cannot be read."""
    torn: bool
    """Whether an unfinished last line went too."""
    kept: Path
    """Where the whole lines are now: number, tab, line."""


def repair(writer: Writer) -> Iterator[Mended]:
    """Set aside what cannot be read, file by file. Raises OSError where the disk refuses."""
    run = writer.run
    for file, reader in [*run.files(), *((journal, read_event) for journal in run.journals())]:
        if not file.exists():
            continue
        torn = lines.set_torn_tail_aside(file, run.torn)
        problems = tuple(lines.unreadable(file, reader))
        kept = run.torn / file.relative_to(run.folder).with_suffix(".lines")
        if problems:
            _set_aside(file, {_number(problem) for problem in problems}, kept)
        if problems or torn:
            yield Mended(file, problems, torn, kept)


def _set_aside(file: Path, numbers: set[int], kept: Path) -> None:
    """The lines are on the disk in their new place before they leave the old one."""
    whole = file.read_bytes().split(b"\n")
    with private.opened(kept, "ab") as out:
        for number in sorted(numbers):
            lines.write_all(out, b"%d\t%s\n" % (number, whole[number - 1]))
        os.fsync(out.fileno())
    left = b"\n".join(line for number, line in enumerate(whole, 1) if number not in numbers)
    lines.write_whole(file, left)


def _number(problem: Problem) -> int:
    found = _NUMBER.search(problem.where)
    assert found is not None
    return int(found[1])
