"""What is known of words beside names: titles, words that are no names, names that are words too.

The data of `name.toml` by language, folded, how words are cut, and how a pattern takes words from the data. It must not decide anything: what a word is in its sentence is for `name_latin`,
`name_uncased` and `name_korean`. A new kind of word needs no code here.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import regex

from agents.detectors.patterns import fold_pattern
from sim.core.text import fold

WORD = regex.compile(r"[\p{L}\p{M}]+(?:[-'’][\p{L}\p{M}]+)*")
"""A word, with what a hyphen or an apostrophe joins to it."""
_PUNCTUATION = "،,।.؟?!"
_PAUSE = regex.compile(r"(?:\A|[،,।.؟?!:;؛—…] ?)\Z")
_KIND = regex.compile(r"\{(?P<kind>[a-z_]+)\}")
"""A kind of word in a pattern; unlike `\\p{L}` and `{2,}` all in lower case."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A word of a folded text that may be a name, and the text around it."""

    form: str
    """The name it may be, without what is written together with it."""
    word: str
    before: str
    after: str

    @property
    def clitic(self) -> str:
        """What is written together with the name before it."""
        return self.word.removesuffix(self.form)

    @property
    def ending(self) -> str:
        """What is written together with the name after it."""
        return self.word.removeprefix(self.form)

    @property
    def last(self) -> str:
        """The word before, empty at the start."""
        return "".join(self.before.split()[-1:])

    @property
    def opens(self) -> bool:
        """Whether the word opens a clause."""
        return _PAUSE.search(self.before) is not None

    @property
    def ends(self) -> bool:
        """Whether the word ends its clause."""
        return not self.after or self.after[0] in _PUNCTUATION

    @property
    def last_two(self) -> str:
        """The two words before."""
        return " ".join(self.before.split()[-2:])


@cache
def words(language: str) -> dict[str, Any]:
    """Kind of word → folded words of the language, and `introductions`: patterns with a group `name`.

    Every kind that any language has is there, empty where this one has no such words.
    """
    sections = _sections()
    own = sections[language]
    data = {
        kind: frozenset(fold(w) for w in own.get(kind, ()))
        for section in sections.values()
        for kind in section
    }
    return {**data, "introductions": tuple(map(fold_pattern, own.get("introductions", ())))}


@cache
def _sections() -> dict[str, dict[str, list[str]]]:
    """Language → kind → words, as the file has them."""
    return tomllib.loads(files("agents.detectors").joinpath("name.toml").read_text(encoding="utf-8"))


def of_kind(language: str, word: str, *kinds: str) -> bool:
    """Whether a folded word is one of these kinds."""
    data = words(language)
    return any(word in data[kind] for kind in kinds)


def following(after: str) -> str:
    """The next word of a text, empty at its end."""
    return "".join(after.split()[:1]).strip(_PUNCTUATION)


@cache
def pattern(language: str, template: str) -> "regex.Pattern[str]":
    """`template` for folded text, each `{kind}` in it any word of that kind in the language."""

    def either(kind: "regex.Match[str]") -> str:
        return f"(?:{'|'.join(map(regex.escape, sorted(words(language)[kind['kind']])))})"

    return regex.compile(_KIND.sub(either, fold_pattern(template)))


def is_thing(language: str, after: str) -> bool:
    """Whether the next word makes the name one of a thing: a flower, a battlefield."""
    beside = WORD.match(after.removeprefix(" ")) if after.startswith(" ") else None
    return beside is not None and of_kind(language, fold(beside.group()), "things")
