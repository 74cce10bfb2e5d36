"""Scores by cut: rules of the modes, trials first, denominators, bounds."""

import pytest

from sim.analysis.cuts import Cut, cut, macro
from sim.analysis.scores import pooled
from sim.analysis.table import table
from tests.sim.analysis.made import record, single, study, turn

T, F = True, False


def scores(records: list[dict[str, object]], by: Cut) -> dict[object, float | None]:
    return {row.level: row.score for row in cut(table(records), by)}


def test_multi_turn_pools_criteria_and_single_turn_averages_scenarios() -> None:
    verdicts = [[T, T, T, F], [F]]
    conversations = [record("a", f"s{n}", [row]) for n, row in enumerate(verdicts)]
    singles = [single("a", f"s{n}", row) for n, row in enumerate(verdicts)]
    assert scores(conversations, "mode") == {"scripted": 3 / 5}
    assert scores(singles, "mode") == {"single-turn": (3 / 4 + 0) / 2}


def test_multi_turn_equals_the_pooled_score_of_the_records() -> None:
    records = study()
    for row in cut(table(records), "mode"):
        expected = pooled(r for r in records if r["system"]["id"] == row.system)
        assert row.score == expected.overall
        assert row.bounds == pytest.approx(expected.bounds)
        assert (row.judged, row.criteria) == (expected.judged, expected.criteria)


def test_layers_equal_the_pooled_layers_of_the_records() -> None:
    records = study(["a"])
    expected = pooled(records)
    assert scores(records, "layer") == {"L1": expected.L1, "L2": expected.L2, "L3": expected.L3}


def test_trials_are_averaged_before_scenarios() -> None:
    tried = [single("a", "s0", [T, T], trial=n) for n in range(9)] + [single("a", "s1", [F, F])]
    assert scores(tried, "mode") == {"single-turn": 0.5}
    held = [record("a", "s0", [[T, T]], trial=n) for n in range(9)] + [record("a", "s1", [[F, F]])]
    assert scores(held, "mode") == {"scripted": 0.5}


def test_a_trial_nobody_judged_does_not_dilute_the_others() -> None:
    (row,) = cut(table([single("a", "s", [T, F]), single("a", "s", [None, None], trial=1)]), "mode")
    assert row.score == 0.5
    assert row.bounds == (0.25, 0.75)
    assert (row.judged, row.criteria, row.units) == (2, 4, 1)


def test_bounds_take_the_unjudged_as_none_and_as_all_met() -> None:
    (row,) = cut(table([record("a", "s", [[T, F, None]])]), "mode")
    assert row.score == 0.5
    assert row.bounds == (1 / 3, 2 / 3)


@pytest.mark.parametrize("mode", ["scripted", "single-turn"])
def test_a_score_lies_within_its_bounds(mode: str) -> None:
    for by in ("direction", "layer", "position"):
        for row in cut(table(study(mode=mode)), by):
            assert row.score is not None
            assert row.bounds[0] <= row.score + 1e-12
            assert row.score <= row.bounds[1] + 1e-12


def test_more_than_a_twentieth_unjudged_is_not_ranked() -> None:
    (good,) = cut(table([record("a", "s", [[T] * 19 + [None]])]), "mode")
    (poor,) = cut(table([record("a", "s", [[T] * 18 + [None]])]), "mode")
    assert good.ranked
    assert not poor.ranked


def test_unjudged_is_none_with_the_widest_bounds() -> None:
    (row,) = cut(table([record("a", "s", [[None, None]])]), "mode")
    assert (row.score, row.bounds, row.ranked) == (None, (0.0, 1.0), False)


def test_languages_and_positions_are_those_of_the_turn() -> None:
    records = [
        record("a", "s0", [[T], [F], [T]], pair=("kor", "ind")),
        record("a", "s1", [[F]], pair=("ind", "kor")),
    ]
    assert scores(records, "direction") == {"ind-kor": 0.0, "kor-ind": 1.0}
    assert scores(records, "source") == {"ind": 0.0, "kor": 1.0}
    assert scores(records, "target") == {"ind": 1.0, "kor": 0.0}
    assert scores(records, "pair") == {"ind-kor": 0.5}
    assert scores(records, "position") == {0: 0.5, 1: 0.0, 2: 1.0}


def test_positions_are_in_order_of_the_conversation() -> None:
    rows = cut(table([record("a", "s", [[T]] * 12)]), "position")
    assert [row.level for row in rows] == list(range(12))


def test_modes_and_systems_are_never_mixed() -> None:
    records = [record("b", "s", [[T]]), record("a", "s", [[F]]), single("b", "s", [F])]
    rows = cut(table(records), "mode")
    assert [(row.mode, row.system, row.score) for row in rows] == [
        ("scripted", "b", 1.0),
        ("scripted", "a", 0.0),
        ("single-turn", "b", 0.0),
    ]


def test_functions_are_macro_averaged_over_systems() -> None:
    asked = ["ind/L1/number", None]
    records = [record("a", f"s{n}", [turn(0, [T, F], functions=asked)]) for n in range(3)]
    records += [
        record("b", "s0", [turn(0, [F, T], functions=asked)]),
        record("c", "s0", [turn(0, [None, T], functions=asked)]),
    ]
    rows = cut(table(records), "function")
    assert {row.level for row in rows} == {"ind/L1/number"}
    (average,) = macro(rows)
    assert (average.level, average.score, average.systems) == ("ind/L1/number", 0.5, 2)


def test_a_level_without_any_score_has_no_average() -> None:
    (row,) = macro(cut(table([record("a", "s", [[None]])]), "mode"))
    assert (row.score, row.systems) == (None, 0)


def test_a_cut_can_be_taken_within_another() -> None:
    held = table([record("a", "s", [[T, F, T], [F, F, T]])])
    found = {row.level: row.score for row in cut(held.only("layer", "L1"), "target")}
    assert found == {"ind": 1.0, "kor": 0.0}
