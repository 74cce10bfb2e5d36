"""What a run may spend, and how long it may take: the words for it, and the account.

An account is kept from the first part of a run to the last: what earlier parts spent is read from
their ledgers. It knows no model and no price; callers say what they reserve.
"""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sim.core.errors import Problem, UsageProblem
from sim.runs.shapes import Recorded, parse
from sim.runs.store import Run

Unit = Literal["USD", "tokens"]

_BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(usd|tokens)", re.IGNORECASE)
_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")


@dataclass(frozen=True, slots=True)
class Budget:
    """An amount in one unit, for the whole run."""

    amount: float
    unit: Unit

    def __str__(self) -> str:
        return f"{self.amount:g} USD" if self.unit == "USD" else f"{self.amount:.0f} tokens"


def budget(text: str) -> Budget:
    """The budget `text` spells, such as `5USD` or `200000tokens`. Raises UsageProblem."""
    found = _BUDGET.fullmatch(text.strip())
    if found is None or float(found[1]) <= 0:
        raise UsageProblem(
            Problem("Unusable budget", f"{text!r} is not a budget.", choices=("5USD", "200000tokens"))
        )
    return Budget(float(found[1]), "USD" if found[2].casefold() == "usd" else "tokens")


def duration(text: str) -> float:
    """The seconds `text` spells, such as `30m` or `1h30m`. Raises UsageProblem."""
    found = _DURATION.fullmatch(text.strip())
    seconds = (
        sum(int(n or 0) * unit for n, unit in zip(found.groups(), (3600, 60, 1), strict=True)) if found else 0
    )
    if not seconds:
        raise UsageProblem(
            Problem("Unusable deadline", f"{text!r} is not a duration.", choices=("90s", "30m", "1h30m"))
        )
    return float(seconds)


class Account:
    """What is left of a budget. For one event loop."""

    def __init__(self, limit: Budget, spent: float = 0.0) -> None:
        """`spent` is what earlier parts of the run used, in the unit of `limit`."""
        self.limit = limit
        self.spent = spent
        self.reserved = 0.0
        self._settled = asyncio.Event()

    @property
    def unit(self) -> Unit:
        """What amounts are counted in."""
        return self.limit.unit

    async def reserve(self, amount: float) -> bool:
        """Set `amount` aside; False where it does not fit even when nothing else is under way.

        While others hold reservations it waits: they mostly use less than they set aside.
        """
        while self.spent + self.reserved + amount > self.limit.amount:
            if not self.reserved:
                return False
            self._settled.clear()
            await self._settled.wait()
        self.reserved += amount
        return True

    def settle(self, reserved: float, spent: float) -> None:
        """Give back a reservation and book what was spent of it."""
        self.reserved = max(0.0, self.reserved - reserved)
        self.spent += spent
        if self.reserved < 1e-9:
            self.reserved = 0.0
        self._settled.set()


def spent(run: Run, unit: Unit) -> float:
    """What the calls of a run used, those of judging it again included.

    It is read from the journals and the ledger of later calls; one that a kill cut off is in neither.
    Raises UsageProblem for the line of a call that cannot be read.
    """
    ledgers = [*run.journals(), *([run.later_calls] if run.later_calls.exists() else [])]
    return sum(_used_in(path, unit) for path in ledgers)


def _used_in(journal: Path, unit: Unit) -> float:
    """Of its whole lines that are a CallFinished: a text may be that word, and a kill may cut a line off."""
    used = 0.0
    with journal.open("rb") as file:
        for number, line in enumerate(file, 1):
            if b'"CallFinished"' in line and line.endswith(b"\n"):
                used += _used(parse(line, Recorded, f"{journal}:{number}"), unit)
    return used


def _used(event: Mapping[str, Any], unit: Unit) -> float:
    if event["type"] != "CallFinished":
        return 0.0
    if unit == "USD":
        return float(event.get("cost") or 0.0)
    return float((event.get("input_tokens") or 0) + (event.get("output_tokens") or 0))
