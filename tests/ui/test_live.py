import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from sim.core import events as ev
from sim.core.errors import FaultKind, Layer, Problem, UsageProblem
from sim.core.values import EndReason
from tests.ui.fake import LOW, WRONG, FakeSession, criterion, judged, said, scenario, started, verdict
from ui import render
from ui.app import SkoposApp, run_app
from ui.bridge import Finished, Happened
from ui.screens.live import LiveScreen
from ui.settings import Settings
from ui.state import ConversationState
from ui.status import status_lines, status_words
from ui.widgets.bars import Bar
from ui.widgets.checklist import Checklist
from ui.widgets.transcript import Transcript

MARKUP = "[/] [bold [data: /m?s=b-609b-] [00]"
ESCAPES = "ok\x1b]52;c;aGk=\x07\x1b[2J\u009b31m\u202e"
HOSTILE = [
    MARKUP,
    ESCAPES,
    "price is [/] ok",
    "{0.__class__} %s $x",
    "a\tb\nc",
    "",
    " ",
    "👩\u200d👧" * 40,
]


@asynccontextmanager
async def shown(
    session: FakeSession, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[SkoposApp, Pilot[None]]]:
    app = SkoposApp(session)
    async with app.run_test(size=size, notifications=True) as pilot:
        await app.painted.wait()
        document = await session.run()
        await until(pilot, lambda: app.state.ended is not None and drawn(app))
        app.view.post_message(Finished(document))
        await pilot.pause()
        yield app, pilot
    assert app.failure is None


async def until(pilot: Pilot[None], condition: Any) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await pilot.pause(0.01)


def drawn(app: SkoposApp) -> bool:
    return len(app.view.cards) == len(app.state.turns) + 2


def transcript(app: SkoposApp) -> str:
    view = app.view.query_one(Transcript)
    return "\n".join(
        line.text
        for position in range(len(app.view.cards))
        for line in app.view.cards.lines(position, view.size.width - 1)
    )


def visible_rows(app: SkoposApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def checklist(app: SkoposApp) -> str:
    panel = app.view.query_one(Checklist)
    return " ".join(" ".join(line.text.split()) for line in panel._make(panel.size.width))


async def test_every_kind_of_event_is_drawn() -> None:
    house = scenario()
    one, two, three = criterion("L1"), criterion("L2"), criterion("L3")
    whole = criterion("L1", 9, ask="Does the translation keep names?")
    script: list[ev.Event] = [
        started(house),
        ev.Waiting(turn=0, who="interpreter", why="rate limit", until=3.0),
        ev.TranslationDelta(turn=0, part=0, text="Ha"),
        ev.CallFinished(turn=0, role="interpreter", model="m", outcome="ok"),
        *said(house, 0, "안녕", "Halo", criteria=(one, two, three), check=LOW, flags=("echo",)),
        ev.UtteranceHeld(turn=0, flags=("echo",)),
        ev.HoldDecided(turn=0, decision="deliver"),
        *judged(0, [verdict(one, True), verdict(two, False, "Too blunt."), verdict(three, None, "No idea.")]),
        ev.Paused(),
        ev.Resumed(),
        ev.PeekUsed(seat="A"),
        *said(house, 1, "Baik", None, criteria=(one,)),
        ev.FaultRaised(
            turn=1, layer=Layer.SYSTEM, who="interpreter", kind=FaultKind.BLOCKED, what="Blocked."
        ),
        ev.FaultRaised(layer=Layer.INFRASTRUCTURE, who="judge", kind=FaultKind.UNAVAILABLE, what="Gone."),
        ev.SeatEnded(turn=1, seat="A"),
        ev.ChecklistReady(procedure="conversation", criteria=(whole,)),
        *judged(None, [verdict(whole, True)]),
    ]
    async with shown(FakeSession(script, notices=("Told before.",), labels=("weak interpreter",))) as (
        app,
        _,
    ):
        text = " ".join(transcript(app).split())
        for wanted in (
            "Told before.",
            "0 A Korean → Indonesian ✓ L1 1/1 ✗ L2 0/1 ? L3 0/1",
            "? L3 0/1 안녕 →",
            "→ Halo",
            "flagged: repeats the source",
            "translation: probably Indonesian, with low confidence, 41% Indonesian",
            "the interpreter failed: the provider blocked it (interpreter) — Blocked.",
            "something it depends on failed: not reachable (judge) — Gone.",
            "Ended: all turns were held.",
            "overall 0.750, judged 4/5",
        ):
            assert wanted in text, wanted
        said_of = checklist(app)
        assert "✗ not met: Does the translation keep the dose? Too blunt." in said_of
        assert "? unjudged: Does the translation keep the dose? No idea." in said_of
        assert "✓ met: Does the translation keep names?" in said_of
        assert "judge: rules" in said_of
        header = " ".join(line.text for line in app.view.query_one("#header", Bar).lines)
        assert "L1 100% (1/1)   L2 0% (0/1)   L3 – (0/0)" in header
        label, status = (line.text for line in app.view.query_one("#status", Bar).lines)
        assert label == "! weak interpreter"
        assert status.startswith("0:00  ended: all turns were held")
        assert "1 call, ≥ $0.0000 (1 unpriced)" in status


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_hostile_text_is_drawn_as_text(text: str, size: tuple[int, int]) -> None:
    house = scenario(conversation_context=text or "x")
    item = criterion("L2", ask=text or "x")
    script = [
        started(house),
        *said(house, 0, text, text, criteria=(item,)),
        *judged(0, [verdict(item, False, text, judge=text)]),
        ev.FaultRaised(turn=0, layer=Layer.USER, who=text, kind=FaultKind.EMPTY, what=text),
        ev.Waiting(turn=0, who=text, why=text),
    ]
    async with shown(FakeSession(script, notices=(text,), labels=(text,)), size) as (app, _):
        rows = visible_rows(app)
        assert "could not be" not in rows
        assert not [c for c in rows if c in "\x1b\x07\u009b\u202e\t" and c not in "\x1b"]
        assert not [c for c in rows if c in "\x07\u009b\u202e\t"]
        assert "\x1b[2J" not in rows
        if text == MARKUP:
            assert MARKUP in rows


@pytest.mark.parametrize(
    ("pair", "lines"),
    [
        (("arb", "ben"), ["مرحبا Dr. Kim 안녕، ٱللَّهِ", "আমি বাংলায় কথা বলি"]),
        (("kor", "arb"), ["내일 아침 혈액 검사가 있어요", "السعر 150 دولار (USD)"]),
    ],
)
async def test_every_script_keeps_its_lines_inside_the_view(pair: tuple[str, str], lines: list[str]) -> None:
    house = scenario(pair)
    script = [
        started(house),
        *(e for n in range(4) for e in said(house, n, *lines[:: 1 if n % 2 == 0 else -1])),
    ]
    session = FakeSession(script)
    async with shown(session, (80, 24)) as (app, pilot):
        strips = app.screen._compositor.render_strips()
        assert {strip.cell_length for strip in strips} == {80}
        for width in (140, 60, 80):
            await pilot.resize_terminal(width, 24)
            await pilot.pause()
            assert {strip.cell_length for strip in app.screen._compositor.render_strips()} == {width}
        await pilot.press("b")
        assert app.view.cards.bidi is False
        assert lines[0] in transcript(app)
    assert session.bus.journal[3].model_dump()["text"] == lines[0]


async def test_the_screen_hears_of_everything_in_order_and_nothing_twice() -> None:
    house = scenario()
    script = [started(house), *(e for n in range(30) for e in said(house, n, "안녕", "Halo"))]
    session = FakeSession(script)
    heard: list[ev.Event] = []

    class Listening(LiveScreen):
        def on_happened(self, message: Happened) -> None:
            heard.extend(message.batch)
            super().on_happened(message)

    app = SkoposApp(session, kind=lambda session, state: Listening(session, state, Settings()))
    async with app.run_test() as pilot:
        await app.painted.wait()
        await session.run()
        await until(pilot, lambda: len(heard) >= len(session.bus.journal))
    assert tuple(heard) == session.bus.journal


async def test_a_long_conversation_has_no_more_widgets_than_a_short_one() -> None:
    async def widgets(turns: int) -> int:
        house = scenario()
        script = [started(house), *(e for n in range(turns) for e in said(house, n, "안녕", "Halo"))]
        session = FakeSession(script)
        for event in script:
            session.bus.publish(event)
        session._script = []
        app = SkoposApp(session)
        async with app.run_test(size=(100, 30)) as pilot:
            await until(pilot, lambda: len(app.view.cards) == turns + 1)
            await pilot.press("up")
            await pilot.pause()
            assert f"{turns - 2} " in visible_rows(app)
            return len(list(app.screen.query("*")))

    assert await widgets(10_000) == await widgets(3)


async def test_keys_choose_turns_and_failures() -> None:
    house = scenario()
    item = criterion("L3")
    script: list[ev.Event] = [started(house)]
    for number in range(5):
        script += said(house, number, "안녕", "Halo", criteria=(item,))
        script += judged(number, [verdict(item, number not in (1, 3))])
    async with shown(FakeSession(script)) as (app, pilot):
        assert "Turn 4" in checklist(app)
        await pilot.press("up", "up")
        assert "Turn 2" in checklist(app)
        for wanted in ("Turn 3", "Turn 1", "Turn 3"):
            await pilot.press("f")
            assert wanted in checklist(app)
        await pilot.press("down")
        assert "Turn 4" in checklist(app)
        row = next(n for n, text in enumerate(visible_rows(app).split("\n")) if text.startswith(" 2  A"))
        await pilot.click(offset=(10, row))
        assert "Turn 2" in checklist(app)
        await pilot.press("c")
        assert not app.view.query_one(Checklist).display
        await pilot.press("question_mark")
        assert "next turn with something not met" in visible_rows(app)
        await pilot.press("escape")
        assert app.screen is app.view
        await pilot.press("p", "space")
        assert not app.state.paused


async def test_pause_and_step_act_on_the_conversation() -> None:
    house = scenario()
    script = [started(house), *(e for n in range(3) for e in said(house, n, "안녕", "Halo"))]
    session = FakeSession(script)
    app = SkoposApp(session)
    async with app.run_test() as pilot:
        await pilot.press("p")
        assert not app.state.paused
        session.control.pause()
        holding = asyncio.create_task(session.run())
        await until(pilot, lambda: app.state.started is not None and app.state.paused)
        await pilot.press("space")
        await until(pilot, lambda: app.state.delivered == 1)
        assert "paused" in status_words(app.state)
        await pilot.press("p")
        await until(pilot, lambda: app.state.ended is not None)
        await holding
    assert app.state.delivered == 3


async def test_a_drawing_that_fails_is_shown_and_the_conversation_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> list[render.Line]:
        raise KeyError("[/]")

    monkeypatch.setattr("ui.screens.live.header_lines", broken)
    monkeypatch.setattr("ui.screens.conversation.turn_lines", broken)
    house = scenario()
    session = FakeSession([started(house), *said(house, 0, "안녕", "Halo"), *said(house, 1, "Baik", "네")])
    async with shown(session) as (app, pilot):
        await pilot.pause()
        rows = visible_rows(app)
        assert "could not be drawn: KeyError" in rows
        assert "Could not be shown: KeyError" in rows
    assert session.finished


async def test_a_key_that_fails_is_shown_once_and_the_screen_stays(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: LiveScreen) -> None:
        raise KeyError("[/]")

    monkeypatch.setattr(LiveScreen, "action_failure", broken)
    house = scenario()
    async with shown(FakeSession([started(house), *said(house, 0, "안녕", "Halo")])) as (app, pilot):
        await pilot.press("f", "f", "f")
        await pilot.pause()
        assert visible_rows(app).count("Could not be shown: KeyError") == 1
        await pilot.press("up", "question_mark")
        await pilot.pause()
        assert "next turn with something not met" in visible_rows(app)
    failures = [record for record in caplog.records if record.exc_info]
    assert len(failures) == 3


async def test_a_handler_that_fails_is_shown_and_its_widget_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(self: Transcript, event: events.Click) -> None:
        raise KeyError("[/]")

    monkeypatch.setattr(Transcript, "on_click", broken, raising=False)
    house = scenario()
    turns = [event for number in range(3) for event in said(house, number, "안녕", "Halo")]
    async with shown(FakeSession([started(house), *turns])) as (app, pilot):
        for _ in range(2):
            await pilot.click(Transcript)
            await pilot.pause()
        assert "Could not be shown: KeyError" in visible_rows(app)
        await pilot.press("up", "question_mark")
        await pilot.pause()
        assert "next turn with something not met" in visible_rows(app)
        assert app.failure is None
    assert len([record for record in caplog.records if record.exc_info]) == 2


async def test_leaving_in_mid_turn_stops_the_conversation_and_completes_its_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = scenario()
    reached = asyncio.Event()

    async def endless(_: FakeSession) -> AsyncIterator[ev.Event]:
        yield started(house)
        for number in range(1000):
            for event in said(house, number, "안녕", "Halo"):
                yield event
            reached.set()

    session = FakeSession(endless)
    document = await left(session, monkeypatch, reached)
    assert document is not None
    assert session.bus.journal[-1].model_dump()["reason"] == EndReason.INTERRUPTED


async def test_a_conversation_that_does_not_stop_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = asyncio.Event()

    async def stuck(session: FakeSession) -> AsyncIterator[ev.Event]:
        yield started(session.scenario)
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr("ui.showing._GRACE", 0.01)
    assert await left(FakeSession(stuck), monkeypatch, reached) is None


async def test_a_screen_that_dies_leaves_the_conversation_running(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house = scenario()
    session = FakeSession([started(house), *(e for n in range(9) for e in said(house, n, "안녕", "Halo"))])

    async def die(app: SkoposApp, **_: Any) -> None:
        app.painted.set()
        app._handle_exception(KeyError("x"))

    monkeypatch.setattr(SkoposApp, "run_async", die)
    document = await run_app(session)
    assert document is not None
    assert session.finished
    assert "The screen failed: KeyError. The conversation goes on" in capsys.readouterr().err


async def test_a_session_that_cannot_start_closes_the_screen_with_its_problem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Unusable(FakeSession):
        async def run(self) -> dict[str, Any]:
            raise UsageProblem(Problem("No model", "local: the file is missing"))

    monkeypatch.setattr(SkoposApp, "run_async", headless)
    with pytest.raises(UsageProblem):
        await run_app(Unusable([]))


async def headless(app: SkoposApp) -> None:
    async with asyncio.timeout(10):
        await super(SkoposApp, app).run_async(headless=True)


async def left(
    session: FakeSession, monkeypatch: pytest.MonkeyPatch, reached: asyncio.Event
) -> dict[str, Any] | None:
    apps: list[SkoposApp] = []

    async def held(app: SkoposApp) -> None:
        apps.append(app)
        await headless(app)

    monkeypatch.setattr(SkoposApp, "run_async", held)
    running = asyncio.create_task(run_app(session))
    await reached.wait()
    apps[0].action_leave()
    async with asyncio.timeout(10):
        return await running


async def test_a_wrong_language_stays_readable_in_the_checklist() -> None:
    house = scenario()
    item = criterion("L1")
    script = [started(house), *said(house, 0, "안녕", "Hello", check=WRONG, criteria=(item,))]
    async with shown(FakeSession(script)) as (app, _):
        assert "language: not Indonesian; looks like English, 1% Indonesian" in checklist(app)
        assert "· to be judged: Does the translation keep the dose?" in checklist(app)


async def test_a_response_that_is_not_interpreted_waits_for_nothing() -> None:
    house = scenario()
    script = [
        started(house),
        *said(house, 0, "안녕", "Halo"),
        ev.UtteranceSpoken(turn=1, speaker="B", language="ind", text="Baik"),
        ev.TurnRequested(turn=2, speaker="A", language="kor"),
        ev.ConversationEnded(reason=EndReason.USER_LEFT),
    ]
    async with shown(FakeSession(script)) as (app, _):
        text = transcript(app)
        assert "Baik" in text
        assert "… interpreting" not in text
        assert "… speaking" not in text
        assert "skopos 0 | scenario 01234567" in text


async def test_a_wait_is_shown_until_its_turn_goes_on() -> None:
    state = ConversationState(scenario())
    state.take(ev.Waiting(turn=0, who="judge", why="rate limit", until=3.0))
    state.take(ev.TurnRequested(turn=1, speaker="B", language="ind"))
    assert status_words(state) == "judge: waiting 3 s (rate limit), then asking again"
    state.take(ev.CallFinished(turn=0, role="judge", model="m", outcome="ok"))
    assert status_words(state) == "B is speaking (turn 1)"


async def test_a_screen_that_comes_late_shows_the_time_since_the_start() -> None:
    house = scenario()
    session = FakeSession([])
    for event in (started(house), *said(house, 0, "안녕", "Halo")):
        session.bus.publish(event)
    app = SkoposApp(session)
    app.state.elapsed = 61.0
    async with app.run_test() as pilot:
        await pilot.pause()
        assert "1:0" in app.view.query_one("#status", Bar).lines[-1].text


async def test_ctrl_c_leaves_in_the_middle_of_a_turn() -> None:
    house = scenario()
    async with shown(FakeSession([started(house), *said(house, 0, "안녕", "Halo")])) as (app, pilot):
        assert app.return_code is None
        await pilot.press("ctrl+c")
        assert app.return_code == 0


async def test_a_long_conversation_shows_its_end_at_once_and_then_all_of_it() -> None:
    house = scenario()
    item = criterion("L1")
    session = FakeSession([])
    session.bus.publish(started(house))
    for number in range(1_000):
        for event in (
            *said(house, number, "안녕", "Halo", criteria=(item,)),
            *judged(number, [verdict(item, True)]),
        ):
            session.bus.publish(event)
    app = SkoposApp(session)
    app.showing.connect()
    assert app.state.counting
    first = min(app.state.turns)
    assert 500 < first < 999
    assert list(app.state.turns) == list(range(first, 1_000))
    assert all(turn.source is not None for turn in app.state.turns.values())
    catching_up = asyncio.create_task(app.showing._bridge.catch_up())
    await asyncio.sleep(0)
    attempt = ev.CallAttempted(turn=1_000, role="judge", model="m", number=1, sent=(), reply="")
    for event in (
        *said(house, 1_000, "안녕", "Halo")[:3],
        attempt,
        ev.TranslationDelta(turn=1_000, part=0, text="Ha"),
    ):
        session.bus.publish(event)
        await asyncio.sleep(0)
    await catching_up
    whole = ConversationState(house)
    whole.take(*session.bus.journal)
    assert list(app.state.turns) == list(whole.turns) == list(range(1_001))
    assert (app.state.rates, app.state.counting) == (whole.rates, False)
    assert app.state.turns[1_000].arriving == "Ha"
    assert app.state.turns[1_000].attempts != []
    await session.bus.close()


async def test_a_long_conversation_says_that_it_is_counting_and_keeps_the_mark() -> None:
    house = scenario()
    session = FakeSession([])
    session.bus.publish(started(house))
    for number in range(1_000):
        for event in said(house, number, "안녕", "Halo"):
            session.bus.publish(event)
    app = SkoposApp(session)
    app.showing.begin = app.painted.set  # type: ignore[method-assign]
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "counting …" in visible_rows(app))
        await pilot.press("up", "up")
        await until(pilot, lambda: "Turn 997" in checklist(app))
        await app.showing._bridge.catch_up()
        await until(pilot, lambda: "turns 1000" in visible_rows(app))
        assert "Turn 997" in checklist(app)
        assert "▌997" in visible_rows(app)


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ([(3, 4)], ", 7 tokens"),
        ([(None, None)], ""),
        ([(3, 4), (None, 1)], ", ≥ 8 tokens"),
        ([(0, 0)], ", 0"),
    ],
)
def test_unknown_tokens_are_never_summed_as_none(
    told: list[tuple[int | None, int | None]], shown: str
) -> None:
    state = ConversationState(scenario())
    for number, (read, written) in enumerate(told):
        call = ev.CallFinished(
            turn=number, role="judge", model="m", outcome="ok", input_tokens=read, output_tokens=written,
            cost=0.0, cost_status="free", seconds=1.0, attempts=1,
        )  # fmt: skip
        state.take(call)
    (line,) = status_lines(state, (), 0)
    assert ("tokens" in line.text) is bool(shown)
    assert shown in line.text
