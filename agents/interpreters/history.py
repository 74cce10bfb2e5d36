"""What an interpreter is shown of earlier turns: none, last:k, similar:k, summary, full.

Selection and rendering only; which turns exist is decided by the view.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from agents.fence import fenced
from prompts.loader import Prompt, load
from sim.core.errors import Problem, UsageProblem
from sim.core.ports import CallScope, Client, Encoder, InterpreterView, Message, PastTurn, Request

CHOICES = ("full", "none", "last:K", "similar:K", "summary")
_PARTS = (
    "history-none",
    "history-turns",
    "history-summary",
    "past-turn",
    "past-turn-undelivered",
    "summarise",
)


@dataclass(frozen=True, slots=True)
class History:
    """One way of showing earlier turns."""

    kind: Literal["none", "last", "similar", "summary", "full"]
    k: int = 0

    @property
    def name(self) -> str:
        """As on the command line."""
        return f"{self.kind}:{self.k}" if self.k else self.kind


def parse_history(name: str) -> History:
    """The history called `name`. Raises UsageProblem for any other word."""
    match = re.fullmatch(r"(last|similar):([1-9]\d{0,3})", name)
    if match:
        return History("last" if match[1] == "last" else "similar", int(match[2]))
    for kind in ("none", "summary", "full"):
        if name == kind:
            return History(kind)
    raise UsageProblem(
        Problem(
            "Unknown history", f"{name!r} is not a history.", "K is a number of turns from 1 on.", CHOICES
        )
    )


def prompts() -> tuple[Prompt, ...]:
    """The texts a history may use."""
    return tuple(load(f"interpreter/{name}") for name in _PARTS)


async def shown(
    history: History, view: InterpreterView, *, client: Client, encoder: Encoder | None, scope: CallScope
) -> Callable[[str], str]:
    """What shows earlier turns to the interpreter, given a fence token. Raises CallFailed (summary only)."""
    past = view.past
    match history.kind:
        case "none":
            past = ()
        case "last":
            past = past[-history.k :]
        case "similar" if encoder is not None:
            past = await _similar(past, view.message, history.k, encoder)
        case "summary" if past:
            return await _summary(past, client, scope)
        case _:
            pass
    if not past:
        return lambda token: load("interpreter/history-none").render()
    turns = _turns(past)
    return lambda token: load("interpreter/history-turns").render(fence=token, turns=turns)


async def _similar(
    past: tuple[PastTurn, ...], message: str, k: int, encoder: Encoder
) -> tuple[PastTurn, ...]:
    """The k turns whose source is nearest in meaning, in the order they were spoken."""
    nearness = await encoder.similarities(message, [turn.source for turn in past])
    order = sorted(range(len(past)), key=lambda i: (-nearness[i], i))[:k]
    return tuple(past[i] for i in sorted(order))


async def _summary(past: tuple[PastTurn, ...], client: Client, scope: CallScope) -> Callable[[str], str]:
    turns = _turns(past)
    prompt = fenced(lambda token: load("interpreter/summarise").render(fence=token, turns=turns))
    completion = await client.complete(Request(messages=(Message("user", prompt),)), _silent(scope))
    summary = completion.text.strip()
    return lambda token: load("interpreter/history-summary").render(fence=token, summary=summary)


def _silent(scope: CallScope) -> CallScope:
    """The scope without deltas: a summary is not a translation on its way."""
    return CallScope(
        role=scope.role,
        scenario=scope.scenario,
        turn=scope.turn,
        trial=scope.trial,
        attempt=scope.attempt,
        publish=scope.publish,
        occurrence=scope.occurrence,
    )


def _turns(past: tuple[PastTurn, ...]) -> str:
    return "\n\n".join(_turn(turn) for turn in past)


def _turn(turn: PastTurn) -> str:
    if turn.translation is None:
        return load("interpreter/past-turn-undelivered").render(
            turn=str(turn.index), speaker=turn.speaker, source=turn.source
        )
    return load("interpreter/past-turn").render(
        turn=str(turn.index), speaker=turn.speaker, source=turn.source, translation=turn.translation
    )
