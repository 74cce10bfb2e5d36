"""Metrics against scores: correlation by system and pooled, quartiles."""

import numpy as np
import pytest
from scipy import stats

from sim.analysis.metrics import Point, relations, resampled_spearman
from tests.sim.analysis.naive import ends, indices


def points(number: int = 40, systems: str = "ab", seed: int = 0) -> list[Point]:
    random = np.random.default_rng(seed)
    return [
        Point(system, f"u{n}", float(round(random.random(), 1)), float(random.random()))
        for system in systems
        for n in range(number)
    ]


def test_ranking_by_counts_equals_ranking_anew() -> None:
    random = np.random.default_rng(0)
    first, second = random.integers(0, 5, 30).astype(float), random.random(30).round(1)
    fast = resampled_spearman(first, second, np.arange(30), 100, 2)
    slow = [stats.spearmanr(first[chosen], second[chosen]).statistic for chosen in indices([30], 100, 2)]
    np.testing.assert_allclose(fast, slow, atol=1e-12)


def test_pooled_resampling_takes_a_unit_with_all_its_systems() -> None:
    held = points(15, "abc")
    score, metric = np.array([p.score for p in held]), np.array([p.metric for p in held])
    units = np.array([int(p.unit[1:]) for p in held])
    fast = resampled_spearman(score, metric, units, 60, 1)
    for replicate, chosen in zip(fast, indices([15], 60, 1), strict=True):
        rows = np.concatenate([np.flatnonzero(units == unit) for unit in chosen])
        assert replicate == pytest.approx(stats.spearmanr(score[rows], metric[rows]).statistic)


def test_rows_are_by_system_and_then_pooled() -> None:
    a, b, both = relations(points(), replicates=100)
    assert [(row.system, row.points) for row in (a, b, both)] == [("a", 40), ("b", 40), (None, 80)]
    for row in (a, b):
        held = [(p.score, p.metric) for p in points() if p.system == row.system]
        assert row.spearman == pytest.approx(stats.spearmanr(held).statistic)
    for row in (a, b, both):
        low, high = ends(row.interval)
        assert row.spearman is not None
        assert low < row.spearman < high


def test_a_metric_of_which_less_is_better_is_turned_round() -> None:
    held = [Point("a", f"u{n}", n / 9, -float(n)) for n in range(10)]
    assert relations(held, replicates=10)[0].spearman == pytest.approx(-1)
    turned = relations(held, lower_is_better=True, replicates=10)[0]
    assert turned.spearman == pytest.approx(1)
    assert (turned.top_low, turned.bottom_high) == (0.0, 0.0)


def test_quartiles_that_part_ways() -> None:
    scores = [1.0, 0.9, 0.2, 0.3, 0.4, 0.5, 0.6, 0.61]
    row, _ = relations([Point("a", f"u{n}", s, float(n)) for n, s in enumerate(scores)], replicates=10)
    assert row.top_low == 1 / 2
    assert row.bottom_high == 1.0


@pytest.mark.parametrize(
    "held", [[], [Point("a", "u", 0.5, 0.5)], [Point("a", f"u{n}", 1.0, n) for n in range(5)]]
)
def test_too_little_to_correlate_is_undefined(held: list[Point]) -> None:
    for row in relations(held, replicates=10):
        assert (row.spearman, row.interval) == (None, None)


def test_a_constant_metric_has_no_quartiles() -> None:
    row, _ = relations([Point("a", f"u{n}", n / 5, 1.0) for n in range(5)], replicates=10)
    assert (row.top_low, row.bottom_high) == (None, None)


def test_values_almost_infinitely_far_apart_have_quartiles() -> None:
    values = (-1.7e308, -1.0, 1.0, 1.7e308)
    held = [Point("s", str(at), at / 3, value) for at, value in enumerate(values)]
    (alone, _) = relations(held, replicates=10)
    assert (alone.top_low, alone.bottom_high) == (0.0, 0.0)
    assert alone.spearman == pytest.approx(1.0)
