"""Variants of the score: strict, by difficulty, without refusals."""

import pytest

from sim.analysis.sensitivity import difficulty, sensitivity
from sim.analysis.table import table
from tests.sim.analysis.made import record, single, turn

T, F = True, False


def test_hard_criteria_weigh_more() -> None:
    records = [record("a", "s", [[T, F]]), record("b", "s", [[T, T]]), record("c", "s", [[F, F]])]
    held = table(records)
    assert list(difficulty(held)) == pytest.approx([1 / 3, 2 / 3] * 3)
    assert [row.by_difficulty for row in sensitivity(held)] == pytest.approx([1 / 3, 1.0, 0.0])


def test_a_criterion_everybody_meets_weighs_nothing() -> None:
    held = table([record("a", "s", [[T]]), record("b", "s", [[T]])])
    assert [(row.score, row.by_difficulty) for row in sensitivity(held)] == [(1.0, None), (1.0, None)]


def test_a_criterion_only_one_system_has_says_nothing_of_its_difficulty() -> None:
    held = table([record("a", "s", [[F]]), record("b", "other", [[T]])])
    assert list(difficulty(held)) == [0, 0]
    assert [row.by_difficulty for row in sensitivity(held)] == [None, None]


def test_the_unjudged_weigh_nothing() -> None:
    records = [record("a", "s", [[T, None]]), record("b", "s", [[F, F]]), record("c", "s", [[F, T]])]
    held = table(records)
    assert list(difficulty(held)) == pytest.approx([2 / 3, 1 / 2] * 3)
    assert [row.by_difficulty for row in sensitivity(held)] == pytest.approx([1.0, 0.0, 0.5 / (2 / 3 + 0.5)])


def test_the_weight_is_of_the_mode() -> None:
    records = [record("a", "s", [[T]]), record("b", "s", [[F]]), single("a", "s", [F]), single("b", "s", [F])]
    assert list(difficulty(table(records))) == [0.5, 0.5, 1.0, 1.0]


def test_strict_and_what_its_recipient_refused() -> None:
    refused = {"layer": "user", "kind": "refused"}
    records = [
        record("a", "s", [turn(0, [T, T], check="wrong"), turn(1, [F, F], response_fault=refused)]),
        record("b", "s", [turn(0, [F, F], response_fault={"layer": "user", "kind": "broke_character"})]),
    ]
    a, b = sensitivity(table(records))
    assert (a.score, a.strict, a.without_refusals, a.refused) == (0.5, 0.0, 1.0, 0.5)
    assert (b.score, b.strict, b.without_refusals, b.refused) == (0.0, 0.0, None, 1.0)


def test_what_the_system_itself_refused_stays_in() -> None:
    blocked = turn(0, [F, F], fault={"layer": "system", "kind": "blocked"})
    (row,) = sensitivity(table([record("a", "s", [blocked, turn(1, [T, T], flags=["refusal_words"])])]))
    assert (row.score, row.without_refusals, row.refused) == (0.5, 0.5, 0.0)


def test_rows_are_by_mode_and_system() -> None:
    rows = sensitivity(table([record("a", "s", [[T]]), single("a", "s", [F])]))
    assert [(row.mode, row.system, row.score) for row in rows] == [
        ("scripted", "a", 1.0),
        ("single-turn", "a", 0.0),
    ]
    assert sensitivity(table([])) == []
