"""What a reader asks of the live screen: only some turns, what stands behind one, a copy, a trend."""

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from sim.core import events as ev
from sim.core.errors import FaultKind, Layer
from sim.core.values import LayerName
from tests.ui.fake import FakeSession, criterion, judged, said, scenario, started, verdict
from tests.ui.test_live import HOSTILE, checklist, shown, until, visible_rows
from ui.app import SkoposApp
from ui.paint import LinesView
from ui.settings import Settings
from ui.state import ConversationState
from ui.status import header_lines
from ui.text import Bidi, room
from ui.wanted import ALL, Wanted
from ui.widgets.checklist import Checklist

LAYERS: tuple[LayerName, ...] = ("L1", "L2", "L3")


def conversation(turns: int = 6) -> list[ev.Event]:
    house = scenario()
    events: list[ev.Event] = [started(house)]
    items = tuple(criterion(layer, ask=f"Does the translation hold {layer}?") for layer in LAYERS)
    for n in range(turns):
        met = (True, n % 2 == 0, None if n == 3 else True)
        events += said(house, n, f"말 {n}", f"kata {n}", criteria=items)
        events += judged(n, [verdict(c, value) for c, value in zip(items, met, strict=True)])
    return events


def indexes(app: SkoposApp) -> list[int]:
    turns = (app.view.cards.turn_at(position) for position in app.view.cards.turn_positions)
    return [turn.index for turn in turns if turn is not None]


async def test_only_a_layer_or_a_kind_of_verdict_is_shown_and_escape_shows_all() -> None:
    async with shown(FakeSession(conversation())) as (app, pilot):
        await pilot.press("v")
        assert indexes(app) == [1, 3, 5]
        assert "only not met (esc: all)" in visible_rows(app)
        assert "✗ not met: Does the translation hold L2?" in checklist(app)
        assert "hold L1?" not in checklist(app)
        await pilot.press("v")
        assert indexes(app) == [3]
        await pilot.press("l", "l")
        assert indexes(app) == []
        await pilot.press("v", "v")
        assert indexes(app) == [0, 1, 2, 3, 4, 5]
        assert "hold L2?" in checklist(app)
        assert "hold L3?" not in checklist(app)
        await pilot.press("escape")
        assert "hold L3?" in checklist(app)
        assert "only" not in visible_rows(app).split("\n")[1]


async def test_the_mark_stays_on_its_turn_while_others_come_and_go() -> None:
    async with shown(FakeSession(conversation())) as (app, pilot):
        await pilot.press("up", "up")
        assert "Turn 3" in checklist(app)
        await pilot.press("v")
        assert "Turn 3" in checklist(app)
        assert app.view.transcript.marked == 2
        await pilot.press("escape")
        assert "Turn 3" in checklist(app)
        assert app.view.transcript.marked == 4


async def test_a_turn_that_comes_to_be_wanted_late_stands_in_its_place() -> None:
    house = scenario()
    item = criterion("L1")
    late = judged(0, [verdict(item, False)])
    early = [
        *said(house, 0, "하나", "satu", criteria=(item,)),
        *said(house, 1, "dua", "둘", criteria=(item,)),
    ]
    session = FakeSession([])
    app = SkoposApp(session)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("v")
        for event in (started(house), *early, *judged(1, [verdict(item, False)])):
            session.bus.publish(event)
        await _until_shown(app, pilot, [1])
        for event in late:
            session.bus.publish(event)
        await _until_shown(app, pilot, [0, 1])
        await session.bus.close()


async def _until_shown(app: SkoposApp, pilot: Pilot[None], wanted: list[int]) -> None:

    await until(pilot, lambda: indexes(app) == wanted)


@pytest.mark.parametrize("text", HOSTILE)
async def test_what_stands_behind_a_turn_is_shown_as_text(text: str) -> None:
    house = scenario()
    script = [
        started(house),
        *said(house, 0, "안녕", text or None),
        ev.CallFinished(
            turn=0,
            role="interpreter",
            model=text or "m",
            outcome="ok",
            input_tokens=12,
            seconds=1.5,
            attempts=2,
        ),
        ev.FaultRaised(
            turn=0, layer=Layer.SYSTEM, who="x", kind=FaultKind.EMPTY, what="Nothing.", detail=text
        ),
    ]
    async with shown(FakeSession(script), (100, 50)) as (app, pilot):
        await pilot.press("i")
        rows = visible_rows(app)
        assert "Raw reply" in rows
        assert "could not be" not in rows
        assert not [c for c in rows if c in "\x07\u009b\u202e\t"]
        if text == "":
            assert "(empty)" in rows
            assert "12 in, ? out, price unknown, 1.50 s, attempt 2" in " ".join(rows.split())
        await pilot.press("escape")
        assert app.screen is app.view


async def test_a_copy_is_what_is_stored_code_point_for_code_point() -> None:
    source, arrived = "안녕\x1b[2J ٱللَّهِ", "e\u0301 \u202e[/] আমি"
    house = scenario()
    async with shown(FakeSession([started(house), *said(house, 0, source, arrived)])) as (app, pilot):
        await pilot.press("y")
        assert app.clipboard == f"{source}\n{arrived}"


def test_the_trend_is_a_bar_a_judged_turn_from_none_to_all_met() -> None:
    state = ConversationState(scenario())
    state.take(*conversation(4))
    assert state.recent("L2") == [1.0, 0.0, 1.0, 0.0]
    assert state.recent("L3") == [1.0, 1.0, 1.0]
    rates = header_lines(state, 120)[1].text
    assert "L2 50% (2/4) █▁█▁" in rates
    assert "L3 100% (3/3) ███" in rates


def test_nothing_is_left_out_of_all() -> None:
    wanted = ALL
    for _ in range(4):
        wanted = wanted.next_layer().next_result()
    assert wanted == ALL
    assert Wanted("L2", "unjudged").said() == "only L2, unjudged"


async def test_the_order_of_right_to_left_lines_is_remembered(tmp_path: Path) -> None:
    file = tmp_path / "data" / "screen.json"
    app = SkoposApp(FakeSession([]), settings=Settings(file))
    async with app.run_test() as pilot:
        before = app.view.cards.bidi
        await pilot.press("b")
        assert app.view.cards.bidi is not before
        await app.session.bus.close()
    kept = Settings(file).bidi
    assert kept is (Bidi.OFF if before else Bidi.ON)
    assert SkoposApp(FakeSession([]), settings=Settings(file)).view.cards.bidi is not before


@pytest.mark.parametrize("content", ["", "{", "[]", '{"bidi": "sideways"}', '{"bidi": 3}', "\udc80"])
def test_unreadable_settings_are_the_defaults(tmp_path: Path, content: str) -> None:
    file = tmp_path / "screen.json"
    file.write_bytes(content.encode(errors="surrogateescape"))
    assert Settings(file).bidi is Bidi.AUTO


def test_settings_that_cannot_be_written_hold_all_the_same(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("x")
    settings = Settings(blocked / "screen.json")
    settings.remember(Bidi.OFF)
    assert settings.bidi is Bidi.OFF


@pytest.mark.parametrize("environ", [{}, {"VTE_VERSION": "7600"}])
def test_the_next_choice_makes_a_difference_first_and_all_three_come_round(environ: dict[str, str]) -> None:
    first = Bidi.AUTO.following(environ)
    assert first.active(environ) is not Bidi.AUTO.active(environ)
    assert {Bidi.AUTO, first, first.following(environ)} == set(Bidi)
    assert first.following(environ).following(environ) is Bidi.AUTO


def test_settings_are_plain_json(tmp_path: Path) -> None:
    file = tmp_path / "screen.json"
    Settings(file).remember(Bidi.ON)
    assert json.loads(file.read_text()) == {"bidi": "on"}
    assert list(tmp_path.iterdir()) == [file]


async def test_a_theme_key_goes_through_dark_light_and_high_contrast() -> None:
    async with shown(FakeSession(conversation(2))) as (app, pilot):
        first, seen = app.theme, []
        for _ in range(3):
            await pilot.press("t")
            seen.append(app.theme)
            mark = next(
                seg for strip in app.screen._compositor.render_strips() for seg in strip if "✓" in seg.text
            )
            assert mark.style is not None
            color = app.view.transcript.style_of("met").color
            assert mark.style.color == color
        assert seen[-1] == first
        assert len(set(seen)) == 3


HEADS = ("kor-ind-clinic-fasting", "fake:/a/very/long/path/to/some/place/with/a/model.yaml", "[/]" * 60)


@pytest.mark.parametrize("width", [38, 78, 138])
@pytest.mark.parametrize("model", HEADS)
def test_system_judge_and_rates_are_in_the_header_at_any_width(width: int, model: str) -> None:
    state = ConversationState(scenario(id="kor-ind-clinic-fasting"))
    begun, *rest = conversation(12)
    system = {"model": model, "brief": "cultural", "history": "full"}
    state.take(begun.model_copy(update={"system": system, "judge": model}), *rest)
    lines = header_lines(state, width, Wanted("L3", "not met"))
    assert max(room(line.text) for line in lines) <= width
    text = " ".join(line.text for line in lines)
    for wanted in ("kor-ind-clinic-fasting", "Korean ⇄ Indonesian", "interpreter ", "judge ", model[-5:]):
        assert wanted in text
    for wanted in ("L1 ", "L2 ", "L3 ", "█", "turns 12", "only L3, not met (esc: all)"):
        assert wanted in text


async def test_keys_scroll_the_checklist_and_a_box() -> None:
    items = tuple(criterion("L1", number) for number in range(40))
    script = [started(scenario()), *said(scenario(), 0, "안녕", "Halo", criteria=items)]
    async with shown(FakeSession(script), (80, 24)) as (app, pilot):
        await pilot.press("tab", "end")
        panel = app.view.query_one(Checklist)
        await until(pilot, lambda: panel.scroll_y == panel.max_scroll_y > 0)
        await pilot.press("question_mark")
        await until(pilot, lambda: app.screen is not app.view)
        box = app.screen.query_one(LinesView)
        await pilot.press("pagedown")
        await until(pilot, lambda: box.scroll_y == box.max_scroll_y > 0)
        await until(pilot, lambda: "record completed" in visible_rows(app))


async def test_the_prompts_of_a_turn_are_shown_as_they_were_sent() -> None:
    house = scenario()
    asked = (ev.Sent(role="system", text="Carry [/] each message."), ev.Sent(role="user", text="안녕\n{0}"))
    attempt = ev.CallAttempted(turn=0, role="interpreter", model="m", number=1, sent=asked, reply=None)
    script = [
        started(house),
        *said(house, 0, "안녕", "Halo"),
        attempt.model_copy(update={"failure": "rate limit"}),
        attempt.model_copy(update={"number": 2, "reply": "<b>Halo"}),
        ev.CallFinished(turn=0, role="interpreter", model="m", outcome="ok"),
        ev.CallAttempted(role="judge", model="j", number=0, sent=asked[1:], reply=""),
    ]
    async with shown(FakeSession(script), (100, 50)) as (app, pilot):
        await pilot.press("i")
        await until(pilot, lambda: "To the interpreter" in visible_rows(app))
        rows = visible_rows(app)
        for wanted in ("m, attempt 2", "Carry [/] each message.", "{0}", "no reply: rate limit", "<b>Halo"):
            assert wanted in rows
        assert "To the judge" not in rows
        await pilot.press("i", "down", "i")
        await until(pilot, lambda: "To the judge" in visible_rows(app))
        assert "from the cache" in visible_rows(app)


async def test_a_recorded_turn_says_why_its_prompts_are_not_there() -> None:
    house = scenario()
    call = ev.CallFinished(turn=0, role="interpreter", model="m", outcome="ok")
    async with shown(FakeSession([started(house), *said(house, 0, "안녕", "Halo"), call])) as (app, pilot):
        await pilot.press("i")
        await until(pilot, lambda: "a record keeps no prompts" in visible_rows(app))


def test_only_the_last_prompts_of_a_long_conversation_are_kept() -> None:
    state = ConversationState(scenario())
    for number in range(1200):
        state.take(ev.CallAttempted(turn=number, role="judge", model="j", number=1, sent=(), reply=""))
    kept = [turn.index for turn in state.turns.values() if turn.attempts]
    assert kept == list(range(700, 1200))


async def test_after_the_end_no_pause_is_offered() -> None:
    house = scenario()
    session = FakeSession([started(house), *said(house, 0, "안녕", "Halo")])
    app = SkoposApp(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.painted.wait()
        before = ("Pause", "Step", "? Help", "q Quit")
        await until(pilot, lambda: all(key in visible_rows(app) for key in before))
        await session.run()
        after = ("Failure", "Inspect", "? Help", "q Quit", "ended")

        def settled() -> bool:
            rows = visible_rows(app)
            return "Pause" not in rows and all(key in rows for key in after)

        await until(pilot, settled)


async def test_nothing_of_the_transcript_shows_beside_a_box() -> None:
    text = "আমি বাংলায় কথা বলি " * 30
    house = scenario(("ben", "arb"))
    async with shown(FakeSession([started(house), *said(house, 0, text, text)]), (80, 24)) as (app, pilot):
        await pilot.press("question_mark")
        await until(pilot, lambda: "dark, light" in visible_rows(app) or "show or hide" in visible_rows(app))
        assert "আমি" not in visible_rows(app)
