"""How a translation stands to its source as a string of words: echoed, run away, out of proportion.

Pure functions of texts; nothing here knows a language but by its script.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence

import regex

from sim.core.text import fold

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*")
_NAME = regex.compile(r"\p{Lu}|.*\p{Nd}")

NEARLY = 0.8
"""Share of the source's words that makes an echo where the text is not known to be in its language."""
LEAST_ECHO = 6
"""Letters (after NFD) a source needs to have an echo: less is an interjection or a name."""

_UNITS = {"Hangul": 0.5, "Bengali": 1.0, "Arabic": 0.95}
"""Characters a script takes for what takes about one in the others; from NTREX-128, see docs."""
_FACTOR, _TOO_LITTLE, _TOO_MUCH = 2.6, 5, 20
"""How far a length may be off, and the units let off on either side because short texts vary."""

_RUNS = {1: 6, 2: 5, 3: 4, 6: 3}
"""Words of a phrase → repetitions in a row that are too many, from that length on."""
_LONGEST_PHRASE = 40
_LETTER_RUN = regex.compile(r"(\S{1,20}?)\1{5,}")
_LONGEST_LAUGH = 40
"""Characters of laughter or stretched sound that are still human."""


def echoes(source: str, text: str, *, nearly: bool) -> bool:
    """Whether `text` repeats `source` instead of translating it.

    With `nearly`, most of it is enough; else every word must be there. Names and numbers do not count:
    they stay the same in a good translation.
    """
    words = Counter(fold(word) for word in _WORD.findall(source) if not _NAME.match(word))
    weights = {word: _letters(word) for word in words}
    total = sum(weights[word] * count for word, count in words.items())
    if total < LEAST_ECHO or len({c for word in words for c in unicodedata.normalize("NFD", word)}) < 3:
        return False
    there = Counter(_WORD.findall(fold(text)))
    kept = sum(weights[word] * min(count, there[word]) for word, count in words.items())
    return kept >= total * (NEARLY if nearly else 1.0)


def out_of_proportion(source: str, text: str, scripts: tuple[str | None, str | None]) -> bool:
    """Whether `text` is far too short or too long for `source`; `scripts` are theirs, by Unicode name.

    False where a script is not known.
    """
    if None in scripts:
        return False
    given, made = (
        len("".join(part.split())) / _UNITS.get(script or "", 1.05)
        for part, script in zip((source, text), scripts, strict=True)
    )
    return made + _TOO_LITTLE < given / _FACTOR or made > given * _FACTOR + _TOO_MUCH


def runs_away(source: str, text: str) -> bool:
    """Whether `text` repeats a phrase over and over that `source` does not repeat so often."""
    words, given = (_WORD.findall(fold(part)) for part in (text, source))
    if len(set(words)) == len(words):
        return _letters_run_away(text) and not _letters_run_away(source)
    longest = max((_repeats(given, size) for size in range(1, _LONGEST_PHRASE)), default=1)
    for size in range(1, min(_LONGEST_PHRASE, len(words) // 2 + 1)):
        most = _RUNS[max(least for least in _RUNS if least <= size)]
        if _repeats(words, size) >= max(most, 2 * longest):
            return True
    return _letters_run_away(text) and not _letters_run_away(source)


def _repeats(words: Sequence[str], size: int) -> int:
    """How often a phrase of `size` words stands in a row, at most."""
    run = best = 0
    for here, there in zip(words, words[size:], strict=False):
        run = run + 1 if here == there else 0
        best = max(best, run)
    return best // size + 1


def _letters_run_away(text: str) -> bool:
    """Whether a string of letters is repeated without spaces: laughter is let through up to a length."""
    for match in _LETTER_RUN.finditer(text):
        unit = unicodedata.normalize("NFD", match[1])
        laughing = len({c.casefold() for c in unit if c.isalpha()}) <= 2
        if not laughing or len(match[0]) > _LONGEST_LAUGH:
            return True
    return False


def _letters(word: str) -> int:
    return sum(1 for c in unicodedata.normalize("NFD", word) if c.isalpha())
