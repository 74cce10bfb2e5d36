"""Mistral's chat completions.

By its API specification: every name it does not list is a 422 (`seed` is `random_seed`, there is neither
`stream_options` nor `max_completion_tokens`), the last message is the user's, and reasoning models answer
with a list of parts, thinking and text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.stub.providers.brain import THOUGHT, Asked
from tests.stub.providers.compatible import Compatible, has_key, pieces
from tests.stub.providers.refusal import Refused

_KNOWN = frozenset(
    {"model", "messages", "temperature", "top_p", "max_tokens", "stream", "stop", "random_seed", "metadata"}
    | {"response_format", "tools", "tool_choice", "presence_penalty", "frequency_penalty", "n", "prediction"}
    | {"parallel_tool_calls", "prompt_mode", "reasoning_effort", "guardrails", "safe_prompt"}
)
_MESSAGE = frozenset({"role", "content", "prefix", "tool_calls", "tool_call_id", "name"})
_REASONING = ("magistral-medium-latest", "magistral-small-latest")
_PLAIN = ("mistral-large-latest", "mistral-small-latest", "open-mixtral-8x7b")


@dataclass
class Mistral(Compatible):
    """api.mistral.ai."""

    path = "/v1/chat/completions"

    def __post_init__(self) -> None:
        self.name = "mistral"

    @property
    def models(self) -> tuple[str, ...]:
        """Reasoning and others."""
        return (*_REASONING, *_PLAIN)

    def thought(self, asked: Asked, body: dict[str, Any]) -> str | None:
        """Reasoning models think aloud."""
        return THOUGHT if asked.model in _REASONING else None

    def message(self, text: str, thought: str | None) -> dict[str, Any]:
        """With thinking, the content is a list."""
        if thought is None:
            return {"role": "assistant", "content": text, "tool_calls": None}
        return {"role": "assistant", "content": [_thinking(thought), {"type": "text", "text": text}]}

    def deltas(self, text: str, thought: str | None) -> Iterator[dict[str, Any]]:
        """Thinking comes as lists, the answer as strings."""
        yield {"role": "assistant", "content": ""}
        for piece in pieces(thought or ""):
            yield {"content": [_thinking(piece)]}
        for piece in pieces(text):
            yield {"content": piece}

    def check(self, request: web.Request, body: dict[str, Any]) -> None:
        """Raises Refused."""
        if not has_key(request):
            raise Refused(401, {"detail": "Unauthorized"})
        _check_names(body)
        if body["model"] not in self.models:
            raise invalid(400, f"Invalid model: {body['model']}", "invalid_model", "1500")
        last = body["messages"][-1]
        if last["role"] not in ("user", "tool") and not last.get("prefix"):
            message = (
                "Expected last role User or Tool (or Assistant with prefix True) for serving but got "
                f"{last['role']}"
            )
            raise invalid(400, message, "invalid_request_message_order", "3230")
        kind = (body.get("response_format") or {}).get("type", "text")
        if kind not in ("text", "json_object", "json_schema"):
            raise _unprocessable(
                ["body", "response_format", "type"], "literal_error", "Input should be 'text' …"
            )


def invalid(status: int, message: str, kind: str, code: str | None) -> Refused:
    """A refusal as Mistral words it."""
    return Refused(status, {"object": "error", "message": message, "type": kind, "param": None, "code": code})


def _unprocessable(where: list[Any], kind: str, message: str) -> Refused:
    detail = {"detail": [{"type": kind, "loc": where, "msg": message, "input": None}]}
    return Refused(
        422,
        {"object": "error", "message": detail, "type": "invalid_request_error", "param": None, "code": None},
    )


def _check_names(body: dict[str, Any]) -> None:
    for name in ("model", "messages"):
        if not body.get(name):
            raise _unprocessable(["body", name], "missing", "Field required")
    for name in body:
        if name not in _KNOWN:
            raise _unprocessable(["body", name], "extra_forbidden", "Extra inputs are not permitted")
    for number, message in enumerate(body["messages"]):
        if message.get("role") not in ("system", "user", "assistant", "tool"):
            raise _unprocessable(
                ["body", "messages", number], "union_tag_invalid", "Input tag found using 'role'"
            )
        for name in set(message) - _MESSAGE:
            where = ["body", "messages", number, message["role"], name]
            raise _unprocessable(where, "extra_forbidden", "Extra inputs are not permitted")


def _thinking(thought: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": [{"type": "text", "text": thought}]}
