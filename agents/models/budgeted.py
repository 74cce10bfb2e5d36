"""A backend that pays from a purse: the worst case of an attempt is reserved before it is sent.

It wraps one attempt, not a call: an answer that is thrown away and asked for again is paid for twice,
and reserved twice. The purse belongs to whoever started the run.
"""

from __future__ import annotations

from typing import Protocol

from agents.models.tariff import Tariff, Unit
from agents.models.wire import Answer, Attempt, AttemptFailed, Backend, Usage
from sim.core.errors import FaultKind
from sim.core.ports import CallScope

_UNPAID = frozenset(
    {
        FaultKind.AUTHENTICATION,
        FaultKind.RATE_LIMIT,
        FaultKind.QUOTA,
        FaultKind.BAD_REQUEST,
        FaultKind.CONTEXT_LENGTH,
    }
)
"""Refused before any work was done; everything else may be on the bill."""


class Purse(Protocol):
    """What is left to spend."""

    @property
    def unit(self) -> Unit:
        """What amounts are counted in."""
        ...

    async def reserve(self, amount: float) -> bool:
        """Set `amount` aside, after waiting for others to settle if need be; False where it never fits."""
        ...

    def settle(self, reserved: float, spent: float) -> None:
        """Give back a reservation and book what was spent of it."""
        ...


class BudgetedBackend:
    """`backend` on a budget; fills the Backend port."""

    def __init__(self, backend: Backend, tariff: Tariff, purse: Purse) -> None:
        self._backend = backend
        self._tariff = tariff
        self._purse = purse

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        """Answer once. Raises AttemptFailed, of kind BUDGET where the worst case does not fit."""
        attempt = self._tariff.bounded(attempt)
        worst = self._tariff.worst(attempt).in_unit(self._purse.unit)
        if not await self._purse.reserve(worst):
            most = f"{worst:,.4f} USD" if self._purse.unit == "USD" else f"{worst:,.0f} tokens"
            raise AttemptFailed(
                FaultKind.BUDGET, f"the budget does not cover the worst case of this call, {most}"
            )
        spent = worst
        try:
            answer = await self._backend.send(attempt, scope)
            spent = _spent(answer.usage, self._purse.unit, worst)
            return answer
        except AttemptFailed as failure:
            if failure.kind in _UNPAID:
                spent = 0.0
            raise
        finally:
            self._purse.settle(worst, spent)

    async def aclose(self) -> None:
        """Close the backend; the purse stays."""
        await self._backend.aclose()


def _spent(usage: Usage, unit: Unit, worst: float) -> float:
    """What the answer says it used; the worst case where it does not say."""
    if unit == "USD":
        return worst if usage.cost is None else usage.cost
    if usage.input_tokens is None or usage.output_tokens is None:
        return worst
    return float(usage.input_tokens + usage.output_tokens)
