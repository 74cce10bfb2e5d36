from __future__ import annotations

import pytest

from agents.models.normalise import normalise
from agents.models.reasoning import DeltaFilter, cleaned
from agents.models.wire import Answer, AttemptFailed
from sim.core.errors import FaultKind


@pytest.mark.parametrize(
    ("answer", "outcome", "text"),
    [
        (Answer("Halo.", "stop"), "ok", "Halo."),
        (Answer(" Halo.\n", "stop"), "ok", " Halo.\n"),
        (Answer(None, None), "empty", ""),
        (Answer(None, "stop"), "empty", ""),
        (Answer("", "stop"), "empty", ""),
        (Answer(" \n\t\u3000", "stop"), "empty", ""),
        (Answer("Hal", "length"), "truncated", "Hal"),
        (Answer("Hal", "MAX_TOKENS"), "truncated", "Hal"),
        (Answer("Hal", "model_length"), "truncated", "Hal"),
        (Answer("Hal", "model_context_window_exceeded"), "truncated", "Hal"),
        (Answer("", "length"), "empty", ""),
        (Answer("Halo.", "content_filter"), "blocked", ""),
        (Answer(None, "SAFETY"), "blocked", ""),
        (Answer(None, "PROHIBITED_CONTENT"), "blocked", ""),
        (Answer("Halo.", "stop", "refusal"), "blocked", ""),
        (Answer("I cannot help with that; content_filter.", "stop"), "ok", None),
        (Answer("<think>a</think>Halo.", "stop"), "ok", "Halo."),
        (Answer("<think>only thought, then cut", "length"), "empty", ""),
        (Answer("<think>only thought</think>\n", "stop"), "empty", ""),
    ],
)
def test_outcome(answer: Answer, outcome: str, text: str | None) -> None:
    normal = normalise(answer)
    assert normal.outcome == outcome
    assert normal.text == (answer.content if text is None else text)
    assert normal.raw == (answer.content or "")


@pytest.mark.parametrize(
    "finish",
    [
        "error",
        "insufficient_system_resource",
        "network_error",
        "abort",
        "ERROR",
        "MALFORMED_RESPONSE",
        "load",
    ],
)
def test_what_a_server_broke_off_is_no_answer(finish: str) -> None:
    with pytest.raises(AttemptFailed) as failure:
        normalise(Answer("Half a sen", finish))
    assert (failure.value.kind, failure.value.retryable) == (FaultKind.UNAVAILABLE, True)
    assert finish in failure.value.why


@pytest.mark.parametrize(
    "finish",
    ["stop", "STOP", "end_turn", "stop_sequence", "COMPLETE", "eos", "FINISH_REASON_STOP", "tool_calls"],
)
def test_known_good_finish_reasons_raise_no_flag(finish: str) -> None:
    assert normalise(Answer("Halo.", finish)).flags == ()


@pytest.mark.parametrize("finish", ["OTHER", "something_new", "", None])
def test_an_unknown_finish_reason_is_flagged(finish: str | None) -> None:
    normal = normalise(Answer("Halo.", finish))
    assert (normal.outcome, normal.text, normal.flags) == ("ok", "Halo.", ("unknown_finish",))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("<think>x</think>\n\nHalo.", "Halo."),
        ("x\ny</think>\nHalo.", "Halo."),
        ("<Thinking>x</Thinking> Halo. ", "Halo."),
        ("<reasoning>x <b> y</reasoning>Halo.", "Halo."),
        ("<think>a</think>one<think>b</think>two", "onetwo"),
        ("<think>never closed", ""),
        ("I think so.", "I think so."),
        (" a < b and c > d ", " a < b and c > d "),
        ("<b>think</b>", "<b>think</b>"),
    ],
)
def test_reasoning_goes_and_nothing_else(text: str, plain: str) -> None:
    assert cleaned(text).text == plain


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["Ha", "lo."], "Halo."),
        (["<th", "ink>", "x", "</thi", "nk>\n", "Ha", "lo."], "Halo."),
        (["\n<", "b>Halo."], "\n<b>Halo."),
        (["<", "3"], "<3"),
        (["<think>never closed"], ""),
    ],
)
def test_deltas_hide_a_leading_reasoning_block(pieces: list[str], shown: str) -> None:
    got: list[str] = []
    gate = DeltaFilter(got.append)
    for piece in pieces:
        gate.feed(piece)
    gate.finish()
    assert "".join(got).lstrip() == shown.lstrip()
    assert gate.delivered is bool(shown)
