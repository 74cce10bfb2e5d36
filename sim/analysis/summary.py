"""Everything a report says of a run under one judge: scores, intervals, pairs, cuts and warnings.

Numbers only, gathered from the other modules; how they look is a face's business.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sim.analysis.bootstrap import REPLICATES, Comparison, Difference, Estimate, compared
from sim.analysis.comparisons import modes
from sim.analysis.costs import Cost, costs
from sim.analysis.cuts import Cut, CutRow, MacroRow, cut, macro
from sim.analysis.panel import OVERALL
from sim.analysis.sensitivity import Sensitivity, sensitivity
from sim.analysis.systems import SystemRow, system_rows
from sim.analysis.table import Table, table
from sim.core.values import LAYERS, Mode

CUTS: tuple[Cut, ...] = ("layer", "direction", "target", "source", "pair", "position", "function")
_BASE = Mode.SCRIPTED
Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ModeSummary:
    """All systems of one mode."""

    mode: str
    rows: tuple[SystemRow, ...]
    """In order of appearance, also those without a score."""
    comparison: Comparison
    procedures: tuple[str, ...]
    """Ways the checklists were written."""

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


@dataclass(frozen=True, slots=True)
class Summary:
    """One judge's view of a run."""

    judge: str
    strict: bool
    modes: tuple[ModeSummary, ...]
    cuts: Mapping[str, tuple[CutRow, ...]]
    """By each of `CUTS`, and `layer-target`: the levels of that are `L1 kor`."""
    functions: tuple[MacroRow, ...]
    """Macro-average over systems of each function."""
    between_modes: tuple[Difference, ...]
    """The first mode minus each other, by system; unpaired, Holm over all."""
    sensitivity: tuple[Sensitivity, ...]
    costs: tuple[Cost, ...]
    replicates: int
    seed: int

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before comparing numbers."""
        ways = {held.mode: held.procedures for held in self.modes if held.procedures}
        found = [
            f"In mode {mode} checklists come from different procedures ({', '.join(names)}): "
            "their scores are not comparable."
            for mode, names in ways.items()
            if len(names) > 1
        ]
        if len(set(ways.values())) > 1:
            each = "; ".join(f"{mode}: {', '.join(names)}" for mode, names in ways.items())
            found.append(
                f"Modes differ in the procedure of their checklists ({each}): a difference between modes "
                "may be one between checklists."
            )
        few = [
            f"{held.mode}: {held.comparison.units}" for held in self.modes if 0 < held.comparison.units < 20
        ]
        if few:
            found.append(
                f"Few scenarios ({'; '.join(few)}): under about 20 intervals are too narrow and p means little."
            )
        return tuple(found)


def summarised(
    judge: str,
    records: Sequence[Record],
    missing: Mapping[tuple[str, str], int],
    *,
    strict: bool = False,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Summary:
    """The summary of records under one judge; `missing` counts unheld conversations by (system, mode)."""
    held = table(records).strict() if strict else table(records)
    rows = system_rows(records, missing, strict=strict)
    functions = cut(held, "function")
    return Summary(
        judge=judge,
        strict=strict,
        modes=tuple(
            _of_mode(held.only("mode", mode), mode, rows, replicates, seed)
            for mode in dict.fromkeys(row.mode for row in rows)
        ),
        cuts={
            **{by: tuple(functions if by == "function" else cut(held, by)) for by in CUTS},
            "layer-target": tuple(_layer_target(held)),
        },
        functions=tuple(macro(functions)),
        between_modes=tuple(_between(held, replicates, seed)),
        sensitivity=tuple(sensitivity(held)),
        costs=tuple(costs(records)),
        replicates=replicates,
        seed=seed,
    )


def document(summary: Summary) -> dict[str, Any]:
    """As plain JSON values, exact; undefined is null."""
    return {
        "judge": summary.judge,
        "systems": [_system(row, held) for held in summary.modes for row in held.rows],
        "pairs": [
            {"mode": held.mode, **_difference(pair)}
            for held in summary.modes
            for pair in held.comparison.pairs
        ],
        "cuts": {
            by: [asdict(row) | {"ranked": row.ranked} for row in rows] for by, rows in summary.cuts.items()
        },
        "functions": [asdict(row) for row in summary.functions],
        "modes": [{"other": pair.group, **_difference(pair)} for pair in summary.between_modes],
        "sensitivity": [asdict(row) for row in summary.sensitivity],
        "costs": [asdict(cost) | {"each": cost.each, "currency": "USD"} for cost in summary.costs],
        "procedures": {held.mode: list(held.procedures) for held in summary.modes},
        "warnings": list(summary.warnings),
        "bootstrap": {
            "units": {held.mode: held.comparison.units for held in summary.modes},
            "replicates": summary.replicates,
            "seed": summary.seed,
            "stratified_by": "direction of the first turn",
        },
    }


def _of_mode(part: Table, mode: str, rows: list[SystemRow], replicates: int, seed: int) -> ModeSummary:
    return ModeSummary(
        mode=mode,
        rows=tuple(row for row in rows if row.mode == mode),
        comparison=compared(part, replicates=replicates, seed=seed),
        procedures=tuple(sorted(part.present("procedure"))),
    )


def _between(held: Table, replicates: int, seed: int) -> list[Difference]:
    found = sorted(held.present("mode"), key=lambda mode: mode != _BASE)
    return modes(held, found[0], found[1:], replicates=replicates, seed=seed) if len(found) > 1 else []


def _layer_target(held: Table) -> Iterator[CutRow]:
    for layer in LAYERS:
        for row in cut(held.only("layer", layer), "target"):
            yield replace(row, level=f"{layer} {row.level}")


def _system(row: SystemRow, held: ModeSummary) -> dict[str, Any]:
    intervals = {e.label.measure: e.interval for e in held.comparison.systems if e.label.system == row.system}
    return {
        "system": row.system,
        "mode": row.mode,
        "conversations": row.conversations,
        "aborted": row.aborted,
        "missing": row.missing,
        "counted_as_zero": row.zeros,
        "failed_turns": row.failed_turns,
        "aborted_as_zero": row.aborted_as_zero,
        "rank": held.ranks.get(row.system),
        "ranked": row.system in held.ranks,
        "caveats": list(row.caveats),
        "scores": row.scores.document(),
        "intervals": {name: asdict(found) if found else None for name, found in intervals.items()},
    }


def _difference(pair: Difference) -> dict[str, Any]:
    return {
        "first": pair.first.system,
        "second": pair.second.system,
        "difference": pair.effect.value,
        "interval": asdict(pair.effect.interval) if pair.effect.interval else None,
        "p": pair.effect.p,
        "p_holm": pair.p_holm,
        "units": pair.effect.units,
    }
