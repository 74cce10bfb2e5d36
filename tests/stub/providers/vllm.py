"""vLLM's OpenAI-compatible server, with a model whose chat template is strict.

By its documentation and source: names nobody knows are passed over, a key only where one was set, an
unknown model is a 404 with `NotFoundError`, and what a chat template refuses (a system role, two messages
of one side in a row) is a 400 in the template's words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from aiohttp import web

from tests.stub.providers.brain import THOUGHT, Asked
from tests.stub.providers.compatible import Compatible, error, has_key, pieces, text_of
from tests.stub.providers.refusal import Refused

STRICT = "google/gemma-2-27b-it"
"""Its template knows no system role and wants turns to alternate."""
THINKING = "Qwen/Qwen3-32B"
"""Served with a reasoning parser."""
KEYED = "held/keyed"
"""As a server started with `--api-key` would serve it."""
_WINDOW = 32_768


@dataclass
class VLLM(Compatible):
    """localhost:8000."""

    path = "/v1/chat/completions"

    def __post_init__(self) -> None:
        self.name = "vllm"

    @property
    def models(self) -> tuple[str, ...]:
        """What it was started with."""
        return (STRICT, THINKING, KEYED)

    def thought(self, asked: Asked, body: dict[str, Any]) -> str | None:
        """On unless the template was told not to."""
        template = body.get("chat_template_kwargs") or {}
        return THOUGHT if asked.model == THINKING and template.get("enable_thinking", True) else None

    def message(self, text: str, thought: str | None) -> dict[str, Any]:
        """Reasoning under its newer name."""
        return {"role": "assistant", "content": text, "reasoning": thought, "refusal": None, "tool_calls": []}

    def deltas(self, text: str, thought: str | None) -> Iterator[dict[str, Any]]:
        """Reasoning first."""
        yield {"role": "assistant", "content": ""}
        for piece in pieces(thought or ""):
            yield {"reasoning": piece}
        for piece in pieces(text):
            yield {"content": piece}

    def check(self, request: web.Request, body: dict[str, Any]) -> None:
        """Raises Refused."""
        model, messages = body.get("model"), body.get("messages") or []
        if model == KEYED and not has_key(request):
            raise Refused(401, {"error": "Unauthorized"})
        if model not in self.models:
            raise error(404, f"The model `{model}` does not exist.", "NotFoundError", param="model", code=404)
        if "stream_options" in body and not body.get("stream"):
            raise _bad("Stream options can only be defined when `stream=True`.")
        if model == STRICT:
            _check_template(messages)
        size = sum(len(text_of(one.get("content")).encode()) for one in messages) // 3
        if size + int(body.get("max_tokens") or 0) > _WINDOW:
            raise _bad(
                f"This model's maximum context length is {_WINDOW} tokens. However, your request has {size} "
                "input tokens. Please reduce the length of the input messages."
            )


def _bad(message: str) -> Refused:
    return error(400, message, "BadRequestError", code=400)


def _check_template(messages: list[dict[str, Any]]) -> None:
    roles = [one.get("role") for one in messages]
    if "system" in roles:
        raise _bad("System role not supported")
    if roles[:1] != ["user"] or any(a == b for a, b in pairwise(roles)):
        raise _bad("Conversation roles must alternate user/assistant/user/assistant/...")
