"""TOML as people write it: what a file holds, or one of two kinds of error, whatever is in the file.

It reads; what the document means is for its callers.
"""

import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from sim.core import files

_DOTS = 500
"""In one line: the time for a dotted key grows with the square of its length."""


def read(file: Path | Traversable) -> dict[str, Any]:
    """The document of a file; a byte order mark before it is passed over.

    Raises OSError where it cannot be read, ValueError where it is not UTF-8 or not TOML.
    """
    return parsed(text(file))


def text(file: Path | Traversable) -> str:
    """What stands in a file. Raises OSError, also where `files.read` does, and ValueError where it is not UTF-8."""
    data = files.read(file) if isinstance(file, Path) else file.read_bytes()
    return data.decode("utf-8-sig")


def parsed(text: str) -> dict[str, Any]:
    """The document in `text`. Raises ValueError where it is no TOML."""
    if any(line.count(".") > _DOTS for line in text.splitlines()):
        raise ValueError(f"a line has more than {_DOTS:,} dots")
    try:
        return tomllib.loads(text)
    except RecursionError as failure:
        raise ValueError("it is nested too deeply") from failure
