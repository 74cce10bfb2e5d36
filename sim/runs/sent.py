"""What models were really sent beside the words, read from the ledger of a run.

A signature says what was asked; a provider that refuses a parameter is sent something else. Two different
sets for one model in one role are worth a warning; they are never drift, which is about what was asked.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.runs.store import Run

_CALL = re.compile(
    rb'"type":"CallFinished",.*?"role":("[^"]*"),"model":("(?:[^"\\]|\\.)*"),.*"cached":false,.*'
    rb'"sent":(\{.*\}),"host":'
)
_SEEDS = ("seed", "random_seed")


@dataclass(frozen=True, slots=True)
class Sent:
    """One set of parameters that a model was sent in one role."""

    model: str
    role: str
    parameters: dict[str, Any]
    """As sent; of a seed, another one for each conversation, only that there was one."""
    calls: int

    def document(self) -> dict[str, Any]:
        """As it stands in the JSON of a report."""
        return {"model": self.model, "role": self.role, "parameters": self.parameters, "calls": self.calls}


def sent(run: Run) -> tuple[Sent, ...]:
    """Every set, by model and role; calls that the cache answered, or without a word on it, say nothing."""
    counted: dict[tuple[str, str, str], int] = {}
    for path in [*run.journals(), run.later_calls]:
        for role, model, parameters in _calls(path):
            try:
                name = json.loads(model), json.loads(role), json.dumps(_seedless(parameters), sort_keys=True)
            except (ValueError, RecursionError):
                continue  # a damaged line
            counted[name] = counted.get(name, 0) + 1
    return tuple(
        Sent(model, role, json.loads(parameters), calls)
        for (model, role, parameters), calls in sorted(counted.items())
    )


def differing(found: tuple[Sent, ...]) -> list[str]:
    """A sentence for each model that was sent two sets or more in one role."""
    held: dict[tuple[str, str], list[Sent]] = {}
    for one in found:
        held.setdefault((one.model, one.role), []).append(one)
    return [
        f"{model} was sent {len(sets)} sets of parameters as {role}: "
        + "; ".join(
            f"{json.dumps(one.parameters, ensure_ascii=False)} in {one.calls:,} calls" for one in sets
        )
        + ". Either both were asked for, or it refused part of what was asked."
        for (model, role), sets in held.items()
        if len(sets) > 1
    ]


def _calls(ledger: Path) -> Iterator[tuple[bytes, bytes, bytes]]:
    try:
        with ledger.open("rb") as file:
            for line in file:
                if b'"CallFinished"' in line and (call := _CALL.search(line)):
                    yield call[1], call[2], call[3]
    except FileNotFoundError:
        return


def _seedless(parameters: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(parameters)
    return found | {name: "of the conversation" for name in _SEEDS if name in found}
