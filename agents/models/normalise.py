"""The one place where an answer becomes an outcome: ok, empty, truncated or blocked; or no answer at all.

Providers agree on nothing here: no choices, no content, white space, a finish reason, a refusal field.
Blocked is decided by the provider's marker alone, never by what the text says: a polite refusal in
words is a translation problem, and other parts of Skopos look for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from agents.models.asked import Asked
from agents.models.finishes import ending
from agents.models.reasoning import cleaned
from agents.models.wire import Answer, AttemptFailed
from sim.core.errors import FaultKind
from sim.core.events import Flag, Outcome


@dataclass(frozen=True, slots=True)
class Normal:
    """An answer that means the same whoever gave it."""

    outcome: Outcome
    text: str
    raw: str
    """As it was sent; thinking that came apart from the text stands before it, between tags."""
    flags: tuple[Flag, ...] = ()
    unopened: bool = False
    """Whether it held reasoning that no token opened."""


def blocking(marker: str | None) -> bool:
    """Whether a provider's finish reason, error code or block reason says it blocked."""
    return ending(marker) == "blocked"


def raw_of(answer: Answer) -> str:
    """All an answer said."""
    thought = f"<think>{answer.thought}</think>\n" if answer.thought else ""
    return thought + (answer.content or "")


def normalise(answer: Answer, asked: Asked | None = None) -> Normal:
    """The outcome of `answer`, its text without what its template left in it, and what was sent.

    What `asked`, the request, says itself stays in the text. Raises AttemptFailed where the server says it
    broke off: what came so far is no answer.
    """
    raw, end = raw_of(answer), ending(answer.finish)
    if answer.marker is not None or end == "blocked":
        return Normal("blocked", "", raw)
    if end == "broken":
        why = f"the server broke off ({answer.finish})"
        raise AttemptFailed(FaultKind.UNAVAILABLE, why, detail=raw, retryable=True)
    clean = cleaned(answer.content or "", asked or Asked())
    if not clean.text.strip():
        return Normal("empty", "", raw, (), clean.unopened)
    flags: tuple[Flag, ...] = ("template_tokens",) if clean.tokens_left else ()
    flags += ("unknown_finish",) if end == "unknown" else ()
    return Normal("truncated" if end == "cut" else "ok", clean.text, raw, flags, clean.unopened)
