import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from sim.core import events as ev
from sim.core.errors import Problem, UsageProblem
from sim.core.studio import Setup
from sim.core.values import EndReason, Mode, Scenario
from tests.ui.fake import CHOICES, FakeSession, FakeStudio, scenario, started
from tests.ui.test_live import until
from ui.choosing import matches, modes, next_choice
from ui.home import HomeApp
from ui.paint import LinesView

SCENARIOS = (
    scenario(("arb", "ben"), id="arb-ben-school", setting="school", conversation_context="[/] [bold"),
    scenario(("kor", "ind"), id="kor-ind-clinic", setting="clinic"),
    scenario(("eng", "kor"), id="eng-kor-lease", setting="office"),
)


@asynccontextmanager
async def home(
    studio: FakeStudio, size: tuple[int, int] = (80, 24), recent: Sequence[str] = ()
) -> AsyncIterator[tuple[HomeApp, Pilot[None]]]:
    app = HomeApp(studio, Setup(scenario="kor-ind-clinic"), lambda: recent)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: app.home.is_mounted and "▌kor-ind-clinic" in rows(app))
        yield app, pilot
    assert app.failure is None


def rows(app: HomeApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_enter_begins_with_the_scenario_the_setup_names(size: tuple[int, int]) -> None:
    studio = FakeStudio(SCENARIOS)
    async with home(studio, size) as (_app, pilot):
        await pilot.press("enter")
        await until(pilot, lambda: studio.started)
    (setup,) = studio.started
    assert setup == Setup(scenario="kor-ind-clinic", mode=Mode.SCRIPTED, interpreter="local", judge="rules")


async def test_scenarios_are_searched_by_any_word_and_chosen_with_the_arrows() -> None:
    studio = FakeStudio(SCENARIOS)
    async with home(studio) as (app, pilot):
        await pilot.press("down")
        assert "▌eng-kor-lease" in rows(app)
        await pilot.press("up", "up")
        assert "▌arb-ben-school" in rows(app)
        assert "[/] [bold" in rows(app)
        await pilot.press(*"korean off")
        await until(pilot, lambda: "arb-ben" not in rows(app))
        assert "▌eng-kor-lease" in rows(app)
        assert "1 of 3 scenarios" in rows(app)
        await pilot.press(*"xyz", "enter")
        assert "Nothing found." in rows(app)
        assert not studio.started


async def test_settings_are_cycled_or_typed() -> None:
    studio = FakeStudio(SCENARIOS)
    async with home(studio) as (app, pilot):
        await pilot.press("tab", "down", "down")
        assert app.home.query_one("#mode", Input).value == Mode.DYNAMIC_FREE
        await pilot.press("tab", "end", *["backspace"] * 5, *"some/model")
        assert "choices: local · reference · copy · gguf:PATH" in rows(app)
        await pilot.press("tab", "down", "tab", "tab", "down", "down", "enter")
        await until(pilot, lambda: studio.started)
    (setup,) = studio.started
    assert (setup.mode, setup.interpreter, setup.brief) == (Mode.DYNAMIC_FREE, "some/model", "cultural")
    assert (setup.history, setup.user_a, setup.user_b) == (None, "person", None)


async def test_a_refused_setup_is_explained_and_can_be_mended() -> None:
    studio = FakeStudio(SCENARIOS)
    studio.refusal = UsageProblem(Problem("No key", "[/] needs a key.", "Set KEY.", ("local", "copy")))
    async with home(studio) as (app, pilot):
        await pilot.press("enter")
        assert "✗  No key: [/] needs a key. Set KEY. Choices: local, copy." in rows(app)
        await pilot.press("tab", *["backspace"] * 20, *"odd", "enter")
        assert "Unknown mode: 'odd' is not a mode." in rows(app)
        studio.refusal = None
        await pilot.press("up", "enter")
        await until(pilot, lambda: studio.started)


async def test_facts_and_recent_runs_are_shown_on_a_key() -> None:
    async with home(FakeStudio(SCENARIOS), recent=("20261130-0001",)) as (app, pilot):
        await pilot.press("f2")
        await until(pilot, lambda: "Recent runs" in rows(app))
        assert "✗  [keys]: missing: no key [/]" in rows(app)
        assert "20261130-0001" in rows(app)
        await pilot.press("enter")
        assert app.screen is app.home
        await pilot.press("f1")
        assert "what is available here" in rows(app)


async def test_leaving_chooses_nothing() -> None:
    studio = FakeStudio(SCENARIOS)
    async with home(studio) as (_app, pilot):
        await pilot.press("escape")
    assert not studio.started
    assert studio.started == []


def test_patterns_are_never_chosen_by_cycling() -> None:
    choices = CHOICES["interpreter"]
    seen, value = [], ""
    for _ in range(4):
        value = next_choice(value, choices, 1)
        seen.append(value)
    assert seen == ["local", "reference", "copy", ""]
    assert next_choice("local", choices, -1) == ""
    assert next_choice("typed/model", choices, 1) == "local"


def test_guided_is_offered_only_where_every_turn_has_an_outline() -> None:
    assert Mode.DYNAMIC_GUIDED not in modes(SCENARIOS[0])
    turn = {"index": 0, "speaker": "A", "source": "x", "reference": "y", "intent": "ask"}
    outlined = scenario(turns=[turn])
    assert Mode.DYNAMIC_GUIDED in modes(outlined)
    assert matches(outlined, "GUIDED clinic")
    assert not matches(SCENARIOS[0], "guided")


async def test_a_conversation_is_held_and_left_for_another_choice() -> None:
    studio = FakeStudio(SCENARIOS)
    async with home(studio) as (app, pilot):
        await pilot.press("down", "enter")
        await until(pilot, lambda: "ended" in rows(app) and "Back" in rows(app))
        assert "Quit" not in rows(app)
        first = app.showing
        await pilot.press("q")
        await until(pilot, lambda: app.screen is app.home)
        assert "▌eng-kor-lease" in rows(app)
        assert app.last is not None
        assert app.last[1] is not None
        await pilot.press("up", "enter")
        await until(pilot, lambda: app.showing is not None and app.showing is not first)
    assert [setup.scenario for setup in studio.started] == ["eng-kor-lease", "kor-ind-clinic"]


async def test_leaving_for_the_home_screen_in_mid_turn_stops_the_conversation() -> None:
    async def stuck(session: FakeSession) -> AsyncIterator[ev.Event]:
        yield started(session.scenario)
        await session.control.gate()
        while await session.control.gate() is None:
            await asyncio.sleep(0)
        yield ev.TurnRequested(turn=0, speaker="A", language="kor")

    studio = FakeStudio(SCENARIOS, lambda: FakeSession(stuck))
    async with home(studio) as (app, pilot):
        await pilot.press("enter")
        await until(pilot, lambda: app.showing is not None and app.showing.state.started is not None)
        await pilot.press("q")
        await until(pilot, lambda: app.screen is app.home)
        assert app.last is not None
        assert app.last[0].bus.journal[-1].model_dump()["reason"] == EndReason.INTERRUPTED


async def test_what_shows_only_on_start_is_said_on_the_home_screen() -> None:
    class Unusable(FakeSession):
        async def run(self) -> dict[str, Any]:
            raise UsageProblem(Problem("No model", "the [/] file is missing"))

    async with home(FakeStudio(SCENARIOS, lambda: Unusable([]))) as (app, pilot):
        await pilot.press("enter")
        await until(pilot, lambda: "No model: the [/] file is missing" in rows(app))
        assert app.screen is app.home


async def test_the_screen_is_painted_while_the_scenarios_are_read() -> None:
    reading = threading.Event()

    class Slow(FakeStudio):
        def scenarios(self) -> tuple[Scenario, ...]:
            reading.wait(10)
            return super().scenarios()

    app = HomeApp(Slow(SCENARIOS), Setup(scenario="kor-ind-clinic"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "reading the scenarios" in rows(app))
        await pilot.press("enter", *"korean")
        reading.set()
        await until(pilot, lambda: "2 of 3 scenarios" in rows(app))
        assert "▌kor-ind-clinic" in rows(app)
    assert app.failure is None


async def test_pages_scroll_the_preview_and_another_scenario_begins_at_its_top() -> None:
    long = scenario(("eng", "kor"), id="kor-ind-clinic", conversation_context="word " * 200)
    async with home(FakeStudio((long, *SCENARIOS[2:]))) as (app, pilot):
        preview = app.home.query_one("#preview", LinesView)
        await pilot.press("pagedown", "pagedown")
        assert preview.scroll_y > 0
        await pilot.press("down")
        await until(pilot, lambda: preview.scroll_y == 0)
