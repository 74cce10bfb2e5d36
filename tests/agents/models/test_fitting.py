"""A context that is too small: the oldest lines go, whole, and the record says how many."""

import contextlib
from pathlib import Path

import pytest

from agents.interpreters.briefs import brief
from agents.interpreters.history import parse_history
from agents.interpreters.model import ModelInterpreter
from agents.models.registry import ModelPool
from agents.users.model import ModelUser
from sim.core.errors import CallFailed, ConversationFault, FaultKind
from sim.core.events import ContextTrimmed, Event
from sim.core.ports import CallScope, Completion, Heard, PastTurn, Request
from tests.agents.clients import ListClient, interpreter_view, scope, user_view


class Narrow(ListClient):
    """Takes so many characters and no more."""

    room = 0

    async def complete(self, request: Request, scope: CallScope) -> Completion:
        if sum(len(message.content) for message in request.messages) > self.room:
            raise CallFailed(FaultKind.CONTEXT_LENGTH, "Too long.")
        return await super().complete(request, scope)


def trimmed(events: list[Event]) -> list[tuple[int, int]]:
    return [(event.kept, event.dropped) for event in events if isinstance(event, ContextTrimmed)]


async def test_a_user_keeps_its_newest_lines() -> None:
    client, events = Narrow(["Baik."]), []  # type: ignore[var-annotated]
    client.room = 3200
    lines = tuple(Heard(mine=n % 2 == 0, text=f"baris {n} " + "x" * 200) for n in range(40))
    await ModelUser(client, plain=True).speak(user_view(lines=lines), scope("user-b", events))
    assert trimmed(events) == [(19, 20), (9, 30), (4, 35)]
    shown = [n for n in range(40) if f"baris {n} " in client.prompt]
    assert shown == [35, 36, 37, 38, 39]


async def test_an_interpreter_keeps_its_newest_turns() -> None:
    client, events = Narrow(["Baik."]), []  # type: ignore[var-annotated]
    client.room = 2500
    past = tuple(PastTurn(n, "A", f"s{n}." + "x" * 200, "t") for n in range(8))
    interpreter = ModelInterpreter(client, brief("direct"), parse_history("full"), pair=("kor", "ind"))
    await interpreter.interpret(interpreter_view(past=past), scope("interpreter", events))
    assert trimmed(events) == [(4, 4)]
    assert [n for n in range(8) if f"s{n}." in client.prompt] == [4, 5, 6, 7]


async def test_where_nothing_is_left_to_leave_out_the_call_fails() -> None:
    client = Narrow(["x"])
    with pytest.raises(CallFailed) as failed:
        await ModelUser(client).speak(user_view(), scope())
    assert failed.value.kind is FaultKind.CONTEXT_LENGTH


@pytest.mark.slow
async def test_forty_bengali_lines_in_a_context_of_512_tokens(models_dir: Path, tmp_path: Path) -> None:
    events: list[Event] = []
    line = "আমি আগামীকাল সকালে আপনার দোকানে এসে কাপড়টা নিয়ে যাব, দয়া করে রেখে দেবেন।"
    lines = tuple(Heard(mine=n % 2 == 0, text=line) for n in range(40))
    async with ModelPool(models=models_dir, logs=tmp_path, context=512) as pool:
        user = ModelUser(pool.open_client("local"), plain=True, recipient=True, parameters={"max_tokens": 16})
        view = user_view(language="ben", role_context="আপনি দোকানদার।", lines=lines)
        # what a base model says may be a user's fault; that it could be asked at all is the point
        with contextlib.suppress(ConversationFault):
            await user.speak(view, scope("user-b", events))
    assert trimmed(events)
    assert trimmed(events)[-1][1] < 39
