"""Scores: pooled, with denominators; missing is never zero."""

from collections.abc import Sequence
from typing import Any

import pytest

from sim.analysis.scores import Tally, pooled, ranked
from tests.sim.analysis.made import Met, said


def conversation(*turns: Sequence[Met], check: str = "ok", whole: tuple[Met, ...] = ()) -> dict[str, Any]:
    layers = ("L1", "L2", "L3")
    return {
        "turns": [
            {
                "translation": "x",
                "language_check": {"translation": {"result": check}},
                "verdicts": [{"layer": layers[n % 3], **said(met)} for n, met in enumerate(verdicts)],
            }
            for verdicts in turns
        ],
        "verdicts": [{"layer": "L2", **said(met)} for met in whole],
    }


def test_verdicts_are_pooled_over_turns_and_conversations() -> None:
    scores = pooled([conversation([True, False, True], [True]), conversation([False, None, True])])
    assert scores.overall == 4 / 6
    assert (scores.L1, scores.L2, scores.L3) == (2 / 3, 0.0, 1.0)
    assert (scores.judged, scores.criteria) == (6, 7)
    assert scores.bounds == (4 / 7, 5 / 7)


def test_conversation_verdicts_stand_apart() -> None:
    scores = pooled([conversation([True], whole=(False, None))])
    assert (scores.overall, scores.conversation) == (1.0, 0.0)
    assert (scores.conversation_judged, scores.conversation_criteria) == (1, 2)


@pytest.mark.parametrize("conversations", [[], [conversation()], [conversation([None, None])]])
def test_nothing_judged_is_null(conversations: list[dict[str, Any]]) -> None:
    scores = pooled(conversations)
    assert scores.overall is None
    assert scores.L3 is None


def test_an_empty_layer_is_null_and_not_one() -> None:
    assert pooled([conversation([True])]).L2 is None


def test_what_was_not_said_is_beside_the_score_and_not_among_the_unjudged() -> None:
    scores = pooled([conversation([True] * 3 + [False] + ["not_said"] * 6)])
    assert (scores.overall, scores.bounds) == (0.75, (0.75, 0.75))
    assert (scores.judged, scores.criteria, scores.not_said) == (4, 4, 6)
    assert ranked(scores)


def test_what_is_not_claimed_is_in_the_bounds_and_outside_the_twentieth() -> None:
    scores = pooled([conversation([True, False] + ["not_claimed"] * 8)])
    assert (scores.overall, scores.bounds) == (0.5, (0.1, 0.9))
    assert (scores.judged, scores.claimed, scores.criteria, scores.not_claimed) == (2, 2, 10, 8)
    assert ranked(scores)
    assert not ranked(pooled([conversation([True, None] + ["not_claimed"] * 8)]))
    assert not ranked(pooled([conversation(["not_claimed"])]))


def test_the_strict_gate_counts_nothing_that_is_apart() -> None:
    scores = pooled([conversation([True, None, "not_claimed", "not_said"], check="wrong")], strict="ours")
    assert (scores.overall, scores.judged, scores.criteria) == (0.0, 2, 3)


def test_strict_scoring_zeroes_wrong_and_only_counts_low() -> None:
    assert pooled([conversation([True], check="wrong")], strict="ours").overall == 0.0
    assert pooled([conversation([True], check="wrong")]).overall == 1.0
    assert pooled([conversation([True], check="low")], strict="ours").overall == 1.0


def test_more_than_a_twentieth_unjudged_is_not_ranked() -> None:
    assert ranked(pooled([conversation([True] * 19 + [None])]))
    assert not ranked(pooled([conversation([True] * 18 + [None])]))
    assert not ranked(pooled([]))


def test_tallies_add() -> None:
    total = Tally(1, 2, 3) + Tally(1, 0, 0)
    assert (total.met, total.judged, total.criteria) == (2, 4, 7)
