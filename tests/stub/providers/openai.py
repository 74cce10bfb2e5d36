"""OpenAI's chat completions: chat models, and reasoning models that take less.

By the API reference and the guides on reasoning and structured outputs: reasoning models refuse
`max_tokens`, any temperature but 1 and efforts they do not know; nobody takes an unknown parameter;
strict schemas name every property as required and allow no others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.stub.providers.compatible import Compatible, bearer, error, has_key, schema_of, without_json_word
from tests.stub.providers.refusal import Refused, schema_words

_INVALID = "invalid_request_error"
_KNOWN = frozenset(
    {"model", "messages", "audio", "frequency_penalty", "logit_bias", "logprobs", "max_completion_tokens"}
    | {"max_tokens", "metadata", "modalities", "moderation", "n", "parallel_tool_calls", "prediction"}
    | {"presence_penalty", "prompt_cache_key", "prompt_cache_retention", "reasoning_effort"}
    | {"response_format", "safety_identifier", "seed", "service_tier", "stop", "store", "stream"}
    | {"stream_options", "temperature", "tool_choice", "tools", "top_logprobs", "top_p", "user"}
    | {"verbosity", "web_search_options"}
)
_CHAT = ("gpt-4o", "gpt-4o-mini", "gpt-4.1")
_EFFORTS = {
    "o3": ("low", "medium", "high"),
    "o4-mini": ("low", "medium", "high"),
    "gpt-5": ("minimal", "low", "medium", "high"),
    "gpt-5-mini": ("minimal", "low", "medium", "high"),
    "gpt-5-nano": ("minimal", "low", "medium", "high"),
    "gpt-5.4": ("none", "low", "medium", "high", "xhigh"),
    "gpt-5.4-mini": ("none", "low", "medium", "high", "xhigh"),
}
_FIXED = {"temperature": 1, "top_p": 1, "presence_penalty": 0, "frequency_penalty": 0, "n": 1}
_SCHEMA_WORDS = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref"}
    | {"$defs", "title", "description", "pattern", "format", "multipleOf", "maximum", "exclusiveMaximum"}
    | {"minimum", "exclusiveMinimum", "minItems", "maxItems"}
)


@dataclass
class OpenAI(Compatible):
    """api.openai.com."""

    path = "/v1/chat/completions"

    def __post_init__(self) -> None:
        self.name = "openai"

    @property
    def models(self) -> tuple[str, ...]:
        """Chat and reasoning models."""
        return (*_CHAT, *_EFFORTS)

    def check(self, request: web.Request, body: dict[str, Any]) -> None:
        """Raises Refused."""
        _check_key(request)
        _check_form(body)
        model = str(body["model"])
        if model not in self.models:
            message = f"The model `{model}` does not exist or you do not have access to it."
            raise error(404, message, _INVALID, code="model_not_found")
        if model in _EFFORTS:
            _check_reasoning(model, body)
        elif "reasoning_effort" in body:
            raise error(400, "Unrecognized request argument supplied: reasoning_effort", _INVALID)
        _check_answer_form(body)


def _check_key(request: web.Request) -> None:
    if has_key(request):
        return
    if not bearer(request):
        message = (
            "You didn't provide an API key. You need to provide your API key in an Authorization header."
        )
        raise error(401, message, _INVALID)
    message = (
        f"Incorrect API key provided: {bearer(request)[:3]}***. You can find your API key at your account."
    )
    raise error(401, message, _INVALID, code="invalid_api_key")


def _check_form(body: dict[str, Any]) -> None:
    for name in ("model", "messages"):
        if not body.get(name):
            message = f"Missing required parameter: '{name}'."
            raise error(400, message, _INVALID, param=name, code="missing_required_parameter")
    for name in body:
        if name not in _KNOWN:
            raise error(400, f"Unknown parameter: '{name}'.", _INVALID, param=name, code="unknown_parameter")
    for number, message in enumerate(body["messages"]):
        _check_message(number, message)
    if "stream_options" in body and not body.get("stream"):
        raise error(
            400,
            "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
            _INVALID,
            param="stream_options",
        )
    if body.get("temperature") is not None and not 0 <= body["temperature"] <= 2:
        raise error(400, "Invalid 'temperature': out of range.", _INVALID, param="temperature")


def _check_message(number: int, message: dict[str, Any]) -> None:
    where = f"messages[{number}]"
    if message.get("role") not in ("system", "developer", "user", "assistant", "tool"):
        said = (
            f"Invalid value: '{message.get('role')}'. Supported values are: 'system', 'assistant', 'user' …"
        )
        raise error(400, said, _INVALID, param=f"{where}.role", code="invalid_value")
    if not isinstance(message.get("content"), str | list):
        said = f"Invalid value for 'content': expected a string, got {message.get('content')!r}."
        raise error(400, said, _INVALID, param=f"{where}.content")
    extra = set(message) - {"role", "content", "name", "tool_calls", "tool_call_id", "refusal", "audio"}
    if extra:
        said = f"Unknown parameter: '{where}.{min(extra)}'."
        raise error(400, said, _INVALID, param=f"{where}.{min(extra)}", code="unknown_parameter")


def _check_reasoning(model: str, body: dict[str, Any]) -> None:
    if "max_tokens" in body:
        message = (
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead."
        )
        raise error(400, message, _INVALID, param="max_tokens", code="unsupported_parameter")
    for name in ("logprobs", "top_logprobs", "logit_bias", "stop"):
        if name in body:
            message = f"Unsupported parameter: '{name}' is not supported with this model."
            raise error(400, message, _INVALID, param=name, code="unsupported_parameter")
    for name, only in _FIXED.items():
        if body.get(name, only) != only:
            message = (
                f"Unsupported value: '{name}' does not support {body[name]} with this model. "
                f"Only the default ({only}) value is supported."
            )
            raise error(400, message, _INVALID, param=name, code="unsupported_value")
    effort = body.get("reasoning_effort")
    if effort is not None and effort not in _EFFORTS[model]:
        listed = ", ".join(f"'{known}'" for known in _EFFORTS[model])
        message = (
            f"Unsupported value: 'reasoning_effort' does not support '{effort}' with this model. "
            f"Supported values are: {listed}."
        )
        raise error(400, message, _INVALID, param="reasoning_effort", code="unsupported_value")


def _check_answer_form(body: dict[str, Any]) -> None:
    if without_json_word(body):
        message = "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
        raise error(400, message, _INVALID, param="messages")
    schema = schema_of(body)
    if schema is None:
        return
    form = body["response_format"]["json_schema"]
    if not form.get("name"):
        raise error(
            400,
            "Missing required parameter: 'response_format.json_schema.name'.",
            _INVALID,
            param="response_format.json_schema.name",
            code="missing_required_parameter",
        )
    if form.get("strict"):
        _check_strict(schema, str(form["name"]))


def _check_strict(schema: dict[str, Any], name: str) -> None:
    def wrong(what: str) -> Refused:
        return error(
            400, f"Invalid schema for response_format '{name}': {what}", _INVALID, param="response_format"
        )

    for path, word in schema_words(schema):
        if word not in _SCHEMA_WORDS:
            raise wrong(f"In context={path}, '{word}' is not permitted.")
    for path, part in _objects(schema, ()):
        if part.get("additionalProperties") is not False:
            raise wrong(
                f"In context={path}, 'additionalProperties' is required to be supplied and to be false."
            )
        missing = set(part.get("properties", {})) - set(part.get("required", ()))
        if missing:
            raise wrong(
                f"In context={path}, 'required' is required to be supplied and to be an array including every "
                f"key in properties. Missing '{min(missing)}'."
            )


def _objects(schema: Any, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    if not isinstance(schema, dict):
        return []
    found = [(path, schema)] if schema.get("type") == "object" else []
    for name, inner in schema.get("properties", {}).items():
        found += _objects(inner, (*path, "properties", name))
    return found + _objects(schema.get("items"), (*path, "items"))
