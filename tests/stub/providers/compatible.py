"""What providers that speak OpenAI's chat protocol share: whole answers, streams, the form of a request.

What each refuses, and how it words that, is its own module's.
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.stub.providers.brain import Asked
from tests.stub.providers.refusal import Refused
from tests.stub.providers.server import KEY, Shape, body_of, refusing

_CREATED = 1_700_000_000


def text_of(content: Any) -> str:
    """The text of a message's content, a string or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))


def schema_of(body: dict[str, Any]) -> dict[str, Any] | None:
    """The JSON Schema of `response_format`."""
    form = body.get("response_format") or {}
    found = form.get("json_schema") or {}
    return found.get("schema") if form.get("type") == "json_schema" else None


def asked(body: dict[str, Any]) -> Asked:
    """A chat request in the brain's terms."""
    texts = tuple((m["role"], text_of(m.get("content"))) for m in body["messages"])
    return Asked(str(body.get("model")), texts, schema_of(body), stream=bool(body.get("stream")))


@dataclass
class Compatible(Shape):
    """A provider behind `…/chat/completions`."""

    path = "/chat/completions"
    comments = False
    """Whether keep-alive comments stand in streams, and empty lines before whole answers."""

    def routes(self) -> Iterable[web.RouteDef]:
        """The one path, and the list of models."""
        return [web.post(self.path, refusing(self.answer)), web.get("/v1/models", self.listed)]

    @abstractmethod
    def check(self, request: web.Request, body: dict[str, Any]) -> None:
        """Raises Refused as the provider would."""

    @property
    @abstractmethod
    def models(self) -> tuple[str, ...]:
        """What it serves."""

    def thought(self, asked: Asked, body: dict[str, Any]) -> str | None:
        """What the model thinks aloud before it answers."""
        return None

    def message(self, text: str, thought: str | None) -> dict[str, Any]:
        """The message of a whole answer."""
        told = {"reasoning_content": thought} if thought is not None else {}
        return {"role": "assistant", "content": text, **told}

    def deltas(self, text: str, thought: str | None) -> Iterator[dict[str, Any]]:
        """The deltas of a stream."""
        yield {"role": "assistant", "content": "" if thought is None else None}
        for piece in pieces(thought or ""):
            yield {"content": None, "reasoning_content": piece}
        for piece in pieces(text):
            yield {"content": piece}

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """One call."""
        body = await body_of(request)
        self.keep(request, body)
        fault = self.faults.get(str(body.get("model")))
        if fault is not None:
            return await fault(request, body)
        self.check(request, body)
        wanted = asked(body)
        text, thought = self.brain.answer(wanted), self.thought(wanted, body)
        if body.get("stream"):
            return await self._stream(request, body, text, thought)
        document = self.document(body, self.message(text, thought))
        return web.Response(
            text=("\n\n" if self.comments else "") + json.dumps(document, ensure_ascii=False),
            content_type="application/json",
        )

    async def listed(self, request: web.Request) -> web.Response:
        """The models served."""
        data = [{"id": name, "object": "model", "owned_by": self.name} for name in self.models]
        return web.json_response({"object": "list", "data": data})

    def document(self, body: dict[str, Any], message: dict[str, Any], finish: str = "stop") -> dict[str, Any]:
        """A whole answer."""
        return {
            "id": "chatcmpl-stub",
            "object": "chat.completion",
            "created": _CREATED,
            "model": body.get("model"),
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
            "usage": usage(),
        }

    async def _stream(
        self, request: web.Request, body: dict[str, Any], text: str, thought: str | None
    ) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        await response.prepare(request)
        if self.comments:
            await response.write(b": keep-alive\n\n")
        head = {"id": "chatcmpl-stub", "object": "chat.completion.chunk", "created": _CREATED}
        head["model"] = body.get("model")
        for delta in self.deltas(text, thought):
            choice = {"index": 0, "delta": delta, "finish_reason": None}
            await event(response, {**head, "choices": [choice]})
        last = {"index": 0, "delta": {}, "finish_reason": "stop"}
        await event(response, {**head, "choices": [last]})
        if (body.get("stream_options") or {}).get("include_usage"):
            await event(response, {**head, "choices": [], "usage": usage()})
        await response.write(b"data: [DONE]\n\n")
        return response


def usage() -> dict[str, int]:
    """Tokens, made up."""
    return {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}


def pieces(text: str) -> list[str]:
    """A text as a model gives it out, piece by piece."""
    return re.findall(r"\S+\s*|\s+", text)


async def event(response: web.StreamResponse, document: Any) -> None:
    """One server-sent event."""
    await response.write(b"data: " + json.dumps(document, ensure_ascii=False).encode() + b"\n\n")


def bearer(request: web.Request) -> str:
    """The bearer token of a request, empty without one."""
    return request.headers.get("Authorization", "").removeprefix("Bearer ").strip()


def has_key(request: web.Request) -> bool:
    """Whether the right key came with a request."""
    return bearer(request) == KEY


def without_json_word(body: dict[str, Any]) -> bool:
    """Whether JSON mode was asked for and no message says so, which most providers refuse."""
    kind = (body.get("response_format") or {}).get("type")
    said = " ".join(text_of(m.get("content")) for m in body.get("messages", []))
    return kind == "json_object" and "json" not in said.casefold()


def error(status: int, message: str, kind: str, *, param: str | None = None, code: Any = None) -> Refused:
    """A refusal as OpenAI words it."""
    return Refused(status, {"error": {"message": message, "type": kind, "param": param, "code": code}})
