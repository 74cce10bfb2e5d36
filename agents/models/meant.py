"""What a name stands for, as far as calling it goes: the model, where it is asked, what it costs.

Values for the registry. Parameters are no part of it: they belong to a role.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from agents.models.wire import Answer, Attempt, Backend, Usage
from sim.core.ports import CallScope


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a token."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class Meant:
    """A model under the name a person gave it."""

    name: str
    """What its client is called."""
    model: str
    """As LiteLLM names it, or `gguf:PATH`, `fake:FILE`, `local`."""
    api_base: str | None = None
    """Address of a server of one's own; None for the provider's."""
    api_key_env: str | None = None
    """The environment variable that holds the key; None for the provider's usual one."""
    price: Price | None = None
    """Goes before the bundled list."""

    @property
    def identity(self) -> Mapping[str, str]:
        """What makes a hosted model's answers its own: model and address, never the name."""
        return {"model": self.model} | ({"api_base": self.api_base} if self.api_base else {})


class PricedBackend:
    """`backend` at a price of one's own; fills the Backend port."""

    def __init__(self, backend: Backend, price: Price) -> None:
        self._backend = backend
        self._price = price

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        """Answer once. Raises AttemptFailed."""
        answer = await self._backend.send(attempt, scope)
        return replace(answer, usage=self._priced(answer.usage))

    async def aclose(self) -> None:
        """Close the backend."""
        await self._backend.aclose()

    def _priced(self, usage: Usage) -> Usage:
        """What the tokens cost; unknown where the server did not count them."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return replace(usage, cost=None, cost_status="unknown")
        cost = usage.input_tokens * self._price.input + usage.output_tokens * self._price.output
        return replace(usage, cost=cost, cost_status="known")
