"""Two systems side by side: the paired difference, by layer, and the criteria on which they part.

Only scenarios that both have count. It says where they differ, not why.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.analysis.bootstrap import Difference, adjusted, resampled
from sim.analysis.panel import MEASURES, OVERALL, Label, panel
from sim.analysis.protocol import REPLICATES
from sim.analysis.scores import outcome, rejected, scored
from sim.analysis.systems import zero
from sim.analysis.table import Table
from sim.core.values import StrictGate

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parted:
    """One criterion that the two systems met differently often."""

    scenario: str
    turn: int | None
    """None for a criterion of the whole conversation."""
    criterion: str
    layer: str
    ask: str
    first: float
    """Share of the first system's judged trials that met it."""
    second: float
    reason: str
    """Why it was not met, in the judge's words, by the system that met it less often."""


@dataclass(frozen=True, slots=True)
class Versus:
    """Two systems in one mode."""

    mode: str
    first: str
    second: str
    overall: Difference
    layers: tuple[Difference, ...]
    """Holm over the layers; those that neither system is asked about are left out."""
    parted: tuple[Parted, ...]
    """Widest apart first."""
    shared: int
    """Criteria that both have judged."""
    procedures: tuple[str, ...]
    """Ways the checklists of the two were written."""
    replicates: int
    seed: int


def versus(
    table: Table,
    records: Sequence[Record],
    first: str,
    second: str,
    *,
    strict: StrictGate | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Versus:
    """Compare two systems of a table of one mode; `records` are the ones it was made of.

    Raises ValueError for a table of several modes, or without one of the systems.
    """
    both = table.only("system", first, second)
    found = [_difference(both, measure, first, second, replicates, seed) for measure in MEASURES]
    parted, shared = _parted(records, first, second, strict)
    return Versus(
        mode=both.present("mode")[0],
        first=first,
        second=second,
        overall=found[0],
        layers=tuple(adjusted(one for one in found[1:] if one.effect.units)),
        parted=tuple(parted),
        shared=shared,
        procedures=tuple(sorted(both.present("procedure"))),
        replicates=replicates,
        seed=seed,
    )


def _difference(
    table: Table, measure: str, first: str, second: str, replicates: int, seed: int
) -> Difference:
    a, b = Label(first, measure), Label(second, measure)
    held = panel(table, (measure,)).only((a, b)).complete()
    group = "" if measure == OVERALL else measure
    return resampled(held, replicates, seed).difference(a, b, group)


_Place = tuple[str, int | None, str | None, str]


class _Side:
    """One system's verdicts by criterion."""

    def __init__(self) -> None:
        self.met: dict[_Place, list[bool]] = {}
        self.asked: dict[_Place, Record] = {}
        self.reasons: dict[_Place, str] = {}

    def take(self, record: Record, strict: StrictGate | None) -> None:
        for turn in record["turns"]:
            gated = rejected(turn, strict)
            self._place(record["scenario"], turn["index"], turn["criteria"], turn["verdicts"], gated)
        self._place(record["scenario"], None, record.get("criteria", ()), record["verdicts"], False)

    def _place(
        self,
        scenario: str,
        turn: int | None,
        criteria: Iterable[Record],
        verdicts: Iterable[Record],
        gated: bool,
    ) -> None:
        asked = {criterion["id"]: criterion for criterion in criteria}
        for verdict in verdicts:
            criterion = asked.get(verdict["criterion"], {})
            came = outcome(verdict["met"], verdict["basis"], gated=gated)
            if came not in ("met", "not_met") or verdict.get("provisional"):
                continue
            met = came == "met"
            # a checklist derived after the conversation may use an id for another question
            place = (scenario, turn, criterion.get("ask"), verdict["criterion"])
            self.met.setdefault(place, []).append(met)
            self.asked.setdefault(place, {**criterion, "layer": verdict["layer"]})
            if not met:
                self.reasons.setdefault(place, verdict.get("reason", ""))


def _parted(
    records: Iterable[Record], first: str, second: str, strict: StrictGate | None
) -> tuple[list[Parted], int]:
    sides = {first: _Side(), second: _Side()}
    for record in records:
        side = sides.get(record["system"]["id"])
        if side is not None and scored(record) and not zero(record):
            side.take(record, strict)
    a, b = sides[first], sides[second]
    shared = [place for place in a.met if place in b.met]
    found = [_one(place, a, b) for place in shared]
    apart = [one for one in found if abs(one.first - one.second) > 1e-12]
    return sorted(apart, key=lambda one: -abs(one.first - one.second)), len(shared)


def _one(place: _Place, a: _Side, b: _Side) -> Parted:
    first, second = (sum(side.met[place]) / len(side.met[place]) for side in (a, b))
    worse = a if first < second else b
    scenario, turn, ask, criterion = place
    return Parted(
        scenario=scenario,
        turn=turn,
        criterion=criterion,
        layer=a.asked[place]["layer"],
        ask=ask or "",
        first=first,
        second=second,
        reason=worse.reasons.get(place, ""),
    )
