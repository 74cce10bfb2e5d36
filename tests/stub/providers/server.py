"""Provider stubs on one loopback port, in a thread of their own, so that whole commands can be tried on them.

Each shape answers below its own path, keeps what it was asked, and can be told to fail first. It must not
help a client: what the real provider refuses by its public description is refused here.
"""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.stub.providers.brain import Brain
from tests.stub.providers.refusal import Refused

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Fault = Callable[[web.Request, dict[str, Any]], Awaitable[web.StreamResponse]]
"""Answers in place of the model."""
KEY = "sk-stub-0123456789"
"""The key every shape takes that wants one."""


@dataclass(slots=True)
class Sent:
    """A request as it came."""

    shape: str
    method: str
    path: str
    """Below the shape's own path, with the query."""
    headers: dict[str, str]
    """Names in lower case."""
    body: Any
    refused: bool = False
    """Whether the provider would not answer it."""


@dataclass
class Shape(ABC):
    """One provider: its paths, its key, its models, its memory."""

    brain: Brain
    requests: list[Sent] = field(default_factory=list)
    faults: dict[str, Fault] = field(default_factory=dict)
    """By model: answers in place of the shape's own."""

    name: str = field(init=False)
    """The path everything of this shape stands below."""

    @abstractmethod
    def routes(self) -> Iterable[web.RouteDef]:
        """The paths, without the shape's own."""

    def keep(self, request: web.Request, body: Any) -> None:
        """Remember a request."""
        path = request.path_qs.removeprefix(f"/{self.name}")
        headers = {name.lower(): value for name, value in request.headers.items()}
        request["sent"] = Sent(self.name, request.method, path, headers, body)
        self.requests.append(request["sent"])

    def asked_of(self, model: str) -> int:
        """How many requests named this model."""
        return sum(1 for sent in self.requests if isinstance(sent.body, dict) and self.model(sent) == model)

    def model(self, sent: Sent) -> str:
        """The model a request names."""
        return str(sent.body.get("model", ""))


def refusing(handler: Handler) -> Handler:
    """`handler`, with what it refuses as a response."""

    async def answer(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except Refused as refused:
            if "sent" in request:
                request["sent"].refused = True
            return refused.response()

    return answer


async def body_of(request: web.Request) -> dict[str, Any]:
    """The JSON object of a request. Raises Refused."""
    try:
        body = await request.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise Refused(400, {"error": {"message": "We could not parse the JSON body of your request."}})
    return body


class Server:
    """Shapes, served until the block ends."""

    def __init__(self, *shapes: Shape) -> None:
        self.shapes = {shape.name: shape for shape in shapes}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="provider-stubs", daemon=True)
        self._runner: web.AppRunner | None = None
        self.port = 0

    def __getitem__(self, name: str) -> Shape:
        return self.shapes[name]

    def url(self, name: str) -> str:
        """Where a shape answers."""
        return f"http://127.0.0.1:{self.port}/{name}"

    def forget(self) -> None:
        """As if nothing had been asked and nobody had been told to fail."""
        for shape in self.shapes.values():
            shape.requests.clear()
            shape.faults.clear()

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(30)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._runner is not None
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)
        self._loop.close()

    async def _start(self) -> None:
        app = web.Application(client_max_size=16 << 20)
        for shape in self.shapes.values():
            below = web.Application()
            below.router.add_routes(shape.routes())
            app.add_subapp(f"/{shape.name}", below)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, backlog=1024)
        await site.start()
        self.port = self._runner.addresses[0][1]
