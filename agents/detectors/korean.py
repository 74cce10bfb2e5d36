"""Korean morphemes, from an analyser that is loaded when the first Korean text is read.

Analyser: kiwipiepy (Kiwi; tags of the Sejong corpus: EF final ending, EP prefinal ending, VV verb …).
It takes about a second and 240 MB, so it is read without its extra dictionaries, once a process, and
never at import. This module turns text into sentences of morphemes and knows no function.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from threading import Lock
from typing import Any

import regex

_ENDS = regex.compile(r"(?<=[.!?…~\n])\s+|\n")
_UNREADABLE = regex.compile(r"[[\p{Cs}\p{Cc}\p{Cn}\p{Co}]--[\n]]", regex.V1)
_MOST = 4000
"""Characters that are read at once; a turn of talk is far shorter."""


@dataclass(frozen=True, slots=True)
class Morpheme:
    """One morpheme."""

    form: str
    """As written, in compatibility form; an ending without its stem's fusion."""
    tag: str
    """Sejong tag; irregularity marks left out."""
    start: int
    """Index in the sentence."""
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and its morphemes."""

    text: str
    morphemes: tuple[Morpheme, ...]

    @property
    def words(self) -> tuple[Morpheme, ...]:
        """The morphemes without punctuation and symbols."""
        return tuple(m for m in self.morphemes if not m.tag.startswith(("S", "W")) or m.tag in ("SN", "SL"))

    @property
    def final(self) -> Morpheme | None:
        """The ending the sentence closes with: the last EF, else a connective one left open at the end."""
        words = [m for m in self.words if m.tag != "IC" and m.form != "요"]
        closing = [m for m in words if m.tag == "EF"]
        if closing:
            return closing[-1]
        return words[-1] if words and words[-1].tag == "EC" else None


class Analyser:
    """The analyser, shared by all Korean detectors; safe to call from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        """Held while the analyser is loaded and while it reads."""

    @cached_property
    def _kiwi(self) -> Any:
        from kiwipiepy import Kiwi

        return Kiwi(num_workers=1, load_default_dict=False, load_typo_dict=False, load_multi_dict=False)

    def sentences(self, text: str) -> tuple[Sentence, ...]:
        """The sentences of `text`; none for a text without Hangul or digits."""
        clean = _UNREADABLE.sub(" ", text)[:_MOST]
        parts = [part.strip() for part in _ENDS.split(clean)]
        return tuple(self._sentence(part) for part in parts if regex.search(r"[\p{Hangul}\d]", part))

    def _sentence(self, text: str) -> Sentence:
        """One sentence; a full stop is lent to an open end, which is else taken for a connective."""
        lent = text if regex.search(r"\p{P}\Z", text) else f"{text}."
        with self._lock:
            tokens = self._kiwi.tokenize(lent)
        kept = (t for t in tokens if t.start < len(text))
        return Sentence(
            text,
            tuple(Morpheme(t.form, t.tag.partition("-")[0], t.start, t.start + t.len) for t in kept),
        )


@cache
def analyser() -> Analyser:
    """The process's analyser; it holds nothing until it is first asked."""
    return Analyser()
