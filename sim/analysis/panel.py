"""Scores as ratios of sums over units, a column each: what is bootstrapped.

A panel holds one mode. Its units stand stratum by stratum and are the same for every column, so that
whatever is drawn is drawn for all; a column without a unit has zero there. It draws nothing itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby

import numpy as np

from sim.analysis.cells import Rule, cells, ratio
from sim.analysis.table import Codes, Floats, Mask, Table, Unit

OVERALL = "overall"
MEASURES = (OVERALL, "L1", "L2", "L3")


@dataclass(frozen=True, slots=True)
class Label:
    """What a column is the score of."""

    system: str
    measure: str = OVERALL
    """`overall` or a layer."""
    variant: str = ""
    """What else tells columns apart, such as `strict` or a judge."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Numerators and denominators (units, columns)."""

    labels: tuple[Label, ...]
    units: tuple[Unit, ...]
    strata: tuple[str, ...]
    """Of each unit, in runs: the direction of its first turn."""
    numerators: Floats
    denominators: Floats

    @property
    def sizes(self) -> list[int]:
        """Units in each stratum."""
        return [len(list(run)) for _, run in groupby(self.strata)]

    @property
    def scores(self) -> Floats:
        """The score of each column; NaN where undefined."""
        return ratio(self.numerators.sum(axis=0), self.denominators.sum(axis=0))

    def where(self, keep: Mask) -> "Panel":
        """The units that `keep` marks."""
        places = np.flatnonzero(keep)
        return replace(
            self,
            units=tuple(self.units[place] for place in places),
            strata=tuple(self.strata[place] for place in places),
            numerators=self.numerators[places],
            denominators=self.denominators[places],
        )

    def only(self, labels: Sequence[Label]) -> "Panel":
        """These columns, in this order. Raises ValueError for a label the panel does not have."""
        places = [place(self.labels, label) for label in labels]
        return replace(
            self,
            labels=tuple(labels),
            numerators=self.numerators[:, places],
            denominators=self.denominators[:, places],
        )

    def complete(self) -> "Panel":
        """The units that every column has a score for."""
        held: Mask = np.all(self.denominators > 0, axis=1)
        return self.where(held)


def panel(
    table: Table,
    measures: Sequence[str] = (OVERALL,),
    *,
    variant: str = "",
    rule: Rule | None = None,
    weights: Floats | None = None,
) -> Panel:
    """The scores of each system in `table`, a column for each of `measures`.

    The rule is the mode's unless given; `weights` weigh each verdict. Raises ValueError for a table of
    several modes: their scores are not about the same units.
    """
    modes = table.present("mode")
    if len(modes) > 1:
        raise ValueError(f"A panel holds one mode, not {', '.join(modes)}.")
    systems = table.present("system")
    units = _units(table)
    labels = [Label(system, measure, variant) for measure in measures for system in systems]
    numerators = np.zeros((len(units), len(labels)))
    denominators = np.zeros_like(numerators)
    row = _places(table.columns["unit"].levels, [unit for unit, _ in units])
    column = _places(table.columns["system"].levels, systems)
    for block, measure in enumerate(measures):
        held = cells(
            table,
            np.where(_measured(table, measure), table.columns["system"].codes, -1),
            rule or Rule.of(modes[0] if modes else ""),
            weights,
        )
        at = row[held.unit], column[held.group] + block * len(systems)
        numerators[at], denominators[at] = held.numerator, held.denominator
    return Panel(
        tuple(labels),
        tuple(unit for unit, _ in units),
        tuple(stratum for _, stratum in units),
        numerators,
        denominators,
    )


def joined(panels: Iterable[Panel]) -> Panel:
    """The columns of all `panels` side by side, over the units that all of them have."""
    return reduce(_beside, panels)


def place(labels: Sequence[Label], label: Label) -> int:
    """Where `label` stands. Raises ValueError, naming it, where it does not."""
    if label not in labels:
        raise ValueError(f"No column for {label.system} ({label.measure}) {label.variant}".rstrip())
    return labels.index(label)


def _beside(left: Panel, right: Panel) -> Panel:
    at = {unit: row for row, unit in enumerate(right.units)}
    shared = left.where(np.array([unit in at for unit in left.units], dtype=bool))
    rows = [at[unit] for unit in shared.units]
    return Panel(
        (*left.labels, *right.labels),
        shared.units,
        shared.strata,
        np.hstack([shared.numerators, right.numerators[rows]]),
        np.hstack([shared.denominators, right.denominators[rows]]),
    )


def _units(table: Table) -> list[tuple[Unit, str]]:
    """The units with their strata, stratum by stratum; the order does not depend on that of the records."""
    codes, first = np.unique(table.columns["unit"].codes, return_index=True)
    levels, strata = table.columns["unit"].levels, table.columns["stratum"]
    found = [(levels[code], strata.levels[strata.codes[row]]) for code, row in zip(codes, first, strict=True)]
    return sorted(found, key=lambda pair: (pair[1], pair[0].scenario, pair[0].turn or 0))


def _places(levels: Sequence[object], order: Sequence[object]) -> Codes:
    """The place in `order` of each level; -1 where it has none."""
    known = {level: at for at, level in enumerate(order)}
    return np.array([known.get(level, -1) for level in levels], dtype=np.intp)


def _measured(table: Table, measure: str) -> Mask:
    if measure == OVERALL:
        return np.ones(len(table), dtype=bool)
    layers = table.columns["layer"]
    return np.array([level == measure for level in layers.levels] + [False])[layers.codes]
