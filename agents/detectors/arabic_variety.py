"""Whether an Arabic text is marked as Standard or as a dialect; most short texts are neither.

Only words and forms of one side count: negators lam, lan, laysa, the relatives, the future sawfa, case
tanwin after a verb, against mish, mu, -sh, bidd-, 'ayiz, b- imperfects, dialect interrogatives. Formulae
and nouns are common to both: don't know. Sources: Ryding 2005, *A Reference Grammar of Modern Standard
Arabic*; Brustad 2000, *The Syntax of Spoken Arabic*; Holes 2004, *Modern Arabic*. Words, with the group
each dialect word is typical of, are in `arabic_variety.toml`.
"""

import tomllib
from functools import cache
from importlib.resources import files

import regex

from agents.detectors.port import UNKNOWN, Detector, Evidence, Finding, Rule
from sim.core.text import fold

LABELS = ("standard", "dialect")


def open_detector(language: str, name: str) -> Detector:
    """The variety detector."""
    return Rule(name, language, LABELS, variety)


def variety(text: str) -> Finding:
    """The variety of `text`; don't know without a marker, or with as many of both.

    A dialect marker's evidence names its group (Egyptian, Levantine, Gulf, Iraqi, Maghrebi, shared).
    """
    folded = fold(text)
    standard = [Evidence(m.group(), "standard") for m in _markers()["standard"].finditer(folded)]
    dialect = [
        Evidence(m.group(), group)
        for group, words in _markers().items()
        if group != "standard"
        for m in words.finditer(folded)
    ]
    found = (*standard, *dialect)
    if len(standard) == len(dialect):
        return Finding(None, found) if found else UNKNOWN
    return Finding("standard" if len(standard) > len(dialect) else "dialect", found)


@cache
def _markers() -> dict[str, "regex.Pattern[str]"]:
    path = files("agents.detectors").joinpath("arabic_variety.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return {group: _expression(words) for group, words in data.items()}


def _expression(words: list[str]) -> "regex.Pattern[str]":
    body = "|".join(sorted((fold(w).replace("*", r"[\p{L}]*") for w in words), key=len, reverse=True))
    return regex.compile(rf"(?<![\p{{L}}\p{{M}}])[وف]?(?:{body})(?![\p{{L}}\p{{M}}])")
