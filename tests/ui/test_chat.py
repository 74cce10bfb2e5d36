import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual import events
from textual.pilot import Pilot
from textual.widgets.input import Selection

from sim.core import events as ev
from sim.core.errors import FaultKind, Layer
from sim.core.values import Scenario, Speaker
from tests.ui.fake import FakeSession, said, scenario, started, talk
from tests.ui.test_live import until
from ui.app import SkoposApp
from ui.screens.chat import ChatScreen
from ui.settings import Settings
from ui.text import Bidi
from ui.widgets.line_input import LineInput


@asynccontextmanager
async def seated(
    *seats: Speaker,
    flagged: frozenset[int] = frozenset(),
    turns: int = 4,
    of: Scenario | None = None,
) -> AsyncIterator[tuple[SkoposApp, Pilot[None], FakeSession]]:
    session = FakeSession(
        lambda s: talk(s, turns, flagged),
        of=of,
        seats=seats,
        notices=("Gemini gets the text.",),
        labels=("weak",),
    )
    app = SkoposApp(session, chat=True)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await app.painted.wait()
        holding = asyncio.create_task(session.run())
        await until(pilot, lambda: app.state.asked is not None)
        yield app, pilot, session
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)
    assert app.failure is None


def rows(app: SkoposApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def line(app: SkoposApp) -> LineInput:
    return app.view.query_one(LineInput)


async def say(app: SkoposApp, pilot: Pilot[None], text: str) -> None:
    line(app).value = text
    await pilot.press("enter")


async def test_notices_stand_before_the_first_line_and_the_label_stays() -> None:
    async with seated("A") as (app, pilot, _):
        await until(pilot, lambda: "your turn" in rows(app))
        assert "Gemini gets the text." in rows(app)
        assert "! weak" in rows(app)
        assert "your turn: A writes Korean" in rows(app)


async def test_a_seat_sees_its_own_words_and_what_is_delivered_to_it_only() -> None:
    async with seated("A") as (app, pilot, session):
        await say(app, pilot, "하나")
        await until(pilot, lambda: "<kor> other 1" in rows(app))
        assert "하나" in rows(app)
        assert "<ind>" not in rows(app)
        await pilot.press("f2")
        await until(pilot, lambda: "<ind> 하나" in rows(app))
        assert ("peek", None) in session.places["A"].done
        await pilot.press("f2")
        await until(pilot, lambda: "<ind>" not in rows(app))
        assert session.places["A"].done.count(("peek", None)) == 1


async def test_what_fails_on_the_other_side_is_told_to_who_waits_for_it() -> None:
    async with seated("A") as (app, pilot, session):
        session.bus.publish(ev.TurnRequested(turn=1, speaker="B", language="ind"))
        fault = ev.FaultRaised(
            turn=1, layer=Layer.INFRASTRUCTURE, who="user B", kind=FaultKind.UNAVAILABLE, what="[/] gone"
        )
        session.bus.publish(fault)
        await until(pilot, lambda: "[/] gone" in rows(app))


async def test_both_seats_take_turns_on_one_line() -> None:
    async with seated("A", "B") as (app, pilot, session):
        await say(app, pilot, "하나")
        await until(pilot, lambda: "B writes Indonesian" in rows(app))
        line(app).value = "sudah"
        await pilot.press("f4")
        await until(pilot, lambda: app.state.ended is not None)
        assert session.places["B"].done == [("end", "sudah")]
        await pilot.press("f2")
        assert ("peek", None) not in session.places["A"].done


async def test_after_the_end_nothing_is_revealed_that_could_not_be_recorded() -> None:
    async with seated("A", turns=1) as (app, pilot, session):
        await say(app, pilot, "하나")
        await until(pilot, lambda: app.state.ended is not None)
        await pilot.press("f2")
        await until(pilot, lambda: "It is over" in rows(app))
        assert "<ind>" not in rows(app)
        assert session.places["A"].done == [("say", "하나")]


async def test_a_held_translation_is_decided_by_a_letter_and_the_draft_survives() -> None:
    async with seated("A", flagged=frozenset({0})) as (app, pilot, session):
        line(app).value = "draft"
        session.places["A"].say("하나")
        await until(pilot, lambda: "r retry · d deliver anyway" in rows(app))
        assert line(app).value == ""
        assert "<ind>" not in rows(app)
        await pilot.press("r")
        await until(pilot, lambda: line(app).value == "draft")
        assert session.places["A"].done[:2] == [("say", "하나"), ("decide", "retry")]


async def test_who_holds_both_seats_sees_what_is_held() -> None:
    async with seated("A", "B", flagged=frozenset({0})) as (app, pilot, _):
        await say(app, pilot, "하나")
        await until(pilot, lambda: "r retry · d deliver anyway" in rows(app))
        assert "<ind> 하나" in rows(app)


async def test_the_cursor_stays_on_the_line_while_the_transcript_streams() -> None:
    async with seated("A", turns=2) as (app, pilot, _):
        line(app).value = "한글"
        await pilot.pause()
        before = app.cursor_position
        await pilot.press("pageup", "pagedown")
        app.view.transcript.cards_changed({0, 1})
        await pilot.pause()
        assert app.cursor_position == before
        assert app.focused is line(app)


async def test_nothing_is_said_out_of_turn_or_without_words() -> None:
    async with seated("A") as (app, pilot, session):
        await say(app, pilot, "   ")
        assert session.places["A"].done == []
        await say(app, pilot, "하나")
        await say(app, pilot, "둘")
        assert session.places["A"].done[0] == ("say", "하나")
        assert isinstance(app.view, ChatScreen)


async def test_editing_moves_and_deletes_by_grapheme() -> None:
    async with seated("A") as (app, pilot, _):
        box = line(app)
        box.value = "aক্ষ👩\u200d👧"
        box.cursor_position = len(box.value)
        await pilot.press("left")
        assert box.cursor_position == 4
        await pilot.press("left")
        assert box.cursor_position == 1
        await pilot.press("right")
        assert box.cursor_position == 4
        box.cursor_position = len(box.value)
        await pilot.press("backspace")
        assert box.value == "aক্ষ"
        box.selection = Selection.cursor(2)
        assert box.cursor_position in (1, 4)
        await pilot.press("backspace")
        assert "\u09cd" not in box.value or box.value == "ক্ষ"


async def test_joiners_and_marks_of_direction_are_typed_like_any_character() -> None:
    async with seated("A") as (app, pilot, session):
        typed = "র\u200d্যা👩\u200d👧 \u200c\u202ea\u00a0b"
        for character in typed:
            line(app).post_message(events.Key("x", character))
        await until(pilot, lambda: len(line(app).value) == len(typed))
        await pilot.press("enter")
        assert session.places["A"].done == [("say", typed)]


async def test_pasted_control_characters_are_kept_and_drawn_as_symbols() -> None:
    async with seated("A") as (app, pilot, session):
        line(app).value = "x\x1b[2J"
        await pilot.pause()
        assert "x␛[2J" in rows(app)
        await pilot.press("enter")
        assert session.places["A"].done == [("say", "x\x1b[2J")]


async def test_several_lines_are_written_pasted_and_said_as_one_utterance() -> None:
    async with seated("A") as (app, pilot, session):
        await pilot.press("a", "ctrl+j", "b")
        assert line(app).value == "a\nb"
        assert "a␊b" in rows(app)
        await until(pilot, lambda: "…  a" in rows(app))
        line(app).post_message(events.Paste("c\r\nd\re\u2028f"))
        await until(pilot, lambda: line(app).value.endswith("f"))
        await pilot.press("enter")
        assert session.places["A"].done == [("say", "a\nbc\nd\ne\u2028f")]
        await until(pilot, lambda: "…  a" not in rows(app))


async def test_what_was_said_before_comes_back_with_the_arrows() -> None:
    async with seated("A", "B") as (app, pilot, _):
        await say(app, pilot, "하나")
        await until(pilot, lambda: "B writes" in rows(app))
        await say(app, pilot, "dua\nbaris")
        await until(pilot, lambda: "A writes" in rows(app))
        line(app).value = "unsaid"
        for key, wanted in (("up", "dua\nbaris"), ("up", "하나"), ("up", "하나"), ("down", "dua\nbaris")):
            await pilot.press(key)
            assert line(app).value == wanted
        await pilot.press("down", "down")
        assert line(app).value == "unsaid"


async def test_a_right_to_left_draft_is_shown_as_it_will_stand() -> None:
    async with seated("A", of=scenario(("arb", "kor"))) as (app, pilot, session):
        app.view.cards.bidi = True
        line(app).value = "سلام"
        await until(pilot, lambda: "مالس" in rows(app))
        await pilot.press("enter")
        assert session.places["A"].done == [("say", "سلام")]


async def test_a_held_translation_says_what_is_odd_in_plain_words_above_the_choice() -> None:
    async with seated("A", flagged=frozenset({0})) as (app, pilot, _):
        await say(app, pilot, "하나")
        await until(pilot, lambda: "r retry · d deliver anyway" in rows(app))
        assert "held, not delivered yet: answered in the wrong language" in rows(app)
        await pilot.press("ctrl+j", "up")
        assert line(app).value == ""


async def test_a_new_line_stands_where_it_was_typed_however_fast_the_keys_come() -> None:
    async with seated("A") as (app, pilot, _):
        for key, character in (("a", "a"), ("ctrl+j", "\n"), ("b", "b"), ("ctrl+j", "\n"), ("c", "c")):
            app.post_message(events.Key(key, character))
        await until(pilot, lambda: len(line(app).value) >= 5)
        assert line(app).value == "a\nb\nc"


@asynccontextmanager
async def writing_arabic() -> AsyncIterator[tuple[SkoposApp, Pilot[None], FakeSession]]:
    session = FakeSession(lambda session: talk(session, 3), of=scenario(("arb", "ben")), seats=("A",))
    settings = Settings()
    settings.remember(Bidi.ON)
    app = SkoposApp(session, chat=True, settings=settings)
    async with app.run_test(size=(60, 20)) as pilot:
        holding = asyncio.create_task(app.showing.hold(app.exit))
        await until(pilot, lambda: "your turn" in rows(app))
        yield app, pilot, session
    holding.cancel()
    await asyncio.gather(holding, return_exceptions=True)


def written(app: SkoposApp) -> str:
    return next(row for row in rows(app).split("\n") if row.startswith("▊ ") and row.strip("▊▎ "))


async def test_a_right_to_left_line_is_written_as_it_reads_with_the_caret_where_it_belongs() -> None:
    text = "السعر 150 دولار"
    async with writing_arabic() as (app, pilot, session):
        await pilot.press(*("space" if c == " " else c for c in text))
        assert written(app).rstrip("▎ ").endswith("رالود 150 رعسلا")
        right = app.size.width - 3
        assert app.cursor_position.x == right - len(text)
        await pilot.press("home")
        assert app.cursor_position.x == right
        await pilot.press("left", "left")  # towards the end of the line, as it is seen
        assert (line(app).cursor_position, app.cursor_position.x) == (2, right - 2)
        await pilot.press("right", "delete")
        assert line(app).value == text[0] + text[2:]
        await pilot.click(LineInput, offset=(2, 1))
        assert line(app).cursor_position == len(text) - 1
        await pilot.press("enter")
        assert session.places["A"].done == [("say", text[0] + text[2:])]


async def test_the_caret_stays_on_a_long_right_to_left_line() -> None:
    async with writing_arabic() as (app, pilot, _):
        line(app).value = "السعر " * 40
        for key in ("end", "home", "end"):
            await pilot.press(key)
            await pilot.pause()
            assert 0 < app.cursor_position.x < app.size.width


async def test_stored_order_is_written_too_where_the_terminal_reorders() -> None:
    async with writing_arabic() as (app, pilot, _):
        await pilot.press(*"سعر")
        assert "رعس" in written(app)
        while app.view.cards.bidi:
            await pilot.press("f3")
        await until(pilot, lambda: "سعر" in written(app))


async def test_ending_without_a_word_is_asked_back() -> None:
    async with seated("A", "B") as (app, pilot, session):
        await pilot.press("f4")
        await until(pilot, lambda: "F4 once more" in rows(app))
        assert session.places["A"].done == []
        await pilot.press("a", "backspace", "f4")
        assert session.places["A"].done == []
        await pilot.press("f4")
        assert session.places["A"].done == [("leave", None)]
        await until(pilot, lambda: "ended: a person left" in rows(app))
        await until(pilot, lambda: "Say and end" not in rows(app))


async def test_words_out_of_turn_are_said_to_wait() -> None:
    async with seated("B") as (app, pilot, session):
        session.control.pause()
        await say(app, pilot, "satu")
        await until(pilot, lambda: app.state.asked is None)
        await pilot.press("a", "enter")
        await until(pilot, lambda: "not your turn yet" in rows(app))
        assert line(app).value == "a"


async def test_no_look_at_the_other_side_is_offered_to_who_holds_both() -> None:
    async with seated("A", "B") as (app, pilot, session):
        assert "Peek" not in rows(app)
        await pilot.press("f2", "f1")
        await until(pilot, lambda: "the keys" in rows(app) or "say the line" in rows(app))
        assert "look at the other side" not in rows(app)
        assert session.places["A"].done == session.places["B"].done == []


async def test_asking_again_is_said_while_the_interpreter_works() -> None:
    session = FakeSession([], seats=("A",))
    app = SkoposApp(session, chat=True)
    async with app.run_test() as pilot:
        house = session.scenario
        session.bus.publish(started(house))
        *before, _, delivered = said(house, 0, "안녕", "Hello")
        for event in (
            ev.ChecklistReady(turn=0, procedure="turn", criteria=()),
            *before,
            ev.UtteranceHeld(turn=0, flags=("wrong_language",)),
            ev.HoldDecided(turn=0, decision="retry"),
        ):
            session.bus.publish(event)
        await until(pilot, lambda: "asked again: the interpreter translates turn 0 once more" in rows(app))
        session.bus.publish(ev.UtteranceHeld(turn=0, flags=("echo",)))
        await until(pilot, lambda: "asked again and held again, not delivered yet: repeats" in rows(app))
        session.bus.publish(ev.HoldDecided(turn=0, decision="retry"))
        session.bus.publish(ev.Waiting(turn=0, who="m", why="rate limit", until=3.0))
        await until(pilot, lambda: "m: waiting 3 s (rate limit), then asking again" in rows(app))
        session.bus.publish(delivered)
        await until(pilot, lambda: "waiting 3 s" not in rows(app))
