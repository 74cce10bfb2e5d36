"""A fault-injecting OpenAI-compatible server that tests and benchmarks share.

It answers what it is told to answer, step by step, and keeps what it was asked. It must not become a
model: a reply is scripted, or a valid verdict for every criterion id found in the request.

A *script* is a list of steps; the n-th request under a script gets step n, the last one stays. A request
brings its own script in the header `X-Stub` (JSON); otherwise the server's script holds. A step is
`{"do": NAME, …}`; see `tests/stub/steps.py`.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.stub import steps


@dataclass
class Stub:
    """The server's script, its latency and its memory."""

    script: list[dict[str, Any]] = field(default_factory=lambda: [{"do": "reply"}])
    latency: float = 0.0
    """Seconds before every answer."""
    key: str | None = None
    """Bearer token asked for; None lets everyone in."""
    requests: list[dict[str, Any]] = field(default_factory=list)
    """Bodies received, in order, with `path` added."""
    keep: bool = True
    """Whether requests are kept; a benchmark says no."""
    _turns: Counter[str] = field(default_factory=Counter)

    @property
    def answered(self) -> int:
        """Requests so far under the scripts that are playing."""
        return self._turns.total()

    def play(self, *script: dict[str, Any]) -> None:
        """Answer with these steps from now on."""
        self.script = list(script)
        self._turns.clear()

    def next_step(self, header: str | None) -> dict[str, Any]:
        """The step for this request."""
        script = json.loads(header) if header else self.script
        name = header or ""
        step: dict[str, Any] = script[min(self._turns[name], len(script) - 1)]
        self._turns[name] += 1
        return step


STUB = web.AppKey("stub", Stub)


def make_app(stub: Stub) -> web.Application:
    """The application serving `stub`."""
    app = web.Application()
    app[STUB] = stub
    app.router.add_post("/v1/chat/completions", _answer)
    app.router.add_post("/v1/completions", _answer)
    app.router.add_get("/v1/models", _models)
    return app


async def _models(request: web.Request) -> web.Response:
    return web.json_response({"object": "list", "data": [{"id": "stub", "object": "model"}]})


async def _answer(request: web.Request) -> web.StreamResponse:
    stub = request.app[STUB]
    body: dict[str, Any] = await request.json()
    chat = request.path.endswith("/chat/completions")
    if stub.keep:
        stub.requests.append(body | {"path": request.path})
    if stub.latency:
        await asyncio.sleep(stub.latency)
    if stub.key and request.headers.get("Authorization") != f"Bearer {stub.key}":
        return steps.error(401, "Incorrect API key provided.", "invalid_api_key")
    return await steps.play(stub.next_step(request.headers.get("X-Stub")), request, body, chat=chat)
