"""A client that asks the call cache first.

Only whole answers are kept: never an empty, blocked or truncated one, never a fault. The key holds
everything that may change an answer, the servers the environment names, the seed, and the trial, or every
repeat would get the same one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from agents.models.ladder import described
from agents.models.ledger import attempted, from_cache
from agents.models.wire import Attempt
from agents.models.wrapped import Wrapped
from sim.core.ports import Cache, CallScope, Client, Completion, Request
from sim.core.text import dumps

_VERSION = 2
_SERVER_VARIABLES = ("_BASE_URL", "_API_BASE")
"""How the variables end that name a provider's server."""


def servers(environment: Mapping[str, str]) -> dict[str, str]:
    """What the environment says of where models are asked: behind one name may be different ones."""
    return {name: value for name, value in environment.items() if name.endswith(_SERVER_VARIABLES) and value}


class CachedClient(Wrapped):
    """`client` behind `cache`; fills the Client port. Closing it closes the client, not the cache."""

    def __init__(self, client: Client, cache: Cache, servers: Mapping[str, str]) -> None:
        super().__init__(client)
        self._cache = cache
        self._servers = dict(servers)

    async def complete(self, request: Request, scope: CallScope) -> Completion:
        """The stored answer, else the client's. Raises CallFailed."""
        fingerprint = _digest([self._servers, *_asked(self._client, request)])
        key = _digest([_VERSION, fingerprint, scope.trial, scope.seed, scope.occurrence(fingerprint)])
        stored = self._cache.get(key)
        if stored is not None:
            completion = _completion(json.loads(stored))
            if request.stream and scope.on_delta is not None:
                scope.on_delta(completion.text)
            scope.publish(attempted(self.name, scope, _as_sent(request, completion), completion.raw))
            scope.publish(from_cache(self.name, scope))
            return completion
        completion = await self._client.complete(request, scope)
        if completion.outcome == "ok" and "unknown_finish" not in completion.flags:
            self._cache.put(key, dumps(_document(completion)))
        return completion


def _asked(client: Client, request: Request) -> list[Any]:
    messages = [[m.role, m.content] for m in request.messages]
    schema = dict(request.schema) if request.schema is not None else None
    return [dict(client.identity), messages, request.prompt, dict(request.parameters), schema]


def _as_sent(request: Request, completion: Completion) -> Attempt:
    """The attempt that brought the stored answer, as far as it is known; number 0."""
    messages = described(completion.json_mode, request.schema, request.messages)
    return Attempt(0, messages, request.prompt, request.parameters, None, None)


def _completion(document: dict[str, Any]) -> Completion:
    return Completion(**document | {"flags": tuple(document.get("flags", ()))})


def _document(completion: Completion) -> dict[str, Any]:
    return {
        "outcome": completion.outcome,
        "text": completion.text,
        "raw": completion.raw,
        "json_mode": completion.json_mode,
        "flags": list(completion.flags),
    }


def _digest(value: Any) -> str:
    plain = json.dumps(value, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(plain.encode("ascii")).hexdigest()
