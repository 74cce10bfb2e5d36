"""A session that plays a script of events on a real bus; what the faces are driven with."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Literal

from sim.core import events as ev
from sim.core.bus import Bus
from sim.core.control import Control
from sim.core.errors import UsageProblem
from sim.core.ports import Seat
from sim.core.studio import ChoiceKind, Fact, Session, Setup
from sim.core.values import (
    Basis,
    Criterion,
    EndReason,
    LanguageCheck,
    LayerName,
    Mode,
    Scenario,
    Speaker,
    Verdict,
)

Script = Callable[["FakeSession"], AsyncIterator[ev.Event]]

SCORES: dict[str, Any] = {
    "overall": 0.75, "L1": 1.0, "L2": 0.5, "L3": None, "conversation": None, "judged": 4, "criteria": 5,
    "bounds": [0.6, 0.8], "conversation_judged": 0, "conversation_criteria": 0,
}  # fmt: skip

SIGNATURE = {
    "version": "0",
    "scenario": "0123456789abcdef",
    "mode": "scripted",
    "procedure": "turn",
    "system": {"id": "copy"},
    "users": "script|script",
    "judge": {"judge": "rules"},
    "language_check": {"detector": "lid.176", "threshold": 0.5},
    "seed": 0,
}


def scenario(pair: tuple[str, str] = ("kor", "ind"), **changes: Any) -> Scenario:
    document = {
        "schema": 1,
        "id": "clinic-fasting",
        "pair": list(pair),
        "setting": "clinic",
        "relation": {"A": "doctor", "B": "patient"},
        "conversation_context": "A doctor tells a patient how to prepare for a blood test.",
        "turns": [{"index": 0, "speaker": "A", "source": "x", "reference": "y"}],
        "provenance": {"source": "written", "licence": "CC0-1.0"},
    }
    return Scenario.model_validate(document | changes)


def criterion(
    layer: LayerName, number: int = 0, ask: str = "Does the translation keep the dose?"
) -> Criterion:
    return Criterion(id=f"t0.{layer.lower()}.c{number}", layer=layer, ask=ask)


def verdict(of: Criterion, met: bool | None, reason: str = "", **changes: Any) -> Verdict:
    basis = Basis.UNJUDGED if met is None else Basis.JUDGED
    values = {"criterion": of.id, "layer": of.layer, "met": met, "basis": basis, "reason": reason}
    return Verdict.model_validate(values | {"judge": "rules"} | changes)


OK = LanguageCheck(result="ok", label="id", mass=0.98)
WRONG = LanguageCheck(result="wrong", label="en", mass=0.01)
LOW = LanguageCheck(result="low", label="id", mass=0.41)


def started(of: Scenario, mode: Mode = Mode.SCRIPTED) -> ev.ConversationStarted:
    return ev.ConversationStarted(
        key={},
        scenario=of.id,
        pair=of.pair,
        mode=mode,
        system={"id": "local", "model": "local", "brief": None, "history": None, "parameters": {}},
        users={"A": "script", "B": "script"},
        judge="rules",
        procedure="turn",
        signature=SIGNATURE,
    )


def said(
    of: Scenario,
    index: int,
    source: str,
    translation: str | None,
    *,
    flags: tuple[ev.Flag, ...] = (),
    check: LanguageCheck = OK,
    criteria: tuple[Criterion, ...] = (),
) -> list[ev.Event]:
    """The events of one turn up to its delivery."""
    speaker, (first, second) = of.speaker_of(index), of.direction(index)
    outcome: ev.Outcome = "ok" if translation is not None else "empty"
    events: list[ev.Event] = [
        ev.TurnRequested(turn=index, speaker=speaker, language=first),
        ev.ChecklistReady(turn=index, procedure="turn", criteria=criteria),
        ev.UtteranceSpoken(turn=index, speaker=speaker, language=first, text=source),
        ev.LanguageChecked(turn=index, subject="utterance", expected=first, check=OK),
        ev.UtteranceInterpreted(
            turn=index, source=first, target=second, raw=translation or "", text=translation, outcome=outcome
        ),
    ]
    if translation is None:
        return events
    return [
        *events,
        ev.LanguageChecked(turn=index, subject="translation", expected=second, check=check),
        ev.UtteranceDelivered(turn=index, text=translation, flags=flags),
    ]


def judged(index: int | None, verdicts: list[Verdict]) -> list[ev.Event]:
    """The events of a judged turn, or of the judged conversation."""
    counts = {
        "met": sum(v.met is True for v in verdicts),
        "judged": sum(v.met is not None for v in verdicts),
        "criteria": len(verdicts),
    }
    end = ev.ConversationJudged(**counts) if index is None else ev.TurnJudged(turn=index, **counts)
    return [*(ev.CriterionJudged(turn=index, verdict=v) for v in verdicts), end]


class FakeSeat:
    """A seat that notes what is done in it."""

    def __init__(self, bus: Bus, side: Speaker) -> None:
        self._bus, self.side = bus, side
        self.acts: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self.done: list[tuple[str, Any]] = []

    def _act(self, name: str, value: Any) -> None:
        self.done.append((name, value))
        self.acts.put_nowait((name, value))

    def say(self, text: str, *, end: bool = False) -> None:
        self._act("end" if end else "say", text)

    def leave(self) -> None:
        self._act("leave", None)

    def decide(self, decision: Literal["deliver", "retry"]) -> None:
        self._act("decide", decision)

    def peek(self) -> None:
        self.done.append(("peek", None))
        self._bus.publish(ev.PeekUsed(seat=self.side))


class FakeSession:
    """A session whose `run` publishes what its script yields, stopping where its control says so."""

    def __init__(
        self,
        script: Script | list[ev.Event],
        *,
        of: Scenario | None = None,
        seats: tuple[Speaker, ...] = (),
        notices: tuple[str, ...] = (),
        labels: tuple[str, ...] = (),
        scores: Mapping[str, Any] | None = SCORES,
    ) -> None:
        self.scenario = of or scenario()
        self.bus = Bus("0000-0")
        self.control = Control(self.bus)
        self.places = {side: FakeSeat(self.bus, side) for side in seats}
        self.notices, self.labels = notices, labels
        self.finished = False
        self._script, self._scores = script, scores

    @property
    def seats(self) -> Mapping[Speaker, Seat]:
        return self.places

    async def run(self) -> dict[str, Any]:
        async with self.bus:
            reason = await self._play()
            self.bus.publish(ev.ConversationEnded(reason=reason))
        self.finished = True
        return {"schema": 1, "conversation": {}, "scores": self._scores, "signature": SIGNATURE}

    async def _play(self) -> EndReason:
        async for event in self._events():
            if isinstance(event, ev.TurnRequested) and (stop := await self.control.gate()) is not None:
                return stop
            if isinstance(event, ev.ConversationEnded):
                return event.reason
            self.bus.publish(event)
            await asyncio.sleep(0)
        return EndReason.COMPLETED

    async def _events(self) -> AsyncIterator[ev.Event]:
        if isinstance(self._script, list):
            for event in self._script:
                yield event
        else:
            async for event in self._script(self):
                yield event


async def talk(
    session: FakeSession, turns: int, flagged: frozenset[int] = frozenset()
) -> AsyncIterator[ev.Event]:
    """A conversation with persons in the seats; what an empty seat says is `other N`."""
    yield started(session.scenario, Mode.DYNAMIC_FREE)
    for index in range(turns):
        side = session.scenario.speaker_of(index)
        first, second = session.scenario.direction(index)
        yield ev.TurnRequested(turn=index, speaker=side, language=first)
        act, text = ("say", f"other {index}")
        if side in session.places:
            act, text = await session.places[side].acts.get()
        if act == "leave":
            yield ev.SeatEnded(turn=index, seat=side)
            yield ev.ConversationEnded(reason=EndReason.USER_LEFT)
        yield ev.UtteranceSpoken(turn=index, speaker=side, language=first, text=text, end=act == "end")
        translation = f"<{second}> {text}"
        yield ev.UtteranceInterpreted(
            turn=index, source=first, target=second, raw=translation, text=translation, outcome="ok"
        )
        if index in flagged and side in session.places:
            yield ev.UtteranceHeld(turn=index, flags=("wrong_language",))
            act, decision = await session.places[side].acts.get()
            yield ev.HoldDecided(turn=index, decision=decision)
        yield ev.UtteranceDelivered(turn=index, text=translation)
        if act == "end":
            yield ev.ConversationEnded(reason=EndReason.USER_ENDED)


CHOICES: dict[ChoiceKind, tuple[str, ...]] = {
    "mode": tuple(Mode),
    "interpreter": ("local", "reference", "copy", "gguf:PATH", "any LiteLLM model name"),
    "judge": ("rules", "none"),
    "brief": ("cultural", "direct"),
    "history": ("full", "none", "last:K"),
    "user": ("script", "person"),
}


class FakeStudio:
    """A studio whose sessions are empty and whose setups are noted."""

    def __init__(
        self,
        scenarios: tuple[Scenario, ...],
        make: Callable[[], "FakeSession"] = lambda: FakeSession([]),
    ) -> None:
        self._scenarios, self._make = scenarios, make
        self.started: list[Setup] = []
        self.refusal: UsageProblem | None = None

    def scenarios(self) -> tuple[Scenario, ...]:
        return self._scenarios

    def choices(self, kind: ChoiceKind) -> tuple[str, ...]:
        return CHOICES[kind]

    def facts(self) -> tuple[Fact, ...]:
        return (Fact("[keys]", "missing", "no key [/]"), Fact("python", "ok", "3.11"))

    def start(self, setup: Setup) -> Session:
        if self.refusal is not None:
            raise self.refusal
        self.started.append(setup)
        return self._make()

    async def aclose(self) -> None:
        pass
