"""Reads one answer, whole or in pieces, and leaves out what its chat template left in it.

Each character is looked at once, however the text is cut into pieces. Only tokens decide; the words between
them are never read, and a token the request says as well is text like any other.
"""

from __future__ import annotations

from agents.models import templates
from agents.models.asked import Asked
from agents.models.templates import CHANNEL, TOKENS, Token

_LONGEST_FENCE = 48
"""Characters of a line of ours after its token."""


class Scanner:
    """Reads one answer, in one piece or in many."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._beginnings = _beginnings(asked)
        self._first = templates.FIRST | {start[0] for start in self._beginnings}
        self._held = ""
        self._blank: list[str] = []
        self._thinks: str | None = None
        self._skips = 0
        self._ended = self._final = self._removed = False
        self.kept: list[str] = []
        """The pieces of the answer so far."""
        self.ran_on = False
        """Whether words came after the turn was over."""
        self.forgotten = 0
        """How often what had been shown turned out to be reasoning."""

    def feed(self, piece: str) -> str:
        """Take the next piece; what can be shown by now."""
        return self._read(self._held + piece, whole=False)

    def finish(self) -> str:
        """The text ended; what could not be shown before."""
        shown = self._read(self._held, whole=True)
        if self._removed:
            return shown
        self.kept += self._blank
        return shown + "".join(self._blank)

    def _read(self, text: str, *, whole: bool) -> str:
        before, forgotten = len(self.kept), self.forgotten
        end = len(text) if whole else self._unsure(text, 0)
        position = 0
        for match in TOKENS.finditer(text):
            if match.start() >= end:
                break
            if self._leaks(match.group()):
                self._take(text[position : match.start()])
                self._act(templates.token(match.group()))
                position = match.end()
            if match.end() > end:
                end = self._unsure(text, match.end())
        self._take(text[position:end])
        self._held = text[end:]
        return "".join(self.kept[before if forgotten == self.forgotten else 0 :])

    def _leaks(self, word: str) -> bool:
        """Whether a token is one of a template, or begins a line of ours: not the request's own words."""
        if templates.token(word) is None:
            return word.removeprefix("[")[:12] in self._asked.fences
        return not self._asked.times(word)

    def _unsure(self, text: str, start: int) -> int:
        """Where, from `start` on, a token may have begun that the next piece goes on with."""
        for position in range(max(start, len(text) - templates.LONGEST), len(text)):
            if text[position].lower() in self._first:
                rest = text[position:].lower()
                if rest in templates.PREFIXES or rest in self._beginnings:
                    return position
        return len(text)

    def _act(self, token: Token | None) -> None:
        """Do what a token says; None begins a line of ours."""
        if token is None:
            self._skips = 0 if self._thinks else _LONGEST_FENCE
        elif token.kind == "close":
            self._close(token.family)
        elif self._thinks is not None and self._thinks != CHANNEL:
            return
        elif token.kind == "final":
            self._begin_answer()
        elif token.kind == "open":
            self._thinks = None if self._ended else token.family
        elif self._thinks == CHANNEL:
            self._thinks = self._thinks if token.kind == "wrap" else None
        elif token.kind in ("end", "start"):
            self._ended = self._ended or bool(self.kept)
        self._removed = True

    def _close(self, family: str) -> None:
        if self._thinks == family:
            self._thinks = None
        elif self._thinks is None and not self._ended:
            self._forget()

    def _begin_answer(self) -> None:
        if not self._final:
            self._forget()
            self._final, self._thinks, self._ended = True, None, False
        else:
            self._ended = self._ended or bool(self.kept)

    def _forget(self) -> None:
        """All so far was reasoning."""
        self.forgotten += bool(self.kept)
        self.kept.clear()
        self._blank.clear()

    def _take(self, text: str) -> None:
        """Text between tokens."""
        if self._skips:
            text = self._after_fence(text)
        if not text or self._thinks is not None:
            return
        if self._ended:
            self.ran_on = self.ran_on or not text.isspace()
            return
        body = text.strip()
        if not body:
            self._blank.append(text)
            return
        start = text.index(body[0])
        self._blank.append(text[:start])
        if self.kept or not self._removed:
            self.kept += self._blank
        self.kept.append(body)
        self._blank = [text[start + len(body) :]]

    def _after_fence(self, text: str) -> str:
        for position, character in enumerate(text[: self._skips]):
            if character in "]\n":
                self._skips = 0
                return text[position + (character == "]") :]
        left = text[self._skips :]
        self._skips = max(0, self._skips - len(text))
        return left


def _beginnings(asked: Asked) -> frozenset[str]:
    """All beginnings of what would begin a line of ours."""
    return frozenset(
        whole[:length]
        for fence in asked.fences
        for whole in (f"[{fence}", f"{fence} begin", f"{fence} end")
        for length in range(1, len(whole))
    )
