"""Reading the JSON in a model's answer, whatever stands around it.

Tolerant of what models do to JSON (fences, words around it, a trailing comma, a line break inside a
text, `True`), never of what is not there: a value that is broken off or broken is no value, though one
inside it may be. It must not guess: libraries that repair JSON close what was cut off and read quoted,
escaped JSON as JSON.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_DEPTH = 8
"""Values inside values; what lies deeper belongs to no answer we ask for."""
_BEGIN = re.compile(r'\{(?=\s*["}])|\[(?=\s*\{)')
_SPACE = re.compile(r"\s*+")
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_NUMBER = re.compile(r"-?\d{1,18}(?![\d])(?:\.\d{1,18})?(?:[eE][+-]?\d{1,3})?(?![\w.])")
_WORD = re.compile(r"[A-Za-z]{4,5}\b")
_WORDS = {"true": True, "false": False, "null": None, "none": None}


@dataclass(frozen=True, slots=True)
class Found:
    """One JSON object, or array of objects, in a text."""

    value: Any
    span: str
    """As it stands in the text."""
    end: int


class _Broken(Exception):
    """No JSON value stands here."""


def values(text: str) -> Iterator[Found]:
    """The outermost objects, and arrays that begin with one, in order.

    A key that stands twice in an object has the value None. Takes time linear in the text: each character
    lies in at most `_DEPTH` values that were begun and not read, twice (inside a string and outside).
    """
    at = 0
    while (begun := _BEGIN.search(text, at)) is not None:
        try:
            value, at = _value(text, begun.start(), _DEPTH)
        except _Broken:
            at = begun.start() + 1
            continue
        yield Found(value, text[begun.start() : at], at)


def first_object(text: str) -> dict[str, Any] | None:
    """The first JSON object that can be read in `text`, None where there is none."""
    for found in values(text):
        for value in found.value if isinstance(found.value, list) else [found.value]:
            if isinstance(value, dict):
                return value
    return None


def _value(text: str, at: int, depth: int) -> tuple[Any, int]:
    """The value at `at`, and where it ends. Raises _Broken."""
    match text[at : at + 1]:
        case "{" if depth:
            return _object(text, at + 1, depth - 1)
        case "[" if depth:
            return _array(text, at + 1, depth - 1)
        case '"':
            return _string(text, at)
    if (number := _NUMBER.match(text, at)) is not None:
        said = number.group()
        return (int(said) if said.lstrip("-").isdigit() else float(said)), number.end()
    word = _WORD.match(text, at)
    if word is None or word.group().casefold() not in _WORDS:
        raise _Broken
    return _WORDS[word.group().casefold()], word.end()


def _object(text: str, at: int, depth: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    at = _skip(text, at)
    while text[at : at + 1] != "}":
        key, at = _string(text, at)
        at = _skip(text, at)
        if text[at : at + 1] != ":":
            raise _Broken
        value, at = _value(text, _skip(text, at + 1), depth)
        found[key] = None if key in found else value
        at = _next(text, at, "}")
    return found, at + 1


def _array(text: str, at: int, depth: int) -> tuple[list[Any], int]:
    found: list[Any] = []
    at = _skip(text, at)
    while text[at : at + 1] != "]":
        value, at = _value(text, at, depth)
        found.append(value)
        at = _next(text, at, "]")
    return found, at + 1


def _next(text: str, at: int, closing: str) -> int:
    """Past the comma after an item, or at what closes the whole. Raises _Broken."""
    at = _skip(text, at)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != closing:
        raise _Broken
    return at


def _string(text: str, at: int) -> tuple[str, int]:
    held = _STRING.match(text, at)
    if held is None:
        raise _Broken
    if "\\" not in held.group():
        return held.group()[1:-1], held.end()
    try:
        said: str = json.loads(held.group(), strict=False)
    except ValueError:
        raise _Broken from None
    return said, held.end()


def _skip(text: str, at: int) -> int:
    held = _SPACE.match(text, at)
    return held.end() if held else at
