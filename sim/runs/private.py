"""Files and folders that only their owner may read: all that holds what people said goes through here.

Folders are 0700 and files 0600 whatever the umask, also where they were there before. It decides no place
and writes no content.
"""

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from sim.core.errors import Problem, UsageProblem

_log = logging.getLogger(__name__)
_OTHERS = 0o077


def folder(path: Path, *, shared: bool = False) -> Path:
    """`path`, made where it is missing and closed to others.

    One's own folder that was open is closed, which is said once. Raises UsageProblem where it cannot be
    made, and, unless `shared`, for a folder of another user or inside one that others could swap it in.
    """
    made = not path.exists()
    try:
        if not shared:
            _refuse_strangers(path)
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = path.stat()
        if found.st_mode & _OTHERS and not shared:
            path.chmod(0o700)
            if not made:
                _log.warning("%s was open to others; now only you can read it", path)
    except OSError as failure:
        raise UsageProblem(
            Problem("Directory not usable", f"{path} cannot be made.", str(failure.strerror or failure))
        ) from failure
    return path


def opened(path: Path, mode: str) -> BinaryIO:
    """A file opened unbuffered in binary `mode`, its folder made where missing; closed to others.

    Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file: BinaryIO = open(path, mode, buffering=0, opener=_private)  # type: ignore[assignment] # noqa: SIM115
    return file


def _private(path: str, flags: int) -> int:
    descriptor = os.open(path, flags, 0o600)
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode) and found.st_mode & _OTHERS and found.st_uid == os.geteuid():
        os.fchmod(descriptor, 0o600)
    return descriptor


def _refuse_strangers(path: Path) -> None:
    allow = "Name another folder, or allow this one by --shared-out."
    owner = path.stat().st_uid if path.exists() else os.geteuid()
    if owner != os.geteuid():
        raise UsageProblem(
            Problem("Folder of another user", f"{path} belongs to user {owner}, not to you.", allow)
        )
    for above in _open_above(path):
        raise UsageProblem(
            Problem(
                "Folder in an open one",
                f"{path} lies inside {above}, which other users can write: they could put another in its place.",
                allow,
            )
        )


def _open_above(path: Path) -> Iterator[Path]:
    """Folders above that others can write and where they could replace what is not theirs.

    A group of one's own is nobody else.
    """
    for above in (folder for folder in path.resolve().parents if folder.exists()):
        found = above.stat()
        others = stat.S_IWOTH | (stat.S_IWGRP if found.st_gid != os.getegid() else 0)
        if found.st_mode & others and not found.st_mode & stat.S_ISVTX:
            yield above
