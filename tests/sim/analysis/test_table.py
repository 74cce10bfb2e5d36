"""The verdict rows as columns: what enters, and what a turn says of them."""

import pytest

from sim.analysis.table import NONE, Unit, refused, table
from sim.core.errors import FaultKind
from sim.core.values import Mode
from tests.sim.analysis.made import record, single, turn
from tests.sim.core.people import BLOCKED, FakeDetector, FakeInterpreter, FakeUser, Stage, fault


async def test_a_held_conversation_gives_a_row_a_turn_criterion() -> None:
    record = await Stage().held()
    held = table([record])
    assert len(held) == 9
    assert held.present("direction") == ("kor-ind", "ind-kor")
    assert held.present("pair") == ("ind-kor",)
    assert held.present("stratum") == ("kor-ind",)
    assert held.present("position") == (0, 1, 2)
    assert held.present("layer") == ("L1", "L2", "L3")
    assert held.present("procedure") == ("turn",)
    assert held.present("unit") == (Unit("small", None),)
    assert len(held.present("criterion")) == 9


async def test_conversation_level_verdicts_do_not_enter() -> None:
    record = await Stage().held()
    assert record["verdicts"]
    assert len(table([{**record, "turns": []}])) == 0


async def test_a_conversation_aborted_by_a_user_does_not_enter() -> None:
    record = await Stage(a=FakeUser({2: fault(FaultKind.EMPTY)}), mode=Mode.DYNAMIC_GUIDED).held()
    assert record["end_reason"] == "user_fault"
    assert len(table([record])) == 0


async def test_a_failed_turn_enters_as_not_met() -> None:
    record = await Stage(interpreter=FakeInterpreter({1: [BLOCKED]})).held()
    held = table([record])
    second = held.only("position", 1)
    assert list(second.met) == [0, 0, 0]
    assert not held.refused.any()


async def test_strict_zeroes_the_turns_in_a_wrong_language() -> None:
    stage = Stage(detector=FakeDetector({"<said 1>"}))
    held = table([await stage.held()])
    assert list(held.strict().met) == [1, 1, 1, 0, 0, 0, 1, 1, 1]
    assert held.met.all()


def test_a_wrong_translation_nobody_judged_is_zero_when_strict() -> None:
    held = table([record("a", "s", [turn(0, [None, True], check="wrong")])])
    assert list(held.met) == [NONE, 1]
    assert list(held.strict().met) == [0, 0]


def test_provisional_verdicts_do_not_enter() -> None:
    live = turn(0, [True, True])
    live["verdicts"][0]["provisional"] = True
    assert len(table([record("a", "s", [live])])) == 1


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (turn(0, []), False),
        (turn(0, [], flags=["refusal_words"]), False),
        (turn(0, [], fault={"layer": "system", "kind": "blocked"}), False),
        (turn(0, [], response_fault={"layer": "user", "kind": "refused"}), True),
        (turn(0, [], response_fault={"layer": "user", "kind": "broke_character"}), True),
        (turn(0, [], response_fault={"layer": "user", "kind": "never_ended"}), False),
    ],
)
def test_a_refusal_is_the_recipients(row: dict[str, object], expected: bool) -> None:
    assert refused(row) is expected


def test_a_single_turn_unit_is_the_turn_and_a_conversation_the_scenario() -> None:
    held = table([single("a", "s", [True]), record("a", "s", [[True]])])
    assert held.present("unit") == (Unit("s", 0), Unit("s", None))


def test_a_criterion_is_the_same_for_all_systems_and_differs_by_its_words() -> None:
    other = record("b", "s", [[True]])
    other["turns"][0]["criteria"][0]["ask"] = "Does something else hold?"
    assert len(table([record("a", "s", [[True]]), record("b", "s", [[False]])]).present("criterion")) == 1
    assert len(table([record("a", "s", [[True]]), other]).present("criterion")) == 2


def test_nothing_gives_an_empty_table() -> None:
    assert len(table([])) == 0
    assert table([]).present("system") == ()
