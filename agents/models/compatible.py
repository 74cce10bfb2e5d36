"""One attempt at a server that speaks OpenAI's protocol, by the openai package.

For the managed local server, and for the one `OPENAI_BASE_URL` names: it takes a request as it is, so
there is nothing to translate, and LiteLLM's translation costs three times the processor time of the call
itself. It must not retry, cache or count: `client` does.
"""

from __future__ import annotations

import asyncio
import importlib
import os
from dataclasses import dataclass
from typing import Any

from agents.models import gateway
from agents.models.faults import answered, attempt_failed
from agents.models.prices import Prices, tokens
from agents.models.seeds import SeedTaking
from agents.models.shapes import ReadUsage, read_answer
from agents.models.wire import FREE, Answer, Attempt, AttemptFailed, Usage
from sim.core.errors import FaultKind
from sim.core.ports import CallScope

PREFIXES = ("openai/", "text-completion-openai/")
"""LiteLLM's names of models behind this protocol."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens."""

    base: str
    key: str


def named_base() -> str | None:
    """The server the environment names instead of OpenAI's own."""
    return os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_BASE") or None


class CompatibleBackend:
    """A model on such a server."""

    def __init__(self, model: str, *, timeout: float = 120.0, address: Address | None = None) -> None:
        """`timeout` is in seconds, for one attempt; with `address` the server is our own and free."""
        self._model = model.partition("/")[2]
        self._timeout = timeout
        self._address = address
        self._prices = Prices(model)
        self._seeds = SeedTaking(taken=True)
        self._openai: Any = None

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        """Answer once. Raises AttemptFailed."""
        litellm = None if self._address else await gateway.loaded()

        def read(usage: Any) -> Usage:
            if self._address:
                return Usage(*tokens(usage), FREE.cost, FREE.cost_status)
            return self._prices.read(litellm, usage)

        def failed(error: Exception) -> AttemptFailed:
            return self._failed(litellm, error)

        return await answered(self._answer(attempt, read), failed)

    async def aclose(self) -> None:
        """Close the connections."""
        client, self._openai = self._openai, None
        if client is not None:
            await client.close()

    async def _answer(self, attempt: Attempt, read: ReadUsage) -> Answer:
        response = await self._ask(await self._client(), attempt)
        return await read_answer(response, attempt.on_delta, read)

    def _failed(self, litellm: Any, error: Exception) -> AttemptFailed:
        failed = attempt_failed(error)
        if failed.rejected and litellm is not None and _too_long(str(error)):
            return AttemptFailed(
                FaultKind.CONTEXT_LENGTH, "text too long for its context", detail=failed.detail
            )
        return self._seeds.look_at(failed)

    async def _ask(self, client: Any, attempt: Attempt) -> Any:
        """A response, or a stream of its pieces.

        Posted as it is: a server may know more parameters than OpenAI's own, and the package's typed methods
        walk through every message again.
        """
        types = importlib.import_module("openai.types.chat" if attempt.prompt is None else "openai.types")
        chat = attempt.prompt is None
        return await client.post(
            "/chat/completions" if chat else "/completions",
            body={
                "model": self._model,
                **_said_so_far(attempt),
                **self._seeds.parameters(attempt),
                **self._form(attempt),
            },
            options={"timeout": self._timeout},
            cast_to=types.ChatCompletion if chat else types.Completion,
            stream=attempt.on_delta is not None,
            stream_cls=importlib.import_module("openai").AsyncStream[
                types.ChatCompletionChunk if chat else types.Completion
            ],
        )

    def _form(self, attempt: Attempt) -> dict[str, Any]:
        """What is asked of the answer's form."""
        form: dict[str, Any] = {}
        if attempt.response_format is not None:
            form["response_format"] = dict(attempt.response_format)
        if attempt.on_delta is not None:
            form["stream"] = True
            if attempt.prompt is None and self._address is None:
                form["stream_options"] = {"include_usage": True}
        return form

    async def _client(self) -> Any:
        if self._openai is None:
            address = self._address or _named()
            openai = await asyncio.to_thread(importlib.import_module, "openai")
            if self._openai is None:
                self._openai = openai.AsyncOpenAI(
                    api_key=address.key,
                    base_url=address.base,
                    max_retries=0,
                    http_client=openai.DefaultAioHttpClient(),
                )
        return self._openai


def _said_so_far(attempt: Attempt) -> dict[str, Any]:
    if attempt.prompt is not None:
        return {"prompt": attempt.prompt}
    return {"messages": [{"role": m.role, "content": m.content} for m in attempt.messages]}


def _too_long(said: str) -> bool:
    """Whether a server without an error code says so in one of the ways LiteLLM knows."""
    from litellm.litellm_core_utils.exception_mapping_utils import ExceptionCheckers

    return bool(ExceptionCheckers.is_error_str_context_window_exceeded(said))


def _named() -> Address:
    return Address(named_base() or "https://api.openai.com/v1", os.environ.get("OPENAI_API_KEY", ""))
