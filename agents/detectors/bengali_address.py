"""How a Bengali text addresses its hearer: apni (respectful), tumi (familiar), tui (intimate).

Pronouns settle it; without one, second-person verb endings do. The respectful endings (-en) and the
familiar future (-be) are also third person, so they count only in a short question, or as a short request
(-ben), and beside no subject of the third person; the imperatives (-un, -o, -ish, bare stem) are second person alone. Source: Thompson 2010,
*Bengali: A Comprehensive Grammar*, ch. 5 (pronouns) and 7 (verb tables); Thompson 2012, *Bengali*
(London Oriental and African Language Library). Forms are built from the stems in `bengali_verbs.toml`.
"""

import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import Any

import regex

from agents.detectors.name_table import known_names
from agents.detectors.port import UNKNOWN, Detector, Evidence, Finding, Rule
from sim.core.text import fold

LABELS = ("apni", "tumi", "tui")
"""From the most respectful to the intimate one."""
_SHORT = 7
"""Most words of a text whose verb, also a third-person form, is taken for the addressee's."""
_AFTER = frozenset(fold(word) for word in ("না", "তো", "কিন্তু", "প্লিজ"))
_WORD = regex.compile(r"[\p{L}\p{M}]+")


def open_detector(language: str, name: str) -> Detector:
    """The address detector."""
    return Rule(name, language, LABELS, address)


def address(text: str) -> Finding:
    """The address of `text`; don't know where it addresses nobody, or two ways alike."""
    folded = fold(text)
    words = _WORD.findall(folded)
    table = _table()
    found = [Evidence(word, table.pronouns[word]) for word in words if word in table.pronouns]
    return _most(found or _by_verbs(folded, words))


def _by_verbs(folded: str, words: list[str]) -> list[Evidence]:
    table = _table()
    sure = [Evidence(word, table.certain[word]) for word in words if word in table.certain]
    bare = [Evidence(m.group(1), table.bare[m.group(1)]) for m in table.closing.finditer(folded)]
    if sure or bare or len(words) > _SHORT or any(word in table.others for word in words):
        return sure + bare
    asked = "?" in folded
    closing = [word for word in words if word not in _AFTER][-1:]
    return [
        Evidence(word, table.shared[word])
        for word in words
        if word in table.shared and (asked or (word in closing and word in table.requests))
    ]


def _most(found: list[Evidence]) -> Finding:
    if not found:
        return UNKNOWN
    (label, most), *rest = Counter(str(e.value) for e in found).most_common()
    tied = bool(rest) and rest[0][1] == most
    return Finding(None if tied else label, tuple(found))


class _Table:
    """Word forms → address, built once from stems and endings."""

    def __init__(self) -> None:
        path = files("agents.detectors").joinpath("bengali_verbs.toml")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        self.pronouns = {fold(w): label for label in LABELS for w in data["pronouns"][label]}
        self.others = frozenset(fold(w) for w in data["others"]) | known_names("ben").keys()
        never = {fold(w) for w in data["never"]}
        self.certain = {w: label for w, label in _forms(data["class"], "").items() if w not in never}
        self.shared = {
            w: label for w, label in _forms(data["class"], "_shared").items() if w not in self.certain
        }
        self.requests = frozenset(fold(w) for w in self.shared if w.endswith(fold("বেন")))
        self.bare = _forms(data["class"], "_bare")
        words = "|".join(sorted(self.bare, key=len, reverse=True))
        self.closing = regex.compile(
            rf"(?<![\p{{L}}\p{{M}}])({words})(?: (?:তো|না|দেখি|এখন|রে|এবার|প্লিজ))?(?=\s*[.!?।]|\s*\Z)"
        )


def _forms(classes: list[dict[str, Any]], kind: str) -> dict[str, str]:
    """Folded forms of one kind, with and without the negative ending."""
    forms: dict[str, str] = {}
    for verbs in classes:
        for label in LABELS:
            for ending in verbs.get(label + kind, ()):
                for low, high in verbs["stems"]:
                    form = ending.replace("L", low).replace("H", high)
                    forms.setdefault(fold(form), label)
                    forms.setdefault(fold(f"{form}নি"), label)
    return forms


@cache
def _table() -> _Table:
    return _Table()
