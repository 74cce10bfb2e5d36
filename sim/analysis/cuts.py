"""Scores cut by direction, language, pair, layer, function, mode or turn position.

Every figure stands with its denominators and bounds; what may not be ranked says so. A cut never mixes
modes or systems: rows are by (mode, system, level), averages over systems are `macro`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sim.analysis.cells import Cells, Rule, cells, ratio, totals
from sim.analysis.scores import UNJUDGED_LIMIT
from sim.analysis.table import Codes, Table

Cut = Literal["direction", "source", "target", "pair", "layer", "function", "mode", "position"]


@dataclass(frozen=True, slots=True)
class CutRow:
    """One system's score on one level of a cut."""

    mode: str
    system: str
    level: str | int
    """A turn's index for `position`, else a name."""
    score: float | None
    """0 to 1; None where nothing was judged."""
    bounds: tuple[float, float]
    """The score with the unjudged taken as all not met, and as all met."""
    judged: int
    criteria: int
    """Without those the source gave no occasion for."""
    claimed: int
    """Of these, what the judge claims."""
    units: int
    """Scenarios with criteria on this level."""

    @property
    def ranked(self) -> bool:
        """At least 95 % of the criteria that the judge claims were judged."""
        return self.claimed > 0 and (self.claimed - self.judged) / self.claimed <= UNJUDGED_LIMIT


@dataclass(frozen=True, slots=True)
class MacroRow:
    """One level's score, the systems weighing alike."""

    mode: str
    level: str | int
    score: float | None
    systems: int
    """Systems that have a score on this level."""


def cut(table: Table, by: Cut) -> list[CutRow]:
    """Scores by (mode, system, level of `by`): modes and systems in order of appearance, levels sorted.

    `by="mode"` gives each system's overall score. A criterion without a function is in no function.
    """
    return [row for mode in table.present("mode") for row in _of_mode(table.only("mode", mode), by, mode)]


def macro(rows: Iterable[CutRow]) -> list[MacroRow]:
    """Macro-average over systems: the plain mean of their scores, by (mode, level)."""
    groups: dict[tuple[str, str | int], list[float]] = {}
    for row in rows:
        scores = groups.setdefault((row.mode, row.level), [])
        if row.score is not None:
            scores.append(row.score)
    return [
        MacroRow(mode, level, sum(scores) / len(scores) if scores else None, len(scores))
        for (mode, level), scores in groups.items()
    ]


def _of_mode(table: Table, by: Cut, mode: str) -> list[CutRow]:
    systems, levels = table.columns["system"], table.columns[by]
    span = len(levels.levels)
    group: Codes = np.where(levels.codes < 0, -1, systems.codes.astype(np.int64) * span + levels.codes)
    rows = _rows(cells(table, group, Rule.of(mode)), mode, systems.levels, levels.levels)
    order = {system: place for place, system in enumerate(systems.levels)}
    return sorted(rows, key=lambda row: (order[row.system], row.level))


def _rows(
    held: Cells, mode: str, systems: tuple[str, ...], levels: tuple[str | int, ...]
) -> Iterable[CutRow]:
    groups, member = np.unique(held.group, return_inverse=True)
    numerator, denominator, least, most, whole, judged, criteria, claimed = (
        totals(member, values, len(groups))
        for values in (
            held.numerator, held.denominator, held.least, held.most, held.whole,
            held.judged, held.criteria, held.claimed,
        )
    )  # fmt: skip
    scores = ratio(numerator, denominator)
    units = totals(member, None, len(groups))
    for at, group in enumerate(groups):
        system, level = divmod(int(group), len(levels))
        yield CutRow(
            mode=mode,
            system=systems[system],
            level=levels[level],
            score=None if np.isnan(scores[at]) else float(scores[at]),
            bounds=(float(least[at] / whole[at]), float(most[at] / whole[at])),
            judged=int(judged[at]),
            criteria=int(criteria[at]),
            claimed=int(claimed[at]),
            units=int(units[at]),
        )
