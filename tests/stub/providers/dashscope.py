"""Qwen behind DashScope's OpenAI-compatible mode.

By its API reference and its page of error messages: models that think do so by default, open ones only in
a stream; thinking and JSON do not go together; only some models know `json_schema`; parameters nobody
knows are passed over; a block of its inspection is a 400 with a code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.stub.providers.brain import THOUGHT, Asked
from tests.stub.providers.compatible import Compatible, bearer, error, has_key, without_json_word
from tests.stub.providers.refusal import Refused

_INVALID = "invalid_request_error"
_HYBRID = ("qwen3.5-flash", "qwen3.5-plus")
"""Think unless told not to, whole or streamed."""
_OPEN = ("qwen3-8b", "qwen3-32b", "qwen3.5-27b")
"""Think unless told not to, and then only in a stream."""
_PLAIN = ("qwen-plus", "qwen2.5-72b-instruct")
_ALWAYS = ("qwen3-235b-a22b-thinking-2507",)
_WITH_SCHEMA = ("qwen3.5-flash", "qwen3.5-plus", "qwen-plus")


@dataclass
class DashScope(Compatible):
    """dashscope-intl.aliyuncs.com/compatible-mode."""

    path = "/v1/chat/completions"

    def __post_init__(self) -> None:
        self.name = "dashscope"

    @property
    def models(self) -> tuple[str, ...]:
        """Commercial and open ones."""
        return (*_HYBRID, *_OPEN, *_PLAIN, *_ALWAYS)

    def thought(self, asked: Asked, body: dict[str, Any]) -> str | None:
        """What it thinks, where it thinks."""
        return THOUGHT if _thinks(body) else None

    def check(self, request: web.Request, body: dict[str, Any]) -> None:
        """Raises Refused."""
        if not bearer(request):
            message = (
                "You didn't provide an API key. You need to provide your API key in an Authorization header."
            )
            raise error(401, message, _INVALID)
        if not has_key(request):
            raise error(401, "Incorrect API key provided. ", _INVALID, code="invalid_api_key")
        model = body.get("model")
        if model not in self.models:
            message = f"The model `{model}` does not exist or you do not have access to it."
            raise error(404, message, _INVALID, code="model_not_found")
        _check_messages(body)
        _check_thinking(body)
        _check_json(body)


def inspected(what: str = "Input") -> Refused:
    """What its inspection blocks."""
    message = f"<400> InternalError.Algo.DataInspectionFailed: {what} data may contain inappropriate content."
    return error(400, message, "data_inspection_failed", code="data_inspection_failed")


def _thinks(body: dict[str, Any]) -> bool:
    model = body.get("model")
    return model in _ALWAYS or bool(body.get("enable_thinking", model in (*_HYBRID, *_OPEN)))


def _wrong(message: str) -> Refused:
    said = f"<400> InternalError.Algo.InvalidParameter: {message}"
    return error(400, said, _INVALID, code="invalid_parameter_error")


def _check_messages(body: dict[str, Any]) -> None:
    messages = body.get("messages")
    if not messages:
        raise _wrong("[] is too short - 'messages'")
    for one in messages:
        if one.get("role") not in ("system", "user", "assistant", "tool"):
            raise _wrong(
                f"{one.get('role')} is not one of ['system', 'assistant', 'user', 'tool', 'function']"
            )
        if not isinstance(one.get("content"), str | list):
            raise _wrong("The content field is a required field.")
    if messages[-1]["role"] not in ("user", "tool"):
        raise _wrong("The last message must be of role user.")
    if "stream_options" in body and not body.get("stream"):
        raise _wrong("The 'stream_options' parameter is only allowed when 'stream' is enabled.")


def _check_thinking(body: dict[str, Any]) -> None:
    model, streamed = body["model"], bool(body.get("stream"))
    if not isinstance(body.get("enable_thinking", True), bool):
        raise _wrong(f"{body['enable_thinking']!r} is not of type 'boolean' - 'enable_thinking'")
    if model in _ALWAYS and not streamed:
        raise error(
            400,
            "This model only support stream mode, please enable the stream parameter to access the model. ",
            _INVALID,
            code="invalid_parameter_error",
        )
    if model in _OPEN and _thinks(body) and not streamed:
        message = "parameter.enable_thinking must be set to false for non-streaming calls"
        raise error(400, message, _INVALID, code="invalid_parameter_error")


def _check_json(body: dict[str, Any]) -> None:
    kind = (body.get("response_format") or {}).get("type", "text")
    if kind == "text":
        return
    if _thinks(body):
        raise _wrong("Json mode response is not supported when enable_thinking is true")
    if kind == "json_schema" and body["model"] not in _WITH_SCHEMA:
        raise _wrong(
            "'response_format.type' Invalid value: json_schema. Supported values are: 'text', 'json_object'"
        )
    if without_json_word(body):
        raise _wrong(
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
        )
