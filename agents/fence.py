"""Fence tokens for text that a model must read as data.

A token is a digest of the very texts it fences: no text can contain the token of a prompt it is part
of, and the same prompt always gets the same token, so calls stay cacheable.
"""

from hashlib import sha256


def fence(*texts: str) -> str:
    """A token for these texts: 12 hex digits."""
    joined = "\x00".join(texts).encode("utf-8", "surrogatepass")
    return sha256(b"skopos fence\x00" + joined).hexdigest()[:12]
