"""What an interpreter is shown of earlier turns: none, last:k, similar:k, summary, full.

Selection and rendering only; which turns exist is decided by the view.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from agents.fence import fenced
from prompts.loader import Prompt, load
from sim.core.beside import beside
from sim.core.errors import Problem, UsageProblem
from sim.core.ports import (
    CallScope,
    Client,
    Completion,
    Encoder,
    InterpreterView,
    Message,
    PastTurn,
    Request,
)

DEFAULT = "full"
CHOICES = ("full", "none", "last:K", "similar:K", "summary")
_PARTS = (
    "history-none",
    "history-turns",
    "history-summary",
    "past-turn",
    "past-turn-undelivered",
    "summarise",
)


class NoSummary(Exception):
    """A model that was to summarise earlier turns gave nothing: the system failed at this message."""

    def __init__(self, completion: Completion) -> None:
        super().__init__(completion.outcome)
        self.completion = completion


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
    history: History,
    view: InterpreterView,
    *,
    client: Client,
    encoder: Encoder | None,
    parameters: Mapping[str, Any],
    scope: CallScope,
) -> Callable[[str], str]:
    """What shows earlier turns to the interpreter, given a fence token.

    A summary is the system's own call, with its `parameters`. Raises CallFailed and NoSummary, both for a
    summary only.
    """
    past = view.past
    match history.kind:
        case "none":
            past = ()
        case "last":
            past = past[-history.k :]
        case "similar" if encoder is not None:
            past = await _similar(past, view.message, history.k, encoder)
        case "summary" if past:
            return await _summary(past, client, parameters, scope)
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


async def _summary(
    past: tuple[PastTurn, ...], client: Client, parameters: Mapping[str, Any], scope: CallScope
) -> Callable[[str], str]:
    turns = _turns(past)
    prompt = await beside(
        len(turns),
        lambda: fenced(lambda token: load("interpreter/summarise").render(fence=token, turns=turns)),
    )
    request = Request(messages=(Message("user", prompt),), parameters=parameters)
    # without deltas: a summary is not a translation on its way
    completion = await client.complete(request, replace(scope, on_delta=None))
    summary = completion.text.strip()
    if completion.outcome == "blocked" or not summary:
        raise NoSummary(completion)
    return lambda token: load("interpreter/history-summary").render(fence=token, summary=summary)


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
