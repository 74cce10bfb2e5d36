"""What a plan would ask of models, found by rehearsing it: whole conversations, answered by nobody.

Real prompts are built and counted; no model is asked. Of a large plan each system is rehearsed in part in
each mode, over scenarios evenly spread, and scaled up. Tokens are estimated from bytes, so they are good for a bill's size, not for its cents.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agents.models.wrapped import Wrapped
from sim.core.ports import CallScope, Client, Completion, Request
from sim.core.studio import Setup
from sim.core.text import dumps
from sim.runs.book import Book
from sim.runs.places import Places
from sim.runs.plan import RunPlan
from sim.wiring.studio import House

_BYTES_A_TOKEN = 4
"""Of mixed text under the vocabularies of 2025: English and Korean come near it, Bengali has more."""
_SPOKEN = "A sentence of the length that people say in one turn, give or take a few words. "
_REHEARSED = 48
"""Conversations at most, where there are not more systems."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What a plan asks of one model."""

    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    """US dollars; None where the price is not known."""


async def demands(where: Places, plan: RunPlan) -> tuple[Demand, ...]:
    """What `plan` asks of each model, caches and retries left out of account."""
    tally = _Tally()
    house = _Rehearsal(where, tally, Book(plan.named))
    # rules ask no model, and their encoder is slow
    judge = "none" if plan.judge == "rules" else plan.judge
    try:
        for setup, tally.weight in _sample_of(plan):
            for name in (judge, *(later for later in plan.later_judges if later != "rules")):
                tally.judging_only = name != judge
                await house.start(replace(setup, judge=name, record=False)).run()
    finally:
        await house.aclose()
    return tally.demands(house.price)


def _sample_of(plan: RunPlan) -> Iterator[tuple[Setup, float]]:
    """Setups of every system in every mode, each with the number of conversations it stands for."""
    every = list(plan.first_trial())
    kinds = len(every) // len(plan.scenarios)
    most = max(1, _REHEARSED // kinds)
    for kind in range(kinds):
        # the scenario is what changes slowest
        alike = every[kind::kinds]
        chosen = alike[:: -(-len(alike) // most)]
        for setup in chosen:
            yield setup, len(alike) * plan.trials / len(chosen)


class _Tally:
    """Calls, input and output tokens by model."""

    def __init__(self) -> None:
        self.judging_only = False
        self.weight = 1.0
        """How often each call is asked."""
        self._calls: defaultdict[str, float] = defaultdict(float)
        self._input: defaultdict[str, float] = defaultdict(float)
        self._output: defaultdict[str, float] = defaultdict(float)

    def add(self, model: str, role: str, asked: int, answered: int) -> None:
        """Book one call, in bytes."""
        if self.judging_only and role != "judge":
            return
        self._calls[model] += self.weight
        self._input[model] += self.weight * asked
        self._output[model] += self.weight * answered

    def demands(self, price: Callable[[str, int, int], float | None]) -> tuple[Demand, ...]:
        """What was booked, by model, at what it costs."""
        found = []
        for model, calls in sorted(self._calls.items()):
            asked, answered = (round(count[model] / _BYTES_A_TOKEN) for count in (self._input, self._output))
            cost = price(model, asked, answered)
            found.append(Demand(model, round(calls), asked, answered, cost))
        return tuple(found)


class _Rehearsal(House):
    """A house whose clients answer without a model."""

    def __init__(self, where: Places, tally: _Tally, book: Book) -> None:
        super().__init__(where, cache=False, book=book)
        self._tally = tally

    def _client(self, name: str, *, cached: bool) -> Client:
        return _Prompter(super()._client(name, cached=False), self._tally)


class _Prompter(Wrapped):
    """Gives an answer of the right shape and a likely length; fills the Client port."""

    def __init__(self, client: Client, tally: _Tally) -> None:
        super().__init__(client)
        self._tally = tally

    async def complete(self, request: Request, scope: CallScope) -> Completion:
        """An answer of nobody."""
        said = [message.content for message in request.messages] + [request.prompt or ""]
        text = _SPOKEN if request.schema is None else dumps(_sample(request.schema))
        asked = "".join(said) + (dumps(dict(request.schema)) if request.schema else "")
        self._tally.add(
            self.name, scope.role, len(asked.encode("utf-8", "surrogatepass")), len(text.encode())
        )
        return Completion("ok", text, text, "json_schema" if request.schema else "text")


def _sample(schema: Mapping[str, Any], number: int = 0) -> Any:
    """A document that follows `schema`; the n-th of a list takes the n-th of an enumeration."""
    if "enum" in schema:
        return schema["enum"][number % len(schema["enum"])]
    match schema.get("type"):
        case "object":
            return {name: _sample(part, number) for name, part in schema["properties"].items()}
        case "array":
            return [_sample(schema["items"], n) for n in range(schema.get("minItems", 1))]
        case "boolean":
            return False
        case "integer" | "number":
            return schema.get("minimum", 0)
        case _:
            return _SPOKEN
