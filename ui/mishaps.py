"""What goes wrong on a screen: shown, noted in a file, and not the end of anything.

A terminal that shows a screen has no room for a traceback, and a person has no use for one.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

_log = logging.getLogger(__name__)

_OURS = ("ui", "sim", "agents")
"""Loggers whose words are noted; libraries may log what was said."""
_MOST = 1_000_000
"""Bytes of notes that are kept; as many of older ones."""


def tell(notify: Callable[..., object], error: Exception) -> None:
    """Log what failed, and show by `notify` that it did."""
    _log.error("the screen could not show something", exc_info=error)
    what = f"Could not be shown: {type(error).__name__}. The conversation goes on."
    notify(what, severity="error", markup=False)


def screen_failed(error: Exception, *, goes_on: bool) -> str:
    """What is said once a screen that failed is closed."""
    then = (
        "The conversation goes on without it; ctrl+c stops it." if goes_on else "The conversation was ended."
    )
    return f"skopos: The screen failed: {type(error).__name__}. {then}\n"


class _Notes(RotatingFileHandler):
    """A file that is made with its first note; where it cannot be written, notes are lost."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path, maxBytes=_MOST, backupCount=1, encoding="utf-8", errors="backslashreplace", delay=True
        )
        self.setLevel(logging.WARNING)
        self.setFormatter(logging.Formatter("%(asctime)s %(process)d %(name)s: %(message)s"))
        self.written = False

    def _open(self) -> TextIOWrapper:
        path = Path(self.baseFilename)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = super()._open()
        path.chmod(0o600)
        return file

    def emit(self, record: logging.LogRecord) -> None:
        """Note it."""
        super().emit(record)
        self.written = self.written or (self.stream is not None and record.levelno >= logging.ERROR)

    def handleError(self, record: logging.LogRecord) -> None:
        """Nothing: logging itself would write a traceback over the screen."""


@contextmanager
def noted(path: Path, say: Callable[[str], object]) -> Iterator[None]:
    """Note in the file `path` what is logged meanwhile, and `say` at the end where errors are noted."""
    notes = _Notes(path)
    loggers = [logging.getLogger(name) for name in _OURS]
    for logger in loggers:
        logger.addHandler(notes)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(notes)
        notes.close()
        if notes.written:
            say(f"skopos: something could not be shown; what it was stands in {path}")
