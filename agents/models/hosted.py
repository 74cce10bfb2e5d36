"""One attempt through LiteLLM: hosted models, and any OpenAI-compatible server.

Names are LiteLLM's, keys come from the environment, `OPENAI_BASE_URL` is respected; a managed local
server passes its own address and key. It must not retry, cache or count: `client` does.
"""

from __future__ import annotations

import asyncio
import importlib
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from agents.models import gateway
from agents.models.faults import attempt_failed, block_marker
from agents.models.wire import FREE, Answer, Attempt, AttemptFailed, CostStatus, Usage
from sim.core.errors import FaultKind
from sim.core.ports import CallScope

_OPENAI = ("openai/", "text-completion-openai/")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server of our own listens."""

    base: str
    key: str


class LiteLLMBackend:
    """A model by its LiteLLM name."""

    def __init__(self, model: str, *, timeout: float = 120.0, address: Address | None = None) -> None:
        """`timeout` is in seconds, for one attempt; with `address` the calls are free."""
        self._model = model
        self._timeout = timeout
        self._address = address
        self._openai: Any = None
        self._unpriced = False
        self._takes_seed: bool | None = None

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        """Answer once. Raises AttemptFailed."""
        try:
            if attempt.on_delta is not None and attempt.prompt is not None and self._direct:
                return await self._continued(attempt.prompt, attempt)
            litellm = await gateway.loaded()
            if attempt.on_delta is not None:
                return await self._streamed(litellm, attempt)
            response = await self._ask(litellm, attempt, {})
            return self._answer(litellm, response)
        except AttemptFailed:
            raise
        except Exception as error:
            marker = block_marker(error)
            if marker is not None:
                return Answer(None, None, marker)
            failure = attempt_failed(error)
            if self._takes_seed and failure.rejected and "seed" in failure.detail:
                self._takes_seed, failure.retryable = False, True
            raise failure from error

    async def aclose(self) -> None:
        """Close the connections of this backend; LiteLLM's own are closed by `gateway.close`."""
        client, self._openai = self._openai, None
        if client is not None:
            await client.close()

    # ---- asking

    async def _ask(self, litellm: Any, attempt: Attempt, more: Mapping[str, Any]) -> Any:
        options: dict[str, Any] = {"timeout": self._timeout, **await self._seeded(attempt), **more}
        options |= {"num_retries": 0, "max_retries": 0}
        if self._address is not None or (attempt.prompt is not None and self._direct):
            client = await self._client()
            options |= {"client": client, "api_base": str(client.base_url), "api_key": client.api_key}
        if attempt.response_format is not None:
            options["response_format"] = dict(attempt.response_format)
        if attempt.prompt is not None:
            # What litellm.atext_completion does inside; its own stream hides whether the server finished.
            messages = [{"role": "user", "content": attempt.prompt}]
            return await litellm.acompletion(model=_text_model(self._model), messages=messages, **options)
        messages = [{"role": m.role, "content": m.content} for m in attempt.messages]
        return await litellm.acompletion(model=self._model, messages=messages, **options)

    async def _seeded(self, attempt: Attempt) -> dict[str, Any]:
        """The parameters, with the seed where the provider takes one."""
        if attempt.seed is None:
            return dict(attempt.parameters)
        if self._takes_seed is None:
            ours = self._address is not None
            self._takes_seed = ours or _takes_seed(await gateway.loaded(), self._model)
        return {"seed": attempt.seed, **attempt.parameters} if self._takes_seed else dict(attempt.parameters)

    @property
    def _direct(self) -> bool:
        """Whether the server speaks OpenAI's own protocol."""
        return self._model.startswith(_OPENAI)

    async def _client(self) -> Any:
        """A kept client of our own: LiteLLM opens, and leaks, one a call for text completions."""
        if self._openai is None:
            address = self._address or Address(_openai_base(), os.environ.get("OPENAI_API_KEY", ""))
            openai = await asyncio.to_thread(importlib.import_module, "openai")
            self._openai = openai.AsyncOpenAI(api_key=address.key, base_url=address.base, max_retries=0)
        return self._openai

    async def _continued(self, prompt: str, attempt: Attempt) -> Answer:
        """A streamed text completion, without LiteLLM: it makes up a `stop` for one that was cut short."""
        assert attempt.on_delta is not None
        client = await self._client()
        parameters = await self._seeded(attempt)
        stream = await client.completions.create(
            model=self._model.partition("/")[2],
            prompt=prompt,
            stream=True,
            timeout=parameters.pop("timeout", self._timeout),
            extra_headers=parameters.pop("extra_headers", None),
            extra_body=parameters,
        )
        said: list[str] = []
        finish: str | None = None
        async with stream:
            async for chunk in stream:
                for choice in chunk.choices[:1]:
                    finish = choice.finish_reason or finish
                    if choice.text:
                        said.append(choice.text)
                        attempt.on_delta(choice.text)
        return _whole(said, finish, FREE if self._address else Usage())

    # ---- reading

    async def _streamed(self, litellm: Any, attempt: Attempt) -> Answer:
        assert attempt.on_delta is not None
        usage_asked = self._address is None and attempt.prompt is None
        options = {"stream_options": {"include_usage": True}} if usage_asked else {}
        stream = await self._ask(litellm, attempt, {"stream": True, **options})
        said: list[str] = []
        finish = usage = None
        async with aclosing(_chunks(stream)) as chunks:
            async for chunk in chunks:
                usage = getattr(chunk, "usage", None) or usage
                if not chunk.choices:
                    continue
                choice = chunk.choices[0]
                finish = choice.finish_reason or finish
                piece = choice.delta.content
                if piece:
                    said.append(piece)
                    attempt.on_delta(piece)
        received = getattr(stream, "received_finish_reason", finish)
        return _whole(said, finish if received else None, self._usage(litellm, usage))

    def _answer(self, litellm: Any, response: Any) -> Answer:
        usage = self._usage(litellm, getattr(response, "usage", None))
        if not response.choices:
            return Answer(None, None, None, usage)
        choice = response.choices[0]
        message = choice.message
        marker = "refusal" if getattr(message, "refusal", None) else None
        return Answer(_said(message), choice.finish_reason, marker, usage)

    def _usage(self, litellm: Any, usage: Any) -> Usage:
        tokens_in = getattr(usage, "prompt_tokens", None)
        tokens_out = getattr(usage, "completion_tokens", None)
        if self._address is not None:
            return Usage(tokens_in, tokens_out, FREE.cost, FREE.cost_status)
        cost = self._price(litellm, usage) if usage is not None else None
        status: CostStatus = "unknown" if cost is None else "known"
        return Usage(tokens_in, tokens_out, cost, status)

    def _price(self, litellm: Any, usage: Any) -> float | None:
        """US dollars by LiteLLM's bundled price list; None for a model that is not in it."""
        if self._unpriced:
            return None
        try:
            parts = litellm.cost_per_token(
                model=self._model,
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
                usage_object=usage,
            )
        except Exception:
            self._unpriced = True
            return None
        return float(sum(parts))


def _whole(said: list[str], finish: str | None, usage: Usage) -> Answer:
    """A streamed answer. Raises AttemptFailed where the server did not say that it finished."""
    if finish is None:
        raise AttemptFailed(FaultKind.UNAVAILABLE, "stream cut short", retryable=True)
    return Answer("".join(said), finish, None, usage)


def _takes_seed(litellm: Any, model: str) -> bool:
    """Whether LiteLLM sends a seed on to the provider of this model."""
    name, provider, *_ = litellm.get_llm_provider(model)
    known = litellm.get_supported_openai_params(model=name, custom_llm_provider=provider)
    return "seed" in (known or ())


def _text_model(model: str) -> str:
    if model.startswith("openai/"):
        return f"text-completion-openai/{model.removeprefix('openai/')}"
    return model


def _openai_base() -> str:
    found = os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_BASE")
    return found or "https://api.openai.com/v1"


async def _chunks(stream: Any) -> AsyncGenerator[Any, None]:
    try:
        async for chunk in stream:
            yield chunk
    finally:
        inner = getattr(stream, "completion_stream", stream)
        close = getattr(inner, "aclose", None) or getattr(inner, "close", None)
        if close is not None:
            await close()


def _said(message: Any) -> str | None:
    """The content as the provider sent it: LiteLLM cuts a leading `<think>` block out of whole answers."""
    content: str | None = message.content
    thought = getattr(message, "reasoning_content", None)
    if content and thought and content[0].isspace():
        return f"<think>{thought}</think>{content}"
    return content
