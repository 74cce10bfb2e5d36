"""The values of metrics find their scores, by turn and by conversation."""

import numpy as np
import pytest
from scipy import stats

from sim.analysis.outputs import Metric, Output, related, scores
from sim.analysis.table import table
from tests.sim.analysis.made import record, single, study
from tests.sim.analysis.naive import ends, indices


def test_every_turn_and_every_conversation_has_a_score_trials_averaged() -> None:
    records = [
        record("a", "s", [[True, False], [True]]),
        record("a", "s", [[False, False], [True]], trial=1),
        single("b", "t", [True, None]),
        single("b", "u", [None]),
    ]
    assert scores(table(records)) == {
        Output("a", "scripted", "s", 0): 0.25,
        Output("a", "scripted", "s", 1): 1.0,
        Output("a", "scripted", "s"): 0.5,
        Output("b", "single-turn", "t", 0): 1.0,
        Output("b", "single-turn", "t"): 1.0,
    }


def test_a_metric_is_related_within_systems_and_pooled() -> None:
    held = table(study(["a", "b"]))
    known = {at: score for at, score in scores(held).items() if at.turn is None}
    random = np.random.default_rng(3)
    values = {at: score + float(random.normal(0, 0.2)) for at, score in known.items()}
    (found,) = related(held, [Metric("chrF", False, values)], replicates=100)
    assert [row.system for row in found.rows] == ["a", "b", None]
    for row in found.rows:
        mine = [at for at in values if row.system in (at.system, None)]
        expected = stats.spearmanr([known[at] for at in mine], [values[at] for at in mine]).statistic
        assert row.spearman == pytest.approx(expected)
        assert row.points == len(mine)


def test_less_is_better_turns_a_metric_round() -> None:
    held = table(study(["a"]))
    values = {at: -score for at, score in scores(held).items() if at.turn is None}
    (plain,) = related(held, [Metric("x", False, values)], replicates=10)
    (turned,) = related(held, [Metric("TER", True, values)], replicates=10)
    assert plain.rows[0].spearman == pytest.approx(-1)
    assert turned.rows[0].spearman == pytest.approx(1)


def test_turns_of_a_conversation_are_drawn_together() -> None:
    held = table(study(["a"], [("kor", "ind")], scenarios=8))
    known = {at: score for at, score in scores(held).items() if at.turn is not None}
    random = np.random.default_rng(1)
    values = {at: float(random.random()) for at in known}
    (found,) = related(held, [Metric("m", False, values)], replicates=60, seed=4)
    names = list(dict.fromkeys(at.scenario for at in values))
    drawn = []
    for chosen in indices([len(names)], 60, 4):
        held_in = [at for one in chosen for at in values if at.scenario == names[one]]
        drawn.append(stats.spearmanr([known[at] for at in held_in], [values[at] for at in held_in]).statistic)
    assert ends(found.rows[0].interval) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))


def test_values_of_nothing_scored_are_left_out() -> None:
    held = table(study(["a"]))
    assert related(held, [Metric("m", False, {Output("a", "scripted", "nowhere"): 1.0})]) == []
    assert related(table([]), [Metric("m", False, {Output("a", "scripted", "s"): 1.0})]) == []
