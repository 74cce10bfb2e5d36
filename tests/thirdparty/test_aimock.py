"""Against aimock every provider translates live and in a batch, and judges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.providers.test_matrix import judged
from tests.agents.providers.uses import TURNS, Run, delivered, held
from tests.thirdparty import aimock

MODELS = (
    "openai/gpt-4o",
    "anthropic/claude-opus-4-7",
    "gemini/gemini-3.1-pro-preview",
    "deepseek/deepseek-v4-pro",
    "dashscope/qwen3.5-flash",
    "xai/grok-4-1-fast",
    "openrouter/meta-llama/llama-3.3-70b-instruct",
    "ollama/gemma3:12b",
    "cohere/command-a-03-2025",
    "hosted_vllm/google/gemma-2-27b-it",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its address."""
    with aimock.serving(tmp_path_factory.mktemp("aimock")) as base:
        yield base


@pytest.mark.parametrize("use", ["live", "batch", "judge"])
@pytest.mark.parametrize("model", MODELS)
def test_a_conversation_is_held(
    model: str, use: str, server: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in aimock.environment(server).items():
        monkeypatch.setenv(name, value)
    conversation = held(use, model, run, tmp_path)
    assert conversation["end_reason"] == "completed"
    assert [turn["translation"] for turn in conversation["turns"]] == delivered(use)
    assert [turn["fault"] for turn in conversation["turns"]] == [None] * TURNS
    if use == "judge":
        judged(conversation)
