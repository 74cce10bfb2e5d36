"""Takes out of an answer what its chat template left in it: reasoning, tokens, lines of our own fences.

The same scanner reads whole answers and streams: a stream shows nothing that the whole will not contain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from agents.models import templates
from agents.models.asked import Asked
from agents.models.scanner import Scanner
from agents.models.templates import LIKE_TOKENS, MAYBE, TOKENS

_NOTHING_ASKED = Asked()


@dataclass(frozen=True, slots=True)
class Cleaned:
    """An answer without its template."""

    text: str
    tokens_left: bool = False
    """Whether something that looks like a template is still in it, or was cut off with words after it."""
    unopened: bool = False
    """Whether reasoning came without an opening token: a stream cannot know it before it ends."""


def cleaned(text: str, asked: Asked = _NOTHING_ASKED) -> Cleaned:
    """`text` as a person is to read it.

    Out go closed blocks of reasoning, all before a lone closing token, all after a lone opening one, the
    tokens of turns and what follows the end of one. White space around the answer goes only where
    something was taken out.
    """
    if MAYBE.search(text) is None:
        return Cleaned(text)
    scanner = Scanner(asked)
    scanner.feed(text)
    scanner.finish()
    plain = "".join(scanner.kept)
    return Cleaned(plain, scanner.ran_on or _left(plain, asked), bool(scanner.forgotten))


def _left(text: str, asked: Asked) -> bool:
    """Whether tokens are left in a text more often than the request says them."""
    words = (match.group() for pattern in (TOKENS, LIKE_TOKENS) for match in pattern.finditer(text))
    found = Counter(word.lower() for word in words if templates.token(word) or word.startswith("<"))
    return any(times > asked.times(token) for token, times in found.items()) or any(
        fence in text for fence in asked.fences
    )


class DeltaFilter:
    """Passes on the pieces of a streamed answer, and nothing that the whole answer will not contain.

    Reasoning without an opening token cannot be told from an answer while it streams; a model that was seen
    to do so is held back to the end.
    """

    def __init__(
        self, deliver: Callable[[str], None], asked: Asked = _NOTHING_ASKED, *, hold: bool = False
    ) -> None:
        self._deliver = deliver
        self._scanner = Scanner(asked)
        self._hold = hold
        self.delivered = False
        """Whether any piece went through."""

    def feed(self, piece: str) -> None:
        """Take the next piece."""
        shown = self._scanner.feed(piece)
        if self._hold and self._scanner.forgotten:
            self._hold = False
        if not self._hold:
            self._pass(shown)

    def finish(self) -> None:
        """The stream ended: let go of what was held."""
        shown = self._scanner.finish()
        self._pass("".join(self._scanner.kept) if self._hold else shown)

    def _pass(self, text: str) -> None:
        if text and (self.delivered or not text.isspace()):
            self.delivered = True
            self._deliver(text)
