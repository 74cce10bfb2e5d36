"""What a system's calls cost, from its records. Unknown is said, never summed as nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum
from typing import Any

from sim.analysis.systems import zero

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one system's conversations in one mode; all roles' calls in its turns."""

    system: str
    mode: str
    conversations: int
    known: float
    """US dollars of the calls with a known price."""
    unknown_calls: int
    """Calls without a known price."""

    @property
    def each(self) -> float | None:
        """US dollars a conversation; None where a call's price is unknown."""
        return None if self.unknown_calls or not self.conversations else self.known / self.conversations


def costs(records: Iterable[Record]) -> list[Cost]:
    """By (system, mode), in order of first appearance."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if not zero(record):
            groups.setdefault((record["system"]["id"], record["mode"]), []).append(record)
    return [_cost(system, mode, held) for (system, mode), held in groups.items()]


def _cost(system: str, mode: str, held: list[Record]) -> Cost:
    spent = [turn["cost"] for record in held for turn in record["turns"] if turn.get("cost")]
    known = fsum(cost["known"] for cost in spent)  # exact: the same in whatever order they ended
    return Cost(system, mode, len(held), known, sum(cost["unknown_calls"] for cost in spent))
