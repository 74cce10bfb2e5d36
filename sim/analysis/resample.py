"""Drawing units with replacement within strata, and the sums over what was drawn.

What is drawn depends on the sizes of the strata, the number of replicates and the seed alone, never on
what is summed: every column sees the same units (that is what *paired* means), and a system added to a
table moves no other one's interval. How often each unit was drawn is counted, and the sums of all
columns over all replicates are products of those counts with the values (the resampling vector of
Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 20).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.analysis.table import Floats

Drawn = NDArray[np.integer[Any]]
Seed = int | tuple[int, ...]

HELD = 12_000
"""Indices held at once. Arrays stay under 128 KiB, from where on glibc asks the kernel for fresh pages
every time: measured up to three times slower."""
_PRODUCT = 1 << 18
"""Multiplications in one matrix product. From here on OpenBLAS (interface/gemm.c) wakes its other
threads; on a machine with other work they wait for one another, measured 4 to 20 times slower."""
_DEPTH = 512
"""Units in one matrix product."""


def draws(sizes: Sequence[int], replicates: int, seed: Seed) -> Iterator[tuple[int, int, Drawn]]:
    """Indices drawn, in blocks: (stratum, first replicate, indices within the stratum).

    A block is (replicates, size of the stratum). Each stratum has its own stream of the seed.
    """
    streams = np.random.SeedSequence(seed).spawn(len(sizes))
    for stratum, (size, stream) in enumerate(zip(sizes, streams, strict=True)):
        generator = np.random.default_rng(stream)
        kind = np.uint16 if size <= 1 << 16 else np.int64
        block = max(1, HELD // size)
        for first in range(0, replicates, block):
            shape = (min(block, replicates - first), size)
            yield stratum, first, generator.integers(0, size, shape, dtype=kind)


def counts(drawn: Drawn) -> Floats:
    """How often each unit was drawn: (replicates, units)."""
    rows, size = drawn.shape
    flat = drawn + np.arange(rows)[:, None] * size
    return np.bincount(flat.ravel(), minlength=rows * size).reshape(rows, size).astype(float)


def sums(values: Floats, sizes: Sequence[int], replicates: int, seed: Seed) -> Floats:
    """Sums of `values` (units, columns) over the units of each replicate: (replicates, columns).

    Units stand stratum by stratum; `sizes` are the strata's. Exact for whole numbers.
    """
    out = np.zeros((replicates, values.shape[1]))
    starts = np.cumsum([0, *sizes])
    for stratum, first, drawn in draws(sizes, replicates, seed):
        held = values[starts[stratum] : starts[stratum + 1]]
        _add_product(out[first : first + len(drawn)], counts(drawn), held)
    return out


def _add_product(out: Floats, left: Floats, right: Floats) -> None:
    """out += left @ right, in products small enough to stay on this thread."""
    depth = min(_DEPTH, left.shape[1])
    rows = max(1, _PRODUCT // (depth * max(1, right.shape[1])))
    for at in range(0, left.shape[1], depth):
        for row in range(0, len(left), rows):
            out[row : row + rows] += left[row : row + rows, at : at + depth] @ right[at : at + depth]
