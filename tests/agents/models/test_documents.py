"""Answers as JSON, whole and event by event, in the shapes providers give them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.models.documents import EventReader, read_document
from agents.models.normalise import normalise
from agents.models.wire import Answer, AttemptFailed, Usage
from sim.core.errors import FaultKind

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(
    [
        "choices",
        "candidates",
        "message",
        "delta",
        "content",
        "parts",
        "text",
        "finish_reason",
        "error",
        "code",
        "finishReason",
        "stop_reason",
        "promptFeedback",
        "blockReason",
        "usage",
        "type",
        "thought",
        "refusal",
        "base_resp",
        "status_code",
        "error_code",
        "details",
        "reasoning_content",
        "index",
        "usageMetadata",
    ]
)
BODIES = st.recursive(
    JSON,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=30,
)


def chat(content: Any, finish: str | None = "stop", **message: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": content, **message}, "finish_reason": finish}]}


def event(content: Any = None, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    delta |= {} if content is None else {"content": content}
    return {"choices": [{"delta": delta, "finish_reason": finish}]}


THINKS = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
TEXT = {"type": "text", "text": "Halo."}


@pytest.mark.parametrize(
    ("content", "text", "thought"),
    [
        ("Halo.", "Halo.", ""),
        ([THINKS, TEXT], "Halo.", "hm"),
        ([TEXT, {"type": "text", "text": " Bu."}], "Halo. Bu.", ""),
        (["Ha", "lo."], "Halo.", ""),
        (TEXT, "Halo.", ""),
        ({"parts": [{"text": "hm", "thought": True}, {"text": "Halo."}]}, "Halo.", "hm"),
        ({"type": "output_text", "text": {"value": "Halo.", "annotations": []}}, "Halo.", ""),
        (None, None, ""),
        ([], None, ""),
        ([THINKS], None, "hm"),
        ([{"type": "tool_use", "input": {}}], None, ""),
    ],
)
def test_content_of_every_form_is_read(content: Any, text: str | None, thought: str) -> None:
    answer = read_document(chat(content))
    assert (answer.content, answer.finish, answer.marker, answer.thought) == (text, "stop", None, thought)
    reader = EventReader()
    assert reader.feed(event(content)) == (text or "")
    reader.feed(event(finish="stop"))
    assert reader.answer() == answer


@pytest.mark.parametrize(
    "content", [{"verdicts": []}, True, 42, 1.5, [1], {"type": "new"}, {"text": {"text": False}}]
)
def test_content_of_no_known_form_is_told_with_the_reply(content: Any) -> None:
    with pytest.raises(AttemptFailed) as failure:
        read_document(chat(content))
    assert (failure.value.kind, failure.value.retryable) == (FaultKind.INTERNAL, False)
    assert json.loads(failure.value.detail) == chat(content)


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_null_beside_reasoning_says_nothing_and_keeps_it(name: str) -> None:
    answer = read_document(chat(None, **{name: "They greet."}))
    normal = normalise(answer)
    assert (normal.outcome, normal.text) == ("empty", "")
    assert normal.raw == "<think>They greet.</think>\n"


@pytest.mark.parametrize(
    ("body", "content", "finish", "marker"),
    [
        ({"choices": []}, None, None, None),
        ({"choices": [{"text": "Halo.", "finish_reason": "stop"}]}, "Halo.", "stop", None),
        ({"choices": [{"message": None, "finish_reason": "stop"}]}, None, "stop", None),
        (chat(None, refusal="No."), "No.", "stop", "refusal"),
        (chat([{"type": "refusal", "refusal": "No."}]), "No.", "stop", "refusal"),
        (
            {"candidates": [{"content": {"parts": [{"text": "Halo."}]}, "finishReason": "STOP"}]},
            "Halo.",
            "STOP",
            None,
        ),
        ({"candidates": [{"finishReason": "SAFETY"}]}, None, "SAFETY", None),
        ({"candidates": [{"content": {}, "finishReason": "STOP"}]}, None, "STOP", None),
        ({"promptFeedback": {"blockReason": "OTHER"}}, None, None, "OTHER"),
        ({"promptFeedback": {"blockReason": "SAFETY"}, "candidates": []}, None, None, "SAFETY"),
        ({"content": [TEXT], "stop_reason": "end_turn"}, "Halo.", "end_turn", None),
        ({"message": {"content": "Halo."}, "done": True, "done_reason": "stop"}, "Halo.", "stop", None),
        ({"message": {"content": [TEXT]}, "finish_reason": "COMPLETE"}, "Halo.", "COMPLETE", None),
    ],
)
def test_every_provider_puts_it_elsewhere(
    body: dict[str, Any], content: str | None, finish: str | None, marker: str | None
) -> None:
    assert read_document(body) == Answer(content, finish, marker)


def test_the_providers_own_reason_counts_where_it_is_graver() -> None:
    body = chat("Halo.")
    body["choices"][0]["native_finish_reason"] = "SAFETY"
    assert read_document(body).finish == "SAFETY"
    body["choices"][0]["native_finish_reason"] = "END_OF_TEXT"
    assert read_document(body).finish == "stop"


def test_usage_is_read_or_unknown() -> None:
    used = {"usage": {"prompt_tokens": 12, "completion_tokens": 7}}
    assert read_document(chat("Halo.") | used).usage == Usage(12, 7)
    assert read_document(chat("Halo.") | {"usage": "none"}).usage == Usage()
    assert read_document(chat("Halo.")).usage == Usage()


@pytest.mark.parametrize(
    ("events", "usage"),
    [
        (
            [
                {"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 5}}},
                {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 3}},
            ],
            Usage(5, 3),
        ),
        ([{"delta": {"usage": {"tokens": {"input_tokens": 5, "output_tokens": 3}}}}], Usage(5, 3)),
        (
            [
                {
                    "usageMetadata": {
                        "promptTokenCount": 5,
                        "candidatesTokenCount": 1,
                        "thoughtsTokenCount": 2,
                    }
                }
            ],
            Usage(5, 3),
        ),
    ],
)
def test_usage_of_a_stream_is_put_together(events: list[Any], usage: Usage) -> None:
    reader = EventReader()
    for each in [*events, event("x", "stop")]:
        reader.feed(each)
    assert reader.answer().usage == usage


@pytest.mark.parametrize(
    ("body", "kind", "retryable", "wait"),
    [
        ({"error": {"code": 429, "message": "slow"}}, FaultKind.RATE_LIMIT, True, None),
        ({"error": {"code": "429", "message": "try again in 20s"}}, FaultKind.RATE_LIMIT, True, 20),
        ({"error": {"code": 401, "message": "no"}, "choices": []}, FaultKind.AUTHENTICATION, False, None),
        ({"error": {"type": "insufficient_quota"}}, FaultKind.QUOTA, False, None),
        ({"error": "boom"}, FaultKind.BAD_REQUEST, False, None),
        ({"error": {"message": "overloaded", "type": "overloaded_error"}}, FaultKind.UNAVAILABLE, True, None),
        ({"choices": [{"error": {"code": 502, "message": "bad"}}]}, FaultKind.UNAVAILABLE, True, None),
        ({"code": 503, "message": "busy"}, FaultKind.UNAVAILABLE, True, None),
        ({"base_resp": {"status_code": 1002}, "choices": None}, FaultKind.RATE_LIMIT, True, None),
        ([{"error": {"code": 503, "status": "UNAVAILABLE"}}], FaultKind.UNAVAILABLE, True, None),
        ({}, FaultKind.UNAVAILABLE, True, None),
        ([], FaultKind.UNAVAILABLE, True, None),
        (None, FaultKind.UNAVAILABLE, True, None),
        ("<!DOCTYPE html><html>Hello</html>", FaultKind.UNAVAILABLE, True, None),
        ("Halo.", FaultKind.UNAVAILABLE, True, None),
        (7, FaultKind.UNAVAILABLE, True, None),
    ],
)
def test_an_error_inside_a_200_is_read_as_that_error(
    body: Any, kind: FaultKind, retryable: bool, wait: float | None
) -> None:
    for read in (read_document, EventReader().feed):
        if body == {} and read is not read_document:
            continue  # an event may say nothing
        with pytest.raises(AttemptFailed) as failure:
            read(body)
        got = failure.value
        assert (got.kind, got.retryable, got.retry_after) == (kind, retryable, wait)


def test_a_block_inside_a_200_is_a_block() -> None:
    body = {"error": {"code": "data_inspection_failed", "message": "…"}}
    assert read_document(body) == Answer(None, None, "data_inspection_failed")
    reader = EventReader()
    reader.feed(event("Ha"))
    assert reader.feed(body) == ""
    assert normalise(reader.answer()).outcome == "blocked"


def test_a_stream_adds_up() -> None:
    reader = EventReader()
    events = [event(""), event(reasoning_content="hm"), event("Ha"), event("lo."), event(finish="stop")]
    events.append({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}})
    assert [reader.feed(e) for e in events] == ["", "", "Ha", "lo.", "", ""]
    assert reader.answer() == Answer("Halo.", "stop", None, Usage(3, 2), "hm")
    assert reader.answer().usage == Usage(3, 2)


@pytest.mark.parametrize("events", [[], [event("Ha")], [event("Ha"), {"choices": []}], [{"choices": []}]])
def test_a_stream_that_never_says_it_finished_is_no_answer(events: list[Any]) -> None:
    reader = EventReader()
    for each in events:
        reader.feed(each)
    with pytest.raises(AttemptFailed) as failure:
        reader.answer()
    assert (failure.value.kind, failure.value.retryable) == (FaultKind.UNAVAILABLE, True)


def test_streams_of_other_providers_are_read() -> None:
    anthropic = [
        {"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 1}}},
        {"type": "content_block_start", "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        {"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "Halo."}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
        {"type": "message_stop"},
    ]
    cohere = [
        {"type": "content-start", "delta": {"message": {"content": {"type": "text"}}}},
        {"type": "content-delta", "delta": {"message": {"content": {"thinking": "hm"}}}},
        {"type": "content-delta", "delta": {"message": {"content": {"text": "Halo."}}}},
        {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}},
    ]
    gemini = [
        {"candidates": [{"content": {"parts": [{"text": "hm", "thought": True}]}}]},
        {"candidates": [{"content": {"parts": [{"text": "Halo."}]}, "finishReason": "STOP"}]},
    ]
    for events in (anthropic, cohere, gemini):
        reader = EventReader()
        for each in events:
            reader.feed(each)
        answer = reader.answer()
        assert (answer.content, answer.thought) == ("Halo.", "hm")
        assert normalise(answer).flags == ()


def outcome_of(read: Callable[[], Answer]) -> Answer | None:
    """None where it failed as it should."""
    try:
        return read()
    except AttemptFailed:
        return None


@settings(max_examples=400, deadline=None)
@given(BODIES)
def test_no_body_is_a_traceback_and_no_text_is_made_up(body: Any) -> None:
    answer = outcome_of(lambda: read_document(body))
    if answer is None or answer.content is None:
        return
    texts = "".join(leaves(body))
    assert all(character in texts for character in answer.content)


@pytest.mark.parametrize("name", ["content", "error", "choices", "parts", "message", "delta"])
def test_deep_nesting_is_no_traceback(name: str) -> None:
    in_lists: Any = None
    in_objects: Any = None
    for _ in range(900):
        in_lists, in_objects = [in_lists], {name: in_objects}
    bodies = (in_lists, in_objects, chat(in_lists), chat(in_objects), {name: in_lists})
    answers = [outcome_of(partial(read_document, body)) for body in bodies]
    assert all(answer is None or answer.content is None for answer in answers)


def leaves(node: Any) -> Iterator[str]:
    if isinstance(node, dict | list):
        for inner in node.values() if isinstance(node, dict) else node:
            yield from leaves(inner)
    else:
        yield node if isinstance(node, str) else json.dumps(node)


@settings(max_examples=300, deadline=None)
@given(st.lists(BODIES, max_size=5))
def test_no_stream_is_a_traceback_and_what_was_told_is_the_answer(bodies: list[Any]) -> None:
    reader, told = EventReader(), list[str]()

    def read() -> Answer:
        told.extend(reader.feed(body) for body in bodies)
        return reader.answer()

    answer = outcome_of(read)
    assert answer is None or answer.marker or "".join(told) == (answer.content or "")
