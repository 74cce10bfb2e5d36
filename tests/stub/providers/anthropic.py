"""Anthropic's Messages API.

By its reference and the pages on errors, thinking and structured outputs: `max_tokens` is needed, unknown
names are refused, the system text is no message, the first message is the user's, newer models take no
temperature and no prefilled answer, thinking goes with temperature 1 only and not with a forced tool.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.stub.providers.brain import THOUGHT, Asked
from tests.stub.providers.compatible import pieces, text_of
from tests.stub.providers.refusal import Refused, schema_words
from tests.stub.providers.server import KEY, Shape, body_of, refusing

_KNOWN = frozenset(
    {"model", "messages", "max_tokens", "system", "metadata", "stop_sequences", "stream", "temperature"}
    | {"top_p", "top_k", "thinking", "tools", "tool_choice", "service_tier", "container", "output_config"}
    | {"cache_control", "inference_geo"}
)
_STRUCTURED = "structured-outputs-2025-11-13"
_SAMPLED = ("claude-sonnet-4-5", "claude-haiku-4-5", "claude-sonnet-4-6")
_FIXED = ("claude-opus-4-7",)
"""Take neither temperature nor a budget for thinking."""
_NO_PREFILL = ("claude-opus-4-7", "claude-sonnet-4-6")
_SCHEMA = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "allOf"}
    | {"$ref", "$defs", "title", "description", "format", "default", "pattern"}
)


@dataclass
class Anthropic(Shape):
    """api.anthropic.com."""

    def __post_init__(self) -> None:
        self.name = "anthropic"

    def routes(self) -> Iterable[web.RouteDef]:
        """The one path."""
        return [web.post("/v1/messages", refusing(self.answer))]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """One call."""
        body = await body_of(request)
        self.keep(request, body)
        fault = self.faults.get(str(body.get("model")))
        if fault is not None:
            return await fault(request, body)
        _check_headers(request)
        if _STRUCTURED in request.headers.get("anthropic-beta", "") and "output_format" in body:
            body = _renamed(body)
        _check_form(body)
        _check_model(body)
        _check_messages(body)
        _check_structure(body)
        blocks, stop = self._blocks(body)
        if body.get("stream"):
            return await _stream(request, body, blocks, stop)
        return web.json_response(message(body, blocks, stop))

    def _blocks(self, body: dict[str, Any]) -> tuple[list[dict[str, Any]], str]:
        text = self.brain.answer(_asked(body))
        thinks = (body.get("thinking") or {}).get("type") in ("enabled", "adaptive")
        blocks: list[dict[str, Any]] = (
            [{"type": "thinking", "thinking": THOUGHT, "signature": "c2ln"}] if thinks else []
        )
        if (body.get("tool_choice") or {}).get("type") in ("tool", "any"):
            name = body["tool_choice"].get("name") or body["tools"][0]["name"]
            used = {"type": "tool_use", "id": "toolu_stub", "name": name, "input": json.loads(text)}
            return [*blocks, used], "tool_use"
        return [*blocks, {"type": "text", "text": text}], "end_turn"


def refused(status: int, kind: str, text: str, headers: dict[str, str] | None = None) -> Refused:
    """A refusal as Anthropic words it."""
    document = {"type": "error", "error": {"type": kind, "message": text}, "request_id": "req_stub"}
    return Refused(status, document, headers)


def _invalid(text: str) -> Refused:
    return refused(400, "invalid_request_error", text)


def message(body: dict[str, Any], blocks: list[dict[str, Any]], stop: str | None) -> dict[str, Any]:
    """A whole answer."""
    return {
        "id": "msg_stub",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": blocks,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 120, "output_tokens": 30},
    }


async def _stream(
    request: web.Request, body: dict[str, Any], blocks: list[dict[str, Any]], stop: str
) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
    await response.prepare(request)

    async def event(kind: str, **more: Any) -> None:
        document = json.dumps({"type": kind, **more}, ensure_ascii=False)
        await response.write(f"event: {kind}\ndata: {document}\n\n".encode())

    await event("message_start", message=message(body, [], None))
    await event("ping")
    for number, block in enumerate(blocks):
        empty, deltas = _in_deltas(block)
        await event("content_block_start", index=number, content_block=empty)
        for delta in deltas:
            await event("content_block_delta", index=number, delta=delta)
        await event("content_block_stop", index=number)
    await event(
        "message_delta",
        delta={"stop_reason": stop, "stop_sequence": None},
        usage={"input_tokens": 120, "output_tokens": 30},
    )
    await event("message_stop")
    return response


def _in_deltas(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block as it starts, and what follows."""
    match block["type"]:
        case "text":
            return block | {"text": ""}, [
                {"type": "text_delta", "text": piece} for piece in pieces(block["text"])
            ]
        case "thinking":
            thought: list[dict[str, Any]] = [
                {"type": "thinking_delta", "thinking": p} for p in pieces(block["thinking"])
            ]
            return {"type": "thinking", "thinking": "", "signature": ""}, [
                *thought,
                {"type": "signature_delta", "signature": block["signature"]},
            ]
    whole = json.dumps(block["input"], ensure_ascii=False)
    return block | {"input": {}}, [{"type": "input_json_delta", "partial_json": p} for p in pieces(whole)]


def _renamed(body: dict[str, Any]) -> dict[str, Any]:
    """`output_format`, as it was called in the beta, under the name it has now."""
    rest = {name: value for name, value in body.items() if name != "output_format"}
    return rest | {"output_config": {**body.get("output_config", {}), "format": body["output_format"]}}


def _check_headers(request: web.Request) -> None:
    if "x-api-key" not in request.headers:
        raise refused(401, "authentication_error", "x-api-key header is required")
    if request.headers["x-api-key"] != KEY:
        raise refused(401, "authentication_error", "invalid x-api-key")
    if "anthropic-version" not in request.headers:
        raise _invalid("anthropic-version: header is required")


def _check_form(body: dict[str, Any]) -> None:
    for name in ("model", "messages", "max_tokens"):
        if name not in body:
            raise _invalid(f"{name}: Field required")
    for name in body:
        if name not in _KNOWN:
            raise _invalid(f"{name}: Extra inputs are not permitted")
    if not isinstance(body["max_tokens"], int) or body["max_tokens"] < 1:
        raise _invalid("max_tokens: Input should be greater than or equal to 1")
    temperature = body.get("temperature")
    if temperature is not None and not 0 <= temperature <= 1:
        raise _invalid("temperature: range: 0..1")


def _check_model(body: dict[str, Any]) -> None:
    model, thinking = body["model"], body.get("thinking") or {}
    if model not in (*_SAMPLED, *_FIXED):
        raise refused(404, "not_found_error", f"model: {model}")
    if model in _FIXED:
        for name in ("temperature", "top_p", "top_k"):
            if name in body:
                raise _invalid(f"`{name}` is deprecated for this model.")
        if thinking.get("type") == "enabled":
            raise _invalid(
                '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" '
                'and "output_config.effort" to control thinking behavior.'
            )
    if thinking.get("type") not in (None, "enabled", "disabled", "adaptive"):
        raise _invalid("thinking.type: Input should be 'enabled', 'disabled' or 'adaptive'")
    if thinking.get("type") in ("enabled", "adaptive"):
        _check_thinking(body, thinking)


def _check_thinking(body: dict[str, Any], thinking: dict[str, Any]) -> None:
    if body.get("temperature", 1) != 1:
        raise _invalid("`temperature` may only be set to 1 when thinking is enabled.")
    if (body.get("tool_choice") or {}).get("type") in ("tool", "any"):
        raise _invalid("Thinking may not be enabled when tool_choice forces tool use.")
    if thinking["type"] == "enabled":
        budget = thinking.get("budget_tokens", 0)
        if budget < 1024:
            raise _invalid("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")
        if budget >= body["max_tokens"]:
            raise _invalid("`max_tokens` must be greater than `thinking.budget_tokens`.")


def _check_messages(body: dict[str, Any]) -> None:
    messages = body["messages"]
    if not messages:
        raise _invalid("messages: at least one message is required")
    for number, one in enumerate(messages):
        if one.get("role") == "system":
            raise _invalid(
                'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, '
                'not "system" as an input message role.'
            )
        if set(one) - {"role", "content"}:
            extra = min(set(one) - {"role", "content"})
            raise _invalid(f"messages.{number}.{extra}: Extra inputs are not permitted")
        if not text_of(one.get("content")).strip():
            raise _invalid("messages: text content blocks must contain non-whitespace text")
    if messages[0]["role"] != "user":
        raise _invalid('messages: first message must use the "user" role')
    if messages[-1]["role"] == "assistant" and body["model"] in _NO_PREFILL:
        raise _invalid(
            "This model does not support assistant message prefill. The conversation must end with a user message."
        )


def _check_structure(body: dict[str, Any]) -> None:
    """Schemas of structured outputs know no lengths and no counts but 0 and 1; those of tools any."""
    form = (body.get("output_config") or {}).get("format")
    if form is not None:
        if form.get("type") != "json_schema":
            raise _invalid("output_config.format.type: Input should be 'json_schema'")
        for path, word in schema_words(form.get("schema")):
            if word not in _SCHEMA:
                at = ".".join(path) or "schema"
                raise _invalid(f"output_config.format.schema: {at}: property '{word}' is not supported")
    for number, tool in enumerate(body.get("tools") or []):
        if tool.get("input_schema", {}).get("type") != "object":
            raise _invalid(f"tools.{number}.custom.input_schema.type: Field required")


def _asked(body: dict[str, Any]) -> Asked:
    texts = [("system", text_of(body["system"]))] if body.get("system") else []
    texts += [(one["role"], text_of(one["content"])) for one in body["messages"]]
    form = (body.get("output_config") or {}).get("format") or {}
    tools = body.get("tools") or [{}]
    return Asked(body["model"], tuple(texts), form.get("schema") or tools[0].get("input_schema"))
