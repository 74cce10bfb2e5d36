"""Along a conversation: first turn against last, the whole against its turns."""

from typing import Any

import pytest

from sim.analysis.positions import decline, positions, wholes
from sim.analysis.table import table, whole_table
from tests.sim.analysis.made import record

DOWN = [record("a", f"s{n}", [[True, True], [True, n % 2 > 0], [n % 4 == 0, False]]) for n in range(20)]


def whole(one: dict[str, Any], *met: bool | None) -> dict[str, Any]:
    names = [f"c{n}" for n in range(len(met))]
    return {
        **one,
        "criteria": [
            {"id": name, "layer": "L2", "ask": name, "function": None, "procedure": "conversation"}
            for name in names
        ],
        "verdicts": [
            {"criterion": name, "layer": "L2", "met": m, "basis": "judged"}
            for name, m in zip(names, met, strict=True)
        ],
    }


def test_each_turn_has_its_score_and_interval() -> None:
    found = positions(table(DOWN), replicates=200)
    assert [(row.position, row.estimate.score, row.units) for row in found] == [
        (0, 1.0, 20), (1, pytest.approx(0.75), 20), (2, pytest.approx(0.125), 20),
    ]  # fmt: skip
    assert all(row.estimate.interval is not None for row in found)


def test_decline_is_the_last_turn_minus_the_first_over_conversations_that_have_both() -> None:
    short = record("a", "short", [[False, False]])
    (found,) = decline(table([*DOWN, short]), replicates=200)
    assert found.effect.value == pytest.approx(0.125 - 1.0)
    assert (found.first.variant, found.second.variant, found.effect.units) == ("2", "0", 20)
    assert decline(table([short])) == ()


def test_the_whole_is_compared_with_the_turns_of_the_same_conversations() -> None:
    records = [whole(one, True, n % 2 > 0) for n, one in enumerate(DOWN)]
    (found,) = wholes(table(records), records, replicates=200)
    turns = (20 * 2 + 30 + 5) / 120
    assert found.estimate.score == pytest.approx(0.75)
    assert found.change.effect.value == pytest.approx(0.75 - turns)
    assert len(whole_table(records)) == 40


def test_without_conversation_criteria_there_is_no_row() -> None:
    assert list(wholes(table(DOWN), DOWN)) == []
    unjudged = [whole(one, None) for one in DOWN]
    (found,) = wholes(table(unjudged), unjudged, replicates=50)
    assert (found.estimate.score, found.change.effect.value) == (None, None)
