"""The seed of a conversation reaches the providers that take one, and changes only with a useless answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from agents.models import gateway
from agents.models.cached import CachedClient
from agents.models.hosted import LiteLLMBackend
from agents.models.wire import Answer, Attempt, AttemptFailed
from sim.core.errors import FaultKind
from sim.core.identity import SEEDS
from sim.core.ports import CallScope, Request
from tests.agents.models.helpers import HELLO, Ear, Open, client_of, compatible, hosted
from tests.agents.models.test_cached import Model, Shelf
from tests.stub.app import Stub


@pytest_asyncio.fixture(autouse=True)
async def closed() -> AsyncIterator[None]:
    yield
    await gateway.close()


@pytest.mark.parametrize(
    "request_",
    [
        HELLO,
        Request(messages=HELLO.messages, stream=True),
        Request(prompt="x", stream=True),
        Request(prompt="x"),
    ],
)
@pytest.mark.parametrize("open_", [hosted, compatible])
async def test_a_seed_is_sent(stub: Stub, request_: Request, open_: Open) -> None:
    client = open_()
    await client.complete(request_, Ear().scope(seed=7))
    await client.complete(request_, Ear().scope())
    assert [body.get("seed") for body in stub.requests] == [7, None]
    await client.aclose()


async def test_a_seed_among_the_parameters_goes_before(stub: Stub) -> None:
    await hosted().complete(Request(messages=HELLO.messages, parameters={"seed": 1}), Ear().scope(seed=7))
    assert [body["seed"] for body in stub.requests] == [1]


async def test_a_provider_that_takes_no_seed_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []

    async def acompletion(**options: Any) -> Any:
        sent.append(options)
        raise TimeoutError

    litellm = await gateway.loaded()
    monkeypatch.setattr(litellm, "acompletion", acompletion)
    for model in ("anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"):
        with pytest.raises(AttemptFailed):
            await LiteLLMBackend(model).send(
                Attempt(1, HELLO.messages, None, {}, None, None, 7), Ear().scope()
            )
    assert ["seed" in options for options in sent] == [False, True]


@pytest.mark.parametrize("open_", [hosted, compatible])
async def test_a_server_that_refuses_the_seed_is_asked_again_without(stub: Stub, open_: Open) -> None:
    stub.play(
        {"do": "status", "status": 400, "message": "Unsupported parameter: 'seed'."},
        {"do": "reply", "text": "A"},
    )
    client = open_()
    assert (await client.complete(HELLO, Ear().scope(seed=7))).text == "A"
    await client.complete(HELLO, Ear().scope(seed=7))
    assert [body.get("seed") for body in stub.requests] == [7, None, None]
    await client.aclose()


class Odd:
    """Fails once, is empty once, then answers."""

    def __init__(self) -> None:
        self.seeds: list[int | None] = []

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        self.seeds.append(attempt.seed)
        if attempt.number == 1:
            raise AttemptFailed(FaultKind.UNAVAILABLE, "server error 503", retryable=True)
        return Answer("" if attempt.number == 2 else "A", "stop")

    async def aclose(self) -> None:
        pass


async def test_a_fault_keeps_the_seed_and_a_useless_answer_changes_it() -> None:
    odd = Odd()
    await client_of(odd).complete(HELLO, Ear().scope(seed=SEEDS - 1))
    assert odd.seeds == [SEEDS - 1, SEEDS - 1, 0]


async def test_another_seed_is_another_answer_to_the_cache() -> None:
    model = Model()
    client = CachedClient(model, Shelf(), {})
    for seed in (1, 2, 1, 2):
        await client.complete(HELLO, Ear().scope(seed=seed))
    assert model.calls == 2
