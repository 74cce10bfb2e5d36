"""What a chat template leaves in an answer, taken out of whole answers and streams alike."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.fence import fence
from agents.models.asked import Asked
from agents.models.reasoning import DeltaFilter, cleaned
from prompts.loader import load

SOURCE = "Minum dua tablet, Bu."
TOKEN = fence(SOURCE)
PROMPT = load("interpreter/message-single").render(
    source_language="Indonesian", target_language="Korean", message=SOURCE, fence=TOKEN
)


def streamed(text: str, asked: Asked | None = None, size: int = 1, *, hold: bool = False) -> str:
    got: list[str] = []
    gate = DeltaFilter(got.append, asked or Asked(), hold=hold)
    for start in range(0, len(text), size):
        gate.feed(text[start : start + size])
    gate.finish()
    assert gate.delivered is bool(got)
    return "".join(got)


FAMILIES = [
    "<think>\nhm</think>\n\nHalo.",
    "<Thinking>hm</Thinking>Halo.",
    "<thought>\nhm\n</thought>\n\nHalo.[|endofturn|]",
    "<reasoning>hm</reasoning>Halo.",
    "<seed:think>hm</seed:think>Halo.",
    "[THINK]hm[/THINK]Halo.</s>",
    "◁think▷hm◁/think▷Halo.<|im_end|>",
    "<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>Halo.<|END_RESPONSE|>",
    "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Halo.<|return|>",
    "<|channel|>analysis<|message|>hm<|channel|>final <|constrain|>json<|message|>Halo.",
    "<|channel|>commentary<|message|>hm<|end|><|channel|>final<|message|>Halo.",
    "<|channel>thought\nhm<channel|>Halo.<turn|>",
    "<|im_start|>assistant/think\nhm<|im_end|>\n<|im_start|>assistant\nHalo.<|im_end|>",
    "<unused94>thought\nhm<unused95>Halo.<end_of_turn>",
    "<think>hm</think>\n<answer>\nHalo.\n</answer>",
    "<think>hm</think>\n<response>\nHalo.\n</response>\n",
    "<|im_start|>assistant\nHalo.<|im_end|>\n",
    "<|start_header_id|>assistant<|end_header_id|>\n\nHalo.<|eot_id|>",
    "<start_of_turn>model\nHalo.<end_of_turn>\n",
    "<｜Assistant｜>Halo.<｜end▁of▁sentence｜>",
    "<s>[INST][/INST] Halo.</s>",
    "Halo.<|END_OF_TURN_TOKEN|>",
    "Halo.<|endoftext|>",
    "<think>a<think>b</think>Halo.",
    "<think>a</THINK></think>Halo.",
    "Halo.<think>never closed",
]


@pytest.mark.parametrize("raw", FAMILIES)
@pytest.mark.parametrize("size", [1, 5, 10_000])
def test_reasoning_and_tokens_of_every_family_go(raw: str, size: int) -> None:
    assert cleaned(raw).text == "Halo."
    assert not cleaned(raw).tokens_left
    assert streamed(raw, size=size) == "Halo."


@pytest.mark.parametrize(
    "raw",
    [
        "They greet.</think>\n\nHalo.",
        "They greet.[/THINK]Halo.",
        "They greet.<|end|><|start|>assistant<|channel|>final<|message|>Halo.<|return|>",
        "analysisThey greet.assistantfinalHalo.",
    ],
)
def test_reasoning_that_nothing_opened_goes(raw: str) -> None:
    assert (cleaned(raw).text, cleaned(raw).unopened) == ("Halo.", True)
    assert streamed(raw, hold=True) == "Halo."
    assert streamed("Halo, Bu.", hold=True) == "Halo, Bu."


@pytest.mark.parametrize(
    "raw",
    ["<think>never closed", "[THINK]hm", "<|im_end|>", "<think>hm</think> \n", "Halo.</think>", "</s></s>"],
)
def test_nothing_left_is_nothing(raw: str) -> None:
    assert cleaned(raw).text.strip() == ""


@pytest.mark.parametrize(
    "text",
    [
        "I think so.",
        " a < b and c > d ",
        "<b>think</b>",
        "\n <3 \n",
        "[Dr. Kim] 안녕 [1]",
        "[deadbeef0000 begin]\nHalo.\n[deadbeef0000 end]",
        "assistant, final",
        " ",
        "ٱللَّهِ ✨ \u200f",
    ],
)
def test_a_text_without_tokens_is_not_touched(text: str) -> None:
    assert cleaned(text).text == text
    assert not cleaned(text).tokens_left
    assert streamed(text) == (text if text.strip() else "")


@pytest.mark.parametrize(
    ("said", "raw", "text"),
    [
        ("Apa itu <think>?", "What is <think>?", "What is <think>?"),
        ("Apa itu <think>?", "<think>hm</think>What is <think>?", "What is <think>?"),
        ("Tulis <s>lama</s>.", "Write <s>old</s>.", "Write <s>old</s>."),
        ("<|im_end|> berarti selesai", "<|im_end|> means over<|im_end|>", "<|im_end|> means over<|im_end|>"),
        ("<THINK>", "<think> stays", "<think> stays"),
    ],
)
def test_what_the_request_says_stays(said: str, raw: str, text: str) -> None:
    asked = Asked(["Translate.", said])
    assert cleaned(raw, asked).text == text
    assert cleaned(raw, asked).tokens_left is (raw.count("<|im_end|>") > 1)


@pytest.mark.parametrize(
    ("raw", "left"),
    [
        ("Halo <|fim_middle|> Bu", True),
        ("Halo.<|im_end|>\n<|im_start|>user\nAnd the next?", True),
        ("Halo.<|im_end|>\n<|im_start|>assistant\n", False),
        (f"Halo, baris {TOKEN}.", True),
    ],
)
def test_what_is_left_of_a_template_is_flagged(raw: str, left: bool) -> None:
    assert cleaned(raw, Asked([PROMPT])).tokens_left is left


@pytest.mark.parametrize(
    "raw",
    [
        f"[{TOKEN} begin]\nHalo.\n[{TOKEN} end]",
        f"[{TOKEN} begin] Halo. [{TOKEN} end]",
        f"[{TOKEN} 시작]\nHalo.\n[{TOKEN} 끝]\n",
        f"Halo.\n[{TOKEN} end",
        f"{TOKEN} begin\nHalo.\n{TOKEN} end",
        f"<think>[{TOKEN} begin]</think>Halo.\n[{TOKEN} end]",
    ],
)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_lines_of_our_own_fences_go(raw: str, size: int) -> None:
    asked = Asked(["Brief.", PROMPT])
    assert asked.fences == {TOKEN}
    assert cleaned(raw, asked).text == "Halo."
    assert streamed(raw, asked, size) == "Halo."


def test_only_fence_lines_are_nothing() -> None:
    assert cleaned(f"[{TOKEN} begin]\n[{TOKEN} end]", Asked([PROMPT])).text == ""


def test_a_source_that_brings_such_lines_keeps_them() -> None:
    source = "[0123456789ab begin]\nHalo.\n[0123456789ab end]"
    prompt = load("interpreter/message-single").render(
        source_language="Indonesian", target_language="Korean", message=source, fence=fence(source)
    )
    asked = Asked([prompt])
    assert asked.fences == {fence(source)}
    raw = f"[{fence(source)} begin]\n{source}\n[{fence(source)} end]"
    assert cleaned(raw, asked).text == source


PARTS = st.sampled_from(
    [
        *[
            "<think>",
            "</think>",
            "<|im_end|>",
            "<|im_start|>assistant",
            "[THINK]",
            "[/THINK]",
            "<|channel|>analysis",
            "<|",
            "|>",
            "<|channel|>final",
            "<|message|>",
            "<|end|>",
            "</s>",
            "<answer>",
            "<",
            "[",
            "Halo",
            "네",
            "İ",
            "assistant",
            "final",
            "deadbeef",
            "end]",
            "begin",
        ],
        *("\n", " ", TOKEN, f"[{TOKEN}", f"[{TOKEN} begin]"),
    ]
)


@settings(max_examples=500, deadline=None)
@given(st.lists(PARTS, max_size=14).map("".join), st.integers(1, 9))
def test_a_stream_shows_what_the_answer_contains(text: str, size: int) -> None:
    asked = Asked([PROMPT])
    whole = cleaned(text, asked)
    if not whole.unopened:
        shown = whole.text if whole.text.strip() else ""
        assert streamed(text, asked, size) == shown
        assert streamed(text, asked, size, hold=True) == shown


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_any_text_of_people_stays(text: str) -> None:
    assert cleaned(text, Asked([text])).text == text


LONG = {
    "opened": "<think>" * 43_000,
    "closed": "</think>" * 40_000,
    "both": "<think></think>" * 20_000,
    "blank": " " * 256_000,
    "less": "<" * 256_000,
    "ends": "<|im_end|>" * 25_000,
    "fences": f"[{TOKEN}" * 19_000,
    "unknown": "".join(f"<|x{n}|>" for n in range(25_000)),
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_quarter_of_a_megabyte_holds_nobody_up(text: str) -> None:
    asked, started = Asked([PROMPT]), time.monotonic()
    cleaned(text, asked)
    streamed(text, asked, 16)
    assert time.monotonic() - started < 10
