from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from agents.models.cached import CachedClient, servers
from sim.core.errors import CallFailed, FaultKind
from sim.core.events import Outcome
from sim.core.ports import CallScope, Completion, Message, Request
from tests.agents.models.helpers import HELLO, Ear


class Shelf(dict[str, str]):
    """A Cache in memory."""

    def put(self, key: str, document: str) -> None:
        self[key] = document

    def close(self) -> None:
        self.clear()


class Model:
    """Answers with a running number."""

    def __init__(self, outcome: Outcome = "ok", model: str = "m") -> None:
        self.calls, self.outcome, self.model = 0, outcome, model

    @property
    def name(self) -> str:
        return self.model

    @property
    def identity(self) -> Mapping[str, Any]:
        return {"model": self.model}

    async def complete(self, request: Request, scope: CallScope) -> Completion:
        self.calls += 1
        return Completion(self.outcome, f"{self.calls} \u0000\u202e ا", "raw", "json_object")

    async def aclose(self) -> None:
        self.calls = -1


async def test_a_stored_answer_is_the_same_answer_and_free() -> None:
    model, shelf = Model(), Shelf()
    client = CachedClient(model, shelf, {})
    first = await client.complete(HELLO, Ear().scope())
    ear = Ear()
    assert await client.complete(HELLO, ear.scope()) == first
    assert model.calls == 1
    (entry,) = ear.finished
    assert (entry.cached, entry.cost, entry.cost_status, entry.attempts) == (True, 0.0, "known", 0)


@pytest.mark.parametrize(
    "other",
    [
        Request(messages=(Message("user", "hello "),)),
        Request(messages=(Message("system", "hello"),)),
        Request(prompt="hello"),
        replace(HELLO, parameters={"temperature": 0}),
        replace(HELLO, parameters={"seed": 1}),
        replace(HELLO, schema={"type": "object"}),
    ],
)
async def test_another_request_is_another_answer(other: Request) -> None:
    model = Model()
    client = CachedClient(model, Shelf(), {})
    await client.complete(HELLO, Ear().scope())
    await client.complete(other, Ear().scope())
    assert model.calls == 2


async def test_streaming_is_transport_and_a_hit_is_still_shown() -> None:
    model = Model()
    client = CachedClient(model, Shelf(), {})
    first = await client.complete(HELLO, Ear().scope())
    ear = Ear()
    await client.complete(replace(HELLO, stream=True), ear.scope())
    assert ear.deltas == [first.text]
    assert model.calls == 1


async def test_trials_and_occurrences_have_their_own_answers() -> None:
    model, shelf = Model(), Shelf()
    client = CachedClient(model, shelf, {})

    async def run() -> list[str]:
        seen: Counter[str] = Counter()

        def occurrence(fingerprint: str) -> int:
            seen[fingerprint] += 1
            return seen[fingerprint] - 1

        return [
            (await client.complete(HELLO, Ear().scope(trial=trial, occurrence=occurrence))).text
            for trial in (0, 1, 2)
            for _ in range(2)
        ]

    first = await run()
    assert len(set(first)) == 6
    assert await run() == first
    assert model.calls == 6


async def test_servers_do_not_share_answers() -> None:
    shelf = Shelf()
    for port in (1, 2):
        named = {"OPENAI_BASE_URL": f"http://localhost:{port}/v1", "OPENAI_API_KEY": "k", "X_API_BASE": ""}
        model = Model()
        client = CachedClient(model, shelf, servers(named))
        await client.complete(HELLO, Ear().scope())
        await client.complete(HELLO, Ear().scope())
        assert model.calls == 1


async def test_models_do_not_share_answers() -> None:
    shelf = Shelf()
    await CachedClient(Model(model="a"), shelf, {}).complete(HELLO, Ear().scope())
    other = Model(model="b")
    await CachedClient(other, shelf, {}).complete(HELLO, Ear().scope())
    assert other.calls == 1


@pytest.mark.parametrize("outcome", ["empty", "truncated", "blocked"])
async def test_what_is_no_whole_answer_never_enters(outcome: Outcome) -> None:
    shelf = Shelf()
    await CachedClient(Model(outcome), shelf, {}).complete(HELLO, Ear().scope())
    assert not shelf


async def test_a_fault_never_enters() -> None:
    class Failing(Model):
        async def complete(self, request: Request, scope: CallScope) -> Completion:
            raise CallFailed(FaultKind.RATE_LIMIT, "no")

    shelf = Shelf()
    with pytest.raises(CallFailed):
        await CachedClient(Failing(), shelf, {}).complete(HELLO, Ear().scope())
    assert not shelf
