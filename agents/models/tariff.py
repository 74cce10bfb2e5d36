"""The most one attempt can use: tokens and US dollars, known before it is sent.

Bounds, not estimates. A token of any byte-level vocabulary is at least one byte long, so the bytes of a
request bound its input tokens; an answer is bounded by `max_tokens`, else by what the model can give.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from agents.models import gateway
from agents.models.fake_file import ScriptFile
from agents.models.meant import Price
from agents.models.wire import Attempt
from sim.core.errors import Problem
from sim.core.text import dumps

Unit = Literal["USD", "tokens"]

_LONGEST = 8192
"""Tokens of an answer of a model nobody knows a longest answer of."""
_FRAME = 16
"""Tokens a chat template may put around one message."""


@dataclass(frozen=True, slots=True)
class Worst:
    """The most one attempt can use."""

    tokens: int
    usd: float

    def in_unit(self, unit: Unit) -> float:
        """The amount in one unit."""
        return self.usd if unit == "USD" else float(self.tokens)


class Tariff(Protocol):
    """What a model may cost."""

    def problem(self, unit: Unit) -> Problem | None:
        """Why no bound can be given in this unit; None where one can."""
        ...

    def bounded(self, attempt: Attempt) -> Attempt:
        """The attempt as it is to be sent, so that its answer is as bounded as `worst` says."""
        ...

    def worst(self, attempt: Attempt) -> Worst:
        """The bound of a bounded attempt; only asked where there is no problem."""
        ...


@dataclass(frozen=True, slots=True)
class FreeTariff:
    """A model on this machine: no money, and never more tokens than its context holds."""

    context: int

    def problem(self, unit: Unit) -> Problem | None:
        """None: it is always bounded."""
        return None

    def bounded(self, attempt: Attempt) -> Attempt:
        """As it is: the context bounds it."""
        return attempt

    def worst(self, attempt: Attempt) -> Worst:
        """The whole context."""
        return Worst(self.context, 0.0)


@dataclass(frozen=True, slots=True)
class FakeTariff:
    """A scripted model: the dearest of its rules."""

    file: ScriptFile

    def problem(self, unit: Unit) -> Problem | None:
        """A rule of unknown cost has no price."""
        if unit == "USD" and any(rule.cost == "unknown" for rule in self.file.script.rules):
            return no_price(f"fake:{self.file.path}")
        return None

    def bounded(self, attempt: Attempt) -> Attempt:
        """As it is: its answers are written down."""
        return attempt

    def worst(self, attempt: Attempt) -> Worst:
        """Each maximum on its own: the rules need not agree on which is dearest."""
        rules = self.file.script.rules
        tokens = max(sum(rule.tokens or (0, 0)) for rule in rules)
        costs = [float(rule.cost or 0.0) for rule in rules if rule.cost != "unknown"]
        return Worst(tokens, max(costs, default=0.0))


class HostedTariff:
    """A hosted model, by LiteLLM's bundled price list."""

    def __init__(self, model: str, price: Price | None = None) -> None:
        """`price` goes before the list's."""
        self._model = model
        self._price = price
        self._info: dict[str, Any] | None = None

    def problem(self, unit: Unit) -> Problem | None:
        """A money budget for a model without a price in the list."""
        info = self._listed()
        if (
            self._price is None
            and unit == "USD"
            and not (info.get("input_cost_per_token") and info.get("output_cost_per_token"))
        ):
            return no_price(self._model)
        return None

    def bounded(self, attempt: Attempt) -> Attempt:
        """With a `max_tokens` of our own where neither the caller nor the list knows how long answers get."""
        if _asked_for(attempt) or self._listed().get("max_output_tokens"):
            return attempt
        return replace(attempt, parameters={**attempt.parameters, "max_tokens": _LONGEST})

    def worst(self, attempt: Attempt) -> Worst:
        """Input by its bytes, output by `max_tokens` or the longest answer there can be."""
        info = self._listed()
        given = _bytes(attempt)
        tokens_in = min(given, info.get("max_input_tokens") or given)
        tokens_out = _asked_for(attempt) or int(info["max_output_tokens"])
        price_in = _dearest(info, "input_cost_per_token")
        price_out = max(
            _dearest(info, "output_cost_per_token"), info.get("output_cost_per_reasoning_token") or 0
        )
        return Worst(tokens_in + tokens_out, tokens_in * price_in + tokens_out * price_out)

    def likely(self, input_tokens: int, output_tokens: int) -> float:
        """US dollars at the plain price."""
        info = self._listed()
        return float(
            input_tokens * info["input_cost_per_token"] + output_tokens * info["output_cost_per_token"]
        )

    def _listed(self) -> dict[str, Any]:
        if self._info is None:
            litellm = gateway.load()
            try:
                self._info = dict(litellm.get_model_info(self._model))
            except Exception:
                self._info = {}
            if self._price is not None:
                self._info = _repriced(self._info, self._price)
        return self._info


def price(model: str, input_tokens: int, output_tokens: int, own: Price | None = None) -> float | None:
    """US dollars by `own`, else by the bundled price list; 0 for models on this machine, None where unknown."""
    if own is None and (model == "local" or model.startswith(("gguf:", "fake:"))):
        return 0.0
    tariff = HostedTariff(model, own)
    return None if tariff.problem("USD") else tariff.likely(input_tokens, output_tokens)


def _repriced(info: dict[str, Any], price: Price) -> dict[str, Any]:
    """What is known of a model, at the price a person gave."""
    kept = {name: value for name, value in info.items() if "cost_per" not in name}
    return kept | {"input_cost_per_token": price.input, "output_cost_per_token": price.output}


def no_price(model: str) -> Problem:
    """The problem of a money budget for a model whose price nobody knows."""
    return Problem(
        "No price",
        f"The price of {model!r} is not known, so a money budget cannot be kept.",
        "Give the budget in tokens, such as --budget 200000tokens, or leave it out.",
    )


def _bytes(attempt: Attempt) -> int:
    said = [message.content for message in attempt.messages] + [attempt.prompt or ""]
    schema = dumps(dict(attempt.response_format)) if attempt.response_format else ""
    text = sum(len(part.encode("utf-8", "surrogatepass")) for part in (*said, schema))
    return text + _FRAME * (len(said) + 1)


def _asked_for(attempt: Attempt) -> int | None:
    for name in ("max_completion_tokens", "max_tokens"):
        if isinstance(value := attempt.parameters.get(name), int):
            return value
    return None


def _dearest(info: dict[str, Any], name: str) -> float:
    """The price of a token, at the dearest step of a price that grows with the context; 0 without one."""
    prices = (float(value) for key, value in info.items() if key.startswith(name) and _is_price(value))
    return max(prices, default=0.0)


def _is_price(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
