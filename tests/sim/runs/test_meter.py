"""The meter adds calls up, knows who is waited for, and forgets what is over."""

import asyncio
from typing import Any

from sim.core.bus import Bus
from sim.core.events import CallFinished, Waiting
from sim.runs.meter import Meter, Wait


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def call(**named: Any) -> CallFinished:
    return CallFinished.model_validate({"role": "judge", "model": "openai/a", "outcome": "ok"} | named)


def test_calls_tokens_and_cost_add_up_and_unknown_is_not_zero() -> None:
    meter = Meter(clock=Clock())
    meter.take(call(input_tokens=10, output_tokens=2, cost=0.5, cost_status="known"))
    meter.take(call(cost=0.0, cost_status="known", cached=True))
    meter.take(call(cost_status="unknown"))
    assert (meter.calls, meter.cached, meter.unpriced) == (3, 1, 1)
    assert (meter.input_tokens, meter.output_tokens, meter.cost) == (10, 2, 0.5)


def test_the_rate_is_of_the_last_half_minute_and_leaves_the_cache_out() -> None:
    clock = Clock()
    meter = Meter(clock=clock)
    for _ in range(60):
        meter.take(call())
        meter.take(call(cached=True))
    clock.now += 10
    assert meter.rate == 6.0
    clock.now += 21
    assert meter.rate == 0.0


def test_a_wait_is_told_by_provider_until_it_is_over() -> None:
    clock = Clock()
    meter = Meter(lambda model: model.partition("/")[0], clock)
    meter.take(Waiting(who="openai/a", why="rate limit", until=3.0))
    meter.take(Waiting(who="local", why="loading the model"))
    clock.now += 1
    assert meter.waits == (Wait("openai", "rate limit", 2.0), Wait("local", "loading the model", None))
    clock.now += 3
    meter.take(call(model="local"))
    assert not meter.waits


async def test_it_listens_to_a_bus_and_makes_good_what_it_missed() -> None:
    meter = Meter()
    async with Bus("x-0") as bus:
        meter.listen(bus)
        for _ in range(3000):
            bus.publish(call())
        await asyncio.sleep(0)
    assert meter.calls == 3000
