"""The table of names and places across scripts (`names.tsv`).

It lets a name be known where a script has no capitals, and be recognised as the same name in another
language. A table, not a gazetteer: an absent name is an unknown name, never "no name". It must not learn
what a sentence says: whether a name that is also a word is meant is for the modules of the scripts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sim.core.text import fold

_COLUMNS = {"eng": 0, "ind": 0, "arb": 1, "ben": 2, "kor": 3}


@dataclass(frozen=True, slots=True)
class _Row:
    """One name in the script of one language."""

    place: bool
    latin: str
    forms: tuple[str, ...]


@cache
def known_names(language: str) -> Mapping[str, str]:
    """Folded form in the language's script → the name's first Latin form; empty for another language."""
    found: dict[str, str] = {}
    for row in _rows(language):
        for form in row.forms:
            found.setdefault(fold(form), row.latin)
    return found


@cache
def places(language: str) -> frozenset[str]:
    """Folded forms of the places of the table in the language's script; empty for another language."""
    return frozenset(fold(form) for row in _rows(language) if row.place for form in row.forms)


@cache
def persons(language: str) -> frozenset[str]:
    """Folded forms of the people of the table, in the language's script; empty for another language."""
    return frozenset(fold(form) for row in _rows(language) if not row.place for form in row.forms)


def spellings(language: str) -> Iterator[str]:
    """Every form of the table in the language's script as it is written there, not folded."""
    for row in _rows(language):
        yield from row.forms


def _rows(language: str) -> Iterator[_Row]:
    """The rows of the table; none for a language without a column."""
    column = _COLUMNS.get(language)
    if column is None:
        return
    for line in files("agents.detectors").joinpath("names.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            cells = line.removeprefix("*").split("\t")
            forms = tuple(form for form in cells[column].split(",") if form)
            yield _Row(line.startswith("*"), cells[0].split(",")[0], forms)
