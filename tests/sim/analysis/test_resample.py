"""What is drawn and summed: the same for every column, within strata, equal to a loop."""

import numpy as np
import pytest

from sim.analysis.resample import HELD, counts, draws, sums
from tests.sim.analysis.naive import indices


@pytest.mark.parametrize("sizes", [[7], [1, 1], [5, 1, 12], [600, 3], [1300]])
@pytest.mark.parametrize("columns", [1, 3, 41])
def test_sums_of_whole_numbers_equal_a_loop_exactly(sizes: list[int], columns: int) -> None:
    values = np.random.default_rng(1).integers(0, 20, (sum(sizes), columns)).astype(float)
    fast = sums(values, sizes, 300, 5)
    slow = [values[chosen].sum(axis=0) for chosen in indices(sizes, 300, 5)]
    assert (fast == np.array(slow)).all()


def test_sums_of_fractions_equal_a_loop_but_for_rounding() -> None:
    values = np.random.default_rng(1).random((700, 5))
    slow = [values[chosen].sum(axis=0) for chosen in indices([650, 50], 200, 3)]
    np.testing.assert_allclose(sums(values, [650, 50], 200, 3), slow, rtol=1e-12)


def test_what_is_drawn_does_not_depend_on_what_is_summed() -> None:
    values = np.random.default_rng(2).integers(0, 9, (30, 40)).astype(float)
    alone, together = sums(values[:, :1], [10, 20], 50, 0), sums(values, [10, 20], 50, 0)
    assert (alone[:, 0] == together[:, 0]).all()


def test_a_further_stratum_leaves_the_draws_of_the_others() -> None:
    few = [drawn.tolist() for stratum, _, drawn in draws([4, 9], 20, 7) if stratum == 1]
    many = [drawn.tolist() for stratum, _, drawn in draws([4, 9, 5], 20, 7) if stratum == 1]
    assert few == many


def test_every_replicate_draws_each_stratum_in_full() -> None:
    chosen = indices([3, 8], 100, 0)
    assert ((chosen[:, :3] >= 0) & (chosen[:, :3] < 3)).all()
    assert ((chosen[:, 3:] >= 3) & (chosen[:, 3:] < 11)).all()


def test_blocks_cover_all_replicates_and_stay_small() -> None:
    held = [drawn.shape for _, _, drawn in draws([500], 1000, 0)]
    assert sum(rows for rows, _ in held) == 1000
    assert max(rows * size for rows, size in held) <= HELD


def test_a_stratum_of_more_than_16_bits_is_drawn_whole() -> None:
    (_, _, drawn), *_ = draws([70_000], 1, 0)
    assert drawn.max() > 65_536


def test_units_are_drawn_alike() -> None:
    drawn = np.concatenate([counts(d) for _, _, d in draws([5], 20_000, 0)])
    np.testing.assert_allclose(drawn.mean(axis=0), 1, atol=0.03)
    np.testing.assert_allclose(drawn.var(axis=0), 0.8, atol=0.03)


def test_the_seed_decides() -> None:
    values = np.random.default_rng(2).random((30, 2))
    assert (sums(values, [30], 20, 1) == sums(values, [30], 20, 1)).all()
    assert not (sums(values, [30], 20, 1) == sums(values, [30], 20, 2)).all()


def test_nothing_to_draw_from_sums_to_zero() -> None:
    assert sums(np.empty((0, 2)), [], 3, 0).tolist() == [[0, 0]] * 3
