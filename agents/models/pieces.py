"""One choice of a document: what it says and why it ended, in whatever shape its provider gives it.

OpenAI's shape first; Gemini's, Anthropic's, Cohere's and Ollama's where a server speaks its own. What no shape
explains is raised with the document, never guessed at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.models.contents import NOTHING, Said, Unreadable, said
from agents.models.finishes import chosen
from agents.models.refusals import unreadable

_FINISH_FIELDS = ("finish_reason", "native_finish_reason", "finishReason", "stop_reason", "done_reason")
_NO_REASON = frozenset({"", "BLOCK_REASON_UNSPECIFIED"})


@dataclass(frozen=True, slots=True)
class Piece:
    """One choice of a document: what it says and why it ended."""

    said: Said = NOTHING
    finish: str | None = None
    marker: str | None = None
    """The provider's sign that it blocked."""
    index: object = None
    """The choice's number, where it has one."""


def piece_of(document: dict[str, Any], index: object = None) -> Piece:
    """A document's choice of number `index`, in whatever shape; of None the first.

    Raises AttemptFailed of kind INTERNAL.
    """
    try:
        choice, blocked = _choice(document, index)
        message = _message(choice)
        spoken = said(message)
        ends = [holder.get(name) for holder in (choice, message) for name in _FINISH_FIELDS]
    except Unreadable as form:
        unreadable(str(form), document)
    marker = blocked or ("refusal" if spoken.refused else None)
    return Piece(spoken, chosen(ends), marker, choice.get("index"))


def _choice(document: dict[str, Any], index: object) -> tuple[dict[str, Any], str | None]:
    """The choice asked for, empty where there is none, and Google's reason to block the prompt."""
    feedback = document.get("promptFeedback")
    reason = feedback.get("blockReason") if isinstance(feedback, dict) else None
    blocked = str(reason) if reason is not None and str(reason) not in _NO_REASON else None
    for name in ("choices", "candidates"):
        if document.get(name) is not None:
            return _one(document[name], index), blocked
    if "choices" in document or "candidates" in document or blocked:
        return {}, blocked
    return document, blocked


def _one(choices: object, index: object) -> dict[str, Any]:
    """The choice of a number; of None the first by their own numbers, for they may come in any order."""
    if not isinstance(choices, list):
        raise Unreadable("choices that are no list")
    if not choices:
        return {}
    if not isinstance(choices[0], dict):
        raise Unreadable("a choice that is no object")
    numbered = [choice for choice in choices if isinstance(choice, dict)]
    if index is not None:
        return next((choice for choice in numbered if choice.get("index", index) == index), {})
    return next((choice for choice in numbered if choice.get("index") == 0), numbered[0])


def _message(choice: dict[str, Any]) -> dict[str, Any]:
    """The message or delta of a choice; a completion's text as one."""
    for name in ("message", "delta"):
        message = choice.get(name)
        if isinstance(message, dict):
            return _unwrapped(message)
        if message is not None:
            raise Unreadable(f"a {name} that is no object")
    if choice.get("text") is not None:
        return {"content": choice["text"]}
    content = choice.get("content")
    return content if isinstance(content, dict) else {"content": content}


def _unwrapped(message: dict[str, Any]) -> dict[str, Any]:
    """A message as such: Cohere's deltas hold one, Anthropic's are a part."""
    inner = message.get("message")
    if isinstance(inner, dict):
        return message | inner
    if "content" not in message and isinstance(message.get("text"), str):
        return message | {"content": message["text"]}
    return message
