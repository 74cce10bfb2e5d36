"""Whether a text asks something, for languages whose questions show in words and punctuation.

A question mark settles it (also the Arabic one). Without it the interrogative words and orders of
`phrases/<code>.toml` do; a text that ends without any punctuation and without such a form could be
either, as in speech typed as it is spoken, unless it holds a form of statements only (section `statement`:
prohibitions, "I" and "we" who deny). Sources: the headers of those files; for declaratives used as
questions Gunlogson 2001, *True to Form*.
"""

import re

from agents.detectors.phrasal import lists
from agents.detectors.port import NO, UNKNOWN, YES, Detector, Evidence, Finding, Rule
from sim.core.text import letters

_MARK = re.compile(r"[?؟？]")
_ENDED = re.compile(r"[.!।…:;。！]['\"”’»)\]\s]*\Z")


def open_detector(language: str, name: str) -> Detector:
    """The question detector of `language`."""
    phrases, stated = lists(language, name), lists(language, "statement")

    def find(text: str) -> Finding:
        marked = asked_by_mark(text)
        if marked is not None:
            return marked
        found = phrases.find(text)
        if found.label == NO and not ended(text) and stated.find(text).label != YES:
            return UNKNOWN
        return found

    return Rule(name, language, (YES, NO), find)


def asked_by_mark(text: str) -> Finding | None:
    """Yes by a question mark, don't know for a text without letters, None where words must decide."""
    if not letters(text):
        return UNKNOWN
    mark = _MARK.search(text)
    return Finding(YES, (Evidence(mark.group()),)) if mark else None


def ended(text: str) -> bool:
    """Whether the text ends in punctuation that is not a question mark."""
    return _ENDED.search(text) is not None
