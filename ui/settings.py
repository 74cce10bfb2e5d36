"""What a person set on the screen and wants to find again: one small JSON file, nothing of any text.

A file that cannot be read or written is no reason to fail: the defaults hold, and it is logged.
"""

import json
import logging
import os
from pathlib import Path

from sim.core import files
from ui.text import Bidi

_log = logging.getLogger(__name__)


class Settings:
    """The settings in a file; with no file they last as long as the screen."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.bidi = Bidi.AUTO
        """How right-to-left lines are drawn."""
        if path is not None:
            self._read(path)

    def _read(self, path: Path) -> None:
        try:
            self.bidi = Bidi(json.loads(files.read(path))["bidi"])
        except FileNotFoundError:
            return
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            _log.warning("%s cannot be read: the defaults hold", path, exc_info=True)

    def remember(self, bidi: Bidi) -> None:
        """Keep a choice, in the file too."""
        self.bidi = bidi
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh = self._path.with_suffix(f".{os.getpid()}")
            fresh.write_text(json.dumps({"bidi": bidi.value}) + "\n", encoding="utf-8")
            fresh.replace(self._path)
        except OSError:
            _log.warning("%s cannot be written", self._path, exc_info=True)
