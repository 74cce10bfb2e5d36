"""The values of MT metrics set beside the scores of the same outputs.

An output is one system's translation of a turn, or of a whole conversation. Whose value belongs to which score
is decided here; what is made of it is in `metrics`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sim.analysis.cells import Rule, cells, ratio
from sim.analysis.metrics import REPLICATES, Point, Relation, relations
from sim.analysis.resample import Seed
from sim.analysis.table import Codes, Table


@dataclass(frozen=True, slots=True)
class Output:
    """What a metric has a value for: one system's translation of a turn, or of a whole conversation."""

    system: str
    mode: str
    scenario: str
    turn: int | None = None
    """None for the whole."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric's values, as somebody computed them."""

    name: str
    lower_is_better: bool
    values: Mapping[Output, float]


@dataclass(frozen=True, slots=True)
class Related:
    """One metric in one mode."""

    metric: str
    mode: str
    rows: tuple[Relation, ...]
    """By system, the pooled one last."""


def related(
    table: Table, metrics: Iterable[Metric], *, replicates: int = REPLICATES, seed: Seed = 0
) -> list[Related]:
    """Each metric against the scores of a table, by mode; values of outputs without a score are left out.

    The turns of a conversation are drawn together.
    """
    given = list(metrics)
    known = scores(table) if given else {}
    found = []
    for metric in given:
        for mode in table.present("mode"):
            points = [
                Point(at.system, at.scenario, known[at], value)
                for at, value in metric.values.items()
                if at.mode == mode and at in known
            ]
            if points:
                rows = relations(
                    points, lower_is_better=metric.lower_is_better, replicates=replicates, seed=seed
                )
                found.append(Related(metric.name, mode, tuple(rows)))
    return found


def scores(table: Table) -> dict[Output, float]:
    """The score of every turn and of every whole conversation of a table, trials averaged."""
    found: dict[Output, float] = {}
    for mode in table.present("mode"):
        part = table.only("mode", mode)
        turns = part.columns["position"].levels
        found |= _scores(part, mode, part.columns["position"].codes, turns)
        found |= _scores(part, mode, np.zeros(len(part), dtype=np.intp), (None,))
    return found


def _scores(table: Table, mode: str, turn: Codes, turns: Sequence[int | None]) -> dict[Output, float]:
    systems = table.columns["system"]
    held = cells(table, systems.codes.astype(np.int64) * len(turns) + turn, Rule.of(mode))
    units = table.columns["unit"].levels
    found = {}
    for group, unit, score in zip(
        held.group, held.unit, ratio(held.numerator, held.denominator), strict=True
    ):
        if not np.isnan(score):
            system, at = divmod(int(group), len(turns))
            found[Output(systems.levels[system], mode, units[unit].scenario, turns[at])] = float(score)
    return found
