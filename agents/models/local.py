"""One attempt against a managed local server, as any other that speaks OpenAI's protocol.

What differs: it waits its turn (the server answers one at a time), a JSON schema travels the way
llama.cpp's server takes it, and a child that dies is a crash: that call is not tried again, the next one
finds a new child.
"""

from __future__ import annotations

from dataclasses import replace

from agents.models.compatible import CompatibleBackend
from agents.models.endpoints import Endpoint
from agents.models.server import Address, LocalServer
from agents.models.wire import Answer, Attempt, AttemptFailed
from sim.core.events import Waiting
from sim.core.ports import CallScope

_ANSWER = 512
"""Tokens of an answer where nothing is said; the server's own default is 16."""


class LocalBackend:
    """A model behind a server of ours. Closing it leaves the server, which others may share."""

    def __init__(self, name: str, server: LocalServer, *, timeout: float = 120.0) -> None:
        self._name = name
        self._server = server
        self._timeout = timeout
        self._backend: CompatibleBackend | None = None
        self._address: Address | None = None

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        """Answer once. Raises AttemptFailed."""
        if self._server.fresh:
            scope.publish(Waiting(who=self._name, why="loading the model", turn=scope.turn))
        async with self._server.turn() as address:
            backend = await self._reaching(address)
            try:
                return await backend.send(_as_llama_takes_it(attempt), scope)
            except AttemptFailed as error:
                # still in the queue: whoever is next starts another child
                if await self._server.gone():
                    raise self._server.crash() from error
                raise

    async def _reaching(self, address: Address) -> CompatibleBackend:
        """The connections to the child at `address`; those to an earlier child are closed."""
        if self._backend is None or self._address != address:
            await self.aclose()
            where = Endpoint("llamafile", "local", address.base, address.key)
            self._backend = CompatibleBackend("llamafile/local", where, timeout=self._timeout)
            self._address = address
        return self._backend

    async def aclose(self) -> None:
        """Close the connections to the server."""
        if self._backend is not None:
            await self._backend.aclose()


def _as_llama_takes_it(attempt: Attempt) -> Attempt:
    """Always streamed: only then does llama.cpp's server stop when the caller does.

    A schema becomes a grammar: the server reads it from `json_object`, and knows no `json_schema`.
    """
    wanted = attempt.response_format
    if wanted is not None and wanted["type"] == "json_schema":
        wanted = {"type": "json_object", "schema": wanted["json_schema"]["schema"]}
    parameters = {"max_tokens": _ANSWER, **attempt.parameters}
    return replace(
        attempt,
        parameters=parameters,
        response_format=wanted,
        on_delta=attempt.on_delta or _ignore,
        stream_options=False,
    )


def _ignore(piece: str) -> None:
    """A delta nobody asked for."""
