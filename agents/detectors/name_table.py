"""The table of names and places across scripts (`names.tsv`).

It lets a name be known where a script has no capitals, and be recognised as the same name in another
language. A table, not a gazetteer: an absent name is an unknown name, never "no name".
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from sim.core.text import fold

_COLUMNS = {"eng": 0, "ind": 0, "arb": 1, "ben": 2, "kor": 3}


@cache
def known_names(language: str) -> Mapping[str, str]:
    """Folded form in the language's script → the name's first Latin form; empty for another language."""
    column = _COLUMNS.get(language)
    if column is None:
        return {}
    rows = [line.removeprefix("*").split("\t") for line in _lines()]
    found: dict[str, str] = {}
    for row in rows:
        for form in filter(None, row[column].split(",")):
            found.setdefault(fold(form), row[0].split(",")[0])
    return found


@cache
def places(language: str) -> frozenset[str]:
    """Folded forms of the places of the table in the language's script; empty for another language."""
    column = _COLUMNS.get(language)
    if column is None:
        return frozenset()
    starred = [line.removeprefix("*").split("\t") for line in _lines() if line.startswith("*")]
    return frozenset(fold(form) for row in starred for form in row[column].split(",") if form)


def _lines() -> list[str]:
    text = files("agents.detectors").joinpath("names.tsv").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
