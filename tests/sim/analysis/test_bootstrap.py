"""Intervals, p values and Holm, against a loop, scipy and published figures."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.analysis.bootstrap import (
    Interval,
    compared,
    comparison,
    holm,
    interval,
    p_value,
    resampled,
    unpaired,
)
from sim.analysis.panel import MEASURES, Label, panel
from sim.analysis.table import Floats, table
from tests.sim.analysis import naive
from tests.sim.analysis.made import record, scored, single, study
from tests.sim.analysis.naive import ends


@pytest.mark.parametrize("mode", ["scripted", "single-turn"])
def test_replicates_equal_a_loop_on_the_same_indices(mode: str) -> None:
    held = panel(table(study(mode=mode)), MEASURES)
    np.testing.assert_allclose(
        resampled(held, 200, 4).drawn, naive.scores(held, 200, 4), rtol=1e-12, atol=1e-15
    )


def test_intervals_and_p_values_equal_a_loop_on_the_same_indices() -> None:
    held = panel(table(study(["a", "b", "c", "d"])))
    drawn = naive.scores(held, 400, 4)
    found = comparison(held, replicates=400, seed=4)
    for at, estimate in enumerate(found.systems):
        assert ends(estimate.interval) == pytest.approx(tuple(np.percentile(drawn[:, at], [2.5, 97.5])))
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    expected = [naive.p_value(drawn[:, i] - drawn[:, j]) for i, j in pairs]
    assert [pair.effect.p for pair in found.pairs] == expected
    assert [pair.p_holm for pair in found.pairs] == holm(expected)


def close(ours: Interval | None, theirs: tuple[float, float], spread: float, replicates: int) -> bool:
    """Within four standard errors of a difference of two simulated 2.5 % quantiles of a normal."""
    error = 4 * np.sqrt(2 * 0.025 * 0.975 / replicates) / stats.norm.pdf(1.96) * spread
    return bool(np.abs(np.subtract(ends(ours), theirs)).max() < error)


def test_intervals_agree_with_scipy_paired() -> None:
    random = np.random.default_rng(3)
    values = random.random((60, 2)) * [0.9, 1.0]

    def difference(x: Floats, y: Floats, axis: int = -1) -> Any:
        return np.mean(x, axis=axis) - np.mean(y, axis=axis)

    theirs = stats.bootstrap(
        (values[:, 0], values[:, 1]),
        difference,
        paired=True,
        vectorized=True,
        n_resamples=10_000,
        method="percentile",
        rng=np.random.default_rng(0),
    )
    (ours,) = comparison(scored(values), replicates=10_000).pairs
    assert close(ours.effect.interval, theirs.confidence_interval, theirs.standard_error, 10_000)


def test_ratio_intervals_agree_with_scipy_paired() -> None:
    random = np.random.default_rng(4)
    judged = random.integers(3, 12, 50).astype(float)
    met = np.floor(judged * random.random(50))

    def ratio(m: Floats, n: Floats, axis: int = -1) -> Any:
        return np.sum(m, axis=axis) / np.sum(n, axis=axis)

    theirs = stats.bootstrap(
        (met, judged),
        ratio,
        paired=True,
        vectorized=True,
        n_resamples=10_000,
        method="percentile",
        rng=np.random.default_rng(0),
    )
    (ours,) = comparison(scored((met / judged)[:, None], weights=judged[:, None]), replicates=10_000).systems
    assert close(ours.interval, theirs.confidence_interval, theirs.standard_error, 10_000)


def test_the_mouse_data_unpaired() -> None:
    """Efron and Tibshirani (1993), table 2.1: means 86.86 and 56.22.

    The ideal bootstrap's standard errors are 23.36 and 13.33, that is the table's 25.24 and 14.14
    times sqrt((n - 1) / n).
    """
    treated = resampled(scored(np.array([[94.0, 197, 16, 38, 99, 141, 23]]).T), 20_000, (0, 0))
    control = resampled(scored(np.array([[52.0, 104, 146, 10, 51, 30, 40, 27, 46]]).T), 20_000, (0, 1))
    assert treated.drawn.std() == pytest.approx(25.24 * np.sqrt(6 / 7), rel=0.02)
    assert control.drawn.std() == pytest.approx(14.14 * np.sqrt(8 / 9), rel=0.02)
    found = unpaired(treated, Label("s0"), control, Label("s0")).effect
    assert found.value == pytest.approx(30.63, abs=0.01)
    assert found.units == 16
    drawn = treated.drawn[:, 0] - control.drawn[:, 0]
    assert drawn.std() == pytest.approx(np.hypot(23.36, 13.33), rel=0.02)
    assert found.p == p_value(drawn)


def test_stratifying_removes_what_lies_between_strata() -> None:
    values = np.array([[0.0]] * 20 + [[1.0]] * 20)
    strata = ["x"] * 20 + ["y"] * 20
    (whole,) = comparison(scored(values, strata), replicates=500).systems
    (loose,) = comparison(scored(values), replicates=500).systems
    assert whole.interval == Interval(0.5, 0.5)
    assert ends(loose.interval)[0] < 0.4


def test_pairing_removes_what_systems_share() -> None:
    shared = np.random.default_rng(0).random(40)
    values = np.column_stack([shared, shared - 0.01])
    (pair,) = comparison(scored(values), replicates=500).pairs
    assert pair.effect.p == 1 / 501
    assert ends(pair.effect.interval) == pytest.approx((0.01, 0.01))


def test_the_p_value_is_the_formula_of_the_specification() -> None:
    assert p_value(np.array([0.1, 0.2, -0.1, 0.0])) == (1 + 2 * 2) / 5
    assert p_value(np.array([0.1] * 99)) == 1 / 100
    assert p_value(np.array([0.0, 0.0])) == 1.0
    assert p_value(np.array([])) is None


def test_undefined_replicates_are_left_out() -> None:
    assert p_value(np.array([np.nan, 1.0])) == 1 / 2
    assert interval(np.array([np.nan, 1.0])) == Interval(1.0, 1.0)
    assert interval(np.array([np.nan])) is None


def test_the_interval_is_numpys_percentile() -> None:
    drawn = np.random.default_rng(0).random(999)
    assert ends(interval(drawn, 0.9)) == pytest.approx(tuple(np.percentile(drawn, [5, 95])))


def test_holm_on_a_published_example() -> None:
    """The four-hypothesis example of textbooks; R's p.adjust gives the same."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_leaves_the_undefined_out_of_the_family() -> None:
    assert holm([0.02, None, 0.03]) == [0.04, None, 0.04]
    assert holm([None]) == [None]
    assert holm([]) == []
    assert holm([0.6, 0.7]) == [1.0, 1.0]


def test_identical_systems_do_not_differ() -> None:
    values = np.random.default_rng(0).random((50, 9))
    held = scored(np.hstack([values, values[:, :2]]))
    pairs = comparison(held, replicates=300).pairs
    same = next(p for p in pairs if (p.first.system, p.second.system) == ("s0", "s9"))
    assert (same.effect.value, same.effect.p, same.p_holm) == (0.0, 1.0, 1.0)
    assert same.effect.interval == Interval(0.0, 0.0)


def test_a_single_conversation_has_a_score_and_no_interval() -> None:
    found = compared(table([record("a", "s", [[True]]), record("b", "s", [[False]])]), replicates=50)
    assert [(e.score, e.interval) for e in found.systems if e.label.measure == "overall"] == [
        (1.0, None),
        (0.0, None),
    ]
    assert (found.pairs[0].effect.value, found.pairs[0].effect.p, found.pairs[0].p_holm) == (1.0, None, None)


def test_one_scenario_a_direction_tells_nothing_of_the_variation() -> None:
    records = [
        record("a", str(n), [[True, False]], pair=("kor", other)) for n, other in enumerate(["ind", "arb"])
    ]
    assert compared(table(records), replicates=50).systems[0].interval is None


def test_a_system_with_failures_only_scores_zero() -> None:
    records = study(["a"]) + [
        record("z", r["scenario"], [[False] * 3] * 3, pair=tuple(r["pair"])) for r in study(["a"])
    ]
    found = compared(table(records), replicates=100)
    zero = next(e for e in found.systems if e.label == Label("z"))
    assert (zero.score, zero.interval) == (0.0, Interval(0.0, 0.0))
    assert found.pairs[0].effect.p == 1 / 101


def test_a_layer_nobody_has_is_undefined() -> None:
    records = [single("a", f"s{n}", [True]) for n in range(3)]
    found = compared(table(records), replicates=50)
    by_measure = {e.label.measure: e for e in found.systems}
    assert by_measure["L1"].score == 1.0
    assert (by_measure["L2"].score, by_measure["L2"].interval) == (None, None)


def test_a_scenario_that_a_system_misses_weighs_nothing_there() -> None:
    records = [single("a", f"s{n}", [n < 2]) for n in range(4)] + [
        single("b", f"s{n}", [n < 2]) for n in range(2)
    ]
    found = compared(table(records), replicates=200)
    assert [e.score for e in found.systems if e.label.measure == "overall"] == [0.5, 1.0]
    assert found.units == 4


def test_a_system_added_moves_no_other_interval() -> None:
    two, three = compared(table(study(["a", "b"])), replicates=200), compared(table(study()), replicates=200)
    held = {e.label: e.interval for e in three.systems}
    assert {e.label: e.interval for e in two.systems}.items() <= held.items()


def test_the_order_of_records_does_not_matter() -> None:
    records = study(["a", "b"])
    forward = compared(table(records), replicates=200)
    backward = compared(table(records[::-1]), replicates=200)
    assert {e.label: e.interval for e in forward.systems} == {e.label: e.interval for e in backward.systems}


def test_several_modes_are_not_one_panel() -> None:
    with pytest.raises(ValueError, match="one mode, not scripted, single-turn"):
        compared(table([record("a", "s", [[True]]), single("a", "s", [True])]))
