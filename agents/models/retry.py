"""The one retry layer.

Bounded twice, by attempts and by a deadline; it waits as long as the provider asks (Retry-After) or
else backs off exponentially with jitter, and tells of every wait. No other layer may retry: a hidden
second one multiplies attempts and loses Retry-After.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from agents.models.waits import in_words
from agents.models.wire import AttemptFailed
from sim.core.errors import FaultKind

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How long to keep trying."""

    attempts: int = 6
    """At most, the first one included."""
    deadline: float = 240.0
    """Seconds for the whole call, waits included."""
    repeats: int = 2
    """How often an empty or blocked answer is asked for again."""
    first_wait: float = 1.0
    """Seconds; doubled each time, less a random half."""
    longest_wait: float = 30.0
    sleep: Callable[[float], Awaitable[None]] = field(default=asyncio.sleep, compare=False)
    clock: Callable[[], float] = field(default=time.monotonic, compare=False)
    jitter: Callable[[], float] = field(default=random.random, compare=False)
    """A number from 0 to 1."""


class Retrying(Generic[T]):
    """One call and its attempts."""

    def __init__(
        self,
        policy: RetryPolicy,
        *,
        unusable: Callable[[T], str | None],
        waiting: Callable[[str, float], object],
    ) -> None:
        """`unusable` names what is wrong with an answer worth asking for again, None for a good one;
        `waiting` is told the reason and the seconds before each wait."""
        self._policy = policy
        self._unusable = unusable
        self._waiting = waiting
        self._unused = 0
        self.attempts = 0
        """Attempts made so far."""

    async def run(self, attempt: Callable[[int], Awaitable[T]]) -> T:
        """The answer of the first attempt that is good, or the last one.

        `attempt` is called with its number, from 1. Raises AttemptFailed (the last one) and
        asyncio.CancelledError.
        """
        started = self._policy.clock()
        while True:
            try:
                answer = await self._bounded(attempt, started)
            except AttemptFailed as failure:
                why, wait = failure.why, self._wait(failure.retry_after)
                if not failure.retryable or self._too_late(started, wait):
                    self._say_how_long(failure)
                    raise
            else:
                why, wait = self._unusable(answer) or "", self._wait()
                if not why or self._unused >= self._policy.repeats or self._too_late(started, wait):
                    return answer
                self._unused += 1
            self._waiting(why, wait)
            await self._policy.sleep(wait)

    def _say_how_long(self, failure: AttemptFailed) -> None:
        """Tell of a wait that no call may take: what lies beyond it is no limit that passes, but a quota."""
        wait = failure.retry_after
        if not failure.retryable or wait is None or wait < self._policy.deadline:
            return
        if failure.kind is FaultKind.RATE_LIMIT:
            failure.kind = FaultKind.QUOTA
        failure.why += (
            f"; the provider asks to wait {in_words(wait)}, longer than the {self._policy.deadline:g} s "
            "a call may take"
        )

    async def _bounded(self, attempt: Callable[[int], Awaitable[T]], started: float) -> T:
        self.attempts += 1
        left = self._policy.deadline - (self._policy.clock() - started)
        try:
            async with asyncio.timeout(left):
                return await attempt(self.attempts)
        except TimeoutError:
            raise AttemptFailed(FaultKind.TIMEOUT, f"no answer within {self._policy.deadline:g} s") from None

    def _too_late(self, started: float, wait: float) -> bool:
        """Whether there is no attempt left, or no time for one after `wait`."""
        late = self._policy.clock() - started + wait >= self._policy.deadline
        return late or self.attempts >= self._policy.attempts

    def _wait(self, asked: float | None = None) -> float:
        """Seconds until the next attempt: what the provider asks for, else longer each time."""
        if asked is not None:
            return asked
        step: float = self._policy.first_wait * 2.0 ** (self.attempts - 1)
        return min(step, self._policy.longest_wait) * (1 - self._policy.jitter() / 2)
