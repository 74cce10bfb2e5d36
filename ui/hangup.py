"""A terminal that goes away under the screen.

Textual writes in a thread that ends with the first error; its queue then fills and the program waits for it
without end, deaf to the hang-up that would stop it. Here what a lost terminal no longer takes is dropped, so
that a hang-up ends the program like any other way of quitting. It must not hide another error.
"""

import errno
from collections.abc import Callable
from typing import Any

_GONE = (errno.EIO, errno.EBADF, errno.ENXIO, errno.EPIPE)


class Lasting:
    """Put before a driver of Textual whose output may go away."""

    _file: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if hasattr(self, "_file"):
            self._file = _Output(self._file)


class _Output:
    """A file that takes what its terminal no longer does."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write(self, text: str) -> None:
        _unless_gone(lambda: self._file.write(text))

    def flush(self) -> None:
        _unless_gone(self._file.flush)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def _unless_gone(write: Callable[[], object]) -> None:
    try:
        write()
    except OSError as error:
        if error.errno not in _GONE:
            raise
