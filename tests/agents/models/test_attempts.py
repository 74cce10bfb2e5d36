"""Each attempt of a call is told to observers: what was sent, word for word, and what came back."""

from pathlib import Path

import pytest

from agents.models.cached import CachedClient
from agents.models.fake import FakeBackend
from agents.models.fake_file import read
from sim.core.bus import Bus
from sim.core.errors import CallFailed
from sim.core.events import CallAttempted, Event, Sent
from sim.core.ports import Message, Request
from tests.agents.models.helpers import Ear, client_of
from tests.agents.models.test_cached import Shelf

ASKED = Request(messages=(Message("system", "You interpret."), Message("user", "ٱللَّهِ {0} %s")))
SCHEMA = {"type": "object", "properties": {"met": {"type": "boolean"}}}


def heard(ear: Ear) -> list[CallAttempted]:
    return [event for event in ear.events if isinstance(event, CallAttempted)]


def backend(tmp_path: Path, rule: str) -> FakeBackend:
    path = tmp_path / "f.yaml"
    path.write_text(f"fake: 1\nrules:\n  - {rule}\n", "utf-8")
    return FakeBackend(read(path))


async def test_every_attempt_tells_what_was_sent_and_what_came(tmp_path: Path) -> None:
    ear = Ear()
    rule = "{reply: '<think>a</think>네', fault: rate_limit, times: 1}"
    await client_of(backend(tmp_path, rule)).complete(ASKED, ear.scope(turn=3))
    first, second = heard(ear)
    sent = (Sent(role="system", text="You interpret."), Sent(role="user", text="ٱللَّهِ {0} %s"))
    assert first.sent == second.sent == sent
    assert (first.number, first.reply, first.failure) == (1, None, "rate limit")
    assert (second.number, second.reply, second.failure) == (2, "<think>a</think>네", "")
    assert (second.turn, second.role, second.model) == (3, "interpreter", "m")


async def test_a_raw_prompt_is_told_as_one(tmp_path: Path) -> None:
    ear = Ear()
    await client_of(backend(tmp_path, "{reply: ok}")).complete(
        Request(prompt="English: a\nKorean:"), ear.scope()
    )
    assert [event.sent for event in heard(ear)] == [(Sent(role="prompt", text="English: a\nKorean:"),)]


@pytest.mark.parametrize("schema", [None, SCHEMA])
async def test_a_stored_answer_tells_what_had_been_sent_for_it(
    tmp_path: Path, schema: dict[str, object]
) -> None:
    client = CachedClient(client_of(backend(tmp_path, "{reply: {met: true}}")), Shelf(), {})
    request = Request(messages=ASKED.messages, schema=schema)
    live, stored = Ear(), Ear()
    await client.complete(request, live.scope())
    await client.complete(request, stored.scope())
    assert heard(stored) == [heard(live)[0].model_copy(update={"number": 0})]


async def test_a_failure_is_told_without_secrets(tmp_path: Path) -> None:
    ear = Ear()
    failing = backend(tmp_path, "{match: {turn: 9}, reply: x}")
    with pytest.raises(CallFailed):
        await client_of(failing).complete(ASKED, ear.scope(scenario="sk-stub-0123456789"))
    (event,) = heard(ear)
    assert "no rule of" in event.failure
    assert "sk-stub" not in event.failure


async def test_attempts_reach_observers_and_no_journal() -> None:
    seen: list[Event] = []

    async def look(event: Event) -> None:
        seen.append(event)

    async with Bus("0-0") as bus:
        bus.observe("eye", look)
        bus.publish(CallAttempted(role="judge", model="m", number=1, sent=(), reply="ok"))
    assert [event.seq for event in seen] == [None]
    assert bus.journal == ()
