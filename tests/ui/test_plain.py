import io
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from sim.core import events as ev
from sim.core.errors import FaultKind, Layer, Problem, UsageProblem
from sim.core.events import parse_event
from sim.core.values import Basis, EndReason, Gloss
from tests.ui.fake import (
    LOW,
    OK,
    WRONG,
    FakeSession,
    criterion,
    judged,
    said,
    scenario,
    started,
    verdict,
)
from ui.plain import events_face, json_face, watch_plain
from ui.render import Page, turn_lines
from ui.turn import TurnState

HOSTILE = "ok\x1b]52;c;aGk=\x07\x1b[2J\u009b31m [/] [bold \u202eabc"


async def watched(script: list[ev.Event], **changes: Any) -> str:
    out = io.StringIO()
    await watch_plain(FakeSession(script, **changes), out)
    return out.getvalue()


@pytest.mark.parametrize("name", ["ui.plain", "ui.plain_chat"])
def test_the_plain_face_imports_no_screen_library(name: str) -> None:
    code = f"import sys, {name}; print([m for m in ('textual', 'rich', 'bidi', 'regex') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_a_turn_is_told_in_reading_order() -> None:
    house = scenario()
    one, two, three = criterion("L1"), criterion("L2"), criterion("L3", ask="Does it honour the elder?")
    script = [
        started(house),
        *said(house, 0, "안녕하세요", "Halo", criteria=(one, two, three), check=LOW, flags=("echo",)),
        *judged(0, [verdict(one, True), verdict(two, False, "Too blunt."), verdict(three, None, "No idea.")]),
    ]
    text = await watched(script, notices=("Recorded in /x.",), labels=("weak interpreter",))
    wanted = [
        "Scenario clinic-fasting",
        "A (doctor) speaks Korean",
        "Label: weak interpreter",
        "Notice: Recorded in /x.",
        "Mode scripted · interpreter local · judge rules",
        "Turn 0, A (doctor), Korean → Indonesian",
        "  said: 안녕하세요",
        "  translated: Halo",
        "  language of the translation: probably Indonesian, with low confidence, 41% Indonesian",
        "  delivered, flagged: repeats the source",
        "Turn 0 judged: L1 1/1 · L2 0/1 · L3 0/1 (1 unjudged)",
        "  not met, L2: Does the translation keep the dose?",
        "    reason: Too blunt. [rules]",
        "  unjudged, L3: Does it honour the elder?",
        "    reason: No idea. [rules]",
        "Ended: all turns were held",
        "  overall 0.750, judged 4/5",
        "  L1 1.000, judged 1/1",
        "  L3 undefined, judged 0/1",
        "  bounds 0.600 to 0.800, the unjudged taken as none and as all met",
        "Signature: skopos 0 | scenario 01234567",
    ]
    lines = [line.partition(" | mode")[0] for line in text.splitlines()]
    places = [lines.index(line) for line in wanted]
    assert places == sorted(places)
    assert "\x1b" not in text


async def test_what_is_counted_apart_is_told_apart() -> None:
    house = scenario()
    bases = (Basis.NOT_CLAIMED, Basis.NOT_SAID, Basis.UNJUDGED, Basis.JUDGED)
    asked = [criterion("L1", n, f"Does the translation keep {basis.name}?") for n, basis in enumerate(bases)]
    given = [
        verdict(one, None if basis is not Basis.JUDGED else True, basis=basis)
        for one, basis in zip(asked, bases, strict=True)
    ]
    script = [started(house), *said(house, 0, "안녕하세요", "Halo", criteria=tuple(asked)), *judged(0, given)]
    lines = (await watched(script)).splitlines()
    assert "Turn 0 judged: L1 1/2 (1 unjudged, 1 not claimed, 1 not said)" in lines
    assert "  not said, L1: Does the translation keep NOT_SAID?" in lines
    assert "  unjudged, L1: Does the translation keep UNJUDGED?" in lines
    assert not any("NOT_CLAIMED" in line for line in lines)


def test_no_green_mark_stands_for_what_nobody_claims() -> None:
    asked = (criterion("L1"), criterion("L2"), criterion("L2", 1))
    given = {c.id: verdict(c, None, basis=Basis.NOT_CLAIMED) for c in asked[:2]}
    given[asked[2].id] = verdict(asked[2], True)
    turn = TurnState(0, "A", "kor", "ind", criteria=asked, verdicts=given, carried=True)
    shown = "".join(span.text for line in turn_lines(turn, Page(100)) for span in line.spans)
    assert "· L1 –/1" in shown
    assert "✓ L2 1/1" in shown


async def test_faults_waits_holds_and_acts_are_told_in_plain_words() -> None:
    house = scenario()
    item = criterion("L1")
    script = [
        started(house),
        *said(house, 0, "안녕", None, criteria=(item,)),
        ev.FaultRaised(
            turn=0, layer=Layer.SYSTEM, who="interpreter", kind=FaultKind.EMPTY, what="It came back empty."
        ),
        *judged(0, [verdict(item, False, "", basis=Basis.SYSTEM_FAILURE)]),
        ev.Waiting(turn=1, who="interpreter", why="rate limit", until=3.0),
        ev.Waiting(turn=1, who="local model", why="loading"),
        ev.UtteranceHeld(turn=1, flags=("wrong_language", "truncated")),
        ev.HoldDecided(turn=1, decision="retry"),
        ev.LanguageChecked(turn=1, subject="translation", expected="kor", check=WRONG),
        ev.Paused(),
        ev.Resumed(),
        ev.PeekUsed(seat="A"),
        ev.SeatEnded(turn=1, seat="A"),
        ev.ChecklistReady(procedure="conversation", criteria=(item,)),
        *judged(None, [verdict(item, True)]),
        ev.ConversationEnded(reason=EndReason.USER_LEFT),
    ]
    lines = (await watched(script)).splitlines()
    for line in (
        "  Fault in turn 0: the interpreter failed: it gave no text (interpreter) — It came back empty.",
        "  not met (the interpretation failed), L1: Does the translation keep the dose?",
        "  interpreter: waiting 3 s (rate limit), then asking again",
        "  waiting for local model (loading)",
        "  held: answered in the wrong language, cut off",
        "  decided: retry",
        "  language of the translation: not Korean; looks like English, 1% Korean",
        "  paused",
        "  going on",
        "  seat A looked at the other side; recorded",
        "  seat A was left",
        "Conversation judged: L1 1/1",
        "Ended: a person left",
    ):
        assert line in lines, line


async def test_hostile_text_cannot_drive_the_terminal() -> None:
    house = scenario()
    text = await watched([started(house), *said(house, 0, HOSTILE, f"one\n{HOSTILE}")], notices=(HOSTILE,))
    assert not [c for c in text if c != "\n" and (ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c == "\u202e")]
    assert "[/] [bold" in text


async def test_events_face_prints_every_lossless_event_unchanged() -> None:
    house = scenario()
    out = io.StringIO()
    session = FakeSession([started(house), *said(house, 0, HOSTILE, "Halo")])
    await events_face(session, out)
    events = [parse_event(line) for line in out.getvalue().splitlines()]
    assert tuple(events) == session.bus.journal
    assert "\x1b" not in out.getvalue()


async def test_json_face_prints_the_one_document() -> None:
    out = io.StringIO()
    document = await json_face(FakeSession([started(scenario())]), out)
    assert json.loads(out.getvalue()) == document


async def test_a_session_that_cannot_start_ends_the_face_with_its_problem() -> None:
    class Unusable(FakeSession):
        async def run(self) -> dict[str, Any]:
            raise UsageProblem(Problem("No model", "local: the file is missing"))

    with pytest.raises(UsageProblem):
        await watch_plain(Unusable([]), io.StringIO())


async def test_a_reader_that_goes_away_stops_the_conversation_quietly() -> None:
    house = scenario()
    reading, writing = os.pipe()
    session = FakeSession([started(house), *(e for i in range(20) for e in said(house, i, "안녕", "Halo"))])
    with os.fdopen(writing, "w", encoding="utf-8") as out:
        os.close(reading)
        await watch_plain(session, out)
    assert session.bus.journal[-1] == session.bus.journal[-1].model_copy(
        update={"reason": EndReason.INTERRUPTED}
    )
    assert len(session.bus.journal) < 20


async def test_text_the_encoding_lacks_is_escaped_not_fatal() -> None:
    house = scenario()
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    await watch_plain(FakeSession([started(house), *said(house, 0, "안녕", "Halo")]), out)
    assert b"\\uc548\\ub155" in raw.getvalue()


async def test_a_good_language_check_of_the_utterance_is_no_news() -> None:
    house = scenario()
    text = await watched([started(house), *said(house, 0, "안녕", "Halo", check=OK)])
    assert "language of the utterance" not in text
    assert "language of the translation: Indonesian, as expected" in text


async def test_without_criteria_there_is_no_table_of_nothing() -> None:
    scores = {"overall": None, "L1": None, "L2": None, "L3": None, "judged": 0, "criteria": 0, "bounds": None}
    text = await watched([started(scenario())], scores=scores)
    assert "  no criteria, so no score" in text.splitlines()
    assert "undefined" not in text


@pytest.mark.parametrize("met", [True, False])
async def test_a_failing_turn_says_what_it_was_for_and_how_it_should_have_arrived(met: bool) -> None:
    house, one = scenario(), criterion("L1")
    known = {
        "intent": "Ask politely.",
        "reference": "Tolong.",
        "gloss": Gloss(source="Please.", reference="Please."),
    }
    events = [
        event.model_copy(update=known) if isinstance(event, ev.UtteranceSpoken) else event
        for event in said(house, 0, "안녕하세요", "Halo", criteria=(one,))
    ]
    text = await watched([started(house), *events, *judged(0, [verdict(one, met, "No.")])])
    shown = [line for line in text.splitlines() if line.startswith(("  meant:", "  should be:", "  gloss"))]
    assert shown == ([] if met else ["  meant: Ask politely.", "  should be: Tolong.", "  gloss: Please."])
