"""Progress: what is said of a stage, drawn over on a terminal and in lines elsewhere."""

import asyncio
import io

import pytest

from sim.core.events import CallFinished, Waiting
from sim.runs.budget import Account, Budget
from sim.runs.meter import Meter
from ui.progress import Status, lines, shown

STATUS = Status("holding conversations", 200, 60, before=20, failed=10, running=4)


class Screen(io.StringIO):
    """A terminal that keeps what is written to it."""

    def isatty(self) -> bool:
        return True


def busy(clock: float = 0.0) -> Meter:
    meter = Meter(lambda model: model.partition("/")[0], lambda: clock)
    for known in (True, True, False):
        meter.take(
            CallFinished(
                role="judge",
                model="openai/a",
                outcome="ok",
                input_tokens=1000,
                output_tokens=20,
                cost=0.01 if known else None,
                cost_status="known" if known else "unknown",
            )
        )
    meter.take(Waiting(who="openai/a", why="rate limit", until=3.0))
    return meter


def test_a_stage_says_counts_pace_cost_budget_and_waits() -> None:
    said = lines(STATUS, busy(), 100.0, Account(Budget(5, "USD"), 1.25))
    assert said == (
        "60 of 200, 10 failed, 4 running, 1:40, about 4:20 left",
        "3 calls, 3.0/s; 3,000 + 60 tokens",
        "at least 0.0200 USD (1 call unpriced), 3.7500 left of 5 USD",
        "waiting for openai: rate limit, 3 s",
    )


def test_before_anything_ended_nothing_is_foretold() -> None:
    assert lines(Status("judging", 3, 0), Meter(), 7261.0) == ("0 of 3, 0 failed, 0 running, 2:01:01",)


def test_tokens_left_are_counted_in_tokens() -> None:
    said = lines(STATUS, Meter(), 1.0, Account(Budget(20000, "tokens"), 4500))
    assert said[1] == "15,500 left of 20000 tokens"


async def test_a_terminal_shows_the_stage_at_once_and_keeps_what_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    screen = Screen()
    async with shown(lambda: STATUS, busy(), None, screen) as face:
        assert "holding conversations" in screen.getvalue()
        assert "waiting for openai: rate limit, 3 s" in screen.getvalue()
        face.said("[/] trial 7: infrastructure: no network", bad=True)
        face.said("61/200 " + "x" * 80)
    text = screen.getvalue()
    assert "[/] trial 7: infrastructure: no network" in text
    assert "…" in text
    assert "x" * 80 not in text


async def test_a_pipe_gets_lines_and_no_control_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.progress._SILENCE", 0.02)
    pipe = io.StringIO()
    async with shown(lambda: STATUS, busy(), None, pipe) as face:
        face.said("61/200 a: completed")
        while pipe.getvalue().count("\n") < 2:
            await asyncio.sleep(0.01)
    first, second = pipe.getvalue().splitlines()[:2]
    assert first == "61/200 a: completed"
    assert second.startswith("holding conversations: 60 of 200, 10 failed, 4 running, ")
    assert "\x1b" not in pipe.getvalue()


async def test_a_reader_who_is_gone_stops_nothing() -> None:
    pipe = io.StringIO()
    async with shown(lambda: STATUS, Meter(), None, pipe) as face:
        pipe.close()
        face.said("61/200 a: completed")
