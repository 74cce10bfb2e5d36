"""The faults, one row each: what a server sends, and what has to become of it.

A row's outcome holds for every role and both ways of asking, unless the row says otherwise:

`answer` the right text arrives, `empty` and `blocked` are the system's own, `cut` arrives with its flag
as a translation and never as a whole utterance, anything else is the kind of an infrastructure fault.
`calls` is how many requests of one attempt at a call may reach the server; None where it is asked again.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.agents.providers.replies import (
    Reply,
    Says,
    always,
    around,
    chunks,
    document,
    error,
    events,
    stream_only,
    streamed,
    whole,
    zipped,
)

TRANSIENT = ("unavailable", "rate_limit", "timeout")
THOUGHT = "Nobody may hear this thought."


@dataclass(frozen=True, slots=True)
class Case:
    """One row."""

    name: str
    says: Says
    outcome: tuple[str, ...]
    """Any of these."""
    calls: int | None = None
    ways: tuple[str, ...] = ("whole", "streamed")
    flag: str | None = None
    """A flag the translation carries."""


def _case(name: str, says: Says, *outcome: str, **more: Any) -> Case:
    return Case(name, says, outcome, **more)


def _permanent() -> Iterator[Case]:
    """Told at once."""
    yield _case(
        "wrong key", error(401, "invalid_api_key", "invalid_request_error"), "authentication", calls=1
    )
    yield _case("no rights", error(403, None, "permission_error"), "authentication", calls=1)
    yield _case("bare 401", always(Reply(b"", 401)), "authentication", calls=1)
    yield _case("vllm 401", always(whole({"error": "Unauthorized"}, 401)), "authentication", calls=1)
    yield _case("mistral 401", always(whole({"detail": "Unauthorized"}, 401)), "authentication", calls=1)
    yield _case(
        "no balance", error(402, "invalid_request_error", message="Insufficient Balance"), "quota", calls=1
    )
    yield _case("quota gone", error(429, "insufficient_quota", "insufficient_quota"), "quota", calls=1)
    yield _case("billing limit", error(429, "billing_hard_limit_reached"), "quota", calls=1)
    yield _case(
        "unknown model", error(404, "model_not_found", "invalid_request_error"), "unknown_model", calls=1
    )
    gone = {"error": {"message": "The model `x` does not exist.", "type": "NotFoundError", "code": 404}}
    yield _case("vllm unknown model", always(whole(gone, 404)), "unknown_model", calls=1)
    yield _case(
        "ollama unknown model", always(whole({"error": "model 'x' not found"}, 404)), "unknown_model", calls=5
    )
    long = error(400, "context_length_exceeded", "invalid_request_error")
    yield _case("too long", long, "context_length")
    window = {"error": {"code": 400, "message": "exceeds", "type": "exceed_context_size_error", "n_ctx": 512}}
    yield _case("llama.cpp too long", always(whole(window, 400)), "context_length")
    moved = Reply(b"", 307, {"Location": "http://elsewhere.example/v1"})
    yield _case("redirected", always(moved), "bad_request", calls=1)
    yield _case("bad request", error(400, None, "invalid_request_error", "Nonsense."), "bad_request", calls=8)


def _blocks() -> Iterator[Case]:
    """The provider's own blocks, by code."""
    for code in ("content_filter", "content_policy_violation", "invalid_prompt", "data_inspection_failed"):
        yield _case(f"block {code}", error(400, code, "invalid_request_error"), "blocked")
    risk = {
        "error": {"message": "Content Exists Risk", "type": "invalid_request_error", "code": "content_risk"}
    }
    yield _case("block content risk", always(whole(risk, 400)), "blocked")
    inside = {"error": {"code": "data_inspection_failed", "message": "no", "type": "data_inspection_failed"}}
    yield _case("block in a 200", always(whole(inside)), "blocked")
    for finish in ("content_filter", "safety", "SAFETY", "recitation", "prohibited_content", "refusal"):
        yield _case(f"finish {finish}", around(lambda text: "", finish), "blocked")
    yield _case(
        "refusal field", around(lambda text: None, "stop", refusal="I can't."), "blocked", ways=("whole",)
    )


def _transient() -> Iterator[Case]:
    """Asked again, and told when that brought nothing."""
    for status in (500, 502, 503, 529):
        yield _case(f"status {status}", error(status, None, "server_error"), "unavailable")
    yield _case("status 504", error(504, None, "server_error"), "unavailable", "timeout")
    yield _case("status 408", error(408, None, "timeout"), "unavailable", "timeout")
    yield _case(
        "html 503", always(Reply(b"<html><title>503</title></html>", 503, kind="text/html")), "unavailable"
    )
    later = {"Retry-After": "1"}
    yield _case("rate limit", error(429, "rate_limit_exceeded", **later), "rate_limit")
    yield _case("bare rate limit", error(429), "rate_limit")
    nested = {"error": {"code": 429, "message": "Too many requests"}}
    yield _case("rate limit in a 200", always(whole(nested)), "rate_limit")
    yield _case(
        "overloaded in a 200", always(whole({"error": {"code": 503, "message": "busy"}})), "unavailable"
    )
    yield _case("error list in a 200", always(whole([nested])), "rate_limit")
    for finish in ("error", "insufficient_system_resource", "network_error", "abort", "ABORTED"):
        yield _case(f"finish {finish}", around(lambda text: text[: len(text) // 2], finish), "unavailable")


def _half(body: bytes) -> bytes:
    return body[: len(body) * 2 // 3].rpartition(b"\n\n")[0] + b"\n\n"


def _cuts() -> Iterator[Case]:
    """Broken off: never a translation, a line or a verdict."""

    def cut(text: str, stream: bool) -> Reply:
        reply = around(lambda said: said)(text, stream)
        return Reply(reply.body[: len(reply.body) // 2], headers=reply.headers, kind=reply.kind, cut=True)

    yield _case("cut in mid-body", cut, "unavailable")
    yield _case("ends without a reason", stream_only(_half), "unavailable", ways=("streamed",))
    no_end = lambda body: b"".join(part + b"\n\n" for part in body.split(b"\n\n")[:-3])  # noqa: E731
    yield _case("all said, no reason", stream_only(no_end), "unavailable", ways=("streamed",))
    failed = events([{"error": {"message": "went wrong", "type": "server_error", "code": 500}}], done=False)
    yield _case(
        "error in mid-stream",
        stream_only(lambda body: _half(body) + failed),
        "unavailable",
        ways=("streamed",),
    )
    yield _case(
        "half a document", always(Reply(b'{"id": "x", "choices": [{"mess')), "unavailable", "internal"
    )
    yield _case(
        "empty stream", always(streamed(b"data: [DONE]\n\n")), "unavailable", "empty", ways=("streamed",)
    )


_ODD: dict[str, Any] = {
    "a list": [],
    "null": None,
    "a number": 7,
    "a text": "hello",
    "an empty object": {},
    "no choices": {"id": "x", "object": "chat.completion"},
    "empty choices": document("") | {"choices": []},
    "null choices": document("") | {"choices": None},
    "choices a dict": document("") | {"choices": {"0": "x"}},
    "choice null": document("") | {"choices": [None]},
    "choice a text": document("") | {"choices": ["x"]},
    "message null": document(None),
    "message a text": document("hello"),
    "content a number": document({"role": "assistant", "content": 3}),
    "content true": document({"role": "assistant", "content": True}),
    "content a dict": document({"role": "assistant", "content": {"x": 1}}),
    "content null": document({"role": "assistant", "content": None}),
    "content empty": document({"role": "assistant", "content": ""}),
    "content blank": document({"role": "assistant", "content": " \n"}),
    "content no parts": document({"role": "assistant", "content": []}),
    "parts of numbers": document({"role": "assistant", "content": [1, None, {"type": 3}]}),
    "only thought": document({"role": "assistant", "content": None, "reasoning_content": THOUGHT}),
}


def _oddities() -> Iterator[Case]:
    """Nothing anybody foresaw: a fault of that conversation alone, or nothing said."""
    odd = ("internal", "unavailable", "bad_request", "empty")
    for name, value in _ODD.items():
        yield _case(name, always(whole(value)), *odd)
    yield _case("html with 200", always(Reply(b"<html><body>Sign in</body></html>", kind="text/html")), *odd)
    yield _case("an empty body", always(Reply(b"")), *odd)
    latin = json.dumps(document({"role": "assistant", "content": "caf\u00e9"}), ensure_ascii=False).encode(
        "latin-1"
    )
    yield _case("no unicode", always(Reply(latin)), *odd)
    yield _case("no text at all", always(Reply(b"\xff\xfe\x00garbage")), *odd)
    deltas: list[Any] = [{"content": 3}, {"content": {"x": 1}}, None, "x", {"content": [None]}]
    yield _case("odd deltas", always(streamed(events(chunks(deltas)))), *odd, ways=("streamed",))
    yield _case("events no objects", always(streamed(events([1, None, [], "x"]))), *odd, ways=("streamed",))


def _thinking_parts(text: str) -> list[dict[str, Any]]:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}
    return [thinking, {"type": "text", "text": text}]


def _comments(body: bytes) -> bytes:
    return b": keep-alive\n\n" + body.replace(b"\n\n", b"\n\n: ping\n\n", 2)


def _answers() -> Iterator[Case]:
    """Odd, and yet an answer."""
    same: Callable[[str], str] = lambda text: text  # noqa: E731
    for finish in ("stop", "end_turn", "eos", "STOP", "stop_sequence", "completed"):
        yield _case(f"good finish {finish}", around(same, finish), "answer")
    yield _case("unknown finish", around(same, "galaxy_ended"), "answer", flag="unknown_finish")
    yield _case("parts", around(lambda text: [{"type": "text", "text": text}]), "answer")
    yield _case("thinking parts", around(_thinking_parts), "answer")
    yield _case("reasoning_content", around(same, reasoning_content=THOUGHT), "answer")
    yield _case("reasoning", around(same, reasoning=THOUGHT), "answer")
    yield _case("gzip", zipped(around(same)), "answer")
    yield _case("stream with comments", stream_only(_comments), "answer", ways=("streamed",))
    crlf = stream_only(lambda body: body.replace(b"\n", b"\r\n"))
    yield _case("stream with crlf", crlf, "answer", ways=("streamed",))
    no_done = stream_only(lambda body: body.replace(b"data: [DONE]\n\n", b""))
    yield _case("stream without done", no_done, "answer", ways=("streamed",))
    tight = stream_only(lambda body: body.replace(b"data: ", b"data:"))
    yield _case("stream without blanks", tight, "answer", ways=("streamed",))
    named = stream_only(lambda body: body.replace(b"data: {", b"event: message\nid: 1\ndata: {"))
    yield _case("stream with event names", named, "answer", ways=("streamed",))
    first = events([{"id": "x", "choices": []}], done=False)
    yield _case(
        "first chunk without choices", stream_only(lambda body: first + body), "answer", ways=("streamed",)
    )
    marked = lambda body: BOM_UTF8 + body  # noqa: E731
    yield _case("stream with a byte order mark", stream_only(marked), "answer", ways=("streamed",))
    told: Says = lambda text, stream: Reply(BOM_UTF8 + around(same)(text, False).body)  # noqa: E731
    yield _case("json with a byte order mark", told, "answer")
    yield _case("events to a whole request", lambda text, stream: around(same)(text, True), "answer")
    yield _case("two choices in turns", _two_choices, "answer")
    plain: Says = lambda text, stream: whole(document({"role": "assistant", "content": text}))  # noqa: E731
    yield _case("plain json to a stream", plain, "answer")
    usages: dict[str, dict[str, Any]] = {"missing": {}, "null": {"usage": None}, "text": {"usage": "9"}}
    for name, usage in (usages | {"odd": {"usage": {"x": []}}}).items():
        yield _case(f"usage {name}", _with_usage(usage), "answer", ways=("whole",))
    for name, before, after in _TOKENS:
        yield _case(f"tokens {name}", around(_between(before, after)), "answer")


def _two_choices(text: str, stream: bool) -> Reply:
    """As servers answer where several were asked for; the second comes first."""
    right, wrong = {"role": "assistant", "content": text}, {"role": "assistant", "content": "Wrong."}
    kind, last = ("delta", None) if stream else ("message", "stop")
    choices = [
        {"index": index, kind: said, "finish_reason": last} for index, said in ((0, right), (1, wrong))
    ]
    if not stream:
        return whole(document(right) | {"choices": choices[::-1]})
    ends: list[dict[str, Any]] = [{"index": index, "delta": {}, "finish_reason": "stop"} for index in (1, 0)]
    return streamed(events([{"choices": [choice]} for choice in (*choices, *ends)]))


def _between(before: str, after: str) -> Callable[[str], str]:
    return lambda text: f"{before}{text}{after}"


def _with_usage(usage: dict[str, Any]) -> Says:
    def says(text: str, stream: bool) -> Reply:
        told = document({"role": "assistant", "content": text})
        del told["usage"]
        return whole(told | usage)

    return says


_TOKENS = (
    ("think", f"<think>{THOUGHT}</think>\n\n", ""),
    ("thinking", f"<thinking>{THOUGHT}</thinking>\n", ""),
    ("mistral", f"[THINK]{THOUGHT}[/THINK]", ""),
    ("kimi", f"◁think▷{THOUGHT}◁/think▷", ""),
    ("cohere", f"<|START_THINKING|>{THOUGHT}<|END_THINKING|><|START_RESPONSE|>", "<|END_RESPONSE|>"),
    (
        "harmony",
        f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>",
        "<|return|>",
    ),
    ("chatml end", "", "<|im_end|>"),
    ("llama end", "", "<|eot_id|>"),
    ("sentence end", "", "</s>"),
    ("gemma end", "", "<end_of_turn>"),
    ("exaone end", "", "[|endofturn|]"),
    ("phi end", "", "<|end|>"),
    ("deepseek end", "", "<｜end▁of▁sentence｜>"),
    ("text end", "", "<|endoftext|>"),
)


def _shortened() -> Iterator[Case]:
    """Cut by a limit: the provider says so."""
    for finish in ("length", "max_tokens", "MAX_TOKENS", "model_length"):
        yield _case(
            f"finish {finish}", around(lambda text: text[: len(text) // 2], finish), "cut", flag="truncated"
        )


CASES: dict[str, Case] = {
    case.name: case
    for part in (_permanent, _blocks, _transient, _cuts, _oddities, _answers, _shortened)
    for case in part()
}


def slug(name: str) -> str:
    """A model's name for a case."""
    return "fault-" + json.dumps(name).encode().hex()[2:-2]
