"""How a model is asked: what is tried when it refuses, what is remembered, what is told at once."""

from __future__ import annotations

from typing import Any

import pytest

from agents.models.forms import Form, Forms
from agents.models.wire import Answer, Attempt, AttemptFailed
from sim.core.errors import CallFailed, FaultKind
from sim.core.ports import CallScope, Message, Request
from tests.agents.models.helpers import Ear, client_of

ASK = (Message("system", "S"), Message("user", "hello"))
SCHEMA = {"type": "object", "title": "answer", "properties": {"a": {"type": "string"}}, "required": ["a"]}


class Picky:
    """Answers only what it takes; keeps what it was sent."""

    def __init__(self, *refused: str, says: str = "", status: int = 400) -> None:
        self.refused = refused
        self.says = says
        self.status = status
        self.sent: list[dict[str, Any]] = []

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        form = attempt.response_format
        sent = {
            **attempt.parameters,
            **({"seed": attempt.seed} if attempt.seed is not None else {}),
            **({form["type"]: True} if form else {}),
            **({"system": True} if attempt.messages[0].role == "system" else {}),
            **({"stream": True} if attempt.on_delta else {}),
            **({"stream_options": True} if attempt.on_delta and attempt.stream_options else {}),
        }
        self.sent.append(sent)
        wrong = next((name for name in self.refused if name in sent), None)
        if wrong is None:
            return Answer('{"a": "b"}', "stop")
        if self.status == 500:
            raise AttemptFailed(
                FaultKind.UNAVAILABLE, "server error 500", detail="template error", retryable=True
            )
        kind = FaultKind.UNKNOWN_MODEL if self.status == 404 else FaultKind.BAD_REQUEST
        detail = self.says.replace("NAME", wrong)
        raise AttemptFailed(kind, f"request refused ({self.status})", detail=detail, rejected=True)

    async def aclose(self) -> None:
        pass


NAMES = (
    '{"error": {"param": "NAME"}}',
    "Unsupported parameter: 'NAME'.",
    '{"detail": [{"loc": ["body", "NAME"]}]}',
)


@pytest.mark.parametrize("says", NAMES)
async def test_a_parameter_that_an_error_names_is_left_out_and_remembered(says: str) -> None:
    picky = Picky("temperature", "top_p", says=says)
    client = client_of(picky)
    request = Request(ASK, parameters={"temperature": 0.0, "top_p": 0.5, "presence_penalty": 1})
    for _ in range(2):
        await client.complete(request, Ear().scope())
    assert [len(sent) for sent in picky.sent] == [4, 3, 2, 2]
    assert picky.sent[-1] == {"presence_penalty": 1, "system": True}


async def test_the_length_is_called_by_its_other_name() -> None:
    picky = Picky("max_tokens", says=NAMES[0])
    await client_of(picky).complete(Request(ASK, parameters={"max_tokens": 9}), Ear().scope())
    assert picky.sent[-1] == {"max_completion_tokens": 9, "system": True}
    both = Picky("max_tokens", "max_completion_tokens", says=NAMES[0])
    await client_of(both).complete(Request(ASK, parameters={"max_tokens": 9}), Ear().scope())
    assert both.sent[-1] == {"system": True}


class Efforts(Picky):
    """Knows some efforts only."""

    def __init__(self, *known: str) -> None:
        super().__init__()
        self.known = known

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        effort = attempt.parameters.get("reasoning_effort")
        self.sent.append({"reasoning_effort": effort})
        if effort is None or effort in self.known:
            return Answer("ok", "stop")
        detail = f"thinking_level {effort} is not supported"
        raise AttemptFailed(FaultKind.BAD_REQUEST, "request refused (400)", detail=detail, rejected=True)


@pytest.mark.parametrize(
    ("known", "asked", "sent"),
    [(("low", "high"), "minimal", "low"), (("high",), "none", "high"), ((), "minimal", None)],
)
async def test_the_lowest_effort_a_model_knows_is_sent(
    known: tuple[str, ...], asked: str, sent: str | None
) -> None:
    model = Efforts(*known)
    client = client_of(model)
    for _ in range(2):
        await client.complete(Request(ASK, parameters={"reasoning_effort": asked}), Ear().scope())
    assert model.sent[-2:] == [{"reasoning_effort": sent}] * 2


@pytest.mark.parametrize(
    "refused", ["system", "seed", "json_schema", "stream", "stream_options", "temperature"]
)
async def test_without_a_name_each_thing_is_tried_alone(refused: str) -> None:
    picky = Picky(refused, says="Bad request.")
    client = client_of(picky)
    request = Request(ASK, parameters={"temperature": 0.1, "top_p": 0.9}, schema=SCHEMA, stream=True)
    await client.complete(request, Ear().scope(seed=3))
    first = len(picky.sent)
    await client.complete(request, Ear().scope(seed=3))
    assert len(picky.sent) == first + 1, "remembered"
    left = {"temperature", "top_p", "seed", "json_schema", "system", "stream", "stream_options"} - {refused}
    kept = left - ({"stream_options"} if refused == "stream" else set())
    assert kept <= set(picky.sent[-1]), "nothing else was given up"


async def test_several_things_at_once_are_found_too() -> None:
    picky = Picky("system", "json_schema", "json_object", "seed", says="Bad request.")
    await client_of(picky).complete(Request(ASK, schema=SCHEMA), Ear().scope(seed=3))
    assert picky.sent[-1] == {}


async def test_a_request_that_nothing_helps_is_told_at_once_the_second_time() -> None:
    picky = Picky("top_p", "hopeless", says="Bad request.")
    picky.refused = ("",)

    async def refuse(attempt: Attempt, scope: CallScope) -> Answer:
        picky.sent.append({})
        raise AttemptFailed(FaultKind.BAD_REQUEST, "request refused (400)", detail="No.", rejected=True)

    picky.send = refuse  # type: ignore[method-assign]
    client, request = client_of(picky), Request(ASK, parameters={"top_p": 0.5})
    for expected in (4, 5):
        with pytest.raises(CallFailed):
            await client.complete(request, Ear().scope())
        assert len(picky.sent) == expected


async def test_a_404_is_about_what_the_server_offers_and_then_about_the_model() -> None:
    picky = Picky("json_schema", says="Not found.", status=404)
    await client_of(picky).complete(Request(ASK, schema=SCHEMA), Ear().scope(seed=1))
    assert [("json_schema" in sent, "seed" in sent) for sent in picky.sent] == [(True, True), (False, True)]
    nobody = Picky("system", says="Not found.", status=404)
    with pytest.raises(CallFailed) as failure:
        await client_of(nobody).complete(Request(ASK), Ear().scope(seed=1))
    assert (failure.value.kind, len(nobody.sent)) == (FaultKind.UNKNOWN_MODEL, 1)


@pytest.mark.parametrize("refused", ["json_schema", "system"])
async def test_the_same_500_twice_may_be_about_the_form(refused: str) -> None:
    picky = Picky(refused, status=500)
    client = client_of(picky)
    for _ in range(2):
        await client.complete(Request(ASK, schema=SCHEMA), Ear().scope())
    assert refused not in picky.sent[-1]
    first = next(n for n, sent in enumerate(picky.sent) if refused not in sent)
    assert first >= 2, "one is waited for"
    assert all(refused not in sent for sent in picky.sent[-1:])


def test_overlapping_calls_do_not_unlearn() -> None:
    forms = Forms()
    forms.worked(Form(rung="json_object"))
    forms.worked(Form(left_out=frozenset({"top_p"})))
    assert forms.known == Form(rung="json_object", left_out=frozenset({"top_p"}))
