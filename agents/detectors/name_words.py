"""What is known of words beside names: titles, words that are no names, names that are words too.

The data of `name.toml` by language, folded, and how words are cut. It decides nothing: what a word is in its
sentence is for `name_latin`, `name_uncased` and `name_korean`.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import regex

from agents.detectors.patterns import fold_pattern
from sim.core.text import fold

_KINDS = (
    "prepositions", "postpositions", "acts", "things", "titles", "plain", "homographs", "unsure", "lands",
    "peoples", "auxiliaries", "verbal", "qualities", "abstract", "kin", "beside", "past", "openers", "giving", "calling",
    "greetings", "taking", "offices", "strict", "after", "personal", "social", "owned", "long", "endearing",
    "moving", "ordinals", "calls", "addressed", "states", "spans", "families", "idioms", "modals", "core", "nouns", "weak", "wishes", "introducing",
    "settled", "surely", "uncalled", "human", "titled", "ways", "unscheduled", "happening", "named", "said",
)  # fmt: skip
WORD = regex.compile(r"[\p{L}\p{M}]+(?:[-'’][\p{L}\p{M}]+)*")


@cache
def words(language: str) -> dict[str, Any]:
    """Kind of word → folded words of the language, and `introductions`: patterns with a group `name`."""
    text = files("agents.detectors").joinpath("name.toml").read_text(encoding="utf-8")
    section = tomllib.loads(text)[language]
    data = {key: frozenset(fold(w) for w in section.get(key, ())) for key in _KINDS}
    given = section.get("introductions", ())
    return {**data, "introductions": tuple(map(fold_pattern, given))}


def is_thing(language: str, after: str) -> bool:
    """Whether the next word makes the name one of a thing: a flower, a battlefield."""
    following = WORD.match(after.removeprefix(" ")) if after.startswith(" ") else None
    return following is not None and fold(following.group()) in words(language)["things"]
