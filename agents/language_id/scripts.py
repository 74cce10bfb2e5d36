"""What the script of a text says of its language, before any detector is asked.

Counts letters; it must not learn words. Letters are counted after NFD, with the vowel signs that belong
to one script, so that a Hangul syllable counts as its two or three jamo, a Bengali one as consonant and
vowel, and both weigh about as much as a Latin syllable.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import regex

LEAST_LETTERS = 4
"""Fewer letters say nothing: `OK`, `PM`, `네`."""
LEAST_DISTINCT = 3
"""Fewer different letters are laughter or a sigh: `ㅋㅋㅋ`, `haha`, `wkwkwk`, `ههههه`."""
MOST_NAMES = 3
"""More capitalised words than this are taken for a sentence, not for names."""
MIXED = 3
"""So many times the letters of its own script a text may have in Latin words that are mixed in."""

_WORD = regex.compile(r"[\p{L}\p{M}'’-]+")
_NOT_WORDS = regex.compile(r"https?://\S+|www\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.[\w.]+")
_UNPRINTABLE = regex.compile(r"[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]")
_LETTER = regex.compile(r"[[\p{L}\p{M}]--[\p{Script=Common}\p{Script=Inherited}]]", regex.V1)
_WIDE = regex.compile(r"[\p{Script=Hani}\p{Script=Hira}\p{Script=Kana}]", regex.V1)
_NAME = regex.compile(r"\W*(?:\p{Lu}|\w*\d)", regex.V1)
_LATIN = ("Latn",)


@dataclass(frozen=True, slots=True)
class Weight:
    """The letters of a text, weighed against the scripts they should be in."""

    own: int
    """Letters of the expected scripts; all letters where no script is expected."""
    foreign: int
    """Letters of other scripts, those of names left out."""
    mixed_in: int
    """Those of `foreign` that are Latin amid another script."""
    names: int
    """Names and acronyms in Latin letters amid another script."""
    named: int
    """Letters of `own` in capitalised Latin words, where Latin is the expected script."""
    own_words: int
    """Words with a letter of the expected scripts."""
    foreign_words: int
    """Words with letters of other scripts only, names left out."""
    distinct: int
    """Different letters of any script."""

    @property
    def varied(self) -> bool:
        """Whether it is more than laughter or a sigh."""
        return self.distinct >= LEAST_DISTINCT

    @property
    def wordless(self) -> bool:
        """Whether there is too little to say anything of."""
        return not self.varied or (self.own + self.foreign < LEAST_LETTERS and self.names <= MOST_NAMES)

    @property
    def elsewhere(self) -> bool:
        """Whether the text is in another script than expected. Not for wordless texts.

        Latin words amid another script are mixed in as speakers do; another script amid Latin words is
        the text's own where only names are Latin.
        """
        if self.own == 0:
            return self.foreign > 0 or self.names > MOST_NAMES
        if self.mixed_in == self.foreign:
            return self.foreign > MIXED * self.own and self.foreign_words > 2 * self.own_words
        return self.foreign > self.own or (self.foreign > self.own - self.named and self.foreign_words > 1)

    @property
    def mixed(self) -> bool:
        """Whether more of it is in another script than in its own, by letters and by words."""
        return self.foreign > self.own and self.foreign_words > self.own_words


def clean(text: str) -> str:
    """`text` as one line without addresses, control characters and unpaired surrogates."""
    return " ".join(_NOT_WORDS.sub(" ", _UNPRINTABLE.sub(" ", text)).split())


def weigh(line: str, scripts: Sequence[str]) -> Weight:
    """The letters of `line` (see `clean`) against ISO 15924 `scripts`, empty where none is expected."""
    plain = unicodedata.normalize("NFD", line)
    own = foreign = mixed_in = names = named = own_words = foreign_words = 0
    for word in plain.split():
        mine, other = _count(word, scripts), _count(word)
        other -= mine
        latin = 0 if "Latn" in scripts else _count(word, _LATIN)
        if _NAME.match(word):
            names += latin > 0
            named += mine if "Latn" in scripts else 0
            other, latin = other - latin, 0
        own, foreign, mixed_in = own + mine, foreign + other, mixed_in + latin
        own_words += mine > 0
        foreign_words += other > 0 and not mine
    distinct = len({c.casefold() for c in _LETTER.findall(plain)})
    return Weight(own, foreign, mixed_in, names, named, own_words, foreign_words, distinct)


def pieces(line: str) -> list[str]:
    """The words of `line`, and each two that stand together, without marks around them."""
    words = _WORD.findall(line)
    return [*words, *(" ".join(pair) for pair in pairwise(words))]


def same_words(text: str, other: str) -> bool:
    """Whether two texts are word for word the same, and more than one word or names."""
    line = clean(text)
    if line.casefold() != clean(other).casefold():
        return False
    words = [word for word in line.split() if _count(word)]
    return len(words) > 1 and not all(_NAME.match(word) for word in words)


def letters_outside(line: str, alphabet: str) -> int:
    """How many letters of `line` are not in `alphabet`, a set of the `regex` module."""
    return len(_outside(alphabet).findall(line))


def _count(word: str, scripts: Sequence[str] = ()) -> int:
    """Letters and vowel signs of any of `scripts`, of all where none is named; a wide one counts twice."""
    found = (_of(tuple(scripts)) if scripts else _LETTER).findall(word)
    return len(found) + sum(1 for letter in found if _WIDE.match(letter))


@cache
def _of(scripts: tuple[str, ...]) -> "regex.Pattern[str]":
    named = "".join(rf"\p{{Script={script}}}" for script in scripts)
    return regex.compile(rf"[[{named}]&&[\p{{L}}\p{{M}}]]", regex.V1)


@cache
def _outside(alphabet: str) -> "regex.Pattern[str]":
    return regex.compile(rf"[[\p{{L}}\p{{M}}]--{alphabet}]", regex.V1)
