"""The one place where an answer becomes an outcome: ok, empty, truncated or blocked.

Providers agree on nothing here: no choices, no content, white space, a finish reason, a refusal field.
Blocked is decided by the provider's marker alone, never by what the text says: a polite refusal in
words is a translation problem, and other parts of Skopos look for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from agents.models.reasoning import without_reasoning
from agents.models.wire import Answer
from sim.core.events import Outcome

_BLOCKING = frozenset(
    {
        "content_filter",
        "content_filtered",
        "content_policy_violation",
        "refusal",
        "safety",
        "recitation",
        "blocklist",
        "prohibited_content",
        "spii",
        "image_safety",
        "guardrail_intervened",
    }
)
_CUT = frozenset({"length", "max_tokens"})


@dataclass(frozen=True, slots=True)
class Normal:
    """An answer that means the same whoever gave it."""

    outcome: Outcome
    text: str
    raw: str


def blocking(marker: str | None) -> bool:
    """Whether a provider's finish reason, error code or block reason says it blocked."""
    return marker is not None and marker.casefold() in _BLOCKING


def normalise(answer: Answer) -> Normal:
    """The outcome of `answer`, its text without leaked reasoning, and what was sent."""
    raw = answer.content or ""
    if answer.marker is not None or blocking(answer.finish):
        return Normal("blocked", "", raw)
    text = without_reasoning(raw)
    if (answer.finish or "").casefold() in _CUT:
        return Normal("truncated" if text.strip() else "empty", text if text.strip() else "", raw)
    return Normal("ok", text, raw) if text.strip() else Normal("empty", "", raw)
