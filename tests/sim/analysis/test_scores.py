"""Scores: pooled, with denominators; missing is never zero."""

from typing import Any

import pytest

from sim.analysis.scores import Tally, pooled, ranked


def conversation(
    *turns: list[bool | None], check: str = "ok", whole: tuple[bool | None, ...] = ()
) -> dict[str, Any]:
    layers = ("L1", "L2", "L3")
    return {
        "turns": [
            {
                "translation": "x",
                "language_check": {"translation": {"result": check}},
                "verdicts": [
                    {"layer": layers[n % 3], "met": met, "basis": "judged"} for n, met in enumerate(verdicts)
                ],
            }
            for verdicts in turns
        ],
        "verdicts": [{"layer": "L2", "met": met, "basis": "judged"} for met in whole],
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


def test_strict_scoring_zeroes_wrong_and_only_counts_low() -> None:
    assert pooled([conversation([True], check="wrong")], strict=True).overall == 0.0
    assert pooled([conversation([True], check="wrong")]).overall == 1.0
    assert pooled([conversation([True], check="low")], strict=True).overall == 1.0


def test_more_than_a_twentieth_unjudged_is_not_ranked() -> None:
    assert ranked(pooled([conversation([True] * 19 + [None])]))
    assert not ranked(pooled([conversation([True] * 18 + [None])]))
    assert not ranked(pooled([]))


def test_tallies_add() -> None:
    total = Tally(1, 2, 3) + Tally(1, 0, 0)
    assert (total.met, total.judged, total.criteria) == (2, 4, 7)
