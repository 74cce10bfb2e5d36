"""Participants without models, and a small scenario: what the loop is tested with."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sim.core.bus import Bus
from sim.core.control import Control
from sim.core.conversation import Conversation
from sim.core.errors import CallFailed, ConversationFault, Fault, FaultKind, Layer
from sim.core.events import Event, Flag
from sim.core.identity import ConversationKey
from sim.core.modes import course
from sim.core.plan import Cast, Plan
from sim.core.ports import (
    CallScope,
    Interpretation,
    InterpreterView,
    Judge,
    JudgeView,
    Reply,
    UserLeft,
    UserView,
)
from sim.core.record import fold
from sim.core.values import Basis, Criterion, LanguageCheck, Mode, Scenario, Verdict

OK = LanguageCheck(result="ok", label="id", mass=0.99)
WRONG = LanguageCheck(result="wrong", label="en", mass=0.01)


def criteria(prefix: str, *layers: str) -> list[dict[str, Any]]:
    return [
        {"id": f"{prefix}.{n}", "layer": layer, "ask": "Does the translation hold?"}
        for n, layer in enumerate(layers)
    ]


def scenario(turns: int = 3, *, whole: bool = True) -> Scenario:
    """Turns with three criteria each under every procedure."""
    rows = [
        {
            "index": n,
            "speaker": "AB"[n % 2],
            "source": f"source {n}",
            "reference": f"reference {n}",
            "intent": f"intent {n}",
            "gloss": {"source": f"source {n} in English", "reference": f"reference {n} in English"}
            if n == 0
            else None,
            "checklists": {
                "turn": criteria(f"t{n}", "L1", "L2", "L3"),
                "outline": criteria(f"o{n}", "L1", "L2", "L3"),
            },
        }
        for n in range(turns)
    ]
    return Scenario.model_validate(
        {
            "schema": 1,
            "id": "small",
            "pair": ["kor", "ind"],
            "setting": "test",
            "relation": {"A": "a", "B": "b"},
            "conversation_context": "Two people.",
            "contexts": {"A": "role of A", "B": "role of B"},
            "turns": rows,
            "criteria": criteria("c", "L2") if whole else [],
            "provenance": {"source": "written", "licence": "CC0-1.0"},
        }
    )


@dataclass
class FakeUser:
    """Says `lines` by turn; a value that is an exception is raised."""

    lines: Mapping[int, str | Reply | Exception] = field(default_factory=dict)
    name: str = "fake"
    seen: list[UserView] = field(default_factory=list)
    decisions: list[Literal["deliver", "retry"]] = field(default_factory=list)

    async def speak(self, view: UserView, scope: CallScope) -> Reply:
        self.seen.append(view)
        await asyncio.sleep(0)
        line = self.lines.get(view.turn, f"said {view.turn}")
        if isinstance(line, Exception):
            raise line
        return line if isinstance(line, Reply) else Reply(line)

    async def decide(self, flags: tuple[Flag, ...]) -> Literal["deliver", "retry"]:
        if not self.decisions:
            raise UserLeft
        return self.decisions.pop(0)


@dataclass
class FakeInterpreter:
    """Translates to `<message>`; `answers` by turn instead, in the order asked, exceptions raised."""

    answers: Mapping[int, list[Interpretation | Exception]] = field(default_factory=dict)
    sees_reference: bool = False
    seen: list[InterpreterView] = field(default_factory=list)
    identity: Mapping[str, Any] = field(
        default_factory=lambda: {
            "id": "fake",
            "model": "fake",
            "brief": None,
            "history": None,
            "parameters": {},
        }
    )

    async def interpret(self, view: InterpreterView, scope: CallScope) -> Interpretation:
        self.seen.append(view)
        await asyncio.sleep(0)
        left = self.answers.get(view.turn, [])
        answer = left.pop(0) if left else Interpretation("ok", f"<{view.message}>", f" <{view.message}>")
        if isinstance(answer, Exception):
            raise answer
        if scope.on_delta:
            scope.on_delta(answer.text[:2])
            scope.on_delta(answer.text[2:])
        return answer


Says = Callable[[JudgeView], tuple[Verdict, ...]]


def all_met(view: JudgeView) -> tuple[Verdict, ...]:
    return tuple(
        Verdict(criterion=c.id, layer=c.layer, met=True, basis=Basis.JUDGED, judge="fake")
        for c in view.criteria
    )


@dataclass
class FakeJudge:
    """Says what `says` gives; waits `pause(turn)` event-loop rounds before."""

    says: Says = all_met
    pause: Callable[[int | None], int] = lambda turn: 0
    name: str = "fake"
    sees_reference: bool = False
    seen: list[JudgeView] = field(default_factory=list)
    identity: Mapping[str, Any] = field(default_factory=lambda: {"judge": "fake"})
    unclaimed: frozenset[str] = frozenset()
    """Ids of criteria it does not claim."""

    def claims(self, criterion: Criterion, target: str | None) -> bool:
        return criterion.id not in self.unclaimed

    async def judge(self, view: JudgeView, scope: CallScope) -> tuple[Verdict, ...]:
        self.seen.append(view)
        for _ in range(self.pause(scope.turn)):
            await asyncio.sleep(0)
        return self.says(view)


@dataclass
class FakeDetector:
    """OK, but for the texts in `wrong`."""

    wrong: set[str] = field(default_factory=set)
    identity: Mapping[str, Any] = field(default_factory=lambda: {"detector": "fake"})

    def check(
        self, text: str, expected: str, source: str | None = None, original: str | None = None
    ) -> LanguageCheck:
        return WRONG if text in self.wrong else OK


@dataclass
class FakeDelivery:
    """Flags the texts in `odd`."""

    odd: set[str] = field(default_factory=set)
    identity: str = "fake"

    def flags(
        self, view: InterpreterView, interpretation: Interpretation, check: LanguageCheck
    ) -> tuple[Flag, ...]:
        return ("echo",) if interpretation.text in self.odd else ()


@dataclass
class Stage:
    """One conversation with fakes in every place."""

    mode: Mode = Mode.SCRIPTED
    play: Scenario = field(default_factory=scenario)
    a: FakeUser = field(default_factory=FakeUser)
    b: FakeUser | None = field(default_factory=FakeUser)
    interpreter: FakeInterpreter = field(default_factory=FakeInterpreter)
    judge: Judge | None = field(default_factory=FakeJudge)
    detector: FakeDetector = field(default_factory=FakeDetector)
    delivery: FakeDelivery = field(default_factory=FakeDelivery)
    ask: bool = False
    turns: int | None = None
    turn: int | None = None
    """Of single-turn mode."""
    bus: Bus = field(default_factory=lambda: Bus("test-0"))
    control: Control = field(init=False)

    def __post_init__(self) -> None:
        self.control = Control(self.bus)

    def conversation(self) -> Conversation:
        way = course(self.mode, self.play, turn=self.turn, turns=self.turns)
        users = {"A": self.a} | ({"B": self.b} if self.b else {})
        turn = way.first if self.mode is Mode.SINGLE_TURN else None
        key = ConversationKey(self.play.id, "fake", "fake|fake", self.mode, turn, 0)
        cast = Cast(users, self.interpreter, self.judge, self.detector, self.delivery)  # type: ignore[arg-type]
        return Conversation(Plan(key, self.play, way, {}, ask_on_flag=self.ask), cast, self.bus, self.control)

    async def held(self) -> dict[str, Any]:
        """Hold it; its record."""
        async with self.bus:
            await self.conversation().run()
        return fold(self.bus.journal)

    @property
    def types(self) -> list[str]:
        """Types of all events, in order."""
        return [event.type for event in self.bus.journal]

    def of(self, kind: str, turn: int | None = None) -> list[Event]:
        """Events of a type, of one turn if given."""
        return [e for e in self.bus.journal if e.type == kind and (turn is None or e.turn == turn)]


EMPTY = Interpretation("empty", "", "")
BLOCKED = Interpretation("blocked", "", "")


def down() -> CallFailed:
    return CallFailed(FaultKind.UNAVAILABLE, "The server is gone.")


def fault(kind: FaultKind) -> ConversationFault:
    return ConversationFault(Fault(Layer.USER, kind, "The user failed."))


def met(record: Mapping[str, Any], turn: int) -> list[bool | None]:
    """The verdicts of one turn of a record."""
    row = next(row for row in record["turns"] if row["index"] == turn)
    return [verdict["met"] for verdict in row["verdicts"]]


def bases(record: Mapping[str, Any], turn: int) -> set[str]:
    """The bases of one turn's verdicts."""
    row = next(row for row in record["turns"] if row["index"] == turn)
    return {verdict["basis"] for verdict in row["verdicts"]}
