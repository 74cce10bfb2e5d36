"""Replies as bytes: whole documents and event streams around a text, and what servers make of them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.stub.providers.compatible import pieces
from tests.stub.providers.server import Fault

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server sends."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    cut: bool = False
    """Whether the connection breaks off after the body."""

    async def send(self, request: web.Request) -> web.StreamResponse:
        """Send it, in small writes: characters of several bytes come in halves."""
        response = web.StreamResponse(status=self.status, headers={"Content-Type": self.kind, **self.headers})
        if self.cut:
            response.content_length = len(self.body) + 1000
        await response.prepare(request)
        for start in range(0, len(self.body), 37):
            await response.write(self.body[start : start + 37])
        if self.cut and request.transport is not None:
            request.transport.abort()
        return response


Says = Callable[[str, bool], Reply]
"""The reply around the right text, whole or streamed."""


def as_fault(says: Says, text_of: Callable[[Document], str]) -> Fault:
    """`says` in place of a shape's own answers."""

    async def fault(request: web.Request, body: Document) -> web.StreamResponse:
        return await says(text_of(body), bool(body.get("stream"))).send(request)

    return fault


def document(message: Any, finish: Any = "stop", **more: Any) -> Document:
    """A whole chat completion."""
    choice = {"index": 0, "message": message, "finish_reason": finish}
    usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": usage,
    } | more


def chunks(deltas: list[Any], finish: Any = "stop") -> list[Document]:
    """A stream of chat completion chunks."""
    told = [({"index": 0, "delta": delta, "finish_reason": None}) for delta in deltas]
    last = [{"index": 0, "delta": {}, "finish_reason": finish}] if finish is not None else []
    head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return [{**head, "choices": [choice]} for choice in (*told, *last)]


def events(documents: list[Any], *, done: bool = True, end: str = "\n") -> bytes:
    """Documents as server-sent events."""
    lines = [f"data: {json.dumps(one, ensure_ascii=False)}{end}{end}" for one in documents]
    return "".join([*lines, f"data: [DONE]{end}{end}" if done else ""]).encode()


def streamed(body: bytes, **more: Any) -> Reply:
    """A reply that is an event stream."""
    return Reply(body, kind="text/event-stream", **more)


def whole(value: Any, status: int = 200, **headers: str) -> Reply:
    """A reply that is a JSON document, whatever was asked."""
    return Reply(json.dumps(value, ensure_ascii=False).encode(), status, headers)


def around(content: Callable[[str], Any], finish: Any = "stop", **message: Any) -> Says:
    """A message whose content is made of the right text; streamed, it comes in pieces where it is text."""

    def says(text: str, stream: bool) -> Reply:
        said = content(text)
        if not stream:
            return whole(document({"role": "assistant", "content": said, **message}, finish))
        deltas = (
            [{"content": piece} for piece in pieces(said)] if isinstance(said, str) else [{"content": said}]
        )
        return streamed(events(chunks([{"role": "assistant", **message}, *deltas], finish)))

    return says


def always(reply: Reply) -> Says:
    """The same reply to everything."""
    return lambda text, stream: reply


def error(
    status: int, code: Any = None, kind: str | None = None, message: str = "No.", **headers: str
) -> Says:
    """An error as OpenAI words it, with its status."""
    told = {"error": {"message": message, "type": kind, "param": None, "code": code}}
    return always(whole(told, status, **headers))


def zipped(says: Says) -> Says:
    """The same, compressed."""

    def packed(text: str, stream: bool) -> Reply:
        reply = says(text, stream)
        return Reply(gzip.compress(reply.body), reply.status, {"Content-Encoding": "gzip"}, reply.kind)

    return packed


def stream_only(change: Callable[[bytes], bytes], **more: Any) -> Says:
    """A good answer; of a stream, with its bytes changed."""

    def says(text: str, stream: bool) -> Reply:
        reply = around(lambda said: said)(text, stream)
        return streamed(change(reply.body), **more) if stream else reply

    return says
