"""A recording on the screen: played at the reader's pace, paused, stepped, left for the next one."""

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from sim.commands import replay
from sim.commands.main import main
from sim.commands.replay import Recording
from sim.core import events as ev
from sim.core.bus import Bus
from sim.core.errors import Problem, UsageProblem
from sim.core.studio import Session
from sim.core.values import EndReason
from tests.ui.fake import said, scenario, started
from tests.ui.test_live import until, visible_rows
from ui.app import SkoposApp
from ui.pace import SPEEDS, Pace
from ui.plain import watch_plain
from ui.screens.replay import ReplayScreen
from ui.settings import Settings
from ui.state import ConversationState


async def recorded(turns: int, apart: float) -> tuple[ev.Event, ...]:
    """The journal of a conversation whose events lie so many seconds apart."""
    house = scenario()
    async with Bus("0000-0") as bus:
        bus.publish(started(house))
        for index in range(turns):
            for event in said(house, index, f"말 {index}", f"kata {index}"):
                bus.publish(event)
        bus.publish(ev.ConversationEnded(reason=EndReason.COMPLETED))
        return tuple(e.model_copy(update={"t": apart * n}) for n, e in enumerate(bus.journal))


@asynccontextmanager
async def replayed(
    apart: float, place: tuple[int, int] = (0, 1), *, events: int | None = None
) -> AsyncIterator[tuple[SkoposApp, Pilot[None], Pace, ReplayScreen]]:
    pace = Pace()
    journal = (await recorded(4, apart))[:events]
    recording = Recording(journal, scenario(), labels=("weak",), pace=pace)
    screens: list[ReplayScreen] = []

    def kind(session: Session, state: ConversationState) -> ReplayScreen:
        screens.append(ReplayScreen(session, state, Settings(), pace, place))
        return screens[-1]

    app = SkoposApp(recording, kind=kind)
    async with app.run_test(size=(80, 24)) as pilot:
        holding = asyncio.create_task(app.showing.hold(app.exit))
        yield app, pilot, pace, screens[0]
    pace.finish()
    await holding
    assert app.failure is None


async def test_a_recording_is_played_on_the_live_screen() -> None:
    async with replayed(0) as (app, pilot, _, _screen):
        await until(pilot, lambda: "ended: all turns were held" in visible_rows(app))
        rows = visible_rows(app)
        for wanted in ("replay ×1", "kata 3", "! weak", "turns 4"):
            assert wanted in rows


async def test_it_waits_as_the_conversation_did_and_goes_as_fast_as_one_likes() -> None:
    async with replayed(60) as (app, pilot, pace, _):
        await until(pilot, lambda: app.state.started is not None)
        await pilot.press("minus")
        assert "replay ×0.5" in visible_rows(app)
        assert app.state.ended is None
        await pilot.press(*["plus"] * len(SPEEDS))
        assert pace.speed == SPEEDS[-1]
        await until(pilot, lambda: "ended: all turns were held" in visible_rows(app))
        assert "all at once" in visible_rows(app)
        assert "29:00" in visible_rows(app)  # the clock of the recording


async def test_a_record_nobody_finished_says_where_it_ends() -> None:
    async with replayed(0, events=5) as (app, pilot, _, _screen):
        await until(pilot, lambda: "the record ends here: it was never finished" in visible_rows(app))


async def test_a_record_nobody_finished_says_so_as_lines_too() -> None:
    out = io.StringIO()
    await watch_plain(Recording((await recorded(2, 0))[:5], scenario()), out)
    assert "Not ended: the record ends here: it was never finished" in out.getvalue()


async def test_it_pauses_and_plays_one_turn_at_a_time() -> None:
    async with replayed(0) as (app, pilot, pace, _):
        pace.pause()
        for turns in (0, 1, 2, 3):
            await pilot.press("space")
            await until(pilot, lambda turns=turns: pace.paused and app.state.delivered == turns)
            assert "‖ paused" in visible_rows(app)
        await pilot.press("p")
        await until(pilot, lambda: app.state.ended is not None)
        assert app.state.delivered == 4
        assert app.state.paused is False


@pytest.mark.parametrize(("key", "place", "onward"), [
    ("right_square_bracket", (0, 2), 1),
    ("left_square_bracket", (1, 2), -1),
    ("right_square_bracket", (1, 2), 0),
    ("left_square_bracket", (0, 2), 0),
])  # fmt: skip
async def test_another_conversation_of_the_run_is_a_key_away(
    key: str, place: tuple[int, int], onward: int
) -> None:
    async with replayed(0, place) as (app, pilot, _, screen):
        await until(pilot, lambda: f"replay {place[0] + 1} of 2" in visible_rows(app))
        assert ("] Next" in visible_rows(app)) is (place[0] == 0)
        await pilot.press(key)
        assert screen.onward == onward


async def test_a_paused_recording_holds_nobody_up_who_leaves() -> None:
    pace = Pace()
    pace.pause()
    waiting = asyncio.create_task(pace.wait(1000, turn=True))
    await asyncio.sleep(0)
    pace.finish()
    async with asyncio.timeout(10):
        await waiting


async def test_no_silence_is_longer_than_a_few_seconds() -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 1.0
        return now

    async with asyncio.timeout(10):
        await Pace(clock=clock).wait(10_000, turn=False)
    assert now < 10


@pytest.mark.parametrize("damaged", ["abc", "xbc", "axc", "abx", "xxc", "axx", "xxx"])
def test_damaged_conversations_are_passed_over_and_told_of_at_the_end(
    damaged: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    steps = iter([1, 1, -1, -1])

    async def screen(path: Path, place: tuple[int, int]) -> tuple[int, int]:
        if path.name == "x":
            raise UsageProblem(Problem("Damaged", "x"))
        shown.append(path.name)
        step = next(steps, 0)
        return 0, step if 0 <= place[0] + step < place[1] else 0

    monkeypatch.setattr(replay, "_on_screen", screen)
    paths = [Path(name) for name in damaged]
    if "x" in damaged:
        with pytest.raises(UsageProblem) as told:
            replay._browse(paths)
        assert len(told.value.problems) == damaged.count("x")
    else:
        assert replay._browse(paths) == 0
    assert set(shown) == set(damaged) - {"x"}


def test_a_run_without_journals_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run.json").write_text("{}")
    assert main(["replay", str(tmp_path), "--plain"]) == 2
    assert "no journals" in capsys.readouterr().err
