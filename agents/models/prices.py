"""What an answered attempt cost, by LiteLLM's bundled price list.

What one may cost at most, before it is sent, is `tariff`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agents.models.wire import Usage


class Prices:
    """The price of one model; the list is asked once, and a call only where a token has more than one price."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._plain: tuple[float, float] | None = None
        self._asked = False
        self._unpriced = False

    def read(self, litellm: Any, usage: Any) -> Usage:
        """The usage of a response with its cost in US dollars."""
        into, out = tokens(usage)
        return self.of(litellm, Usage(into, out), usage)

    def of(self, litellm: Any, usage: Usage, details: Any = None) -> Usage:
        """Counted tokens with their cost in US dollars; `details` is a usage object that says more."""
        cost = self._cost(litellm, usage, details)
        return replace(usage, cost=cost, cost_status="unknown" if cost is None else "known")

    def _cost(self, litellm: Any, usage: Usage, details: Any) -> float | None:
        into, out = usage.input_tokens, usage.output_tokens
        if self._unpriced or into is None or out is None:
            return None
        if not self._asked:
            self._asked, self._plain = True, _plain(litellm, self._model)
        if self._plain is not None and not getattr(details, "prompt_tokens_details", None):
            return into * self._plain[0] + out * self._plain[1]
        try:
            parts = litellm.cost_per_token(
                model=self._model, prompt_tokens=into, completion_tokens=out, usage_object=details
            )
        except Exception:
            self._unpriced = True
            return None
        return float(sum(parts))


def _plain(litellm: Any, model: str) -> tuple[float, float] | None:
    """Price of an input and of an output token, where the list knows one of each and no steps."""
    try:
        known = litellm.get_model_info(model)
    except Exception:
        return None
    stepped = any(value for name, value in known.items() if "_above_" in name or name == "tiered_pricing")
    into, out = known.get("input_cost_per_token"), known.get("output_cost_per_token")
    return None if stepped or into is None or out is None else (float(into), float(out))


def tokens(usage: Any) -> tuple[int | None, int | None]:
    """Input and output tokens; None where the provider did not say."""
    return getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
