"""Functions that conventional phrases carry: greeting, thanks, apology, refusal, negation.

Conventional forms of speech acts are a closed enough class to list (Blum-Kulka, House & Kasper 1989,
*Cross-Cultural Pragmatics*; illocutionary force indicating devices of apologies and thanks: Olshtain &
Cohen 1983, Aijmer 1996). Per language and function `phrases/<code>.toml` holds four lists:

    says   this phrase performs the act
    may    this phrase performs it in some situations and not in others
    not    this phrase looks like it and is not
    hints  this word belongs to ways of doing the act without any of its forms (praise of help, regret,
           other plans: the indirect strategies of Blum-Kulka et al.), and to much else

The answer is yes where a `says` phrase stands outside of every `may` phrase, don't know where
only `may` phrases or hints stand, else no. Language is data here: the module knows none.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from agents.detectors.port import NO, UNKNOWN, YES, Detector, Evidence, Finding, Rule
from agents.phrases import pattern, plain_words
from sim.core.text import letters

_BLANK = b" _ "
_ACTS = ("greeting", "thanks", "apology", "refusal")
_QUOTED = re.compile(r"“[^”]*”|«[^»]*»|\"[^\"]*\"|(?<!\w)[‘'][^’']*[’'](?!\w)")


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists of one function, compiled; None for an empty one."""

    says: Any
    may: Any
    never: Any
    hints: Any

    def find(self, text: str) -> Finding:
        """The answer for `text`."""
        if not letters(text):
            return UNKNOWN
        data = plain_words(text)
        if self.never is not None:
            data = self.never.sub(_BLANK, data)
        unsure = list(_matches(self.may, data))
        sure = [m for m in _matches(self.says, data) if not any(_within(m, other) for other in unsure)]
        if sure:
            return Finding(YES, tuple(_evidence(m) for m in sure))
        unsure = unsure or list(_matches(self.hints, data))
        return Finding(None if unsure else NO, tuple(_evidence(m) for m in unsure))


def open_detector(language: str, name: str) -> Detector:
    """The detector of the function `name`, from the phrases of `language`."""
    found = lists(language, name)
    if name not in _ACTS:
        return Rule(name, language, (YES, NO), found.find)
    return Rule(name, language, (YES, NO), lambda text: found.find(own_words(text)))


def own_words(text: str) -> str:
    """`text` without what it quotes: who tells of "thank you" thanks nobody. All of it if all is quoted."""
    rest = _QUOTED.sub(" ", text)
    return rest if letters(rest) else text


@cache
def lists(language: str, name: str) -> Lists:
    """The compiled phrases of one function; none where the file has no such section."""
    path = files("agents.detectors").joinpath("phrases", f"{language}.toml")
    section = tomllib.loads(path.read_text(encoding="utf-8")).get(name, {})
    sets = section.get("sets", {})
    compiled = {}
    for kind in ("says", "may", "not", "hints"):
        phrases = sorted(section.get(kind, ()), key=len, reverse=True)
        compiled[kind] = pattern(phrases, sets) if phrases else None
    return Lists(compiled["says"], compiled["may"], compiled["not"], compiled["hints"])


def _matches(expression: Any, data: bytes) -> Iterator[Any]:
    """Every match, also of neighbours that share the space between them."""
    at = 0
    while expression is not None and (match := expression.search(data, at)):
        yield match
        at = max(match.end() - 1, match.start() + 1)


def _within(inner: Any, outer: Any) -> bool:
    return bool(outer.start() <= inner.start() and inner.end() <= outer.end())


def _evidence(match: Any) -> Evidence:
    return Evidence(match.group().decode("utf-8", "replace").strip(" ."))
