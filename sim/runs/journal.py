"""The journal of one conversation on disk: every lossless event, one JSON line each, as it happens."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from sim.core.bus import Subscription
from sim.core.errors import Problem, UsageProblem
from sim.core.events import Event, event_line, parse_event
from sim.runs import private
from sim.runs.lines import write_all

_LONGEST_START = 1 << 20
"""Bytes of a first line."""


class Journal:
    """An append-only file of events; each line is handed to the system at once, so a kill loses none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = private.opened(path, "wb")

    async def write(self, events: Subscription) -> None:
        """Write events until the bus closes. Raises OSError where the disk refuses."""
        async for group in events.groups():
            data = b"".join(event_line(event).encode() + b"\n" for event in group)
            write_all(self._file, data)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def started(path: Path) -> tuple[str, int] | None:
    """(key hash, attempt) of the conversation in a journal, by its first line; None where that is no event."""
    try:
        with path.open("rb") as file:
            conversation = parse_event(file.readline(_LONGEST_START)).conversation
    except (OSError, ValueError, RecursionError):
        return None
    key, _, attempt = conversation.rpartition("-")
    return (key, int(attempt)) if attempt.isascii() and attempt.isdigit() and len(attempt) < 10 else None


def read_journal(path: Path) -> Iterator[Event]:
    """The events of a journal; a torn last line (a kill while writing) is left out.

    Raises UsageProblem for a file that cannot be read, and for a line that is no event, with its number.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.endswith(b"\n"):
                    yield read_event(line, f"{path}:{number}")
    except OSError as failure:
        raise UsageProblem(
            Problem("Unreadable journal", f"{path} cannot be read.", str(failure.strerror or failure))
        ) from failure


def read_event(line: bytes, where: str) -> Event:
    """The event on a line. Raises UsageProblem where it is none; `where` is its `file:line`."""
    try:
        return parse_event(line)
    except (ValueError, RecursionError) as failure:
        why = str(failure).splitlines()[0]
        raise UsageProblem(Problem("Damaged file", "The line is no event.", why, where=where)) from failure
