"""Keeping to what a provider allows: requests and tokens a minute, and fewer calls at once when it complains.

One lane a provider, shared by all its models. A lane that hears of a rate limit halves the calls it lets
out at once, once for a burst of refusals, and keeps new ones back as long as the provider asks. After that
as many as may be out start spread over a second, repeated ones among them; every answer widens the lane by
a fraction (additive increase, multiplicative decrease, as in TCP: Chiu and Jain 1989). It never repeats a
call: that is the retry layer's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from agents.models.wrapped import Wrapped
from sim.core.events import CallFinished, Event, Waiting
from sim.core.ports import CallScope, Client, Completion, Request

_MINUTE = 60.0
_WIDEST = 1024.0
_BYTES_A_TOKEN = 4
_NOTICEABLE = 1.0
"""Seconds."""
_SPREAD = 1.0
"""Seconds over which as many calls start as may be out, once a provider complained."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What a provider allows in a minute; None where nothing is said."""

    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None


class Lane:
    """The calls to one provider. For one event loop."""

    def __init__(
        self,
        rate: Rate,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._rate = rate
        self._clock = clock
        self._sleep = sleep
        self._next_request = 0.0
        self._next_tokens = 0.0
        self._held_until = 0.0
        self._spread = 0.0
        """Seconds over which as many calls start as may be out; 0 before the first complaint."""
        self._out = 0
        self._changed = asyncio.Condition()
        self.width = _WIDEST
        """How many calls may be out at once."""

    @asynccontextmanager
    async def place(
        self, tokens: int, told: Callable[[str, float], object] = lambda why, seconds: None
    ) -> AsyncIterator[None]:
        """Wait until a call of about so many tokens may go out; it has come back when the block ends.

        `told` hears of waits that a person notices: why, and for how many seconds.
        """
        async with self._changed:
            await self._changed.wait_for(lambda: self._out < max(1, int(self.width)))
            self._out += 1
        try:
            await self._turn(told)
            self._book(tokens)
            yield
        finally:
            async with self._changed:
                self._out -= 1
                self._changed.notify_all()

    async def again(self) -> None:
        """Wait until a call that has its place may be repeated."""
        await self._turn(lambda why, seconds: None)
        self._book(0)

    async def _turn(self, told: Callable[[str, float], object]) -> None:
        while (wait := max(self._held_until, self._due()) - self._clock()) > 0:
            if wait >= _NOTICEABLE:
                told("rate limit" if self._held_until >= self._due() else "limits of the plan", wait)
            await self._sleep(wait)

    def _due(self) -> float:
        return max(self._next_request, self._next_tokens)

    def _book(self, tokens: int) -> None:
        """Space calls evenly: a burst at the start of a minute is what provokes refusals."""
        now = self._clock()
        apart = self._spread / self.width
        if self._rate.requests_per_minute:
            apart = max(apart, _MINUTE / self._rate.requests_per_minute)
        if apart:
            self._next_request = max(now, self._next_request) + apart
        if self._rate.tokens_per_minute:
            self._next_tokens = max(now, self._next_tokens) + _MINUTE * tokens / self._rate.tokens_per_minute

    def complained(self, seconds: float) -> None:
        """The provider refused for the rate: half as many at once, and none for so many seconds.

        While calls are held back none starts, so what is refused meanwhile started before: it is the same
        burst, and says nothing new of the width.
        """
        now = self._clock()
        if now >= self._held_until:
            self.width = max(1.0, min(self.width, float(self._out)) / 2)
            self._spread = min(_SPREAD, seconds)
        self._held_until = max(self._held_until, now + seconds)

    def answered(self) -> None:
        """A call was answered: a little more at once."""
        self.width = min(_WIDEST, self.width + 1 / self.width)


class PacedClient(Wrapped):
    """`client` in a lane; fills the Client port. It goes below the cache: stored answers pass freely."""

    def __init__(self, client: Client, lane: Lane) -> None:
        super().__init__(client)
        self._lane = lane

    async def complete(self, request: Request, scope: CallScope) -> Completion:
        """The client's answer, asked for when the lane is free. Raises CallFailed."""

        def told(why: str, seconds: float) -> None:
            scope.publish(Waiting(who=self.name, why=why, until=round(seconds, 3), turn=scope.turn))

        async with self._lane.place(_tokens(request), told):
            return await self._client.complete(request, replace(scope, publish=self._listening(scope)))

    def _listening(self, scope: CallScope) -> Callable[[Event], object]:
        def publish(event: Event) -> object:
            if isinstance(event, Waiting) and "rate limit" in event.why:
                self._lane.complained(event.until or 0.0)
            elif isinstance(event, CallFinished):
                self._lane.answered()
            return scope.publish(event)

        return publish


def _tokens(request: Request) -> int:
    """About what a request and a short answer come to."""
    said = [message.content for message in request.messages] + [request.prompt or ""]
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in said) // _BYTES_A_TOKEN + 50


def provider(name: str) -> str:
    """Whose lane a model goes in: the provider LiteLLM names; each model on this machine has its own."""
    from agents.models import gateway

    if name == "local" or name.startswith(("gguf:", "fake:")):
        return name
    return str(gateway.load().get_llm_provider(name)[1])
