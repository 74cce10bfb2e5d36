"""Everything a report says of a run under one judge: scores, intervals, pairs, cuts and warnings.

Numbers only, gathered from the other modules; how they look is a face's business.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from sim.analysis.ablation import Step, ablation
from sim.analysis.bootstrap import Comparison, Difference, Estimate, compared
from sim.analysis.checklists import Singles, TwoChecklists, two_checklists
from sim.analysis.comparisons import Gate, History, history, modes, modes_by_pair, strict_gate
from sim.analysis.concordance import Concordance, Deviation, concordance, deviations, matrix
from sim.analysis.costs import Cost, costs
from sim.analysis.cuts import Cut, CutRow, MacroRow, cut, macro
from sim.analysis.families import histories
from sim.analysis.outputs import Metric, Related, related
from sim.analysis.panel import OVERALL
from sim.analysis.positions import Position, Whole, decline, positions, wholes
from sim.analysis.protocol import REPLICATES
from sim.analysis.sensitivity import Sensitivity, sensitivity
from sim.analysis.systems import SystemRow, system_rows
from sim.analysis.table import Table, table
from sim.analysis.votes import Votes, of_records
from sim.analysis.warnings import warnings
from sim.core.values import LAYERS, Mode, StrictGate

CUTS: tuple[Cut, ...] = ("layer", "direction", "target", "source", "pair", "position", "function")
RANKED: tuple[Cut, ...] = ("target", "source", "function")
"""What systems are asked to agree on: which of these levels are hard."""
GATES: tuple[StrictGate, ...] = ("ours", "study")
_BASE = Mode.SCRIPTED
Record = Mapping[str, Any]


class _Options(TypedDict):
    replicates: int
    seed: int


class _Inside(TypedDict):
    ablation: tuple[Step, ...]
    positions: tuple[Position, ...]
    decline: tuple[Difference, ...]
    wholes: tuple[Whole, ...]


@dataclass(frozen=True, slots=True)
class Hardness:
    """Whether the systems agree on which levels of a cut are hard, and which those are."""

    by: Cut
    concordance: Concordance
    deviations: tuple[Deviation, ...]


@dataclass(frozen=True, slots=True)
class ModeSummary:
    """All systems of one mode."""

    mode: str
    rows: tuple[SystemRow, ...]
    """In order of appearance, also those without a score."""
    comparison: Comparison
    procedures: tuple[str, ...]
    """Ways the checklists were written."""
    gates: tuple[Gate, ...]
    """Each system under each strict language gate; none where all scores are under one."""
    histories: tuple[History, ...]
    """Each system with history that is also there without."""
    hardness: tuple[Hardness, ...]
    """By each of `RANKED` that has two levels."""
    ablation: tuple[Step, ...]
    """What each brief adds, where systems differ in nothing else."""
    positions: tuple[Position, ...]
    """Each system at each turn; none in single-turn mode."""
    decline: tuple[Difference, ...]
    """The last turn minus the first."""
    wholes: tuple[Whole, ...]
    """Conversation-level scores beside those of the turns."""

    def estimates(self, measure: str = OVERALL) -> dict[str, Estimate]:
        """System → estimate of a measure, for the systems that have criteria."""
        return {e.label.system: e for e in self.comparison.systems if e.label.measure == measure}

    @property
    def ranks(self) -> dict[str, int]:
        """System → rank by overall score, of those that may be ranked; equal scores share one."""
        held = {row.system: row.scores.overall for row in self.rows if not row.caveats}
        scores = [score for score in held.values() if score is not None]
        return {
            name: 1 + sum(other > score + 1e-12 for other in scores)
            for name, score in held.items()
            if score is not None
        }

    @property
    def ranked(self) -> tuple[SystemRow, ...]:
        """The rows from the best down, those without a rank last."""
        ranks = self.ranks
        return tuple(sorted(self.rows, key=lambda row: ranks.get(row.system, len(self.rows) + 1)))


@dataclass(frozen=True, slots=True)
class Summary:
    """One judge's view of a run."""

    judge: str
    strict: StrictGate | None
    modes: tuple[ModeSummary, ...]
    cuts: Mapping[str, tuple[CutRow, ...]]
    """By each of `CUTS`, and `layer-target`: the levels of that are `L1 kor`."""
    functions: tuple[MacroRow, ...]
    """Macro-average over systems of each function."""
    between_modes: tuple[Difference, ...]
    """The first mode minus each other, by system; unpaired, Holm over all."""
    between_modes_by_pair: tuple[Difference, ...]
    """The same within each language pair; none where there is only one."""
    sensitivity: tuple[Sensitivity, ...]
    costs: tuple[Cost, ...]
    metrics: tuple[Related, ...]
    """Metrics that were given, by mode."""
    checklists: tuple[TwoChecklists, ...]
    """Systems whose conversations were judged by the single-turn checklist as well."""
    votes: Votes
    """Of the members, where the judge is a panel."""
    replicates: int
    seed: int

    def in_order(self, mode: str, rows: Iterable[CutRow]) -> list[str]:
        """The systems that `rows` are of, as the ranks of the mode put them."""
        present = {row.system for row in rows}
        ranked = [row.system for held in self.modes if held.mode == mode for row in held.ranked]
        return [system for system in ranked if system in present]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before comparing numbers."""
        return warnings(self.modes, self.votes)


def summarised(
    judge: str,
    records: Sequence[Record],
    missing: Mapping[tuple[str, str], int],
    *,
    verdicts: Table | None = None,
    metrics: Sequence[Metric] = (),
    singles: Singles | None = None,
    strict: StrictGate | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Summary:
    """The summary of records under one judge; `missing` counts unheld conversations by (system, mode).

    `verdicts` is the table of the records, under the gate if `strict`, where it is at hand.
    """
    held = gated(records, strict=strict) if verdicts is None else verdicts
    rows = system_rows(records, missing, strict=strict)
    pairs = len(held.present("pair"))
    cuts: dict[str, tuple[CutRow, ...]] = {by: tuple(cut(held, by)) for by in CUTS}
    return Summary(
        judge=judge,
        strict=strict,
        modes=tuple(
            ModeSummary(
                mode=mode,
                rows=tuple(row for row in rows if row.mode == mode),
                comparison=compared(part, replicates=replicates, seed=seed),
                procedures=tuple(sorted(part.present("procedure"))),
                gates=()
                if strict
                else tuple(one for gate in GATES for one in strict_gate(part, gate, seed=seed)),
                histories=tuple(_histories(part, records, mode, replicates, seed)),
                hardness=tuple(_hardness(cuts, mode, len(part.present("unit")), seed)),
                **_inside(
                    part, [record for record in records if record["mode"] == mode], mode, replicates, seed
                ),
            )
            for mode in dict.fromkeys(row.mode for row in rows)
            for part in [held.only("mode", mode)]
        ),
        cuts={**cuts, "layer-target": tuple(_layer_target(held))},
        functions=tuple(macro(cuts["function"])),
        between_modes=tuple(_between(modes, held, replicates, seed)),
        between_modes_by_pair=tuple(_between(modes_by_pair, held, replicates, seed) if pairs > 1 else ()),
        sensitivity=tuple(sensitivity(held)),
        costs=tuple(costs(records)),
        metrics=tuple(related(held, metrics, seed=seed)),
        checklists=two_checklists(records, singles or {}, replicates=replicates, seed=seed),
        votes=of_records(records),
        replicates=replicates,
        seed=seed,
    )


def gated(records: Iterable[Record], *, strict: StrictGate | None) -> Table:
    """The table of records, under the strict language gate if asked."""
    return table(records).strict(strict) if strict else table(records)


def _histories(
    part: Table, records: Iterable[Record], mode: str, replicates: int, seed: int
) -> Iterator[History]:
    asked = part.present("system")
    for on, off in histories(record for record in records if record["mode"] == mode):
        if on in asked and off in asked:
            yield history(part, on, off, replicates=replicates, seed=seed)


def _hardness(
    cuts: Mapping[str, Sequence[CutRow]], mode: str, scenarios: int, seed: int
) -> Iterator[Hardness]:
    for by in RANKED:
        held = matrix([row for row in cuts[by] if row.mode == mode])
        if len(held.levels) > 1:
            yield Hardness(
                by, concordance(held, scenarios=scenarios, seed=seed), tuple(deviations(held, seed=seed))
            )


def _inside(part: Table, records: Sequence[Record], mode: str, replicates: int, seed: int) -> _Inside:
    """What changes with the brief, and along a conversation."""
    options: _Options = {"replicates": replicates, "seed": seed}
    several = mode != Mode.SINGLE_TURN
    return {
        "ablation": ablation(part, records, **options),
        "positions": positions(part, **options) if several else (),
        "decline": decline(part, **options) if several else (),
        "wholes": tuple(wholes(part, records, **options)) if several else (),
    }


def _between(
    compare: Callable[..., list[Difference]], held: Table, replicates: int, seed: int
) -> list[Difference]:
    found = sorted(held.present("mode"), key=lambda mode: mode != _BASE)
    return compare(held, found[0], found[1:], replicates=replicates, seed=seed) if len(found) > 1 else []


def _layer_target(held: Table) -> Iterator[CutRow]:
    for layer in LAYERS:
        for row in cut(held.only("layer", layer), "target"):
            yield replace(row, level=f"{layer} {row.level}")
