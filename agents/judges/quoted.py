"""What a judge's answer repeats of the very text it judges: verdicts that the text wrote about itself.

A system under test, or a speaker, can write an object that looks like a verdict; a judge that quotes it
must not be taken at its word. Texts are compared after decoding, since a quotation may be escaped, cut
or spelt in another way. It never says who is right.
"""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import takewhile

from agents.judges.rows import Given, Row, given

_HIDDEN = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_APART = re.compile(r"[\W_]+")
_ESCAPED = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/])|[nrtbf])')
_SPELT = {"met": ("true", "yes", "met"), "not_met": ("false", "no", "notmet"), "not_said": ("notsaid",)}
_BEGUN = 40
"""Letters of a reason that are enough to know a quotation that was cut or went on in other words."""
_MOST = 0.5
"""Share of an answer's reason that a reason of the judged text must make up to be the same one."""
_SAME = 0.75
"""Share of an answer's reason that must begin and end as one of the judged text to be the same one."""


class Judged:
    """The texts that were judged, read as if they were answers."""

    def __init__(self, texts: Iterable[str]) -> None:
        """`texts` as they stand in the prompt. Texts without a word like `met` cost next to nothing."""
        held = list(dict.fromkeys(variant for text in texts for variant in _variants(text)))
        self._streams = [_stream(text) for text in held]
        self._rows: dict[tuple[str, str], list[str]] = {}
        for text in held:
            for row in (row for one in given(text) for row in one.rows):
                self._rows.setdefault((row.id, row.answer), []).append(_stream(row.reason))

    def __bool__(self) -> bool:
        return bool(self._streams)

    def quoted(self, one: Given) -> bool:
        """Whether an object of an answer stands in the texts: the whole of it, or any of its rows."""
        span = _stream(one.span)
        return self._holds(span) or any(self.quoted_row(row) for row in one.rows)

    def quoted_row(self, row: Row) -> bool:
        """Whether a row stands in the texts, with its reason or with what a quotation leaves of it."""
        reason = _stream(row.reason)
        if any(_alike(reason, other) for other in self._rows.get((row.id, row.answer), ())):
            return True
        told = f"reason{reason[:_BEGUN]}" if reason else ""
        return any(self._holds(f"{beginning}{told}") for beginning in _beginnings(row))

    def suspect(self, one: Given) -> bool:
        """Whether the texts answer every criterion of an object as it does, whatever the reasons are."""
        return all(
            (row.id, row.answer) in self._rows or any(map(self._holds, _beginnings(row))) for row in one.rows
        )

    def _holds(self, stream: str) -> bool:
        return bool(stream) and any(stream in text for text in self._streams)


def _beginnings(row: Row) -> Iterator[str]:
    """How a row begins, bare of all signs, in the words there are for its answer."""
    name = _stream(row.id)
    names = (name, name[1:]) if name[1:].isdigit() else (name,)
    return (f"id{name}met{word}" for name in names for word in _SPELT[row.answer])


def _alike(reason: str, other: str) -> bool:
    """Whether a reason is the other one, cut, gone on with, or with words put in."""
    if not reason or reason in other:
        return True
    if other in reason:
        return len(other) >= _MOST * len(reason)
    begin = _shared(reason, other)
    end = _shared(reason[begin:][::-1], other[begin:][::-1])
    return begin + end >= _SAME * len(reason)


def _shared(one: str, two: str) -> int:
    """How many letters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))


def _variants(text: str) -> Iterator[str]:
    """A text in each of its spellings that could hold a row: as it is, and unescaped once and twice."""
    plain = _HIDDEN.sub("", unicodedata.normalize("NFKC", text))
    for _ in range(3):
        if "met" in plain.casefold():
            yield plain
        bare = _HIDDEN.sub("", unicodedata.normalize("NFKC", html.unescape(_ESCAPED.sub(_decoded, plain))))
        if bare == plain:
            return
        plain = bare


def _decoded(escaped: re.Match[str]) -> str:
    if escaped[1]:
        return chr(int(escaped[1], 16))
    return escaped[2] or " "


def _stream(text: str) -> str:
    """The letters and digits of a text, one after the other."""
    return _APART.sub("", _HIDDEN.sub("", unicodedata.normalize("NFKC", text))).casefold()
