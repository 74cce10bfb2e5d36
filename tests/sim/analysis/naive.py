"""The bootstrap as a plain loop over the same draws: what the fast one must equal."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sim.analysis.bootstrap import Interval
from sim.analysis.panel import Panel
from sim.analysis.resample import Seed, draws


def ends(found: Interval | None) -> tuple[float, float]:
    """The two ends of an interval that must be there."""
    assert found is not None
    return found.low, found.high


def indices(sizes: Sequence[int], replicates: int, seed: Seed) -> NDArray[np.int64]:
    """All drawn units, (replicates, units), as places in the whole panel."""
    starts = np.cumsum([0, *sizes])
    out = np.empty((replicates, sum(sizes)), dtype=np.int64)
    for stratum, first, drawn in draws(sizes, replicates, seed):
        columns = slice(starts[stratum], starts[stratum + 1])
        out[first : first + len(drawn), columns] = drawn + starts[stratum]
    return out


def scores(panel: Panel, replicates: int, seed: Seed) -> NDArray[np.float64]:
    """Every column's score in every replicate."""
    rows = []
    for chosen in indices(panel.sizes, replicates, seed):
        rows.append(
            [
                sum(panel.numerators[chosen, at]) / sum(panel.denominators[chosen, at])
                for at in range(len(panel.labels))
            ]
        )
    return np.array(rows)


def p_value(differences: Iterable[float]) -> float:
    """The formula of the specification, counted one by one."""
    held = list(differences)
    below = sum(1 for d in held if d <= 0)
    above = sum(1 for d in held if d >= 0)
    return min(1.0, (1 + 2 * min(below, above)) / (len(held) + 1))
