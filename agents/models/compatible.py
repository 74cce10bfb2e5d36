"""One attempt at a server that speaks OpenAI's protocol, over HTTP as it is.

For providers that speak it, for one's own servers, for the managed local one: they take a request as it is,
and a library in between costs three times the processor time of the call itself and hides whether a stream
finished. It must not retry, cache or count: `client` does; what a reply means is `documents` and `refusals`.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agents.models import gateway
from agents.models.bodies import parsed
from agents.models.connections import LONGEST, Connections, read, too_long
from agents.models.dialects import body
from agents.models.documents import EventReader, read_document
from agents.models.endpoints import Endpoint, endpoint
from agents.models.prices import Prices
from agents.models.refusals import refused
from agents.models.sse import EventSplitter, TooLong
from agents.models.wire import FREE, Answer, Attempt, AttemptFailed, Usage
from sim.core.errors import FaultKind
from sim.core.ports import CallScope

if TYPE_CHECKING:
    import aiohttp

_DONE = b"[DONE]"


class CompatibleBackend:
    """A model on such a server."""

    def __init__(self, name: str, where: Endpoint | None = None, *, timeout: float = 120.0) -> None:
        """`name` is LiteLLM's, for the price; without `where` the environment says where it is asked.

        `timeout` is in seconds, for one attempt.
        """
        self._name = name
        self._where = where
        self._timeout = timeout
        self._prices = Prices(name)
        self._connections: Connections | None = None

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        """Answer once. Raises AttemptFailed."""
        where = self._where = self._where or _found(self._name)
        fields = body(where.provider, where.model, attempt)
        try:
            answer = await self._exchange(where, fields, attempt)
        except AttemptFailed as failure:
            raise _explained(failure, where) from failure
        usage = await self._priced(answer.usage, where)
        return replace(answer, usage=usage, sent=_parameters(fields), host=where.host)

    async def aclose(self) -> None:
        """Close the connections."""
        connections, self._connections = self._connections, None
        if connections is not None:
            await connections.aclose()

    async def _exchange(self, where: Endpoint, fields: Mapping[str, Any], attempt: Attempt) -> Answer:
        path = "/chat/completions" if attempt.prompt is None else "/completions"
        headers = {"Content-Type": "application/json"}
        if where.key:
            headers["Authorization"] = f"Bearer {where.key}"
        if self._connections is None:
            self._connections = Connections(where.base, timeout=self._timeout)
        async with self._connections.post(path, json.dumps(fields).encode(), headers) as response:
            if response.status >= 300:
                return _refused(response, await read(response))
            if attempt.on_delta is None and response.content_type != "text/event-stream":
                return read_document(parsed(await read(response)), response.headers)
            return await _streamed(response, attempt)

    async def _priced(self, usage: Usage, where: Endpoint) -> Usage:
        if where.free:
            return Usage(usage.input_tokens, usage.output_tokens, FREE.cost, FREE.cost_status)
        return self._prices.of(await gateway.loaded(), usage)


def _found(name: str) -> Endpoint:
    found = endpoint(name)
    if found is None:
        raise AttemptFailed(FaultKind.BAD_REQUEST, "it is not asked in this protocol")
    return found


def _refused(response: aiohttp.ClientResponse, said: bytes) -> Answer:
    """The blocked answer a refusal stands for. Raises AttemptFailed for any other."""
    outcome = refused(response.status, response.headers, said)
    if isinstance(outcome, AttemptFailed):
        raise outcome
    return outcome


async def _streamed(response: aiohttp.ClientResponse, attempt: Attempt) -> Answer:
    """An answer in pieces, told as they come where they were asked for; or whole although they were."""
    pieces = _pieces(response)
    first = b""
    async for first in pieces:
        if first.strip():
            break
    if first.removeprefix(BOM_UTF8).lstrip()[:1] in (b"{", b"[", b"<"):
        whole = first + b"".join([piece async for piece in pieces])
        answer = read_document(parsed(whole), response.headers)
        if answer.content and attempt.on_delta is not None:
            attempt.on_delta(answer.content)
        return answer
    reader, splitter = EventReader(), EventSplitter()
    try:
        for data in splitter.feed(first):
            _take(reader, data, attempt)
        async for piece in pieces:
            for data in splitter.feed(piece):
                _take(reader, data, attempt)
        for data in splitter.finish():
            _take(reader, data, attempt)
    except TooLong:
        raise too_long() from None
    return reader.answer()


def _take(reader: EventReader, data: bytes, attempt: Attempt) -> None:
    if data.strip() == _DONE:
        return
    piece = reader.feed(parsed(data))
    if piece and attempt.on_delta is not None:
        attempt.on_delta(piece)


async def _pieces(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """The body as it comes. Raises AttemptFailed where it has no end."""
    size = 0
    async for piece in response.content.iter_any():
        size += len(piece)
        if size > LONGEST:
            raise too_long()
        yield piece


def _explained(failure: AttemptFailed, where: Endpoint) -> AttemptFailed:
    """`failure`, with what a person can do where nothing listens at the usual address."""
    if where.own is not None and failure.why.startswith("nothing listens"):
        failure.why = (
            f"nothing listens at {where.base}: start {where.own.says}, or name its address as api_base"
        )
    return failure


def _parameters(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent beside the words."""
    sent = {name: value for name, value in fields.items() if name not in ("model", "messages", "prompt")}
    if "response_format" in sent:
        sent["response_format"] = sent["response_format"]["type"]
    return sent
