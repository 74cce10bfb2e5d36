"""Providers LiteLLM speaks for, over real HTTP: what they themselves sent decides what an answer is."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web

from agents.models import gateway
from agents.models.client import ModelClient
from agents.models.hosted import LiteLLMBackend
from sim.core.errors import CallFailed, FaultKind
from sim.core.ports import Request
from tests.agents.models.helpers import HELLO, Clock, Ear, client_of

Document = dict[str, Any]
STREAM = Request(messages=HELLO.messages, stream=True)
GEMINI = "gemini/gemini-2.5-flash"
MODELS = {
    GEMINI: ("GEMINI_API_BASE", ""),
    "anthropic/claude-sonnet-4-5": ("ANTHROPIC_API_BASE", ""),
    "cohere/command-a-03-2025": ("COHERE_API_BASE", "/v2/chat"),
}


def gemini(text: str, finish: str | None) -> list[Document]:
    parts = [{"content": {"parts": [{"text": piece}], "role": "model"}, "index": 0} for piece in text]
    parts[-1] |= {"finishReason": finish} if finish else {}
    usage = {"promptTokenCount": 5, "candidatesTokenCount": 2, "thoughtsTokenCount": 1}
    return [{"candidates": [part], "usageMetadata": usage} for part in parts]


def anthropic(text: str, finish: str | None) -> list[Document]:
    start = {"id": "x", "type": "message", "role": "assistant", "content": [], "model": "m"}
    events: list[Document] = [
        {"type": "message_start", "message": start | {"usage": {"input_tokens": 5, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    ]
    for piece in text:
        delta = {"type": "text_delta", "text": piece}
        events.append({"type": "content_block_delta", "index": 0, "delta": delta})
    end = {"type": "message_delta", "delta": {"stop_reason": finish}, "usage": {"output_tokens": 3}}
    return [*events, end, {"type": "message_stop"}] if finish else events


def cohere(text: str, finish: str | None) -> list[Document]:
    events: list[Document] = [
        {"type": "message-start", "id": "x", "delta": {"message": {"role": "assistant", "content": []}}},
        {"type": "content-start", "index": 0, "delta": {"message": {"content": {"type": "text"}}}},
    ]
    for piece in text:
        events.append(
            {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": piece}}}}
        )
    usage = {"tokens": {"input_tokens": 5, "output_tokens": 3}}
    end = {"type": "message-end", "delta": {"finish_reason": finish, "usage": usage}}
    return [*events, end] if finish else events


STREAMS: dict[str, Callable[[str, str | None], list[Document]]] = dict(
    zip(MODELS, (gemini, anthropic, cohere), strict=True)
)
GOOD = dict(zip(MODELS, ("STOP", "end_turn", "COMPLETE"), strict=True))
CUT = dict(zip(MODELS, ("MAX_TOKENS", "max_tokens", "MAX_TOKENS"), strict=True))


class Said:
    """What the server says to the next requests; the last stays."""

    def __init__(self) -> None:
        self.replies: list[tuple[int, Any, dict[str, str]]] = []
        self.asked = 0

    async def answer(self, request: web.Request) -> web.Response:
        status, body, headers = self.replies[min(self.asked, len(self.replies) - 1)]
        self.asked += 1
        if status != 200 or not isinstance(body, list):
            return web.json_response(body, status=status, headers=headers)
        events = "".join(f"data: {json.dumps(document)}\n\n" for document in body)
        return web.Response(text=events, content_type="text/event-stream")


@pytest_asyncio.fixture
async def said(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Said]:
    """A server every provider's address names."""
    server = Said()
    app = web.Application()
    app.router.add_post("/{path:.*}", server.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    for model, (variable, path) in MODELS.items():
        monkeypatch.setenv(variable, f"http://127.0.0.1:{runner.addresses[0][1]}{path}")
        monkeypatch.setenv(f"{model.partition('/')[0].upper()}_API_KEY", "sk-stub-0123456789")
    yield server
    await gateway.close()
    await runner.cleanup()


@pytest_asyncio.fixture(params=MODELS)
async def model(request: pytest.FixtureRequest) -> str:
    """Each of them."""
    name: str = request.param
    return name


def opened(model: str, clock: Clock | None = None, **more: Any) -> ModelClient:
    return client_of(LiteLLMBackend(model, timeout=5), clock, model, **more)


async def test_a_finished_stream_is_an_answer(said: Said, model: str) -> None:
    said.replies = [(200, STREAMS[model]("Halo.", GOOD[model]), {})]
    ear, client = Ear(), opened(model)
    completion = await client.complete(STREAM, ear.scope())
    assert (completion.outcome, completion.text, completion.flags) == ("ok", "Halo.", ())
    assert (said.asked, [w.why for w in ear.waits]) == (1, [])
    assert "".join(ear.deltas) == "Halo."
    (entry,) = ear.finished
    assert (entry.input_tokens, entry.output_tokens) == (5, 3)
    assert said.asked == 1
    await client.aclose()


async def test_a_stream_that_was_cut_is_asked_for_again(said: Said, model: str) -> None:
    said.replies = [
        (200, STREAMS[model]("Ha", None), {}),
        (200, STREAMS[model]("Halo.", GOOD[model]), {}),
    ]
    ear, client = Ear(), opened(model)
    assert (await client.complete(STREAM, ear.scope())).text == "Halo."
    assert [wait.why for wait in ear.waits] == ["stream cut short"]
    assert said.asked == 2
    await client.aclose()


async def test_what_a_limit_cut_is_told_as_cut(said: Said, model: str) -> None:
    said.replies = [(200, STREAMS[model]("Ha", CUT[model]), {})]
    client = opened(model)
    completion = await client.complete(STREAM, Ear().scope())
    assert (completion.outcome, completion.text) == ("truncated", "Ha")
    await client.aclose()


@pytest.mark.parametrize("request_", [HELLO, STREAM])
async def test_a_rate_limit_is_waited_for_as_asked(said: Said, model: str, request_: Request) -> None:
    whole = {
        GEMINI: gemini("x", "STOP")[0],
        "anthropic/claude-sonnet-4-5": {
            "id": "x",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [{"type": "text", "text": "x"}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 5, "output_tokens": 3},
        },
        "cohere/command-a-03-2025": {
            "id": "x",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "x"}]},
            "finish_reason": "COMPLETE",
            "usage": {"tokens": {"input_tokens": 5, "output_tokens": 3}},
        },
    }
    good = STREAMS[model]("x", GOOD[model]) if request_.stream else whole[model]
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17s"}]
    error = {"error": {"code": 429, "message": "slow", "status": "RESOURCE_EXHAUSTED", "details": details}}
    said.replies = [(429, error, {}), (429, {"message": "slow"}, {"Retry-After": "3"}), (200, good, {})]
    clock, ear = Clock(), Ear()
    client = opened(model, clock)
    completion = await client.complete(request_, ear.scope())
    assert (completion.text, clock.slept) == ("x", [17, 3])
    await client.aclose()


@pytest.mark.parametrize("request_", [HELLO, STREAM])
async def test_google_blocks_without_candidates(said: Said, request_: Request) -> None:
    body: Document = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
    said.replies = [(200, [body] if request_.stream else body, {})]
    client = opened(GEMINI, repeats=0)
    assert (await client.complete(request_, Ear().scope())).outcome == "blocked"
    await client.aclose()


async def test_what_cannot_pass_is_told_at_once(
    said: Said, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable, _ = MODELS[model]
    for base, kind, why in (
        ("http://127.0.0.1:9", FaultKind.UNAVAILABLE, "nothing listens at 127.0.0.1"),
        ("api.example.com/v1", FaultKind.BAD_REQUEST, "its address is no http:// or https:// address"),
    ):
        monkeypatch.setenv(variable, base)
        ear, client = Ear(), opened(model)
        with pytest.raises(CallFailed) as failure:
            await client.complete(HELLO, ear.scope())
        assert (failure.value.kind, ear.waits) == (kind, [])
        assert why in failure.value.what
        await client.aclose()


async def test_a_quota_of_the_day_is_no_rate_limit(said: Said) -> None:
    violation = {"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}
    details = [{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]}]
    error = {"error": {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", "details": details}}
    said.replies = [(429, error, {})]
    ear, client = Ear(), opened(GEMINI)
    with pytest.raises(CallFailed) as failure:
        await client.complete(STREAM, ear.scope())
    assert (failure.value.kind, said.asked, ear.waits) == (FaultKind.QUOTA, 1, [])
    assert "quota of the day" in failure.value.what
    await client.aclose()
