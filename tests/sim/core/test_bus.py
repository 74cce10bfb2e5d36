"""The bus: lossless participants, harmless observers, a complete record under any interleaving."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.core.bus import Bus
from sim.core.events import (
    ConversationEnded,
    ConversationStarted,
    Event,
    Gap,
    Paused,
    TranslationDelta,
    event_document,
    parse_event,
)
from sim.core.record import fold
from sim.core.text import dumps
from sim.core.values import EndReason, Mode
from tests.sim.core.people import FakeInterpreter, FakeJudge, FakeUser, Stage, down, scenario


async def test_lossless_events_are_numbered_without_holes_and_deltas_are_not() -> None:
    async with Bus("k-0") as bus:
        bus.publish(Paused())
        delta = bus.publish(TranslationDelta(part=0, text="a"))
        last = bus.publish(Paused())
    assert (delta.seq, last.seq) == (None, 1)
    assert [event.seq for event in bus.journal] == [0, 1]


async def test_a_participant_gets_everything_but_deltas() -> None:
    bus = Bus("k-0")
    subscription = bus.subscribe()
    bus.publish(Paused())
    bus.publish(TranslationDelta(part=0, text="a"))
    bus.publish(Paused())
    await bus.close()
    assert [event.type async for event in subscription] == ["Paused", "Paused"]


async def test_a_slow_observer_gets_one_gap_and_reloads() -> None:
    bus = Bus("k-0")
    seen: list[Event] = []
    go = asyncio.Event()

    async def observe(event: Event) -> None:
        await go.wait()
        seen.append(event)

    bus.observe("slow", observe, capacity=3)
    for _ in range(20):
        bus.publish(Paused())
        await asyncio.sleep(0)
    go.set()
    await bus.close()
    gaps = [event for event in seen if isinstance(event, Gap)]
    assert len(gaps) == 1
    before = [event.seq for event in seen if event.seq is not None]
    assert before == list(range(gaps[0].first))
    assert [event.seq for event in bus.since(gaps[0].first)] == list(range(gaps[0].first, 20))


async def test_a_failing_observer_is_dropped_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    bus = Bus("k-0")
    seen: list[str] = []

    async def fail(event: Event) -> None:
        raise ValueError("broken widget")

    async def note(event: Event) -> None:
        seen.append(event.type)

    bus.observe("bad", fail)
    bus.observe("good", note)
    bus.publish(Paused())
    bus.publish(Paused())
    await bus.close()
    assert seen == ["Paused", "Paused"]
    assert "observer bad failed" in caplog.text


async def test_an_observer_that_never_returns_does_not_keep_the_bus_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sim.core.bus._OBSERVER_GRACE", 0.01)
    bus = Bus("k-0")

    async def hang(event: Event) -> None:
        await asyncio.Event().wait()

    bus.observe("hung", hang)
    bus.publish(Paused())
    await bus.close()
    with pytest.raises(RuntimeError):
        bus.publish(Paused())


def _observer(kind: str) -> Callable[[Event], Awaitable[None]]:
    async def observe(event: Event) -> None:
        if kind == "failing" and event.type == "UtteranceDelivered":
            raise ValueError
        for _ in range(30 if kind == "slow" else 0):
            await asyncio.sleep(0)

    return observe


@settings(max_examples=60, deadline=None)
@given(
    mode=st.sampled_from([Mode.SCRIPTED, Mode.DYNAMIC_GUIDED, Mode.DYNAMIC_FREE]),
    pauses=st.lists(st.integers(0, 40), min_size=6, max_size=6),
    observers=st.lists(st.sampled_from(["quick", "slow", "failing"]), max_size=3),
    capacity=st.integers(1, 8),
    failing_turn=st.none() | st.integers(0, 5),
    stop_after=st.none() | st.integers(0, 60),
)
def test_any_interleaving_gives_a_complete_record(
    mode: Mode,
    pauses: list[int],
    observers: list[str],
    capacity: int,
    failing_turn: int | None,
    stop_after: int | None,
) -> None:
    async def hold() -> tuple[Stage, list[Event]]:
        answers: dict[int, list[Any]] = {failing_turn: [down()]} if failing_turn is not None else {}
        judge = FakeJudge(pause=lambda turn: pauses[turn or 0])
        stage = Stage(mode, play=scenario(6), interpreter=FakeInterpreter(answers), judge=judge)
        stage.b = FakeUser()
        for number, kind in enumerate(observers):
            stage.bus.observe(str(number), _observer(kind), capacity=capacity)
        subscription = stage.bus.subscribe()
        task = asyncio.create_task(stage.held())
        if stop_after is not None:
            for _ in range(stop_after):
                await asyncio.sleep(0)
            stage.control.stop()
        await asyncio.wait_for(task, 20)
        return stage, [event async for event in subscription]

    stage, recorded = asyncio.run(hold())
    assert [event.seq for event in recorded] == list(range(len(recorded)))
    assert recorded == list(stage.bus.journal)
    assert isinstance(recorded[0], ConversationStarted)
    assert isinstance(recorded[-1], ConversationEnded)
    delivered = {event.turn for event in stage.of("UtteranceDelivered")}
    judged = {event.turn for event in stage.of("TurnJudged")}
    if recorded[-1].reason is EndReason.INFRASTRUCTURE:
        assert judged <= delivered
    else:
        assert judged == delivered
    for turn in judged:
        assert len(stage.of("CriterionJudged", turn)) == len(stage.of("ChecklistReady", turn)[0].criteria)  # type: ignore[attr-defined]
        checks = [i for i, e in enumerate(recorded) if e.type == "LanguageChecked" and e.turn == turn]
        verdict = next(i for i, e in enumerate(recorded) if e.type == "TurnJudged" and e.turn == turn)
        assert max(checks) < verdict


async def test_a_record_is_a_pure_fold_of_the_written_journal() -> None:
    stage = Stage(Mode.DYNAMIC_GUIDED)
    record = await stage.held()
    read = [parse_event(dumps(event_document(event))) for event in stage.bus.journal]
    assert fold(read) == record
