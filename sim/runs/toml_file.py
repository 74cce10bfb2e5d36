"""TOML as people write it: what a file holds, or one of two kinds of error, whatever is in the file.

It reads; what the document means is for its callers.
"""

import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any


def read(file: Path | Traversable) -> dict[str, Any]:
    """The document of a file; a byte order mark before it is passed over.

    Raises OSError where it cannot be read, ValueError where it is not UTF-8 or not TOML.
    """
    return parsed(text(file))


def text(file: Path | Traversable) -> str:
    """What stands in a file. Raises OSError, and ValueError where it is not UTF-8."""
    return file.read_text(encoding="utf-8-sig")


def parsed(text: str) -> dict[str, Any]:
    """The document in `text`. Raises ValueError where it is no TOML."""
    try:
        return tomllib.loads(text)
    except RecursionError as failure:
        raise ValueError("it is nested too deeply") from failure
