"""One attempt through LiteLLM: models of providers that speak a protocol of their own.

Names are LiteLLM's, keys come from the environment. Whoever speaks OpenAI's protocol is asked by `compatible`.
It must not retry, cache or count: `client` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from agents.models import gateway
from agents.models.faults import answered
from agents.models.hosts import host_of
from agents.models.keys import ANYWHERE, Place
from agents.models.prices import Prices
from agents.models.shapes import read_answer
from agents.models.tapped import PROVIDERS, Tap, listen_to_kept, listening_client, overhearing
from agents.models.wire import Answer, Attempt, AttemptFailed, Usage
from sim.core.ports import CallScope


class LiteLLMBackend:
    """A model by its LiteLLM name."""

    def __init__(self, model: str, *, timeout: float = 120.0, place: Place = ANYWHERE) -> None:
        """`timeout` is in seconds, for one attempt; `place` is where the model is asked, and with which key."""
        self._model = model
        self._place = place
        self._timeout = timeout
        self._prices = Prices(model)
        self._takes_seed: bool | None = None
        self._client: Any = None

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        """Answer once. Raises AttemptFailed."""
        tap = Tap(attempt.on_delta)
        with overhearing(tap):
            return await self._overheard(attempt, tap)

    async def aclose(self) -> None:
        """Close the connections of this backend; LiteLLM's own are closed by `gateway.close`."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _overheard(self, attempt: Attempt, tap: Tap) -> Answer:
        """The answer as the provider itself gave it, as far as that could be heard. Raises AttemptFailed."""
        try:
            theirs = await answered(self._answer(attempt, tap))
        except AttemptFailed:
            ours = tap.answer() if tap.settled else None
            if ours is None:
                raise
            return ours
        ours = tap.answer()
        return (
            theirs if ours is None else replace(ours, usage=theirs.usage, sent=theirs.sent, host=theirs.host)
        )

    async def _answer(self, attempt: Attempt, tap: Tap) -> Answer:
        """LiteLLM's reading of a reply; where it is overheard, only what it counted."""
        litellm = await gateway.loaded()
        if self._takes_seed is None:
            self._takes_seed = _takes_seed(litellm, self._model)

        options = self._options(attempt)
        response = await self._ask(litellm, attempt, options)
        answer = await self._read(litellm, response, attempt, tap)
        return replace(answer, sent=_parameters(options), host=self._host)

    async def _read(self, litellm: Any, response: Any, attempt: Attempt, tap: Tap) -> Answer:
        def read(usage: Any) -> Usage:
            return self._prices.read(litellm, usage)

        theirs = None
        try:
            # some requests are sent only as their stream is read
            if not tap.hears:
                theirs = await read_answer(response, tap.unless_heard(), read)
        except Exception:
            if not tap.streams:
                raise
        if tap.streams:
            await tap.drain()
            return Answer(None, None, None, self._prices.of(litellm, tap.usage))
        return theirs or Answer(None, None, None, read(getattr(response, "usage", None)))

    @cached_property
    def _host(self) -> str:
        return host_of(self._model, self._place.base) or ""

    def _listening(self, litellm: Any) -> dict[str, Any]:
        """The client LiteLLM is to ask through, for providers that can be overheard."""
        provider = litellm.get_llm_provider(self._model)[1]
        if provider not in PROVIDERS:
            return {}
        listen_to_kept(litellm, provider)
        self._client = self._client or listening_client(self._timeout)
        return {"client": self._client}

    def _options(self, attempt: Attempt) -> dict[str, Any]:
        """What is asked beside the words."""
        seed = {} if attempt.seed is None or not self._takes_seed else {"seed": attempt.seed}
        options: dict[str, Any] = {**seed, **attempt.parameters}
        if attempt.response_format is not None:
            options["response_format"] = dict(attempt.response_format)
        if attempt.on_delta is not None:
            options["stream"] = True
            if attempt.prompt is None and attempt.stream_options:
                options["stream_options"] = {"include_usage": True}
        return options

    async def _ask(self, litellm: Any, attempt: Attempt, asked: Mapping[str, Any]) -> Any:
        options: dict[str, Any] = {"timeout": self._timeout, **asked, "num_retries": 0, "max_retries": 0}
        options |= self._listening(litellm)
        if self._place.base:
            options["api_base"] = self._place.base
        if self._place.key:
            options["api_key"] = self._place.key
        if attempt.prompt is not None:
            messages = [{"role": "user", "content": attempt.prompt}]
        else:
            messages = [{"role": m.role, "content": m.content} for m in attempt.messages]
        return await litellm.acompletion(model=self._model, messages=messages, **options)


def _parameters(options: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked for, a schema by its kind alone."""
    sent = dict(options)
    if "response_format" in sent:
        sent["response_format"] = sent["response_format"]["type"]
    return sent


def _takes_seed(litellm: Any, model: str) -> bool:
    """Whether LiteLLM sends a seed on to the provider of this model."""
    name, provider, *_ = litellm.get_llm_provider(model)
    known = litellm.get_supported_openai_params(model=name, custom_llm_provider=provider)
    return "seed" in (known or ())
