"""Agreement against published figures; undefined is None."""

import pytest
from scipy import stats

from sim.analysis.agreement import agreement, fleiss, kendall, spearman

FLEISS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
"""Counts of five categories by 14 raters for ten items, the worked example of encyclopedias: 0.210."""

IQ = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
HOURS = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
"""Intelligence against hours of television: rho = -29/165, the worked example of encyclopedias."""


def labels(both: int, first: int, second: int, neither: int) -> tuple[list[bool | None], list[bool | None]]:
    pairs = (
        [(True, True)] * both
        + [(True, False)] * first
        + [(False, True)] * second
        + [(False, False)] * neither
    )
    return [a for a, _ in pairs], [b for _, b in pairs]


@pytest.mark.parametrize(
    ("counts", "raw", "kappa"),
    [((20, 5, 10, 15), 0.7, 0.4), ((45, 15, 25, 15), 0.6, 0.1304), ((25, 35, 5, 35), 0.6, 0.2593)],
)
def test_cohens_kappa_on_published_tables(
    counts: tuple[int, int, int, int], raw: float, kappa: float
) -> None:
    found = agreement(*labels(*counts))
    assert found.raw == pytest.approx(raw)
    assert found.kappa == pytest.approx(kappa, abs=5e-5)
    assert found.items == sum(counts)


def test_kappa_is_undefined_where_all_labels_are_equal() -> None:
    found = agreement([True] * 5, [True] * 5)
    assert (found.raw, found.kappa) == (1.0, None)


def test_kappa_is_zero_where_one_rater_never_varies() -> None:
    assert agreement([True, False], [True, True]).kappa == 0.0


def test_the_unjudged_are_left_out_and_counted() -> None:
    found = agreement([True, None, False, True], [True, True, None, False])
    assert (found.items, found.raw) == (2, 0.5)
    assert agreement([None], [True]).raw is None
    assert agreement([], []).kappa is None


def test_fleiss_kappa_on_a_published_example() -> None:
    ratings = [[label for label, n in enumerate(row) for _ in range(n)] for row in FLEISS]
    found = fleiss(ratings)
    assert (found.items, found.raters) == (10, 14)
    assert found.kappa == pytest.approx(0.20993, abs=5e-6)
    assert found.raw == pytest.approx(0.37802, abs=5e-6)


def test_fleiss_is_undefined_where_all_labels_are_equal_or_nobody_is_compared() -> None:
    assert fleiss([["x", "x"]] * 3).kappa is None
    assert fleiss([["x", "x"]] * 3).raw == 1.0
    assert fleiss([["x"], ["y"]]).raw is None
    assert fleiss([]).kappa is None
    assert fleiss([["x", None]]).items == 0


def test_every_item_has_a_place_for_every_rater() -> None:
    with pytest.raises(ValueError, match="every rater"):
        fleiss([["x", "y"], ["x"]])


def test_spearman_on_a_published_example() -> None:
    assert spearman(IQ, HOURS) == pytest.approx(-29 / 165)


def test_kendall_counts_pairs_and_corrects_for_ties() -> None:
    assert kendall([1, 2, 3, 4], [1, 2, 4, 3]) == pytest.approx((5 - 1) / 6)
    left, right = [12, 2, 1, 12, 2], [1, 4, 7, 1, 0]
    assert kendall(left, right) == pytest.approx(-4 / (8 * 9) ** 0.5)
    assert kendall(left, right) == pytest.approx(stats.kendalltau(left, right).statistic)


@pytest.mark.parametrize("measure", [spearman, kendall])
def test_a_constant_or_a_single_item_has_no_correlation(measure: object) -> None:
    assert callable(measure)
    assert measure([1, 1, 1], [1, 2, 3]) is None
    assert measure([1], [2]) is None
    assert measure([], []) is None
    assert measure([1, None, 2], [2, 5, None]) is None
    assert measure([1, None, 2], [2, 5, 4]) == pytest.approx(1.0)
