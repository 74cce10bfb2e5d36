"""What a request itself says: whatever occurs in it may occur in its answer.

A source that speaks of `<think>` or `</s>` is translated with it. The lines of our own fences are the
exception: they stand in the request, and are never part of an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

_LINE = re.compile(r"^\[([0-9a-f]{12}) (begin|end)\b", re.MULTILINE)


class Asked:
    """The texts of one request."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._texts = tuple(texts)
        self._known: dict[str, int] = {}

    def times(self, token: str) -> int:
        """How often the request says `token`, in any case."""
        folded = token.lower()
        if folded not in self._known:
            self._known[folded] = self._folded.count(folded)
        return self._known[folded]

    @cached_property
    def fences(self) -> frozenset[str]:
        """The tokens of our own fences: of those no other fence stands around.

        A message that brings lines in this form has them inside a fence, and a fence's own token is in no
        text it surrounds.
        """
        return frozenset(token for text in self._texts for token in _outermost(text))

    @cached_property
    def _folded(self) -> str:
        return "\n".join(self._texts).lower()


def _outermost(text: str) -> Iterable[str]:
    inside: str | None = None
    for line in _LINE.finditer(text):
        token, edge = line.groups()
        if inside is None and edge == "begin":
            inside = token
            yield token
        elif token == inside and edge == "end":
            inside = None
