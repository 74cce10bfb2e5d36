"""The words of numbers: what each word of a language adds to a numeral.

Cardinals up to 99 come from num2words, spelling variants, inflected forms, scales and fractions from
`numerals.toml` (sources there). Words are kept folded. It reads single words; runs are `numerals`.
"""

import tomllib
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any, get_args

from agents.detectors.numerals import Atom, Kind
from sim.core.text import fold

_NUM2WORDS = {"ben": "bn", "eng": "en", "ind": "id"}
"""Languages whose cardinals num2words writes as they are said; ISO 639-3 → its own code."""


@cache
def atoms(language: str) -> dict[str, tuple[Atom, ...]]:
    """Folded word → its atoms."""
    data = numerals(language)
    found: dict[str, tuple[Atom, ...]] = {
        fold(w): (Atom("unit", Decimal(n)),) for w, n in _cardinals(language)
    }
    kinds: tuple[Kind, ...] = get_args(Kind)
    for kind in kinds:
        for value, words in _valued(data.get(kind, {})):
            found |= {fold(w): (Atom(kind, value),) for w in words.split()}
    for word, parts in data.get("fused", {}).items():
        found[fold(word)] = tuple(a for part in parts.split() for a in found[fold(part)])
    return found


def _valued(words: str | dict[str, str]) -> list[tuple[Decimal, str]]:
    """(value, words) of a kind; connectors and the decimal point have no value."""
    if isinstance(words, str):
        return [(Decimal(0), words)]
    return [(Decimal(value), said) for value, said in words.items()]


@cache
def numerals(language: str) -> dict[str, Any]:
    """The language's section of `numerals.toml`."""
    text = files("agents.detectors").joinpath("numerals.toml").read_text(encoding="utf-8")
    section: dict[str, Any] = tomllib.loads(text).get(language, {})
    return section


def _cardinals(language: str) -> list[tuple[str, int]]:
    """Cardinals of one word that num2words knows."""
    if language not in _NUM2WORDS:
        return []
    from num2words import num2words

    said = [(str(num2words(n, lang=_NUM2WORDS[language])), n) for n in range(100)]
    return [(word, n) for word, n in said if " " not in word and "-" not in word]
