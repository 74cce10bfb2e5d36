"""Surface checks are named so wherever they stand, and bear no mark for a meaning that arrived."""

from typing import Literal

import pytest

from sim.core import events as ev
from sim.core.values import Basis, Criterion, MeaningCheck, Verdict
from tests.ui.fake import scenario
from ui import words
from ui.details import details_lines
from ui.render import Line, Page, checklist_lines, turn_lines
from ui.state import ConversationState
from ui.turn import TurnState

PAGE = Page(100)
ASKED = Criterion(id="live.t0.number", layer="L1", ask="Does the translation keep 3?")


def turn(*, met: bool | None = True, provisional: bool = True) -> TurnState:
    said = Verdict(
        criterion=ASKED.id, layer="L1", met=met, basis=Basis.JUDGED, judge="rules", provisional=provisional
    )
    found = TurnState(0, "A", "kor", "ind", source="셋", translation="Tiga", delivered="Tiga")
    found.criteria, found.verdicts, found.provisional = (ASKED,), {ASKED.id: said}, provisional
    return found


def kinds(lines: list[Line]) -> set[str]:
    return {span.kind for line in lines for span in line.spans}


def text(lines: list[Line]) -> str:
    return "\n".join("".join(span.text for span in line.spans) for line in lines)


def test_what_a_surface_check_finds_right_is_neither_ticked_nor_green() -> None:
    for lines in (turn_lines(turn(), PAGE), checklist_lines(turn(), PAGE)):
        assert "met" not in kinds(lines)
        assert "✓" not in text(lines)
        assert "surface check" in text(lines).lower()
    written = [turn_lines(turn(provisional=False), PAGE), checklist_lines(turn(provisional=False), PAGE)]
    assert all("met" in kinds(lines) and "surface" not in text(lines).lower() for lines in written)


def test_what_it_finds_wrong_is_marked_as_ever() -> None:
    for lines in (turn_lines(turn(met=False), PAGE), checklist_lines(turn(met=False), PAGE)):
        assert "not-met" in kinds(lines)


def test_an_empty_layer_stays_empty() -> None:
    shown = text(turn_lines(turn(), PAGE)) + text(checklist_lines(turn(), PAGE))
    assert "L2" not in shown
    assert "L3" not in shown


@pytest.mark.parametrize("result", ["doubtful", "else"])
def test_a_doubt_about_the_meaning_is_shown(result: Literal["doubtful", "else"]) -> None:
    doubted = turn()
    doubted.meaning = MeaningCheck(result=result, cosine=0.21)
    for lines in (turn_lines(doubted, PAGE), checklist_lines(doubted, PAGE)):
        assert f"meaning: {words.meaning(doubted.meaning)}" in text(lines)
    carried = turn()
    carried.meaning = MeaningCheck(result="carried", cosine=0.7)
    assert "meaning:" not in text(turn_lines(carried, PAGE))


def test_details_have_what_the_gate_said_whatever_it_said() -> None:
    seen = ConversationState(scenario(("kor", "ind")))
    asked = seen.turn(0)
    asked.meaning = MeaningCheck(result="carried", cosine=0.7, nearest_earlier=0.1)
    assert "carried (cosine 0.70), nearest other turn 0.10" in text(details_lines(seen, asked, PAGE))


def test_a_turn_learns_from_its_events_what_it_is_judged_by() -> None:
    seen = ConversationState(scenario(("kor", "ind")))
    for event in (
        ev.MeaningChecked(turn=0, check=MeaningCheck(result="doubtful", cosine=0.22)),
        ev.ChecklistReady(turn=0, procedure="live", criteria=(ASKED,), provisional=True),
    ):
        seen.take(event)
    assert seen.turn(0).provisional
    assert seen.turn(0).meaning is not None
