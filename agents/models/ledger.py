"""The book of one call: what all its attempts used, for CallFinished, and each for CallAttempted.

An attempt whose answer was thrown away was paid for too. One unknown price makes the sum unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.models.wire import Answer, Attempt, CostStatus, Usage
from sim.core.events import CallAttempted, CallFinished, Outcome, Sent
from sim.core.ports import CallScope


class Ledger:
    """Sums over the attempts of one call."""

    def __init__(self) -> None:
        self.attempts = 0
        self._usages: list[Usage] = []
        self._sent: Mapping[str, Any] = {}
        self._host = ""

    def add(self, answer: Answer) -> None:
        """Enter an attempt that was answered."""
        self._usages.append(answer.usage)
        self._sent, self._host = answer.sent, answer.host

    def finished(self, model: str, scope: CallScope, outcome: Outcome, seconds: float) -> CallFinished:
        """The event that tells of the call."""
        status = self._status()
        return CallFinished(
            turn=scope.turn,
            role=scope.role,
            model=model,
            outcome=outcome,
            input_tokens=_total([u.input_tokens for u in self._usages]),
            output_tokens=_total([u.output_tokens for u in self._usages]),
            cost=None if status == "unknown" else sum(u.cost or 0.0 for u in self._usages),
            cost_status=status,
            seconds=round(seconds, 6),
            attempts=self.attempts,
            sent=dict(self._sent),
            host=self._host,
        )

    def _status(self) -> CostStatus:
        statuses = {u.cost_status for u in self._usages}
        if not statuses or "unknown" in statuses:
            return "unknown"
        return "known" if "known" in statuses else "free"


def from_cache(model: str, scope: CallScope) -> CallFinished:
    """The event of a call that the cache answered: nothing was paid."""
    return CallFinished(
        turn=scope.turn,
        role=scope.role,
        model=model,
        outcome="ok",
        cost=0.0,
        cost_status="known",
        cached=True,
        attempts=0,
    )


def attempted(
    model: str, scope: CallScope, attempt: Attempt, reply: str | None, failure: str = ""
) -> CallAttempted:
    """The event of one attempt that came back; `failure` must be redacted."""
    raw = () if attempt.prompt is None else (Sent(role="prompt", text=attempt.prompt),)
    return CallAttempted(
        turn=scope.turn,
        role=scope.role,
        model=model,
        number=attempt.number,
        sent=raw or tuple(Sent(role=m.role, text=m.content) for m in attempt.messages),
        reply=reply,
        failure=failure,
    )


def _total(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known and len(known) == len(counts) else None
