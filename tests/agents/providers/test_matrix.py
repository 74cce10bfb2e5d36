"""Each provider's shape in each use, over real HTTP: the conversation is held, and nobody sees too much.

Requests as sent are golden files in `data/` (see `golden`); whom they may show what is checked on each.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.agents.providers import golden, leaks
from tests.agents.providers.uses import SCENARIO, TURNS, USES, Run, delivered, held
from tests.stub.providers.brain import THOUGHT
from tests.stub.providers.server import Server

CELLS = {
    "openai-chat": "openai/gpt-4o",
    "openai-reasoning": "openai/gpt-5",
    "gemini": "gemini/gemini-3.1-pro-preview",
    "deepseek-reasoning": "deepseek/deepseek-v4-pro",
    "dashscope-thinking": "dashscope/qwen3.5-flash",
    "anthropic": "anthropic/claude-opus-4-7",
    "mistral-parts": "mistral/magistral-medium-latest",
    "ollama": "ollama/qwen3:8b",
    "vllm": "hosted_vllm/google/gemma-2-27b-it",
    "llamacpp": "llamafile/gemma-3-12b-it",
}
"""Row → a model of it; what each asks of a client is said in its stub."""
OTHERS = (
    "openai/gpt-5-mini",
    "openai/gpt-5.4-mini",
    "openai/o3",
    "openai/o4-mini",
    "gemini/gemini-3.1-flash-lite-preview",
    "gemini/gemini-2.5-flash-lite",
    "deepseek/deepseek-v4-flash",
    "deepseek/deepseek-chat",
    "deepseek/deepseek-reasoner",
    "dashscope/qwen3-32b",
    "dashscope/qwen3-235b-a22b-thinking-2507",
    "dashscope/qwen2.5-72b-instruct",
    "anthropic/claude-sonnet-4-5",
    "anthropic/claude-sonnet-4-6",
    "mistral/mistral-large-latest",
    "ollama/gemma3:12b",
    "ollama_chat/qwen3:8b",
    "hosted_vllm/Qwen/Qwen3-32B",
    "llamafile/old-build",
    "llamafile/thinking",
)
"""More models of the same shapes, which refuse other things."""


def cells(models: Iterable[tuple[str, str]]) -> list[Any]:
    """Each row in each use."""
    return [pytest.param(row, use, id=f"{row}-{use}") for row, _ in models for use in USES]


def check(use: str, model: str, run: Run, folder: Path) -> None:
    """The conversation of one use, to its right end."""
    conversation = held(use, model, run, folder)
    assert conversation["end_reason"] == "completed"
    turns = conversation["turns"]
    assert [turn["fault"] for turn in turns] == [None] * TURNS
    spoken = SCENARIO.turns[:TURNS]
    assert [turn["source"] for turn in turns] == [turn.source for turn in spoken]
    assert [turn["translation"] for turn in turns] == delivered(use)
    assert not any(THOUGHT in str(turn["translation"]) for turn in turns)
    if use == "judge":
        judged(conversation)


def judged(conversation: dict[str, Any]) -> None:
    """Every criterion has the verdict that the stub gave: each third of a call is not met."""
    for turn in conversation["turns"]:
        verdicts = {verdict["criterion"]: verdict for verdict in turn["verdicts"]}
        given = [verdicts[criterion["id"]]["met"] for criterion in turn["criteria"]]
        assert given == [number % 3 != 2 for number in range(len(given))]
        assert {verdict["basis"] for verdict in verdicts.values()} == {"judged"}
    assert conversation["scores"]["judged"] == conversation["scores"]["criteria"] > 0


@pytest.mark.parametrize(("row", "use"), cells(CELLS.items()))
def test_a_conversation_is_held(row: str, use: str, providers: Server, run: Run, tmp_path: Path) -> None:
    check(use, CELLS[row], run, tmp_path)
    sent = [one for shape in providers.shapes.values() for one in shape.requests]
    assert sent
    assert not leaks.found(use, sent)
    golden.check(f"{row}-{use}", sent)


@pytest.mark.parametrize(("model", "use"), cells((model, model) for model in OTHERS))
def test_other_models_of_these_shapes_hold_one_too(
    model: str, use: str, providers: Server, run: Run, tmp_path: Path
) -> None:
    check(use, model, run, tmp_path)
    sent = [one for shape in providers.shapes.values() for one in shape.requests]
    assert not leaks.found(use, sent)
