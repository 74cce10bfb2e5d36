"""Phrases as people write them, made into one linear-time pattern over plain words.

For data files whose authors are linguists rather than programmers: phrases and texts are folded and
reduced to words and sentence ends alike. What a found phrase means is the caller's business.

    (a|b)   one of these; (a |) for an optional word before another
    …       up to six words of the same sentence
    *       the word may go on here; without it a phrase begins and ends at a word's border
    .       the end of a sentence, or of the text
    {name}  one of a named set
    ^       first: only at the start of the text

Between two Hangul words a space is optional, as it is in Korean practice.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import re2
import regex

from sim.core.text import fold

_ENDS = re.compile(r"[.!?؟।:\n]+")
_NOT_WORDS = regex.compile(
    r"(?:[^\p{L}\p{M}\p{N}'.]|(?<![\p{L}\p{M}\p{N}])'|'(?![\p{L}\p{M}\p{N}]))+", regex.V1
)
_QUOTES = str.maketrans("’‘ʼ´`", "'''''")
_HANGUL = re.compile(r"[가-힣]")
_HANGUL_SPACE = re.compile(r"(?<=[가-힣)*|]) (?=[가-힣(|)])")
_PIECES = {
    "(": "(?:", ")": ")", "|": "|", "…": " (?:[^ .]+ ){0,6}?", "*": "[^ ]*", "~": " ?", ".": r"\.",
}  # fmt: skip
_MEMORY = 64 << 20


def plain_words(text: str) -> bytes:
    """`text` as patterns see it: folded words between single spaces, ` . ` for each sentence end."""
    ended = fold(_ENDS.sub(" . ", text)).translate(_QUOTES)
    return f" {_NOT_WORDS.sub(' ', ended).strip()} . ".encode("utf-8", "replace")


def pattern(phrases: Iterable[str], sets: Mapping[str, Sequence[str]] | None = None) -> Any:
    """One RE2 pattern that finds any of `phrases`; search it in `plain_words(text)`.

    `sets` gives the words of each `{name}`. Raises KeyError for a set that is not given.
    """
    options = re2.Options()
    options.max_mem = _MEMORY
    return re2.compile("|".join(_expression(phrase, sets or {}) for phrase in phrases), options)


def _expression(phrase: str, sets: Mapping[str, Sequence[str]]) -> str:
    written = re.sub(r"\{(\w+)\}", lambda match: f"({'|'.join(sets[match[1]])})", phrase)
    written = re.sub(r" ?… ?", "…", fold(written).translate(_QUOTES))
    body = written.removeprefix("^")
    if _HANGUL.search(body):
        body = _HANGUL_SPACE.sub("~", body)
    left = "^ " if written.startswith("^") else " [^ ]*" if body.startswith("*") else " "
    return left + "".join(_PIECES.get(c) or re2.escape(c) for c in body.removeprefix("*")) + " "
