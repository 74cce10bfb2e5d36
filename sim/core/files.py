"""Files that people name, read whole: regular ones only, up to a stated size.

A pipe would be waited for and a device never ends, so both are refused before a byte is read. What stands in
a file is for its callers.
"""

import errno
import os
import stat
from pathlib import Path

LARGEST = 1_000_000
"""Bytes of a document that a person writes."""


def read(path: Path, most: int = LARGEST) -> bytes:
    """All of a file of at most `most` bytes. Raises OSError, also for a larger one and for a pipe or device."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        kind = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(kind):
            raise OSError(errno.EINVAL, "Not a regular file", str(path))
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"Larger than {most:,} bytes", str(path))
    return data
