"""Percentile bootstrap of scores and of differences between scores.

Everything is read off the same replicates, so differences are paired. What resampling cannot tell
(no score; every stratum a single unit, where all replicates are alike) is None, never a
confident zero-width interval.

Sources: Efron and Tibshirani, *An Introduction to the Bootstrap* (1993), chapter 13 (percentile
intervals); Davison and Hinkley, *Bootstrap Methods and their Application* (1997), section 4.2 (the
`+ 1` of Monte Carlo p values); Holm, Scand. J. Statist. 6 (1979), 65-70.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from sim.analysis.cells import ratio
from sim.analysis.panel import MEASURES, OVERALL, Label, Panel, panel, place
from sim.analysis.protocol import FEW, REPLICATES
from sim.analysis.resample import Seed, sums
from sim.analysis.table import Codes, Floats, Table

LEVEL = 0.95
"""Coverage of the intervals."""
_ROUNDING = 1e-12
"""A difference below this is rounding, and counts as none."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score with its interval; each None where undefined."""

    label: Label
    score: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Effect:
    """A difference of scores with interval and two-sided p value; each None where undefined."""

    value: float | None
    interval: Interval | None
    p: float | None
    units: int
    """Units resampled."""
    fewest: int | None = None
    """Units of the smaller side, where two are resampled apart."""

    @property
    def withheld(self) -> bool:
        """Whether p is not to be told: it rests on too few units to mean anything."""
        return self.p is not None and self.least < FEW

    @property
    def least(self) -> int:
        """Units of the side that has fewest."""
        return self.units if self.fewest is None else self.fewest


@dataclass(frozen=True, slots=True)
class Difference:
    """The score of `first` minus that of `second`."""

    first: Label
    second: Label
    effect: Effect
    group: str = ""
    """What the difference was taken within, such as a language pair."""
    p_holm: float | None = None
    """p adjusted by Holm over its family; None where p is, or where there is no family."""


@dataclass(frozen=True, slots=True)
class Replicates:
    """Scores of a panel's columns, as observed and under each resampling; NaN where undefined."""

    labels: tuple[Label, ...]
    scores: Floats
    drawn: Floats
    """(replicates, columns)."""
    units: int
    varied: bool
    """Whether resampling can change anything: some stratum has two units."""

    def estimate(self, label: Label) -> Estimate:
        """The score of a column. Raises ValueError for an unknown label."""
        at = place(self.labels, label)
        values = self.drawn[:, at]
        return Estimate(label, _number(self.scores[at]), interval(values) if self.varied else None)

    def contrast(self, weights: Mapping[Label, float]) -> Effect:
        """The weighted sum of columns, such as {a: 1, b: -1}. Raises ValueError for an unknown label."""
        places = [place(self.labels, label) for label in weights]
        factors = np.array(list(weights.values()))
        return effect(
            (self.scores[places] * factors).sum(), (self.drawn[:, places] * factors).sum(axis=1), self
        )

    def difference(self, first: Label, second: Label, group: str = "") -> Difference:
        """The score of `first` minus that of `second`. Raises ValueError for an unknown label."""
        return Difference(first, second, self.contrast({first: 1.0, second: -1.0}), group)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All systems of one mode, and all pairs of them."""

    systems: tuple[Estimate, ...]
    """Overall and by layer."""
    pairs: tuple[Difference, ...]
    """Differences of overall scores, Holm over all of them."""
    units: int
    lone: int
    """Units that are alone in their stratum, and so add no variation."""
    shared: int
    """Units on which every system that has a score has one."""
    replicates: int
    seed: Seed


def compared(table: Table, *, replicates: int = REPLICATES, seed: Seed = 0) -> Comparison:
    """Every system's overall and per-layer score with intervals, and all pairwise differences.

    Stratified by direction, paired. Raises ValueError for a table of several modes.
    """
    return comparison(panel(table, MEASURES), replicates=replicates, seed=seed)


def comparison(held: Panel, *, replicates: int = REPLICATES, seed: Seed = 0) -> Comparison:
    """`compared` from a panel."""
    found = resampled(held, replicates, seed)
    overall = [label for label in held.labels if label.measure == OVERALL]
    return Comparison(
        systems=tuple(found.estimate(label) for label in held.labels),
        pairs=tuple(adjusted(found.difference(a, b) for a, b in combinations(overall, 2))),
        units=len(held.units),
        lone=sum(size == 1 for size in held.sizes),
        shared=_shared(held.only(overall)),
        replicates=replicates,
        seed=seed,
    )


def resampled(held: Panel, replicates: int = REPLICATES, seed: Seed = 0) -> Replicates:
    """The scores of `held` under `replicates` resamplings of its units within their strata."""
    both = np.hstack([held.numerators, held.denominators])
    different, which = _different(both)
    drawn = sums(different, held.sizes, replicates, seed)
    above, below = np.split(which, 2)
    return Replicates(
        labels=held.labels,
        scores=held.scores,
        drawn=ratio(drawn[:, above], drawn[:, below]),
        units=len(held.units),
        varied=max(held.sizes, default=0) > 1,
    )


def unpaired(first: Replicates, a: Label, second: Replicates, b: Label, group: str = "") -> Difference:
    """The score of `a` in `first` minus that of `b` in `second`, resampled apart.

    Both must have as many replicates, drawn from different seeds. Raises ValueError for an unknown label.
    """
    left, right = place(first.labels, a), place(second.labels, b)
    both = replace(first, units=first.units + second.units, varied=first.varied and second.varied)
    found = effect(
        first.scores[left] - second.scores[right], first.drawn[:, left] - second.drawn[:, right], both
    )
    apart = replace(found, fewest=min(first.units, second.units))
    return Difference(a, b, apart, group)


def effect(value: float, drawn: Floats, source: Replicates) -> Effect:
    """An observed difference with what its replicates say of it."""
    if np.isnan(value) or not source.varied:
        return Effect(_number(value), None, None, source.units)
    whole = np.where(np.abs(drawn) < _ROUNDING, 0.0, drawn)
    return Effect(float(value), interval(whole), p_value(whole), source.units)


def interval(drawn: Floats, level: float = LEVEL) -> Interval | None:
    """The percentile interval of the defined replicates (linear quantiles); None without any."""
    held = drawn[~np.isnan(drawn)]
    if not len(held):
        return None
    low, high = np.quantile(held, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high))


def p_value(drawn: Floats) -> float | None:
    """Two-sided: min(1, (1 + 2 min(#{d <= 0}, #{d >= 0})) / (B + 1)) over the B defined replicates."""
    held = drawn[~np.isnan(drawn)]
    if not len(held):
        return None
    least = min(int(np.sum(held <= 0)), int(np.sum(held >= 0)))
    return min(1.0, (1 + 2 * least) / (len(held) + 1))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Step-down adjusted p values; the undefined stay so and do not count in the family."""
    order = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    found: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, at) in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * p))
        found[at] = highest
    return found


def adjusted(differences: Iterable[Difference]) -> list[Difference]:
    """The same differences as one family under Holm."""
    held = list(differences)
    return [replace(one, p_holm=p) for one, p in zip(held, holm([one.effect.p for one in held]), strict=True)]


def _shared(overall: Panel) -> int:
    scored = overall.denominators > 0
    return int(np.sum(np.all(scored[:, scored.any(axis=0)], axis=1)))


def _different(values: Floats) -> tuple[Floats, Codes]:
    """The different columns, and which of them each column is: denominators are mostly alike."""
    known: dict[bytes, int] = {}
    which = [known.setdefault(column.tobytes(), len(known)) for column in values.T]
    first = [which.index(place) for place in range(len(known))]
    return values[:, first], np.array(which, dtype=np.intp)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
