"""A terminal that goes away under the screen.

Textual writes in a thread that ends with the first error; its queue then fills and the program waits for it
without end, while another thread reads the end of input over and over. Here what a lost terminal no longer
takes is dropped, and the app leaves as if asked to: a screen that nobody can see or quit is none, also where
the signal of a hang-up is ignored. It must not hide another error.
"""

import errno
from collections.abc import Callable
from typing import Any

_GONE = (errno.EIO, errno.EBADF, errno.ENXIO, errno.EPIPE)


class Lasting:
    """Put before a driver of Textual whose terminal may go away; its app has an action `leave`."""

    _app: Any
    _file: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if hasattr(self, "_file"):
            self._file = _Output(self._file, lambda: self._app.call_later(self._app.action_leave))


class _Output:
    """A file that takes what its terminal no longer does, and tells once that it is gone."""

    def __init__(self, file: Any, gone: Callable[[], object]) -> None:
        self._file = file
        self._gone: Callable[[], object] | None = gone

    def write(self, text: str) -> None:
        self._unless_gone(lambda: self._file.write(text))

    def flush(self) -> None:
        self._unless_gone(self._file.flush)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def _unless_gone(self, output: Callable[[], object]) -> None:
        try:
            output()
        except OSError as error:
            if error.errno not in _GONE:
                raise
            tell, self._gone = self._gone, None
            if tell is not None:
                tell()
