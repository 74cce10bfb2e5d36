"""What an answered attempt cost, by LiteLLM's bundled price list.

What one may cost at most, before it is sent, is `tariff`.
"""

from __future__ import annotations

from typing import Any

from agents.models.wire import Usage


class Prices:
    """The price of one model; a model that is not in the list is looked up once."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._unpriced = False

    def read(self, litellm: Any, usage: Any) -> Usage:
        """The usage of a response with its cost in US dollars."""
        cost = self._cost(litellm, usage) if usage is not None else None
        return Usage(*tokens(usage), cost, "unknown" if cost is None else "known")

    def _cost(self, litellm: Any, usage: Any) -> float | None:
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


def tokens(usage: Any) -> tuple[int | None, int | None]:
    """Input and output tokens; None where the provider did not say."""
    return getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
