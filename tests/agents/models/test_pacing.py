"""A lane keeps to the provider's minute, narrows when it complains and widens when it answers."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Mapping
from typing import Any

from agents.models.client import ModelClient
from agents.models.pacing import Lane, PacedClient, Rate, provider
from agents.models.redact import Redactor
from agents.models.retry import RetryPolicy
from agents.models.wire import Answer, Attempt, AttemptFailed
from sim.core.errors import FaultKind
from sim.core.events import CallFinished, Waiting
from sim.core.ports import CallScope, Completion, Request
from tests.agents.models.helpers import HELLO, Clock, Ear


def lane(clock: Clock, **rate: int) -> Lane:
    return Lane(Rate(**rate), clock=lambda: clock.now, sleep=clock.sleep)


class Model:
    """A client that counts how many calls are out, and complains when told."""

    name = "m"
    identity: Mapping[str, Any] = {}

    def __init__(self, complaint: float | None = None) -> None:
        self.complaint = complaint
        self.out = self.most = 0

    async def complete(self, request: Request, scope: CallScope) -> Completion:
        self.out += 1
        self.most = max(self.most, self.out)
        for _ in range(3):
            await asyncio.sleep(0)
        if self.complaint is not None:
            scope.publish(Waiting(who="m", why="rate limit", until=self.complaint))
        else:
            scope.publish(CallFinished(role=scope.role, model="m", outcome="ok"))
        self.out -= 1
        return Completion("ok", "x", "x")

    async def aclose(self) -> None:
        pass


async def test_requests_of_a_minute_are_spread_over_it() -> None:
    clock = Clock()
    paced = PacedClient(Model(), lane(clock, requests_per_minute=30))
    for _ in range(31):
        await paced.complete(HELLO, Ear().scope())
    assert clock.now == 60.0


async def test_tokens_of_a_minute_count_by_the_length_of_requests() -> None:
    clock = Clock()
    narrow = lane(clock, tokens_per_minute=600)
    for tokens in (300, 300, 1):
        async with narrow.place(tokens):
            pass
    assert clock.now == 60.0


async def test_a_complaint_holds_new_calls_back_and_halves_those_at_once() -> None:
    clock, model = Clock(), Model(complaint=7.0)
    shared = lane(clock)
    paced = PacedClient(model, shared)
    await asyncio.gather(*(paced.complete(HELLO, Ear().scope()) for _ in range(16)))
    assert model.most == 16
    assert shared.width == 8, "sixteen refusals of one burst halve it once"
    model.complaint, model.most = None, 0
    await asyncio.gather(*(paced.complete(HELLO, Ear().scope()) for _ in range(16)))
    assert 7.0 < clock.now < 9.0, "held back, then spread over about two seconds"
    assert model.most <= 9


async def test_answers_widen_a_lane_again() -> None:
    shared = lane(Clock())
    shared.width = 1.0
    for _ in range(50):
        shared.answered()
    assert shared.width > 8


async def test_a_call_that_is_cancelled_gives_its_place_back() -> None:
    shared = lane(Clock())
    shared.width = 1.0
    paced = PacedClient(Model(), shared)
    first = asyncio.create_task(paced.complete(HELLO, Ear().scope()))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    assert (await paced.complete(HELLO, Ear().scope())).text == "x"


async def test_a_call_that_is_cancelled_while_held_back_gives_its_place_back() -> None:
    shared = Lane(Rate())
    shared.width = 1.0
    shared.complained(0.01)
    paced = PacedClient(Model(), shared)
    waiting = asyncio.create_task(paced.complete(HELLO, Ear().scope()))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert (await paced.complete(HELLO, Ear().scope())).text == "x"


async def test_what_a_call_publishes_still_arrives() -> None:
    ear = Ear()
    await PacedClient(Model(), lane(Clock())).complete(HELLO, ear.scope())
    assert len(ear.finished) == 1


def test_models_of_a_provider_share_its_lane() -> None:
    assert provider("openai/gpt-4o") == provider("gpt-4o-mini") == "openai"
    assert provider("fake:f.json") != provider("fake:g.json")


async def test_a_noticeable_wait_in_the_lane_is_told_with_its_reason() -> None:
    clock = Clock()
    ear = Ear()
    paced = PacedClient(Model(), lane(clock, requests_per_minute=30))
    for _ in range(2):
        await paced.complete(HELLO, ear.scope())
    waits = [event for event in ear.events if isinstance(event, Waiting)]
    assert [(w.who, w.why, w.until) for w in waits] == [("m", "limits of the plan", 2.0)]
    complaining = Lane(Rate(), clock=lambda: clock.now, sleep=clock.sleep)
    complaining.complained(3.0)
    ear = Ear()
    await PacedClient(Model(), complaining).complete(HELLO, ear.scope())
    (wait,) = (event for event in ear.events if isinstance(event, Waiting))
    assert (wait.why, wait.until) == ("rate limit", 3.0)


class VirtualTime:
    """A clock for many sleepers: it moves on to the next of them once nobody else can go on."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    async def sleep(self, seconds: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now + seconds, id(woken), woken))
        await woken

    async def run(self, work: asyncio.Future[Any]) -> None:
        while not work.done():
            for _ in range(20):
                await asyncio.sleep(0)
            if self._sleepers:
                self.now, _, woken = heapq.heappop(self._sleepers)
                if not woken.done():
                    woken.set_result(None)


class TenASecond:
    """A backend that answers ten calls a second, after 50 ms, and refuses the others after 20 ms for a second."""

    def __init__(self, time: VirtualTime) -> None:
        self._time = time
        self._taken: list[float] = []
        self.asked = 0

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        self.asked += 1
        self._taken = [moment for moment in self._taken if moment > self._time.now - 1]
        if len(self._taken) >= 10:
            await self._time.sleep(0.02)
            raise AttemptFailed(FaultKind.RATE_LIMIT, "rate limit", retryable=True, retry_after=1.0)
        self._taken.append(self._time.now)
        await self._time.sleep(0.05)
        return Answer("x", "stop")

    async def aclose(self) -> None:
        pass


async def test_a_server_of_ten_calls_a_second_is_asked_little_more_than_needed() -> None:
    """64 conversations at once, 640 calls: seen 1.3 times as many at most, and no call given up."""
    time = VirtualTime()
    backend = TenASecond(time)
    policy = RetryPolicy(sleep=time.sleep, clock=lambda: time.now, jitter=lambda: 0.5)
    client = ModelClient("m", backend, identity={}, policy=policy, redactor=Redactor([]))
    shared = Lane(Rate(), clock=lambda: time.now, sleep=time.sleep)
    client.again = shared.again
    paced = PacedClient(client, shared)

    async def conversation() -> None:
        for _ in range(10):
            assert (await paced.complete(HELLO, Ear().scope())).text == "x"

    work = asyncio.gather(*(conversation() for _ in range(64)))
    await time.run(work)
    await work
    assert backend.asked <= 1.3 * 640
    assert time.now < 2 * 64, "nor is it asked too slowly"
