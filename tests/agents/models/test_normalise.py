from __future__ import annotations

import pytest

from agents.models.normalise import normalise
from agents.models.reasoning import DeltaFilter, without_reasoning
from agents.models.wire import Answer


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
    assert without_reasoning(text) == plain


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
