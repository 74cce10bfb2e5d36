"""Names in Korean: the analyser's proper nouns, family names before titles, known given names.

Given names that are also words count only with what follows persons alone.
"""

from collections.abc import Iterator
from typing import Any

import regex

from agents.detectors.korean import analyser
from agents.detectors.name_table import known_names
from agents.detectors.name_words import words

_WORD_FORM = regex.compile(
    r"(?<!\p{Hangul})(?P<name>\p{Hangul}{2,4}?)이?(?:가|는|은|를|을|도|와|과|하고|랑|에게|한테|야|아|의|로|에|에서|까지|부터|네)?"
    r"(?!\p{Hangul})"
)
_PERSON = regex.compile(
    r"이(?:가|는|를|랑|도|네|한테|에게|야)(?!\p{Hangul})| (?:언니|오빠|누나|이모|삼촌|선배|쌤|고모)"
)
"""What follows only persons: -이 before a particle, kin terms."""
_VOCATIVE = regex.compile(r"[아야][,!~]")


def proper(text: str) -> tuple[list[str], list[str]]:
    """Proper nouns of the analyser; a family name before a title."""
    data = words("kor")
    found, unsure = [], []
    for sentence in analyser().sentences(text):
        for morpheme in sentence.words:
            if morpheme.form in data["unsure"]:
                unsure.append(morpheme.form)
            elif morpheme.tag == "NNP":
                found.append(morpheme.form)
        found += [m["name"] for p in data["introductions"] for m in regex.finditer(p, sentence.text)]
        found += [name for name in _called(sentence.text, data) if not any(name in known for known in found)]
    found = [name for name in found if name not in data["plain"]]
    longest = [name for name in found if not any(name != other and name in other for other in found)]
    return list(dict.fromkeys(longest)), unsure


def _called(text: str, data: dict[str, Any]) -> Iterator[str]:
    """Names of the table that stand alone or with their particles."""
    table = known_names("kor")
    for match in _WORD_FORM.finditer(text):
        name = match["name"]
        called = any(way.match(text, match.end("name")) for way in (_PERSON, _VOCATIVE))
        if name in table and (called or (name not in data["homographs"] and name not in data["unsure"])):
            yield name
