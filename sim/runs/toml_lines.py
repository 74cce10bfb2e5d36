"""Where a key of a TOML file stands: the line a person has to look at.

It reads headings and keys line by line and takes the longest path that it finds; it never decides whether
a document is right.
"""

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """The number, from 1, of the line that comes nearest to `path`; None where nothing of it is found.

    Places in a list count the `[[tables]]` of one name.
    """
    wanted = tuple(path)
    best, found = 0, None
    for number, keys in _keys(text):
        shared = _shared(keys, wanted)
        if shared > best or (shared == best and found is None and shared):
            best, found = shared, number
    return found


@lru_cache(maxsize=2)
def _keys(text: str) -> list[tuple[int, tuple[str | int, ...]]]:
    """Every heading and key with its line and its whole path."""
    found: list[tuple[int, tuple[str | int, ...]]] = []
    table: tuple[str | int, ...] = ()
    seen: dict[tuple[str | int, ...], int] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            heading = _path(stripped)
            if heading is None:
                continue
            if stripped.startswith("[["):
                seen[heading] = seen.get(heading, -1) + 1
                heading = (*heading, seen[heading])
            table = heading
            found.append((number, table))
        elif "=" in stripped and (key := _path(f"{_before_equals(stripped)} = 0")):
            found.append((number, (*table, *key)))
    return found


def _before_equals(line: str) -> str:
    """The key of a line; an equals sign in quotes is part of it."""
    quote = ""
    for place, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign == "=":
            return line[:place]
    return line


def _path(line: str) -> tuple[str | int, ...] | None:
    try:
        value: Any = tomllib.loads(line)
    except (ValueError, RecursionError):
        return None
    path: list[str | int] = []
    while isinstance(value, dict | list) and value:
        if isinstance(value, list):
            value = value[0]
            continue
        key = next(iter(value))
        path.append(key)
        value = value[key]
    return tuple(path) or None


def _shared(keys: Sequence[str | int], wanted: Sequence[str | int]) -> int:
    """How far two paths go together, a list's places included."""
    count = 0
    for one, other in zip(keys, wanted, strict=False):
        if one != other:
            break
        count += 1
    return count if count == len(keys) or count == len(wanted) else 0
