"""Whether systems agree on which languages are hard: Friedman's test, Kendall's W, deviations.

Over a matrix of scores, systems x languages (target or source). Systems are the sample here: intervals
resample systems, not scenarios.

Sources: Friedman, J. Amer. Statist. Assoc. 32 (1937), 675-701; Kendall and Babington Smith, Ann. Math.
Statist. 10 (1939), 275-287; the correction for ties as in Siegel and Castellan, *Nonparametric
Statistics for the Behavioral Sciences* (1988), chapters 7 and 9.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sim.analysis.bootstrap import Interval, interval
from sim.analysis.cells import ratio
from sim.analysis.cuts import CutRow
from sim.analysis.protocol import FEW
from sim.analysis.resample import Seed, sums
from sim.analysis.table import Floats

REPLICATES = 5_000


@dataclass(frozen=True, slots=True)
class Matrix:
    """Scores (systems, levels), none missing."""

    systems: tuple[str, ...]
    levels: tuple[str | int, ...]
    scores: Floats


@dataclass(frozen=True, slots=True)
class Concordance:
    """Friedman's test of equal levels, with Kendall's W as its effect size."""

    w: float | None
    """0 no agreement of the systems' orders, 1 full; None where every system ties all levels."""
    interval: Interval | None
    """Over resampled systems."""
    statistic: float | None
    """Friedman's chi-square, m (k - 1) W."""
    df: int
    p: float | None
    systems: int
    levels: int
    scenarios: int | None = None
    """Scenarios that the scores rest on; None where they are not of scenarios."""

    @property
    def withheld(self) -> bool:
        """Whether p is not to be told: the scores rest on too few scenarios to be ranked by."""
        return self.p is not None and self.scenarios is not None and self.scenarios < FEW


@dataclass(frozen=True, slots=True)
class Deviation:
    """How far a level lies from its systems' means over all levels, in mean over systems."""

    level: str | int
    value: float
    interval: Interval | None
    """Over resampled systems; None with fewer than two."""


def matrix(rows: Sequence[CutRow]) -> Matrix:
    """The scores of one mode's cut; systems without a score on every level are left out."""
    levels = tuple(sorted({row.level for row in rows}, key=lambda level: (isinstance(level, str), level)))
    scores: dict[str, dict[str | int, float]] = {}
    for row in rows:
        if row.score is not None:
            scores.setdefault(row.system, {})[row.level] = row.score
    whole = {system: held for system, held in scores.items() if len(held) == len(levels)}
    values = [[held[level] for level in levels] for held in whole.values()]
    return Matrix(tuple(whole), levels, np.array(values, dtype=float).reshape(len(whole), len(levels)))


def concordance(
    held: Matrix, *, scenarios: int | None = None, replicates: int = REPLICATES, seed: Seed = 0
) -> Concordance:
    """Friedman and W. Undefined (None) with fewer than two systems or two levels."""
    from scipy.special import chdtrc

    systems, levels = held.scores.shape
    if systems < 2 or levels < 2:
        return Concordance(None, None, None, max(0, levels - 1), None, systems, levels, scenarios)
    parts = _parts(held.scores)
    w = float(_w(parts.sum(axis=0)[None, :], systems, levels)[0])
    if np.isnan(w):
        return Concordance(None, None, None, levels - 1, None, systems, levels, scenarios)
    statistic = systems * (levels - 1) * w
    return Concordance(
        w=w,
        interval=interval(_w(sums(parts, [systems], replicates, seed), systems, levels)),
        statistic=statistic,
        df=levels - 1,
        p=float(chdtrc(levels - 1, statistic)),
        systems=systems,
        levels=levels,
        scenarios=scenarios,
    )


def deviations(held: Matrix, *, replicates: int = REPLICATES, seed: Seed = 0) -> list[Deviation]:
    """Per level: mean over systems of (score - the system's mean over levels)."""
    systems = len(held.systems)
    if not systems:
        return []
    apart = held.scores - held.scores.mean(axis=1, keepdims=True)
    drawn = sums(apart, [systems], replicates, seed) / systems
    return [
        Deviation(level, float(apart[:, at].mean()), interval(drawn[:, at]) if systems > 1 else None)
        for at, level in enumerate(held.levels)
    ]


def _parts(scores: Floats) -> Floats:
    """Each system's midranks of the levels and, last, its ties term: sum of t^3 - t over groups of ties."""
    ranks = np.array([_midranks(row) for row in scores])
    ties = [float(sum(t**3 - t for t in np.unique(row, return_counts=True)[1])) for row in scores]
    return np.column_stack([ranks, ties])


def _midranks(values: Floats) -> Floats:
    """Ranks from 1, those of equal values their mean."""
    order = np.sort(values)
    below, upto = (np.searchsorted(order, values, side) for side in ("left", "right"))
    ranks: Floats = (below + upto + 1) / 2
    return ranks


def _w(parts: Floats, systems: int, levels: int) -> Floats:
    """W = 12 S / (m^2 (k^3 - k) - m T) of each row of summed parts; NaN where every system ties all."""
    totals, ties = parts[:, :-1], parts[:, -1]
    spread = ((totals - systems * (levels + 1) / 2) ** 2).sum(axis=1)
    return ratio(12 * spread, systems**2 * (levels**3 - levels) - systems * ties)
