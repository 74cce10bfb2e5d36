"""Takes leaked reasoning out of an answer.

Models put their thinking between tags, and servers now and then pass it on, sometimes without the
opening tag. Only the tags decide; the words between them are never read.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_NAMES = "think|thinking|thought|reasoning"
_CLOSED = re.compile(rf"<({_NAMES})>.*?</\1>", re.DOTALL | re.IGNORECASE)
_CLOSING = re.compile(rf"\A.*</(?:{_NAMES})>", re.DOTALL | re.IGNORECASE)
_OPENING = re.compile(rf"\s*<({_NAMES})>", re.IGNORECASE)
_LONGEST_TAG = len("<reasoning>")


def without_reasoning(text: str) -> str:
    """`text` without reasoning: closed blocks, all before a lone closing tag, all after a lone opening one.

    White space around the answer goes only where something was taken out.
    """
    plain = _CLOSING.sub("", _CLOSED.sub("", text))
    opening = _OPENING.match(plain)
    if opening:
        plain = ""
    return text if plain == text else plain.strip()


class DeltaFilter:
    """Passes on the pieces of a streamed answer, but not a reasoning block it begins with.

    Reasoning without an opening tag cannot be told from an answer while it streams; the text of the
    finished completion is right in any case.
    """

    def __init__(self, deliver: Callable[[str], None]) -> None:
        self._deliver = deliver
        self._held: str | None = ""
        self.delivered = False
        """Whether any piece went through."""

    def feed(self, piece: str) -> None:
        """Take the next piece."""
        if self._held is None:
            self._pass(piece)
            return
        self._held += piece
        opening = _OPENING.match(self._held)
        if opening:
            _, closed, rest = self._held.partition(f"</{opening.group(1)}>")
            if closed:
                self._release(rest.lstrip())
        elif not self._may_open():
            self._release(self._held)

    def finish(self) -> None:
        """The stream ended: let go of what was held for too few characters to tell."""
        if self._held and not _OPENING.match(self._held):
            self._release(self._held)

    def _may_open(self) -> bool:
        start = (self._held or "").lstrip()
        return not start or (start.startswith("<") and ">" not in start and len(start) < _LONGEST_TAG)

    def _release(self, text: str) -> None:
        self._held = None
        self._pass(text)

    def _pass(self, text: str) -> None:
        if text:
            self.delivered = True
            self._deliver(text)
