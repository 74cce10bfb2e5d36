"""Friedman, Kendall's W and deviations by language, against published figures and scipy."""

import numpy as np
import pytest
from scipy import stats

from sim.analysis.concordance import Matrix, concordance, deviations, matrix
from sim.analysis.cuts import cut
from sim.analysis.table import table
from tests.sim.analysis.made import record, study
from tests.sim.analysis.naive import ends, indices

ROUNDING_FIRST_BASE = [
    [5.40, 5.50, 5.55], [5.85, 5.70, 5.75], [5.20, 5.60, 5.50], [5.55, 5.50, 5.40], [5.90, 5.85, 5.70],
    [5.45, 5.55, 5.60], [5.40, 5.40, 5.35], [5.45, 5.50, 5.35], [5.25, 5.15, 5.00], [5.85, 5.80, 5.70],
    [5.25, 5.20, 5.10], [5.65, 5.55, 5.45], [5.60, 5.35, 5.45], [5.05, 5.00, 4.95], [5.50, 5.50, 5.40],
    [5.45, 5.55, 5.50], [5.55, 5.55, 5.35], [5.45, 5.50, 5.55], [5.50, 5.45, 5.25], [5.65, 5.60, 5.40],
    [5.70, 5.65, 5.55], [6.30, 6.30, 6.25],
]  # fmt: skip
"""Hollander and Wolfe, *Nonparametric Statistical Methods* (1973), p. 140: 22 players, three ways."""


def of(scores: object) -> Matrix:
    values = np.array(scores, dtype=float)
    systems, levels = values.shape
    return Matrix(tuple(map(str, range(systems))), tuple(range(levels)), values)


def test_friedman_on_a_published_example() -> None:
    found = concordance(of(ROUNDING_FIRST_BASE), replicates=50)
    assert found.statistic == pytest.approx(11.1429, abs=5e-5)
    assert found.p == pytest.approx(0.003805, abs=5e-7)
    assert found.df == 2
    assert found.w == pytest.approx(11.1429 / 44, abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_friedman_equals_scipy_with_ties(seed: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 4, (9, 4))
    expected = stats.friedmanchisquare(*scores.T)
    found = concordance(of(scores), replicates=10)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue)


def test_w_is_one_in_full_agreement_and_zero_in_none() -> None:
    assert concordance(of([[1, 2, 3]] * 5), replicates=10).w == 1.0
    assert concordance(of([[1, 2, 3], [3, 2, 1]]), replicates=10).w == 0.0


def test_w_is_resampled_over_systems() -> None:
    scores = np.random.default_rng(1).random((7, 4))
    found = concordance(of(scores), replicates=200, seed=3)
    each = [stats.friedmanchisquare(*scores[chosen].T).statistic / (7 * 3) for chosen in indices([7], 200, 3)]
    assert ends(found.interval) == pytest.approx(tuple(np.percentile(each, [2.5, 97.5])))


@pytest.mark.parametrize(
    "scores", [np.empty((0, 4)), np.empty((0, 0)), [[1, 2, 3]], [[1], [2]], [[1, 1, 1], [2, 2, 2]]]
)
def test_no_order_to_agree_on_is_undefined(scores: object) -> None:
    found = concordance(of(scores), replicates=10)
    assert (found.w, found.interval, found.statistic, found.p) == (None, None, None, None)


def test_deviations_are_from_each_systems_own_mean() -> None:
    held = of([[0.2, 0.4, 0.6], [0.5, 0.7, 0.9]])
    found = deviations(held, replicates=100)
    assert [row.value for row in found] == pytest.approx([-0.2, 0, 0.2])
    for row in found:
        low, high = ends(row.interval)
        assert low == pytest.approx(high)


def test_deviations_are_resampled_over_systems() -> None:
    scores = np.random.default_rng(2).random((5, 3))
    apart = scores - scores.mean(axis=1, keepdims=True)
    each = np.array([apart[chosen].mean(axis=0) for chosen in indices([5], 300, 1)])
    for at, row in enumerate(deviations(of(scores), replicates=300, seed=1)):
        assert ends(row.interval) == pytest.approx(tuple(np.percentile(each[:, at], [2.5, 97.5])))


def test_one_system_deviates_without_an_interval() -> None:
    assert [row.interval for row in deviations(of([[0.1, 0.3]]))] == [None, None]
    assert deviations(of(np.empty((0, 2)))) == []


def test_the_matrix_holds_the_systems_that_have_every_language() -> None:
    records = [*study(["a", "b"]), record("part", "s", [[True]], pair=("kor", "ind"))]
    held = matrix(cut(table(records), "target"))
    assert held.systems == ("a", "b")
    assert held.levels == ("arb", "ben", "ind", "kor")
    assert held.scores.shape == (2, 4)
    assert matrix([]).scores.shape == (0, 0)
