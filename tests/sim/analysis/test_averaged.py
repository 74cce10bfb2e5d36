"""Scores without numpy are the panel's."""

from typing import Any

import pytest

from sim.analysis.averaged import averaged
from sim.analysis.cuts import cut
from sim.analysis.table import table
from tests.sim.analysis.made import Met, record, single, study


def agree(records: list[dict[str, Any]]) -> None:
    held = table(records)
    for row in cut(held, "mode"):
        found = averaged(r for r in records if r["system"]["id"] == row.system)
        assert found.overall == pytest.approx(row.score)
        assert found.bounds == pytest.approx(row.bounds)
        assert (found.judged, found.criteria) == (row.judged, row.criteria)
    layers = {(row.system, row.level): row.score for row in cut(held, "layer")}
    for (system, layer), score in layers.items():
        found = averaged(r for r in records if r["system"]["id"] == system)
        assert getattr(found, str(layer)) == pytest.approx(score)


@pytest.mark.parametrize("mode", ["scripted", "single-turn"])
def test_they_agree_with_the_cuts(mode: str) -> None:
    agree(study(mode=mode))


@pytest.mark.parametrize("mode", ["scripted", "single-turn"])
def test_they_agree_with_uneven_trials_and_holes(mode: str) -> None:
    key = 0 if mode == "single-turn" else None
    verdicts: list[list[Met]] = [
        ["not_said", "not_said", "not_said"],
        [True, "not_claimed", "not_said"],
        ["not_claimed", None, False],
        [True, False, None],
        [False, None, None],
        [None, None, None],
        [True, True, True],
    ]
    agree(
        [
            record("a", f"s{n % 3}", [row], mode=mode, key_turn=key, trial=n // 3)
            for n, row in enumerate(verdicts)
        ]
        + [record("a", "s3", [[True, False]], mode=mode, key_turn=key)]
    )


def test_a_scenario_tried_more_often_weighs_no_more() -> None:
    often = [record("a", "s0", [[True, True]], trial=n) for n in range(9)]
    assert averaged([*often, record("a", "s1", [[False, False]])]).overall == 0.5


def test_single_turns_are_means_of_scenarios() -> None:
    assert averaged([single("a", "s0", [True] * 9), single("a", "s1", [False])]).overall == 0.5


def test_nothing_is_undefined() -> None:
    found = averaged([])
    assert (found.overall, found.bounds, found.criteria) == (None, None, 0)
