"""What a run's model calls come to while it runs: calls, tokens, cost, and who is waited for.

It listens and counts, for a face to read whenever it likes. The ledger that a budget is kept by is not
this one, and the record is the journal.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from sim.core.bus import Bus
from sim.core.events import CallFinished, Event, Gap, Waiting

_WINDOW = 30.0
"""Seconds over which calls a second are counted."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A provider that is waited for."""

    provider: str
    why: str
    seconds: float | None
    """Still to wait; None where nobody knows."""


class Meter:
    """Sums over the calls of this process. For one event loop."""

    def __init__(
        self,
        provider: Callable[[str], str] = lambda model: model,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`provider` names who is behind a model."""
        self._provider = cache(provider)
        self._clock = clock
        self._started = clock()
        self._lately: deque[float] = deque()
        self._waits: dict[str, tuple[str, float | None]] = {}
        self.calls = 0
        """Calls that were answered, by the cache too."""
        self.cached = 0
        """Of these, answered by the cache."""
        self.input_tokens = 0
        self.output_tokens = 0
        self.cost = 0.0
        """US dollars, of calls whose price is known."""
        self.unpriced = 0
        """Calls whose price is not known."""

    def listen(self, bus: Bus) -> None:
        """Count the calls of one conversation, as an observer."""

        async def hear(event: Event) -> None:
            for one in bus.since(event.first) if isinstance(event, Gap) else (event,):
                self.take(one)

        bus.observe("meter", hear)

    def take(self, event: Event) -> None:
        """Count an event, if it tells of a call."""
        if isinstance(event, CallFinished):
            self._count(event)
        elif isinstance(event, Waiting):
            until = None if event.until is None else self._clock() + event.until
            self._waits[self._provider(event.who)] = event.why, until

    def _count(self, call: CallFinished) -> None:
        self.calls += 1
        self.cached += call.cached
        self.input_tokens += call.input_tokens or 0
        self.output_tokens += call.output_tokens or 0
        self.cost += call.cost or 0.0
        self.unpriced += call.cost_status == "unknown"
        if call.cached:
            return
        self._lately.append(self._clock())
        provider = self._provider(call.model)
        if self._waits.get(provider, ("", 0.0))[1] is None:
            del self._waits[provider]

    @property
    def rate(self) -> float:
        """Calls a second that providers answered, lately."""
        while self._lately and self._lately[0] < self._clock() - _WINDOW:
            self._lately.popleft()
        elapsed = self._clock() - self._started
        return len(self._lately) / max(1.0, min(elapsed, _WINDOW))

    @property
    def waits(self) -> tuple[Wait, ...]:
        """Who is waited for now."""
        now = self._clock()
        self._waits = {
            name: (why, until) for name, (why, until) in self._waits.items() if until is None or until > now
        }
        return tuple(
            Wait(name, why, None if until is None else until - now)
            for name, (why, until) in self._waits.items()
        )
