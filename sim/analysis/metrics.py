"""How scores relate to a machine translation metric: rank correlation, and where the two part ways.

Metrics are given, never computed here. Within each system, and pooled over all of them; the bootstrap
resamples scenarios (the same ones for every system in the pooled figure) and ranks anew each time.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sim.analysis.agreement import spearman
from sim.analysis.bootstrap import Interval, interval
from sim.analysis.cells import ratio
from sim.analysis.resample import HELD, Seed, counts, draws
from sim.analysis.table import Codes, Floats, Mask

REPLICATES = 2_000
LOW, HIGH = 0.6, 0.9
"""Scores a metric's best quartile should not be at or under, and its worst not at or over."""


@dataclass(frozen=True, slots=True)
class Point:
    """One output: its score and its value under the metric."""

    system: str
    unit: str
    """The scenario or turn it is of; the same name for every system."""
    score: float
    metric: float


@dataclass(frozen=True, slots=True)
class Relation:
    """A metric against the score over some outputs; figures None where undefined."""

    system: str | None
    """None for the pooled figure."""
    points: int
    spearman: float | None
    interval: Interval | None
    top_low: float | None
    """Share of the metric's top quartile with score <= 0.6."""
    bottom_high: float | None
    """Share of its bottom quartile with score >= 0.9."""


def relations(
    points: Iterable[Point], *, lower_is_better: bool = False, replicates: int = REPLICATES, seed: Seed = 0
) -> list[Relation]:
    """One row a system, in order of appearance, then the pooled one.

    `lower_is_better` (TER, error counts) turns the metric round first, so that rho > 0 is agreement.
    """
    sign = -1.0 if lower_is_better else 1.0
    groups: dict[str | None, list[Point]] = {}
    whole: list[Point] = []
    for point in points:
        groups.setdefault(point.system, []).append(point)
        whole.append(point)
    groups[None] = whole
    return [_relation(system, held, sign, replicates, seed) for system, held in groups.items()]


def _relation(system: str | None, points: list[Point], sign: float, replicates: int, seed: Seed) -> Relation:
    score = np.array([point.score for point in points], dtype=float)
    metric = sign * np.array([point.metric for point in points], dtype=float)
    rho = spearman(list(score), list(metric))
    names = {name: at for at, name in enumerate(dict.fromkeys(point.unit for point in points))}
    units = np.array([names[point.unit] for point in points], dtype=np.intp)
    known = rho is not None and len(names) > 1
    return Relation(
        system=system,
        points=len(points),
        spearman=rho,
        interval=interval(resampled_spearman(score, metric, units, replicates, seed)) if known else None,
        top_low=_share(metric, score <= LOW, top=True),
        bottom_high=_share(metric, score >= HIGH, top=False),
    )


def resampled_spearman(first: Floats, second: Floats, units: Codes, replicates: int, seed: Seed) -> Floats:
    """Spearman's rho of each resampling of units; NaN where one side is constant.

    Equal to ranking the resampled values anew: the midrank of a value is the number of drawn values
    below it plus half of one more than those equal to it, read off the counts in sorted order.
    """
    out = np.empty(replicates)
    size = int(units.max(initial=-1)) + 1
    left, right = _Ranks(first), _Ranks(second)
    rows = max(1, HELD // max(1, len(units)))
    for _, start, drawn in draws([size], replicates, seed):
        for at in range(0, len(drawn), rows):
            weights = counts(drawn[at : at + rows])[:, units]
            (x, x_square), (y, y_square) = left.centred(weights), right.centred(weights)
            product = np.einsum("rn,rn,rn->r", weights, x, y)
            out[start + at : start + at + len(weights)] = ratio(product, np.sqrt(x_square * y_square))
    return out


class _Ranks:
    """Midranks of fixed values under changing counts."""

    def __init__(self, values: Floats) -> None:
        _, self._group = np.unique(values, return_inverse=True)
        self._order = np.argsort(self._group, kind="stable")
        self._starts = np.flatnonzero(np.diff(self._group[self._order], prepend=-1))

    def centred(self, weights: Floats) -> tuple[Floats, Floats]:
        """Midranks less their mean (replicates, values), value i drawn weights[:, i] times, and their
        sum of squares (replicates)."""
        equal = np.add.reduceat(weights[:, self._order], self._starts, axis=1)
        upto = np.cumsum(equal, axis=1)
        middle = upto - equal / 2 - upto[:, -1:] / 2
        return middle[:, self._group], np.einsum("rg,rg,rg->r", equal, middle, middle)


def _share(metric: Floats, holds: Mask, *, top: bool) -> float | None:
    """Share of a quartile of the metric (values equal to its edge included) for which `holds`.

    None where the quartiles coincide, or without values.
    """
    if not len(metric):
        return None
    metric = metric / 2  # exact, and no two values are infinitely far apart
    lower, upper = np.quantile(metric, [0.25, 0.75])
    if lower == upper:
        return None
    chosen = metric >= upper if top else metric <= lower
    return float(holds[chosen].mean())
