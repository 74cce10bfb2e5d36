"""The metadata at the head of a GGUF file: who a model says it is.

Reads single values and passes over lists (vocabularies, merges), so that it is quick and small for any
file. Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, versions 2 and 3, little-endian.
It must not judge a file: `gguf` says whether it is one, and loading is the server's.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

Single = str | int | float | bool

_SIMPLE = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _LIST = 8, 9
_MOST = 4096
"""Keys a header may have: more is no header."""
_LONGEST = 1 << 20
"""Bytes of one text, and of one key."""
_ITEMS = 1 << 21
"""Of one list: eight times the largest vocabularies."""


def metadata(path: Path) -> Mapping[str, Single]:
    """The single values of a header by key; what was read until it broke off for a damaged one.

    Raises OSError where the file cannot be read.
    """
    found: dict[str, Single] = {}
    with path.open("rb") as file:
        try:
            file.seek(16)
            for _ in range(min(_number(file, "Q"), _MOST)):
                key = _text(file)
                value = _value(file, _number(file, "I"))
                if value is not None:
                    found[key] = value
        except (struct.error, ValueError, KeyError):
            pass
    return found


def _value(file: BinaryIO, kind: int) -> Single | None:
    """One value; None for a list, which is passed over."""
    if kind == _STRING:
        return _text(file)
    if kind != _LIST:
        value: int | float | bool = struct.unpack("<" + _SIMPLE[kind], _bytes(file, _size(kind)))[0]
        return value
    inner, length = _number(file, "I"), _number(file, "Q")
    if length > _ITEMS:
        raise ValueError("a list too long for a header")
    if inner in _SIMPLE:
        file.seek(length * _size(inner), 1)
        return None
    if inner != _STRING:
        raise ValueError("lists of lists are no header")
    for _ in range(length):
        file.seek(_length(file), 1)
    return None


def _size(kind: int) -> int:
    return struct.calcsize("<" + _SIMPLE[kind])


def _number(file: BinaryIO, form: str) -> int:
    number: int = struct.unpack("<" + form, _bytes(file, struct.calcsize("<" + form)))[0]
    return number


def _text(file: BinaryIO) -> str:
    return _bytes(file, _length(file)).decode("utf-8", "replace")


def _length(file: BinaryIO) -> int:
    length = _number(file, "Q")
    if length > _LONGEST:
        raise ValueError("a text too long for a header")
    return length


def _bytes(file: BinaryIO, length: int) -> bytes:
    data = file.read(length)
    if len(data) < length:
        raise ValueError("the file ends in its header")
    return data
