"""A client that answers from a list, and views to ask it with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sim.core.errors import CallFailed
from sim.core.events import Event, Outcome
from sim.core.ports import (
    CallScope,
    Completion,
    Heard,
    InterpreterView,
    JudgedTurn,
    JudgeView,
    PastTurn,
    Request,
    UserView,
)
from sim.core.values import Criterion, LanguageCheck

OK = LanguageCheck(result="ok", label="ko", mass=0.99)
WRONG = LanguageCheck(result="wrong", label="en", mass=0.0)


def completion(text: str, outcome: Outcome = "ok") -> Completion:
    return Completion(outcome, text, text)


@dataclass
class ListClient:
    """Answers in order, the last answer for ever; keeps what it was asked."""

    answers: list[str | Completion | CallFailed]
    name: str = "list/model"
    identity: Mapping[str, Any] = field(default_factory=lambda: {"model": "list"})
    requests: list[Request] = field(default_factory=list)

    async def complete(self, request: Request, scope: CallScope) -> Completion:
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, CallFailed):
            raise answer
        return completion(answer) if isinstance(answer, str) else answer

    async def aclose(self) -> None:
        pass

    @property
    def prompt(self) -> str:
        """All text of the last request."""
        last = self.requests[-1]
        return last.prompt or "\n".join(message.content for message in last.messages)


def scope(role: str = "judge", published: list[Event] | None = None) -> CallScope:
    events = [] if published is None else published
    return CallScope(role, "small", 0, 0, 0, events.append)  # type: ignore[arg-type]


def user_view(**changes: Any) -> UserView:
    values: dict[str, Any] = {
        "speaker": "B",
        "language": "ind",
        "role_context": "Anda pasien.",
        "intent": "Ask about the fast.",
        "lines": (Heard(mine=False, text="Selamat pagi."),),
        "received": OK,
        "turn": 1,
        "last": False,
    }
    return UserView(**{**values, **changes})


def interpreter_view(**changes: Any) -> InterpreterView:
    values: dict[str, Any] = {
        "source_language": "kor",
        "target_language": "ind",
        "conversation_context": "A doctor and a patient.",
        "message": "안녕하세요.",
        "speaker": "A",
        "turn": 2,
        "past": (
            PastTurn(0, "A", "첫 번째", "pertama"),
            PastTurn(1, "B", "kedua", None),
        ),
        "multi_turn": True,
    }
    return InterpreterView(**{**values, **changes})


def judge_view(*ids: str, **changes: Any) -> JudgeView:
    values: dict[str, Any] = {
        "index": 0,
        "speaker": "A",
        "source_language": "kor",
        "target_language": "ind",
        "source": "안녕하세요.",
        "translation": "Selamat pagi.",
        "translation_check": OK,
        "flags": (),
        "response": None,
        "response_check": None,
        "reference": "Selamat pagi, Bu.",
    }
    level = changes.pop("level", "turn")
    turn = JudgedTurn(**{**values, **changes})
    criteria = tuple(Criterion(id=name, layer="L1", ask=f"Does the translation keep {name}?") for name in ids)
    return JudgeView("A clinic.", (turn,), criteria, level)
