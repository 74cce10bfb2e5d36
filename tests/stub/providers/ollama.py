"""Ollama: its own `/api/chat` and `/api/generate`, streamed as JSON lines, and the OpenAI-compatible `/v1`.

By its API documentation: no key, a model nobody pulled is a 404 with nothing but an `error`, thinking
stands in `thinking` (`reasoning` on `/v1`), and `think` is refused by models that cannot.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.stub.providers.brain import THOUGHT, Asked
from tests.stub.providers.compatible import Compatible, error, pieces
from tests.stub.providers.refusal import Refused
from tests.stub.providers.server import body_of, refusing

_MODELS = ("gemma3:12b", "qwen3:8b")
_THINKING = ("qwen3:8b",)
_AT = "2026-01-01T00:00:00.000000Z"


@dataclass
class Ollama(Compatible):
    """localhost:11434."""

    path = "/v1/chat/completions"

    def __post_init__(self) -> None:
        self.name = "ollama"

    @property
    def models(self) -> tuple[str, ...]:
        """What was pulled."""
        return _MODELS

    def routes(self) -> Iterable[web.RouteDef]:
        """Both protocols, and what is known of the models."""
        return [
            *super().routes(),
            web.post("/api/chat", refusing(self.chat)),
            web.post("/api/generate", refusing(self.generate)),
            web.post("/api/show", refusing(self.show)),
            web.get("/api/tags", self.tags),
            web.get("/api/version", self.version),
        ]

    def check(self, request: web.Request, body: dict[str, Any]) -> None:
        """Raises Refused as `/v1` does."""
        if body.get("model") not in _MODELS:
            raise error(404, f"model '{body.get('model')}' not found", "not_found_error")
        if not body.get("messages"):
            raise error(400, "[] is too short - 'messages'", "invalid_request_error")
        kind = (body.get("response_format") or {}).get("type", "text")
        if kind not in ("text", "json_object", "json_schema"):
            raise error(400, f"invalid response_format type {kind}", "invalid_request_error")

    def thought(self, asked: Asked, body: dict[str, Any]) -> str | None:
        """Thinking is on for models that can."""
        off = body.get("think") is False or body.get("reasoning_effort") == "none"
        return THOUGHT if asked.model in _THINKING and not off else None

    def message(self, text: str, thought: str | None) -> dict[str, Any]:
        """As `/v1` names it."""
        told = {"reasoning": thought} if thought is not None else {}
        return {"role": "assistant", "content": text, **told}

    def deltas(self, text: str, thought: str | None) -> Iterator[dict[str, Any]]:
        """As `/v1` names it."""
        for piece in pieces(thought or ""):
            yield {"role": "assistant", "content": "", "reasoning": piece}
        for piece in pieces(text):
            yield {"role": "assistant", "content": piece}

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """One call of the native protocol; it streams unless told not to."""
        body = await body_of(request)
        self.keep(request, body)
        fault = self.faults.get(str(body.get("model")))
        if fault is not None:
            return await fault(request, body)
        _check_native(body)
        texts = tuple((one["role"], str(one.get("content") or "")) for one in body["messages"])
        return await self._native(request, body, texts, _message)

    async def generate(self, request: web.Request) -> web.StreamResponse:
        """One call of the native protocol with a prompt in place of messages."""
        body = await body_of(request)
        self.keep(request, body)
        fault = self.faults.get(str(body.get("model")))
        if fault is not None:
            return await fault(request, body)
        _check_native(body)
        texts = (("system", str(body.get("system") or "")), ("user", str(body.get("prompt") or "")))
        return await self._native(request, body, texts, _response)

    async def _native(
        self, request: web.Request, body: dict[str, Any], texts: tuple[tuple[str, str], ...], told: Told
    ) -> web.StreamResponse:
        form = body.get("format")
        wanted = Asked(body["model"], texts, form if isinstance(form, dict) else None)
        text, thought = self.brain.answer(wanted), self.thought(wanted, body)
        if body.get("stream", True):
            return await _lines(request, body["model"], text, thought, told)
        return web.json_response({"model": body["model"], "created_at": _AT, **told(text, thought), **_END})

    async def show(self, request: web.Request) -> web.Response:
        """What is known of a model."""
        body = await body_of(request)
        name = body.get("model") or body.get("name")
        if name not in _MODELS:
            raise Refused(404, {"error": f"model '{name}' not found"})
        able = ["completion", *(["thinking"] if name in _THINKING else [])]
        info = {"general.architecture": "stub", "stub.context_length": 32768}
        return web.json_response({"details": {}, "model_info": info, "capabilities": able, "template": ""})

    async def tags(self, request: web.Request) -> web.Response:
        """The models that were pulled."""
        return web.json_response({"models": [{"name": name, "model": name} for name in _MODELS]})

    async def version(self, request: web.Request) -> web.Response:
        """The version of the server."""
        return web.json_response({"version": "0.40.12"})


Told = Callable[[str, str | None], dict[str, Any]]
"""Puts a text and a thought, or a piece of either, where the endpoint says it."""


def _message(text: str, thought: str | None) -> dict[str, Any]:
    return {"message": {"role": "assistant", "content": text, **({"thinking": thought} if thought else {})}}


def _response(text: str, thought: str | None) -> dict[str, Any]:
    return {"response": text, **({"thinking": thought} if thought else {})}


_END: dict[str, Any] = {
    "done": True,
    "done_reason": "stop",
    "total_duration": 1,
    "load_duration": 1,
    "prompt_eval_count": 120,
    "prompt_eval_duration": 1,
    "eval_count": 30,
    "eval_duration": 1,
}


def _check_native(body: dict[str, Any]) -> None:
    model = body.get("model")
    if not model:
        raise Refused(400, {"error": "model is required"})
    if model not in _MODELS:
        raise Refused(404, {"error": f"model '{model}' not found"})
    if body.get("think") and model not in _THINKING:
        raise Refused(400, {"error": f'"{model}" does not support thinking'})
    form = body.get("format")
    if form not in (None, "", "json") and not isinstance(form, dict):
        raise Refused(
            400, {"error": f'invalid format: "{form}"; expected "json" or a valid JSON Schema object'}
        )
    for one in body.get("messages") or []:
        if not isinstance(one.get("content", ""), str):
            raise Refused(
                400, {"error": "json: cannot unmarshal array into Go struct field ChatRequest.messages"}
            )


async def _lines(
    request: web.Request, model: str, text: str, thought: str | None, told: Told
) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
    await response.prepare(request)

    async def line(said: dict[str, Any], **more: Any) -> None:
        document = {"model": model, "created_at": _AT, **said, "done": False, **more}
        await response.write(json.dumps(document, ensure_ascii=False).encode() + b"\n")

    for piece in pieces(thought or ""):
        await line(told("", piece))
    for piece in pieces(text):
        await line(told(piece, None))
    await line(told("", None), **_END)
    return response
