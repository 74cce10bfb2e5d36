"""JSON lines that survive a kill: appended whole, synced, and read with a torn tail set aside."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from sim.core.errors import Problem, UsageProblem
from sim.core.text import dumps
from sim.runs import private
from sim.runs.shapes import Shape, parse


def append(path: Path, *values: Any) -> None:
    """Append a line a value and sync them to the disk. Raises OSError where the disk refuses."""
    data = b"".join(dumps(value).encode() + b"\n" for value in values)
    made = not path.exists()
    with private.opened(path, "ab") as file:
        start = file.tell()
        try:
            write_all(file, data)
            os.fsync(file.fileno())
        except OSError:
            file.truncate(start)
            raise
    if made:
        sync_folder(path.parent)


def write_all(file: BinaryIO, data: bytes) -> None:
    """Write all of `data` to an unbuffered file: a system may take less than it is given.

    Raises OSError where it refuses, or takes nothing more.
    """
    left = memoryview(data)
    while left:
        written = file.write(left)
        if not written:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left = left[written:]


def write_whole(path: Path, text: str | bytes) -> None:
    """Write a file so that it is there whole or not at all, also after the power fails. Raises OSError."""
    part = path.with_suffix(".part")
    with private.opened(part, "wb") as file:
        write_all(file, text.encode() if isinstance(text, str) else text)
        os.fsync(file.fileno())
    part.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make a new or renamed name in `folder` survive a power failure. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


Reader = Callable[[bytes, str], object]
"""Line and its `file:line` → what stands on it; raises UsageProblem."""
Unread = Callable[[UsageProblem], object]


def refuse(failure: UsageProblem) -> NoReturn:
    """Raise what is wrong with a line."""
    raise failure


def read(path: Path, shape: type[Shape], unread: Unread = refuse) -> Iterator[Any]:
    """The values of all whole lines; nothing for a file that is not there.

    `unread` is told of each whole line that is not JSON of this shape, with its number; by default that is
    raised.
    """
    for where, line in _whole_lines(path):
        try:
            value = parse(line, shape, where)
        except UsageProblem as failure:
            unread(failure)
        else:
            yield value


def _whole_lines(path: Path) -> Iterator[tuple[str, bytes]]:
    """`file:line` and bytes of each; nothing for a file that is not there."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.endswith(b"\n"):
                yield f"{path}:{number}", line


def unreadable(path: Path, reader: Reader) -> Iterator[Problem]:
    """What is wrong with each whole line that cannot be read."""
    for where, line in _whole_lines(path):
        try:
            reader(line, where)
        except UsageProblem as failure:
            yield from failure.problems


def set_torn_tail_aside(path: Path, torn: Path) -> bool:
    """Move an unfinished last line of `path` to a file in the folder `torn`; whether there was one."""
    if not path.exists():
        return False
    data = path.read_bytes()
    end = data.rfind(b"\n") + 1
    if end == len(data):
        return False
    with private.opened(torn / path.name, "ab") as file:
        file.write(data[end:] + b"\n")
    with path.open("r+b") as file:
        file.truncate(end)
        os.fsync(file.fileno())
    return True
