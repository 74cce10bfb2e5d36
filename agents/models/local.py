"""One attempt against a managed local server, through the same LiteLLM path as hosted models.

What differs: it waits its turn (the server answers one at a time), a JSON schema travels the way
llama.cpp's server takes it, and a dead child is a crash, never tried again.
"""

from __future__ import annotations

from dataclasses import replace

from agents.models.hosted import LiteLLMBackend
from agents.models.server import LocalServer
from agents.models.wire import Answer, Attempt, AttemptFailed
from sim.core.errors import CallFailed
from sim.core.events import Waiting
from sim.core.ports import CallScope

_MODEL = "openai/local"


class LocalBackend:
    """A model behind a server of ours. Closing it leaves the server, which others may share."""

    def __init__(self, name: str, server: LocalServer, *, timeout: float = 120.0) -> None:
        self._name = name
        self._server = server
        self._timeout = timeout
        self._backend: LiteLLMBackend | None = None

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        """Answer once. Raises AttemptFailed."""
        try:
            if not self._server.running:
                scope.publish(Waiting(who=self._name, why="loading the model", turn=scope.turn))
            async with self._server.turn() as address:
                if self._backend is None:
                    self._backend = LiteLLMBackend(_MODEL, timeout=self._timeout, address=address)
                return await self._backend.send(_as_llama_takes_it(attempt), scope)
        except CallFailed as error:
            raise AttemptFailed(error.kind, error.what, detail=error.detail) from error
        except AttemptFailed as error:
            if await self._server.gone():
                crash = self._server.crash()
                raise AttemptFailed(crash.kind, crash.what, detail=crash.detail) from error
            raise

    async def aclose(self) -> None:
        """Close the connections to the server."""
        if self._backend is not None:
            await self._backend.aclose()


def _as_llama_takes_it(attempt: Attempt) -> Attempt:
    """The schema as a grammar: llama.cpp's server reads it from `json_object`, and knows no `json_schema`."""
    wanted = attempt.response_format
    if wanted is None or wanted["type"] != "json_schema":
        return attempt
    schema = wanted["json_schema"]["schema"]
    return replace(attempt, response_format={"type": "json_object", "schema": schema})
