"""How a batch shares its places out."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from sim.core.identity import ConversationKey
from sim.core.studio import Setup
from sim.core.values import Mode
from sim.runs.batch import Batch


@dataclass
class Bench:
    """Sessions that take as many loop turns as their system is slow."""

    slow: dict[str, int]
    refusing: dict[str, str] = field(default_factory=dict)
    """Who meets a wrong key, by interpreter."""

    def __post_init__(self) -> None:
        self.running: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.order: list[str] = []

    def start(self, setup: Setup) -> "Session":
        return Session(self, setup)


@dataclass
class Session:
    bench: Bench
    setup: Setup

    @property
    def key(self) -> ConversationKey:
        return ConversationKey("s", self.setup.interpreter, "-", Mode.SCRIPTED, None, self.setup.trial)

    async def run(self) -> dict[str, Any]:
        name = self.setup.interpreter
        self.bench.running[name] += 1
        self.bench.most[name] = max(self.bench.most[name], self.bench.running[name])
        for _ in range(self.bench.slow[name]):
            await asyncio.sleep(0)
        self.bench.running[name] -= 1
        self.bench.order.append(name)
        who = self.bench.refusing.get(name)
        if who is None:
            return {"conversation": {"end_reason": "completed", "fault": None, "turns": []}}
        fault = {"who": who, "what": "key not accepted", "kind": "authentication", "layer": "infrastructure"}
        return {"conversation": {"end_reason": "infrastructure", "fault": fault, "turns": []}}


async def held(bench: Bench, each: int, concurrency: int) -> Batch:
    jobs = [Setup("s", interpreter=name, trial=n) for n in range(each) for name in bench.slow]
    batch = Batch(jobs, bench.start, total=len(jobs), before=0, concurrency=concurrency)
    await batch.run()
    return batch


async def test_a_slow_system_does_not_take_the_places_of_a_quick_one() -> None:
    bench = Bench({"slow": 200, "quick": 1})
    batch = await held(bench, each=20, concurrency=4)
    assert batch.progress.missing == 0
    assert bench.order.index("slow") > 2
    last_quick = len(bench.order) - 1 - bench.order[::-1].index("quick")
    assert bench.order[:last_quick].count("slow") <= 4


async def test_the_last_system_gets_every_place() -> None:
    bench = Bench({"slow": 50, "quick": 1})
    await held(bench, each=12, concurrency=4)
    assert bench.most["slow"] == 4


async def test_nothing_is_started_after_the_end_was_asked_for() -> None:
    bench = Bench({"one": 3})
    jobs = [Setup("s", interpreter="one", trial=n) for n in range(9)]
    batch = Batch(
        jobs, bench.start, total=9, before=0, concurrency=2, on_end=lambda d, p: batch.expire("why")
    )
    progress = await batch.run()
    assert (progress.held, progress.exhausted) == (2, "why")


async def test_a_wrong_key_ends_the_conversations_of_its_interpreter_alone() -> None:
    bench = Bench({"locked": 1, "open": 1, "free": 1}, {"locked": "interpreter"})
    progress = (await held(bench, each=9, concurrency=2)).progress
    assert Counter(bench.order) == {"locked": 1, "open": 9, "free": 9}
    assert (progress.held, progress.missing, progress.refused) == (18, 9, None)
    assert progress.given_up == {"locked": "interpreter: key not accepted"}


async def test_a_wrong_key_of_every_interpreter_or_of_a_user_stops_the_batch() -> None:
    alone = Bench({"locked": 1}, {"locked": "interpreter"})
    assert (await held(alone, each=9, concurrency=1)).progress.refused == "interpreter: key not accepted"
    user = Bench({"one": 1, "two": 1}, {"one": "user A"})
    assert (await held(user, each=9, concurrency=1)).progress.refused == "user A: key not accepted"
    assert len(alone.order) == len(user.order) == 1
