"""The table of names and places across scripts (`names.tsv`).

It lets a name be known where a script has no capitals, and be recognised as the same name in another
language. A table, not a gazetteer: an absent name is an unknown name, never "no name". It must not learn
what a sentence says: whether a name that is also a word is meant is for the modules of the scripts.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from sim.core.text import fold

_COLUMNS = {"eng": 0, "ind": 0, "arb": 1, "ben": 2, "kor": 3}


@dataclass(frozen=True, slots=True)
class _Table:
    """The table in the script of one language, read once."""

    names: dict[str, str] = field(default_factory=dict)
    places: set[str] = field(default_factory=set)
    persons: set[str] = field(default_factory=set)
    spellings: list[str] = field(default_factory=list)


def known_names(language: str) -> Mapping[str, str]:
    """Folded form in the language's script → the name's first Latin form; empty for another language."""
    return _table(language).names


def places(language: str) -> Set[str]:
    """Folded forms of the places of the table in the language's script; empty for another language."""
    return _table(language).places


def persons(language: str) -> Set[str]:
    """Folded forms of the people of the table, in the language's script; empty for another language."""
    return _table(language).persons


def spellings(language: str) -> Sequence[str]:
    """Every form of the table in the language's script as it is written there, not folded."""
    return _table(language).spellings


@cache
def _table(language: str) -> _Table:
    """The table; empty for a language without a column."""
    table = _Table()
    column = _COLUMNS.get(language)
    if column is None:
        return table
    for line in files("agents.detectors").joinpath("names.tsv").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        cells = line.removeprefix("*").split("\t")
        forms = [form for form in cells[column].split(",") if form]
        folded = [fold(form) for form in forms]
        for form in folded:
            table.names.setdefault(form, cells[0].split(",")[0])
        (table.places if line.startswith("*") else table.persons).update(folded)
        table.spellings.extend(forms)
    return table
