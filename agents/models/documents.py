"""Answers as parsed JSON, whole or event by event, in any shape a provider gives them.

Pure: it is fed documents and gives an `Answer`, or raises. Nothing is made up: what a document does not say stays
unsaid, and a stream that does not say it finished is no answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.models.bodies import as_text
from agents.models.finishes import chosen
from agents.models.pieces import piece_of
from agents.models.refusals import error_in, fail, foreseen
from agents.models.wire import Answer, AttemptFailed, Usage
from sim.core.errors import FaultKind

_SHAPES = (
    "choices",
    "candidates",
    "promptFeedback",
    "stop_reason",
    "done",
    "finish_reason",
    "message",
    "content",
)


def read_document(document: object, headers: Mapping[str, str] | None = None) -> Answer:
    """The answer a parsed body is.

    Raises AttemptFailed for an error object in it, for anything that is no answer (HTML, a list, null), and
    of kind INTERNAL for what nobody foresaw.
    """
    with foreseen(document):
        return _read(document, headers)


def _read(document: object, headers: Mapping[str, str] | None) -> Answer:
    error = error_in(document)
    if error is not None:
        return fail(headers, document, error)
    if not isinstance(document, dict) or not is_answer(document):
        raise no_answer(document)
    piece = piece_of(document)
    said = piece.said
    return Answer(said.text, piece.finish, piece.marker, usage_of(document), said.thought)


def is_answer(document: Mapping[str, Any]) -> bool:
    """Whether an object has the shape of an answer, of whatever provider."""
    return any(name in document for name in _SHAPES)


def no_answer(document: object) -> AttemptFailed:
    """A 200 without an answer in it."""
    page = isinstance(document, str) and "<html" in document[:2000].casefold()
    no_json = "a web page" if page else "no JSON object"
    what = "a JSON object without one" if isinstance(document, dict) else no_json
    return AttemptFailed(
        FaultKind.UNAVAILABLE,
        f"no answer from the server: {what}",
        detail=as_text(document),
        retryable=True,
    )


def usage_of(document: Mapping[str, Any]) -> Usage:
    """The tokens a document says were used; the price is the caller's affair."""
    used = _used(document) or {}
    into = _count(used, "prompt_tokens", "input_tokens", "promptTokenCount", "prompt_eval_count")
    out = _count(used, "completion_tokens", "output_tokens", "candidatesTokenCount", "eval_count")
    thought = _count(used, "thoughtsTokenCount")
    return Usage(into, out if thought is None else (out or 0) + thought)


def _used(document: Mapping[str, Any]) -> dict[str, Any] | None:
    """The usage a document carries: at its top, in the message it begins, in the delta it ends with."""
    for holder in (document, document.get("message"), document.get("delta")):
        for name in ("usage", "usageMetadata"):
            used = holder.get(name) if isinstance(holder, dict) else None
            if isinstance(used, dict):
                inner = used.get("tokens")
                return inner if isinstance(inner, dict) else used
    return None


@dataclass(slots=True)
class EventReader:
    """One streamed answer, fed with the documents of its events in order."""

    usage: dict[str, Any] = field(default_factory=dict)
    """What the events said was used, the last word on each count, as sent."""
    _texts: list[str] = field(default_factory=list)
    _thoughts: list[str] = field(default_factory=list)
    _finishes: list[str] = field(default_factory=list)
    _marker: str | None = None
    _blocked: Answer | None = None
    _index: object = None
    """The number of the choice that is read: of several, told in turns, only one is the answer."""

    def feed(self, document: object) -> str:
        """Take the next event; the text it adds, perhaps none.

        Raises AttemptFailed where the event is an error, or no document at all.
        """
        with foreseen(document):
            return self._feed(document)

    def _feed(self, document: object) -> str:
        error = error_in(document)
        if error is not None:
            self._blocked = fail(None, document, error)
            return ""
        if not isinstance(document, dict):
            raise no_answer(document)
        self.usage |= _used(document) or {}
        piece = piece_of(document, self._index)
        self._index = piece.index if self._index is None else self._index
        self._finishes += [piece.finish] if piece.finish else []
        self._marker = piece.marker or self._marker
        said = piece.said
        self._texts += [] if said.text is None else [said.text]
        self._thoughts += [said.thought] if said.thought else []
        return "" if said.refused else said.text or ""

    def answer(self) -> Answer:
        """The whole answer, once the stream ended. Raises AttemptFailed where it did not say it finished."""
        if self._blocked is not None:
            return self._blocked
        finish = chosen(self._finishes)
        if finish is None and self._marker is None:
            said_so_far = "".join(self._texts)
            raise AttemptFailed(
                FaultKind.UNAVAILABLE, "stream cut short", detail=as_text(said_so_far), retryable=True
            )
        text = "".join(self._texts) if self._texts else None
        used = usage_of({"usage": self.usage})
        return Answer(text, finish, self._marker, used, "".join(self._thoughts))


def _count(used: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        value = used.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None
