"""What the script of a text says of its language, before any detector is asked.

Counts letters; it must not learn words. Letters are counted after NFD, so a Hangul syllable counts as
the two or three jamo it is made of and weighs about as much as a Latin syllable.
"""

import unicodedata
from dataclasses import dataclass
from functools import cache

import regex

LEAST_LETTERS = 4
"""Fewer letters say nothing: `OK`, `PM`, `네`."""
LEAST_DISTINCT = 3
"""Fewer different letters are laughter or a sigh: `ㅋㅋㅋ`, `haha`, `wkwkwk`, `ههههه`."""
MOST_NAMES = 3
"""More capitalised words than this are taken for a sentence, not for names."""

_NOT_WORDS = regex.compile(r"https?://\S+|www\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.[\w.]+")
_UNPRINTABLE = regex.compile(r"[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]")
_LETTER = regex.compile(r"[\p{L}--[\p{Script=Common}\p{Script=Inherited}]]", regex.V1)
_NAME = regex.compile(r"\W*(?:\p{Lu}|\w*\d)", regex.V1)


@dataclass(frozen=True, slots=True)
class Weight:
    """The letters of a text, weighed against the script they should be in."""

    own: int
    """Letters of the expected script; all letters where no script is expected."""
    foreign: int
    """Letters of other scripts, those of names left out."""
    names: int
    """Names and acronyms in Latin letters amid another script."""
    distinct: int
    """Different letters of any script."""

    @property
    def wordless(self) -> bool:
        """Whether there is too little to say anything of."""
        return self.distinct < LEAST_DISTINCT or (
            self.own + self.foreign < LEAST_LETTERS and self.names <= MOST_NAMES
        )

    @property
    def elsewhere(self) -> bool:
        """Whether the text is mostly in another script than expected. Not for wordless texts."""
        return self.own < self.foreign or (self.own == 0 and self.names > MOST_NAMES)


def clean(text: str) -> str:
    """`text` as one line without addresses, control characters and unpaired surrogates."""
    return " ".join(_NOT_WORDS.sub(" ", _UNPRINTABLE.sub(" ", text)).split())


def weigh(line: str, script: str | None) -> Weight:
    """The letters of `line` (see `clean`) against the Unicode `script`, None where none is expected."""
    plain = unicodedata.normalize("NFD", line)
    found = _LETTER.findall(plain)
    own = len(_of(script).findall(plain)) if script else len(found)
    names, in_names = (0, 0) if script in (None, "Latin") else _names(plain)
    distinct = len({c.casefold() for c in found})
    return Weight(own, len(found) - own - in_names, names, distinct)


def _names(plain: str) -> tuple[int, int]:
    """How many words look like Latin names or acronyms, and how many Latin letters they have."""
    latin = _of("Latin")
    counts = [n for word in plain.split() if _NAME.match(word) and (n := len(latin.findall(word)))]
    return len(counts), sum(counts)


@cache
def _of(script: str) -> "regex.Pattern[str]":
    return regex.compile(rf"[\p{{Script={script}}}&&\p{{L}}]", regex.V1)
