"""GGUF files: is it one, and which one.

Reads the first bytes and the hash, nothing else; loading is the server's.
"""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

from sim.core.errors import Problem, UsageProblem

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)


def check(path: Path) -> None:
    """Raises UsageProblem where `path` is missing, unreadable or no GGUF file."""
    problem = _problem(path)
    if problem is not None:
        raise UsageProblem(problem)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, hexadecimal. Slow for big files: call it off the loop."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_file(path: Path) -> bool:
    """Whether a file stands at `path`; no name that no file can have raises."""
    return _kind(path) == "a file"


def _problem(path: Path) -> Problem | None:
    title, choices = "Model file", tuple(f"gguf:{p}" for p in _neighbours(path))
    kind = _kind(path)
    if kind != "a file":
        return Problem(
            title, f"The model file {str(path)!r} is {kind}.", "Give the path of a GGUF file.", choices
        )
    try:
        with path.open("rb") as file:
            head = file.read(8)
    except OSError as error:
        return Problem(title, f"The model file {str(path)!r} cannot be read.", error.strerror or "", choices)
    if head[:4] != _MAGIC:
        return Problem(
            title, f"{str(path)!r} is not a GGUF file.", "A GGUF file begins with the bytes GGUF.", choices
        )
    version = struct.unpack("<I", head[4:8])[0] if len(head) == 8 else None
    if version not in _VERSIONS:
        why = f"Its format version is {version}; versions {_VERSIONS[0]} and {_VERSIONS[1]} can be loaded."
        return Problem(title, f"{str(path)!r} is not a GGUF file this program can load.", why, choices)
    return None


def _kind(path: Path) -> str:
    """What stands at `path`; a name that no file can have is missing too."""
    try:
        return "a directory" if path.is_dir() else "a file" if path.is_file() else "missing"
    except OSError:
        return "missing"


def _neighbours(path: Path) -> list[Path]:
    """Other GGUF files beside the one that was asked for."""
    try:
        folder = path if path.is_dir() else path.parent
        return sorted(found for found in folder.glob("*.gguf") if found != path)[:8]
    except OSError:
        return []
