"""Both ways to a hosted model, LiteLLM and HTTP as it is, over real HTTP against the stub."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from agents.models import gateway
from agents.models.client import ModelClient
from sim.core.errors import CallFailed, FaultKind
from sim.core.ports import Message, Request
from tests.agents.models.helpers import HELLO, Clock, Ear, Open
from tests.agents.models.helpers import compatible as through_http
from tests.agents.models.helpers import hosted as through_litellm
from tests.stub.app import Stub

STREAM = Request(messages=HELLO.messages, stream=True)
SCHEMA = {"type": "object", "title": "answer", "properties": {"a": {"type": "string"}}, "required": ["a"]}
JSON = Request(messages=HELLO.messages, schema=SCHEMA)


@pytest_asyncio.fixture(params=[through_litellm, through_http], ids=["litellm", "http"])
async def hosted(request: pytest.FixtureRequest) -> AsyncIterator[Open]:
    opened: list[ModelClient] = []

    def open_(*args: Any, **more: Any) -> ModelClient:
        opened.append(request.param(*args, **more))
        return opened[-1]

    yield open_
    for client in opened:
        await client.aclose()
    await gateway.close()


async def test_an_answer_arrives_with_its_ledger_entry(stub: Stub, hosted: Open) -> None:
    stub.play({"do": "reply", "text": " Halo.\n", "tokens": [100, 10]})
    ear = Ear()
    completion = await hosted().complete(HELLO, ear.scope())
    assert (completion.outcome, completion.text, completion.raw) == ("ok", " Halo.\n", " Halo.\n")
    (entry,) = ear.finished
    assert (entry.input_tokens, entry.output_tokens, entry.attempts) == (100, 10, 1)
    assert (entry.cost, entry.cost_status) == (None, "unknown")


@pytest.mark.parametrize("chat", [True, False])
async def test_what_a_model_said_unfit_for_utf_8_can_be_sent_on(stub: Stub, chat: bool) -> None:
    hosted = through_http
    said = "Halo\ud800 Bu\udc00"
    messages = (Message("assistant", said),)
    request = Request(messages=messages) if chat else Request(prompt=said)
    ear = Ear()
    completion = await hosted().complete(request, ear.scope())
    assert (completion.outcome, ear.waits) == ("ok", [])
    (body,) = stub.requests
    sent = body["messages"][0]["content"] if chat else body["prompt"]
    assert sent == "Halo\ufffd Bu\ufffd"


async def test_a_priced_model_has_a_known_cost(stub: Stub, hosted: Open) -> None:
    stub.play({"do": "reply", "tokens": [1000, 1000]})
    ear = Ear()
    await hosted(model="openai/gpt-4o-mini").complete(HELLO, ear.scope())
    (entry,) = ear.finished
    assert entry.cost_status == "known"
    assert entry.cost == pytest.approx(1000 * 0.15e-6 + 1000 * 0.6e-6)


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        ({"do": "empty_choices"}, "empty"),
        ({"do": "null_content"}, "empty"),
        ({"do": "reply", "text": ""}, "empty"),
        ({"do": "reply", "text": " \n"}, "empty"),
        ({"do": "truncated"}, "truncated"),
        ({"do": "content_filter"}, "blocked"),
        ({"do": "refusal"}, "blocked"),
        ({"do": "status", "status": 400, "code": "content_filter"}, "blocked"),
        ({"do": "status", "status": 400, "code": "content_policy_violation"}, "blocked"),
    ],
)
@pytest.mark.parametrize("request_", [HELLO, STREAM])
async def test_odd_answers_become_outcomes(
    stub: Stub, hosted: Open, step: dict[str, Any], outcome: str, request_: Request
) -> None:
    stub.play(step)
    ear = Ear()
    completion = await hosted(repeats=1).complete(request_, ear.scope())
    assert completion.outcome == outcome
    assert completion.text == ("" if outcome != "truncated" else "A reply from the stub.")
    assert len(stub.requests) == (1 if outcome == "truncated" else 2)


async def test_a_refusal_in_words_is_a_text(stub: Stub, hosted: Open) -> None:
    stub.play({"do": "reply", "text": "I can't help with that."})
    assert (await hosted().complete(HELLO, Ear().scope())).outcome == "ok"


async def test_an_empty_answer_is_asked_for_again(stub: Stub, hosted: Open) -> None:
    stub.play({"do": "empty_choices"}, {"do": "reply", "text": "Halo."})
    ear = Ear()
    completion = await hosted().complete(HELLO, ear.scope())
    assert completion.text == "Halo."
    assert [wait.why for wait in ear.waits] == ["empty answer"]
    assert ear.finished[0].attempts == 2
    assert ear.finished[0].input_tokens == 24


@pytest.mark.parametrize(("header", "least", "most"), [("3", 3, 3), ("date:4", 2, 4), (None, 1, 1)])
async def test_a_rate_limit_is_waited_for_as_asked(
    stub: Stub, hosted: Open, header: str | None, least: float, most: float
) -> None:
    stub.play({"do": "status", "status": 429, "retry_after": header}, {"do": "reply"})
    clock, ear = Clock(), Ear()
    assert (await hosted(clock).complete(HELLO, ear.scope())).outcome == "ok"
    (wait,) = ear.waits
    assert (wait.who, wait.why) == ("openai/stub", "rate limit")
    assert wait.until is not None
    assert least <= wait.until <= most
    assert [round(slept, 3) for slept in clock.slept] == [wait.until]
    assert len(stub.requests) == 2


async def test_a_server_that_always_says_503_is_given_up(stub: Stub, hosted: Open) -> None:
    stub.play({"do": "status", "status": 503})
    clock, ear = Clock(), Ear()
    with pytest.raises(CallFailed) as failure:
        await hosted(clock, attempts=4).complete(HELLO, ear.scope())
    assert failure.value.kind is FaultKind.UNAVAILABLE
    assert len(stub.requests) == 4
    assert clock.slept == [1.0, 2.0, 4.0]
    assert {wait.why for wait in ear.waits} == {"server error 503"}
    assert not ear.finished


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ({"do": "status", "status": 401}, FaultKind.AUTHENTICATION),
        ({"do": "status", "status": 403}, FaultKind.AUTHENTICATION),
        ({"do": "status", "status": 400}, FaultKind.BAD_REQUEST),
        ({"do": "status", "status": 404, "code": "model_not_found"}, FaultKind.UNKNOWN_MODEL),
        ({"do": "status", "status": 429, "code": "insufficient_quota"}, FaultKind.QUOTA),
        ({"do": "status", "status": 400, "code": "context_length_exceeded"}, FaultKind.CONTEXT_LENGTH),
        (
            {"do": "status", "status": 400, "message": "This model's maximum context length is 512 tokens."},
            FaultKind.CONTEXT_LENGTH,
        ),
    ],
)
@pytest.mark.parametrize("request_", [HELLO, STREAM, Request(prompt="hello")])
async def test_what_no_retry_can_mend_is_not_retried(
    stub: Stub, hosted: Open, step: dict[str, Any], kind: FaultKind, request_: Request
) -> None:
    stub.play(*[step] * 20)
    client, ear = hosted(), Ear()
    with pytest.raises(CallFailed) as failure:
        await client.complete(request_, ear.scope())
    assert failure.value.kind is kind
    assert ear.waits == []
    # a refusal that may be about streaming is looked into once, and told at once from then on
    asked = len(stub.requests)
    assert asked == 1 or (request_.stream and kind in (FaultKind.BAD_REQUEST, FaultKind.UNKNOWN_MODEL))
    with pytest.raises(CallFailed):
        await client.complete(request_, Ear().scope())
    assert len(stub.requests) == asked + 1


@pytest.mark.parametrize("step", [{"do": "broken_json"}, {"do": "cut"}])
async def test_a_broken_answer_is_asked_for_again(stub: Stub, hosted: Open, step: dict[str, Any]) -> None:
    stub.play(step, {"do": "reply", "text": "Halo."})
    ear = Ear()
    assert (await hosted().complete(HELLO, ear.scope())).text == "Halo."
    (why,) = [wait.why for wait in ear.waits]
    assert why in ("no whole answer from the server", "no answer from the server: no JSON object")


@pytest.mark.parametrize("step", [{"do": "cut"}, {"do": "no_finish"}])
@pytest.mark.parametrize("request_", [STREAM, Request(prompt="hello", stream=True)])
async def test_a_stream_without_finish_is_never_an_answer(
    stub: Stub, hosted: Open, step: dict[str, Any], request_: Request
) -> None:
    stub.play(step)
    ear, client = Ear(), hosted(attempts=2)
    with pytest.raises(CallFailed) as failure:
        await client.complete(request_, ear.scope())
    assert failure.value.kind is FaultKind.UNAVAILABLE
    assert len(stub.requests) == 2


async def test_a_cut_stream_does_not_show_its_beginning_twice(stub: Stub, hosted: Open) -> None:
    stub.play({"do": "cut", "text": "one two three four"}, {"do": "reply", "text": "one two three four"})
    ear = Ear()
    completion = await hosted().complete(STREAM, ear.scope())
    assert completion.text == "one two three four"
    assert "one two three four".startswith("".join(ear.deltas))


@pytest.mark.parametrize("prompt", [None, "hello"])
async def test_deltas_add_up_to_the_text(stub: Stub, hosted: Open, prompt: str | None) -> None:
    stub.play({"do": "slow", "text": "Selamat pagi, Bu dokter."})
    request = Request(prompt=prompt, stream=True) if prompt else STREAM
    ear, client = Ear(), hosted()
    completion = await client.complete(request, ear.scope())
    assert "".join(ear.deltas) == completion.text == "Selamat pagi, Bu dokter."
    assert len(ear.deltas) > 1


@pytest.mark.parametrize("opened", [True, False])
@pytest.mark.parametrize("request_", [HELLO, STREAM])
async def test_leaked_reasoning_is_taken_out(
    stub: Stub, hosted: Open, opened: bool, request_: Request
) -> None:
    stub.play({"do": "leak", "open": opened, "text": "Halo."})
    assert (await hosted().complete(request_, Ear().scope())).text == "Halo."


async def test_a_prompt_goes_through_text_completion(stub: Stub) -> None:
    hosted = through_http
    stub.play({"do": "reply", "text": " Halo."})
    client = hosted()
    completion = await client.complete(Request(prompt="English: Hi\nIndonesian:"), Ear().scope())
    assert completion.text == " Halo."
    assert stub.requests[0]["path"] == "/v1/completions"
    assert stub.requests[0]["prompt"] == "English: Hi\nIndonesian:"


async def test_the_ladder_steps_down_and_remembers(stub: Stub, hosted: Open) -> None:
    stub.play({"do": "reject_format", "formats": ["json_schema", "json_object"], "text": '{"a": "b"}'})
    client = hosted()
    assert (await client.complete(JSON, Ear().scope())).json_mode == "text"
    kinds = [body.get("response_format", {}).get("type") for body in stub.requests]
    assert kinds == ["json_schema", "json_object", None]
    assert '"required"' in stub.requests[-1]["messages"][-1]["content"]
    await client.complete(JSON, Ear().scope())
    assert len(stub.requests) == 4
    assert (await hosted().complete(JSON, Ear().scope())).json_mode == "text"
    assert len(stub.requests) == 7


async def test_a_prompt_says_its_schema_in_words(stub: Stub) -> None:
    client = through_http()
    completion = await client.complete(Request(prompt="hello", schema=SCHEMA), Ear().scope())
    assert completion.json_mode == "text"
    (body,) = stub.requests
    assert "response_format" not in body
    assert body["prompt"].startswith("hello\n\nAnswer with one JSON document")


async def test_a_bad_request_that_is_not_about_the_format_is_not_remembered(stub: Stub, hosted: Open) -> None:
    stub.play(*[{"do": "status", "status": 400}] * 3, {"do": "reply"})
    client = hosted()
    with pytest.raises(CallFailed):
        await client.complete(JSON, Ear().scope())
    assert (await client.complete(JSON, Ear().scope())).json_mode == "json_schema"


@pytest.mark.parametrize("refusal", ["reject_system", "reject_roles"])
async def test_messages_are_folded_for_strict_templates(stub: Stub, hosted: Open, refusal: str) -> None:
    stub.play({"do": refusal, "text": "Halo."})
    client = hosted()
    request = Request(messages=(Message("system", "S"), Message("user", "one"), Message("user", "two")))
    for _ in range(2):
        assert (await client.complete(request, Ear().scope())).text == "Halo."
    assert stub.requests[-1]["messages"] == [{"role": "user", "content": "S\n\none\n\ntwo"}]
    assert len(stub.requests) == 3


async def test_a_key_never_reaches_a_fault(stub: Stub, hosted: Open) -> None:
    stub.play({"do": "status", "status": 401, "message": "Incorrect API key: sk-stub-0123456789"})
    with pytest.raises(CallFailed) as failure:
        await hosted().complete(HELLO, Ear().scope())
    assert "sk-stub" not in failure.value.what + failure.value.detail
    assert "[hidden]" in failure.value.what


async def test_an_unreachable_server_is_unavailable(
    stub: Stub, hosted: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(CallFailed) as failure:
        await hosted(attempts=2).complete(HELLO, Ear().scope())
    assert failure.value.kind is FaultKind.UNAVAILABLE


async def test_a_cancelled_call_ends_at_once(stub: Stub, hosted: Open) -> None:
    stub.play({"do": "hang"})
    call = asyncio.create_task(hosted().complete(HELLO, Ear().scope()))
    while not stub.requests:
        await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


_IMPORT = """
import sys
seen = []
sys.addaudithook(lambda event, args: event in ("socket.connect", "socket.getaddrinfo") and seen.append(args))
from agents.models import gateway
from agents.models.client import ModelClient
gateway.load()
print(seen)
"""


async def test_the_gateway_opens_no_socket_when_imported() -> None:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _IMPORT), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, err = await child.communicate()
    assert (out.decode().strip(), err.decode()) == ("[]", "")


_TWO_RUNS = """
import asyncio, gc
from agents.models import gateway
from agents.models.client import ModelClient
from sim.core.ports import Request
from tests.agents.models.helpers import HELLO, Ear, compatible, hosted

REQUESTS = (HELLO, Request(messages=HELLO.messages, stream=True), Request(prompt="x", stream=True))

async def run():
    for client in (hosted(), compatible()):
        for request in REQUESTS:
            assert (await client.complete(request, Ear().scope())).outcome == "ok"
        await client.aclose()
    await gateway.close()

for _ in range(2):
    asyncio.run(run())
    gc.collect()
print("clean")
"""


async def test_two_runs_in_one_process_leave_nothing_open(stub: Stub) -> None:
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error::ResourceWarning", "-c", _TWO_RUNS),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = await child.communicate()
    assert (out.decode().strip(), err.decode()) == ("clean", "")
