"""Rows of verdicts in the JSON of an answer: which values fit the schema, in whatever wrapping.

The shapes that models give instead of the one asked for: an array, a map from id to row, one wrapper,
one row a line; ids as numbers or in other letters. It reads; whom to believe is for `answers` to say.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from agents.json_answer import Found, values

Answer = Literal["met", "not_met", "not_said"]
_WORDS: Mapping[str, Answer] = {
    "true": "met",
    "yes": "met",
    "met": "met",
    "false": "not_met",
    "no": "not_met",
    "not met": "not_met",
    "not said": "not_said",
}
_NUMBER = re.compile(r"[1-9]\d{0,3}")


@dataclass(frozen=True, slots=True)
class Row:
    """What one row says."""

    id: str
    """In small letters; `c1` also for a bare 1."""
    answer: Answer
    reason: str


@dataclass(frozen=True, slots=True)
class Given:
    """The rows of one object, or of all lone rows of a text together."""

    rows: tuple[Row, ...]
    span: str = ""
    """As it stands in the text; empty for lone rows."""
    end: int = 0

    def row(self, name: str) -> Row | None:
        """What it says of one criterion, None where that is nothing or two things."""
        said = [row for row in self.rows if row.id == name]
        return said[-1] if len({row.answer for row in said}) == 1 else None


def given(text: str) -> list[Given]:
    """Every object with rows, in the order in which they end; all rows that stand alone are one."""
    found: list[Given] = []
    alone: list[Row] = []
    end = 0
    for value in values(text):
        for rows in _objects(value.value):
            found.append(Given(tuple(rows), value.span, value.end))
        lone = _alone(value)
        if lone:
            alone += lone
            end = value.end
    if alone:
        found.append(Given(tuple(alone), end=end))
    return sorted((one for one in found if one.rows), key=lambda one: one.end)


def _objects(value: Any) -> Iterator[list[Row]]:
    """The rows of a value, or of each value in it where it is a mere wrapper."""
    own = _rows(value)
    if own is not None:
        yield own
        return
    for inner in value.values() if isinstance(value, dict) else value:
        rows = _rows(inner)
        if rows is not None:
            yield rows


def _rows(value: Any) -> list[Row] | None:
    """The rows of an object of any of our shapes; None for anything else, also for a row by itself."""
    if isinstance(value, dict) and "verdicts" in value:
        inner = value["verdicts"]
        return [row] if (row := _row(inner)) else (_rows(inner) if isinstance(inner, list | dict) else [])
    if isinstance(value, list):
        rows = [row for one in value if (row := _row(one))]
        return rows or None
    if isinstance(value, dict) and not _row(value):
        named = [_row({"id": name, **row}) for name, row in value.items() if isinstance(row, dict)]
        return [row for row in named if row] or None
    return None


def _alone(found: Found) -> list[Row]:
    """A row that is a value of its own."""
    row = None if isinstance(found.value, list) or "verdicts" in found.value else _row(found.value)
    return [row] if row else []


def _row(value: Any) -> Row | None:
    if not isinstance(value, dict):
        return None
    name, answer = _id(value.get("id")), _answer(value.get("met"))
    if name is None or answer is None:
        return None
    reason = value.get("reason")
    # a lone surrogate, spelt \ud800, is no text that a file could hold
    said = reason.strip().encode("utf-8", "replace").decode() if isinstance(reason, str) else ""
    return Row(name, answer, said)


def _id(value: Any) -> str | None:
    """`c1` for `c1`, `C1`, `1` and 1."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    name = str(value).strip().casefold()
    return f"c{name}" if _NUMBER.fullmatch(name) else name or None


def _answer(value: Any) -> Answer | None:
    if isinstance(value, bool):
        return "met" if value else "not_met"
    if not isinstance(value, str):
        return None
    return _WORDS.get(re.sub(r"[\s_-]+", " ", value.strip().casefold()))
