"""Whether an Arabic text is marked as Standard or as a dialect; most short texts are neither.

Only words and forms of one side count: negators lam, lan, laysa, the relatives, the future sawfa, case
duals of the second person, against mish, mu, -sh, bidd-, 'ayiz, b- imperfects, dialect interrogatives. Formulae
and nouns are common to both: don't know. Sources: Ryding 2005, *A Reference Grammar of Modern Standard
Arabic*; Brustad 2000, *The Syntax of Spoken Arabic*; Holes 2004, *Modern Arabic*. Words, with the group
each dialect word is typical of, are in `arabic_variety.toml`.
"""

import tomllib
import unicodedata
from functools import cache
from importlib.resources import files

import regex

from agents.detectors.arabic_addressee import count
from agents.detectors.port import UNKNOWN, Detector, Evidence, Finding, Rule
from sim.core.text import fold, nfc

LABELS = ("standard", "dialect")
_FUTURE = regex.compile(
    r"(?<!\p{L})[وف]?س(?:أ\p{L}{2,}|[تين]\p{L}{3,}|[تين](?:صل|جد|قف|قع|كن|رى|عد|رد))(?!\p{L})"
)
_NO_FUTURE = regex.compile(
    r"[وف]?(?:سيار|سيد|سيج|ستار|ستين|ستون|سنوات|سنين|سنو|سينما|سياس|سياح|سيول|سيوف|سير[ةت]|سيناء|سيوف|سيبي|سيبو|سأل|سيادة|سيادت|سيدات|ستات|تنبيه|ستائر|سندو|سنتيم|سنتر|سيستم|سنتين|سنغاف|سيرف|سنة)"
)


def open_detector(language: str, name: str) -> Detector:
    """The variety detector."""
    return Rule(name, language, LABELS, variety)


def variety(text: str) -> Finding:
    """The variety of `text`; don't know without a marker, or with as many of both.

    A dialect marker's evidence names its group (Egyptian, Levantine, Gulf, Iraqi, Maghrebi, shared).
    """
    folded, written = fold(text), _unvowelled(text)
    found = [(m.group(), group) for group, words in _markers().items() for m in words.finditer(folded)]
    found += [(m.group(), "shared") for m in _raw().finditer(written)]
    found += [(m.group(), "standard") for m in _FUTURE.finditer(written) if not _NO_FUTURE.match(m.group())]
    found += [(e.quote, "standard") for e in count(text).evidence if e.value == "du"]
    standard = [Evidence(quote, group) for quote, group in found if group == "standard"]
    dialect = [Evidence(quote, group) for quote, group in found if group != "standard"]
    evidence = (*standard, *dialect)
    if len(standard) == len(dialect):
        return Finding(None, evidence) if evidence else UNKNOWN
    return Finding("standard" if len(standard) > len(dialect) else "dialect", evidence)


def _unvowelled(text: str) -> str:
    return "".join(c for c in nfc(text) if unicodedata.category(c) != "Mn" and c != "ـ")


@cache
def _markers() -> dict[str, "regex.Pattern[str]"]:
    path = files("agents.detectors").joinpath("arabic_variety.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return {group: _expression(words) for group, words in data.items() if group != "raw"}


@cache
def _raw() -> "regex.Pattern[str]":
    """Dialect words that differ from Standard ones in a hamza."""
    path = files("agents.detectors").joinpath("arabic_variety.toml")
    words = tomllib.loads(path.read_text(encoding="utf-8"))["raw"]
    return regex.compile(rf"(?<![\p{{L}}\p{{M}}])[وف]?(?:{'|'.join(words)})(?![\p{{L}}\p{{M}}])")


def _expression(words: list[str]) -> "regex.Pattern[str]":
    body = "|".join(sorted((fold(w).replace("*", r"[\p{L}]*") for w in words), key=len, reverse=True))
    return regex.compile(rf"(?<![\p{{L}}\p{{M}}])[وف]?(?:{body})(?![\p{{L}}\p{{M}}])")
