"""LiteLLM's HTTP, overheard: what the provider itself sent, byte for byte, beside LiteLLM's reading of it.

LiteLLM translates a request into a provider's own protocol, and for that it is asked. Its reading of replies
loses what decides whether an answer is one: it makes up a `stop` for a stream that was cut, drops waits that
stand in a body, and words errors afresh. So the reply is read here as well, by the same rules as any other.
Where nothing was overheard (a provider LiteLLM reaches some other way), its own reading is all there is.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from agents.models.bodies import parsed
from agents.models.documents import EventReader, is_answer, read_document, usage_of
from agents.models.refusals import error_in, refused
from agents.models.sse import EventSplitter, TooLong
from agents.models.wire import Answer, AttemptFailed, Usage
from sim.core.errors import FaultKind

PROVIDERS = frozenset({"gemini", "vertex_ai", "vertex_ai_beta", "anthropic", "cohere", "cohere_chat"})
"""Those whose protocol is JSON or server-sent events."""
_KEPT_CLIENTS = {"cohere": "cohere_chat", "cohere_chat": "cohere_chat"}
"""Providers for which LiteLLM takes no client it is handed, and the name it keeps its own under."""
_LONGEST = 32 << 20
"""Bytes of one reply."""
_DONE = b"[DONE]"


class Tap:
    """What one attempt brought, as it came."""

    def __init__(self, on_delta: Callable[[str], None] | None) -> None:
        self._on_delta = on_delta
        self._status = 0
        self._headers: Mapping[str, str] = {}
        self._body = bytearray()
        self._unzip: Any = None
        self._events: EventSplitter | None = None
        self._reader = EventReader()
        self._failed: AttemptFailed | None = None
        self._blind = self._ended = False
        self._stream: Any = None

    @property
    def streams(self) -> bool:
        """Whether what is heard is a stream of events."""
        return self.hears and self._events is not None

    @property
    def hears(self) -> bool:
        """Whether there is anything to go by."""
        return bool(self._status) and not self._blind

    @property
    def usage(self) -> Usage:
        """The tokens a stream said were used."""
        return usage_of({"usage": self._reader.usage})

    def unless_heard(self) -> Callable[[str], None] | None:
        """Where pieces of LiteLLM's own reading go: nowhere, once the reply itself is heard."""
        deliver = self._on_delta
        return deliver and (lambda piece: None if self.hears else deliver(piece))

    async def drain(self) -> None:
        """Read the stream to its end, or to where it is broken: LiteLLM gives up on events it does not know."""
        try:
            async for _ in self._stream:
                if self._failed is not None:
                    return
        finally:
            await self._stream.aclose()

    def opened(self, status: int, headers: Mapping[str, str], stream: Any) -> Any:
        """A response began; one before it was no answer. Gives what is to be read in place of `stream`."""
        self._status, self._headers = status, headers
        self._stream = _tapped_stream()(stream, self)
        self._body.clear()
        self._failed, self._ended, self._reader = None, False, EventReader()
        encoding = headers.get("content-encoding", "identity")
        self._unzip = zlib.decompressobj(47) if encoding in ("gzip", "deflate") else None
        self._blind = self._unzip is None and encoding not in ("identity", "")
        streamed = headers.get("content-type", "").startswith("text/event-stream")
        self._events = EventSplitter() if streamed and status < 300 else None
        return self._stream

    def feed(self, piece: bytes) -> None:
        """The next bytes of the body. Never raises: what is wrong with them is told at the end."""
        try:
            data = self._unzip.decompress(piece) if self._unzip else piece
            if self._events is None:
                self._body += data[: max(0, _LONGEST - len(self._body))]
            elif self._failed is None:
                self._take(self._events.feed(data))
        except zlib.error:
            self._blind = True

    def ended(self) -> None:
        """The body was read to its end."""
        self._ended = True
        if self._events is not None and self._failed is None:
            self._take(self._events.finish())

    def answer(self) -> Answer | None:
        """The answer overheard, None where LiteLLM's reading is to be taken. Raises AttemptFailed."""
        if not self.hears:
            return None
        if self._status >= 300:
            outcome = refused(self._status, self._headers, bytes(self._body))
            if isinstance(outcome, AttemptFailed):
                raise outcome
            return outcome
        if self._failed is not None:
            raise self._failed
        if self._events is not None:
            return self._reader.answer()
        document = parsed(bytes(self._body))
        if error_in(document) is None and isinstance(document, dict) and not is_answer(document):
            return None
        return read_document(document, self._headers)

    @property
    def settled(self) -> bool:
        """Whether enough was heard to say what the reply is: it came whole, or as an error."""
        return self.hears and (self._ended or self._failed is not None or self._status >= 300)

    def _take(self, events: Iterator[bytes]) -> None:
        try:
            for data in events:
                piece = "" if data.strip() == _DONE else self._reader.feed(parsed(data))
                if piece and self._on_delta is not None:
                    self._on_delta(piece)
        except AttemptFailed as failure:
            self._failed = failure
        except TooLong as why:
            self._failed = AttemptFailed(FaultKind.UNAVAILABLE, str(why), retryable=True)


_TAP: ContextVar[Tap | None] = ContextVar("tap", default=None)


@contextmanager
def overhearing(tap: Tap) -> Iterator[Tap]:
    """Let `tap` hear what a client of `listening_client` receives in this task."""
    token = _TAP.set(tap)
    try:
        yield tap
    finally:
        _TAP.reset(token)


def listening_client(timeout: float) -> Any:
    """A client to hand to LiteLLM; closed with `close`."""
    handler = importlib.import_module("litellm.llms.custom_httpx.http_handler").AsyncHTTPHandler
    return handler(timeout=timeout, event_hooks={"request": [_plain], "response": [_listen]})


def listen_to_kept(litellm: Any, provider: str) -> None:
    """Hear what LiteLLM's own client for `provider` receives, where it uses one whatever it is handed."""
    kept = _KEPT_CLIENTS.get(provider)
    if kept is None:
        return
    find = importlib.import_module("litellm.llms.custom_httpx.http_handler").get_async_httpx_client
    client = find(llm_provider=litellm.LlmProviders(kept), params={"ssl_verify": None}).client
    if _listen not in client.event_hooks["response"]:
        client.event_hooks = {"request": [_plain], "response": [_listen]}


async def _plain(request: Any) -> None:
    """Ask for bytes as they are."""
    if _TAP.get() is not None:
        request.headers["Accept-Encoding"] = "identity"


async def _listen(response: Any) -> None:
    tap = _TAP.get()
    if tap is not None:
        response.stream = tap.opened(response.status_code, response.headers, response.stream)


@cache
def _tapped_stream() -> Any:
    """The class of a stream that passes on what it reads; httpx wants one of its own kind."""
    base: Any = importlib.import_module("httpx").AsyncByteStream

    class TappedStream(base):  # type: ignore[misc]
        def __init__(self, stream: Any, tap: Tap) -> None:
            self._stream = stream
            self._pieces = aiter(stream)
            self._tap = tap

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for piece in self._pieces:
                self._tap.feed(piece)
                yield piece
            self._tap.ended()

        async def aclose(self) -> None:
            await self._stream.aclose()

    return TappedStream
