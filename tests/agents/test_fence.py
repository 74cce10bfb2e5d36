"""Fence tokens: chosen against the whole prompt of every role, the same for the same prompt."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.fence import fence, fenced
from agents.interpreters.briefs import brief
from agents.interpreters.history import parse_history
from agents.interpreters.model import ModelInterpreter
from agents.judges.model import ModelJudge
from agents.users.model import ModelUser
from sim.core.ports import Heard, PastTurn, Request
from tests.agents.clients import ListClient, interpreter_view, judge_view, scope, user_view

ANSWER = '{"verdicts": [{"id": "c1", "met": true}]}'


@given(st.lists(st.text(max_size=30), max_size=4))
def test_a_token_stands_in_no_text_and_is_the_same_again(texts: list[str]) -> None:
    assert not any(fence(*texts) in text for text in texts)
    assert fence(*texts) == fence(*texts)


def test_what_a_prompt_would_be_fenced_by_cannot_stand_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A digest that a text foresaw: the next one is taken, also where it is spelt in another way."""
    foreseen = iter(["a" * 64, "b" * 64, "c" * 64])
    monkeypatch.setattr("agents.fence.sha256", lambda _: _Digest(next(foreseen)))
    assert fence("x aaaaaaaaaaaa", "BB-BB-BB BB\uff42\uff42 bb") == "c" * 12


class _Digest:
    def __init__(self, text: str) -> None:
        self._text = text

    def hexdigest(self) -> str:
        return self._text


def told(request: Request) -> str:
    return "\n".join(message.content for message in request.messages)


def tokens(prompt: str) -> set[str]:
    return set(re.findall(r"\[([0-9a-f]{12}) begin", prompt))


async def prompts(word: str) -> list[str]:
    """One prompt of each role; `word` stands in a part that is not the fenced text itself."""
    past = (PastTurn(0, "A", f"earlier {word}", "dulu"),)
    client = ListClient(["x", ANSWER])
    history = parse_history("full")
    speaker = ModelInterpreter(client, brief("direct-context"), history, pair=("kor", "ind"))
    await speaker.interpret(interpreter_view(past=past), scope("interpreter"))
    await ModelJudge(client).judge(judge_view("a", source=f"said {word}"), scope())
    heard = (Heard(True, f"mine {word}"), Heard(False, "theirs"))
    client.answers = ['{"text": "x", "end": false}']
    await ModelUser(client).speak(user_view(lines=heard), scope("user-b"))
    return [told(request) for request in client.requests]


async def test_every_role_chooses_its_token_against_its_whole_prompt() -> None:
    """So whatever stands anywhere in a prompt changes its token."""
    for one, again, other in zip(
        await prompts("one"), await prompts("one"), await prompts("two"), strict=True
    ):
        assert tokens(one)
        assert tokens(one) == tokens(again)
        assert tokens(one).isdisjoint(tokens(other))


def test_a_prompt_is_rendered_under_its_own_token() -> None:
    text = fenced(lambda token: f"[{token} begin]\nx\n[{token} end]")
    (token,) = tokens(text)
    assert text.count(token) == 2
