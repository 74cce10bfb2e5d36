"""Formality of an Indonesian text by its marked words: formal, informal, or don't know.

Only words that belong to one register count: Jakarta pronouns, negators, particles and nasal verbs on one
side; written function words, ceremonial verbs and the suffix -kah on the other. Most everyday words are
neutral, and a text of those is don't know. Sources: Sneddon 2003, "Diglossia in Indonesian"; Sneddon 2006,
*Colloquial Jakartan Indonesian*; Sneddon et al. 2010. Words: `indonesian_formality.toml`.
"""

import tomllib
from functools import cache
from importlib.resources import files

import regex

from agents.detectors.phrasal import own_words
from agents.detectors.port import UNKNOWN, Detector, Evidence, Finding, Rule
from sim.core.text import fold

LABELS = ("formal", "informal")


def open_detector(language: str, name: str) -> Detector:
    """The formality detector."""
    return Rule(name, language, LABELS, formality)


def formality(text: str) -> Finding:
    """The side with more marked words; don't know where there are none, or as many of both. Quoted words are not its own."""
    folded = fold(own_words(text))
    found = [Evidence(m.group(), label) for label in LABELS for m in _words(label).finditer(folded)]
    formal = sum(e.value == "formal" for e in found)
    if 2 * formal == len(found):
        return Finding(None, tuple(found)) if found else UNKNOWN
    return Finding("formal" if 2 * formal > len(found) else "informal", tuple(found))


@cache
def _words(label: str) -> "regex.Pattern[str]":
    path = files("agents.detectors").joinpath("indonesian_formality.toml")
    words = tomllib.loads(path.read_text(encoding="utf-8"))[label]
    body = "|".join(sorted((w.replace("*", r"\p{L}*") for w in words), key=len, reverse=True))
    return regex.compile(rf"(?<![\p{{L}}\d-])(?:{body})(?![\p{{L}}\d])")
