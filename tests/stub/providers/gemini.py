"""Google's Gemini API: `generateContent` and `streamGenerateContent`.

By the API reference and the guides on thinking and structured output: JSON names nobody knows are
refused, `responseSchema` is a subset of OpenAPI without `additionalProperties`, a wrong key is a 400 and
not a 401, a rate limit says how long to wait in its body only, and a stream has no `[DONE]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.stub.providers.brain import THOUGHT, Asked
from tests.stub.providers.compatible import pieces
from tests.stub.providers.refusal import Refused, schema_words
from tests.stub.providers.server import KEY, Sent, Shape, body_of, refusing

LEVELS = {
    "gemini-3.1-pro-preview": ("LOW", "MEDIUM", "HIGH"),
    "gemini-3.1-flash-lite-preview": ("MINIMAL", "LOW", "MEDIUM", "HIGH"),
}
_BUDGETED = ("gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-2.5-pro")
_TOP = frozenset(
    {"contents", "systemInstruction", "generationConfig", "safetySettings", "tools", "toolConfig"}
    | {"cachedContent", "serviceTier", "store"}
)
_GENERATION = frozenset(
    {"stopSequences", "responseMimeType", "responseSchema", "responseJsonSchema", "candidateCount"}
    | {"maxOutputTokens", "temperature", "topP", "topK", "seed", "presencePenalty", "frequencyPenalty"}
    | {"responseLogprobs", "logprobs", "thinkingConfig", "mediaResolution", "responseModalities"}
    | {"speechConfig", "imageConfig", "enableEnhancedCivicAnswers"}
)
_SCHEMA = frozenset(
    {"type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties"}
    | {"required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example"}
    | {"anyOf", "propertyOrdering", "default", "items", "minimum", "maximum"}
)


@dataclass
class Gemini(Shape):
    """generativelanguage.googleapis.com."""

    def __post_init__(self) -> None:
        self.name = "gemini"

    def routes(self) -> Iterable[web.RouteDef]:
        """Both methods: a `:` stands in the last step of the path, which aiohttp matches as one piece."""
        return [web.post("/v1beta/models/{call}", refusing(self.answer))]

    def model(self, sent: Sent) -> str:
        """The model a request names, in its path."""
        return sent.path.rpartition("/models/")[2].partition(":")[0]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """One call."""
        body = await body_of(request)
        self.keep(request, body)
        model, _, method = request.match_info["call"].partition(":")
        fault = self.faults.get(model)
        if fault is not None:
            return await fault(request, body)
        _check_key(request)
        if model not in (*LEVELS, *_BUDGETED):
            message = (
                f"models/{model} is not found for API version v1beta, or is not supported for {method}. "
                "Call ListModels to see the list of available models and their supported methods."
            )
            raise refused(404, "NOT_FOUND", message)
        camel = _check_names(body)
        _check_contents(camel)
        thinks = _check_thinking(model, camel.get("generationConfig", {}))
        text = self.brain.answer(_asked(model, camel))
        thought = [{"text": THOUGHT, "thought": True}] if thinks else []
        if method == "streamGenerateContent":
            return await _stream(request, model, thought, text)
        return web.json_response(document(model, [*thought, {"text": text}], "STOP"))


def refused(code: int, status: str, message: str, details: list[Any] | None = None) -> Refused:
    """A refusal as Google words it."""
    document: dict[str, Any] = {"code": code, "message": message, "status": status}
    if details:
        document["details"] = details
    return Refused(code, {"error": document})


def rate_limited(seconds: int) -> Refused:
    """A rate limit: how long to wait stands in the body, not in a header."""
    message = f"You exceeded your current quota. Please retry in {seconds}.0s."
    quota = {"quotaMetric": "generate_content_requests", "quotaId": "GenerateRequestsPerMinutePerProject"}
    return refused(
        429,
        "RESOURCE_EXHAUSTED",
        message,
        [
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [quota]},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{seconds}s"},
        ],
    )


def document(model: str, parts: list[dict[str, Any]], finish: str | None) -> dict[str, Any]:
    """A whole answer, or one piece of a stream."""
    candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}, "index": 0}
    if finish is not None:
        candidate["finishReason"] = finish
    return {
        "candidates": [candidate],
        "usageMetadata": {"promptTokenCount": 120, "candidatesTokenCount": 30, "totalTokenCount": 150},
        "modelVersion": model,
        "responseId": "stub",
    }


async def _stream(
    request: web.Request, model: str, thought: list[dict[str, Any]], text: str
) -> web.StreamResponse:
    """Server-sent events with `alt=sse`, else one JSON array; the last piece says that it is the last."""
    said = pieces(text)
    documents = [document(model, [part], None) for part in thought]
    documents += [document(model, [{"text": piece}], None) for piece in said[:-1]]
    documents.append(document(model, [{"text": said[-1]}], "STOP"))
    if request.query.get("alt") != "sse":
        return web.json_response(documents)
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for one in documents:
        await response.write(b"data: " + json.dumps(one, ensure_ascii=False).encode() + b"\r\n\r\n")
    return response


def _check_key(request: web.Request) -> None:
    key = request.headers.get("x-goog-api-key") or request.query.get("key")
    if not key:
        message = (
            "Method doesn't allow unregistered callers (callers without established identity). "
            "Please use API Key or other form of API consumer identity to call this API."
        )
        raise refused(403, "PERMISSION_DENIED", message)
    if key != KEY:
        info = {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
        }
        raise refused(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [info])


def _camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda found: found.group(1).upper(), name)


def _check_names(body: dict[str, Any]) -> dict[str, Any]:
    """The body in the API's own spelling; it takes the names of the underlying messages as well."""
    camel = {_camel(name): value for name, value in body.items()}
    unknown = [f'Unknown name "{name}": Cannot find field.' for name in camel if name not in _TOP]
    config = {_camel(name): value for name, value in (camel.get("generationConfig") or {}).items()}
    where = "at 'generation_config': Cannot find field."
    unknown += [f'Unknown name "{name}" {where}' for name in config if name not in _GENERATION]
    for path, word in schema_words(config.get("responseSchema")):
        if word not in _SCHEMA:
            steps = "".join(f".{step}" for step in path)
            unknown.append(
                f"Unknown name \"{word}\" at 'generation_config.response_schema{steps}': Cannot find field."
            )
    if unknown:
        message = "\n".join(f"Invalid JSON payload received. {line}" for line in unknown)
        raise refused(400, "INVALID_ARGUMENT", message)
    if "responseSchema" in config and config.get("responseMimeType") != "application/json":
        message = "Unable to submit request: response_schema needs response_mime_type application/json."
        raise refused(400, "INVALID_ARGUMENT", message)
    return camel | {"generationConfig": config}


def _check_contents(body: dict[str, Any]) -> None:
    contents = body.get("contents")
    if not contents:
        message = "* GenerateContentRequest.contents: contents is not specified\n"
        raise refused(400, "INVALID_ARGUMENT", message)
    for number, content in enumerate(contents):
        if content.get("role", "user") not in ("user", "model"):
            raise refused(400, "INVALID_ARGUMENT", "Please use a valid role: user, model.")
        parts = content.get("parts") or []
        if not any(part.get("text") for part in parts):
            message = (
                f"* GenerateContentRequest.contents[{number}].parts[0].data: required oneof field 'data' "
                "must have one initialized field\n"
            )
            raise refused(400, "INVALID_ARGUMENT", message)


def _check_thinking(model: str, config: dict[str, Any]) -> bool:
    """Whether thoughts are to be shown."""
    thinking = {_camel(name): value for name, value in (config.get("thinkingConfig") or {}).items()}
    level, budget = thinking.get("thinkingLevel"), thinking.get("thinkingBudget")
    if level is not None and budget is not None:
        message = "You can only set only one of thinking budget and thinking level."
        raise refused(400, "INVALID_ARGUMENT", message)
    if level is not None and model not in LEVELS:
        raise refused(400, "INVALID_ARGUMENT", "Thinking level is not supported for this model.")
    if level is not None and str(level).upper() not in LEVELS[model]:
        message = (
            f"Thinking level {str(level).upper()} is not supported for this model. "
            "Please retry with other thinking level."
        )
        raise refused(400, "INVALID_ARGUMENT", message)
    if budget == 0 and "pro" in model:
        message = "Budget 0 is invalid. This model only works in thinking mode."
        raise refused(400, "INVALID_ARGUMENT", message)
    return bool(thinking.get("includeThoughts"))


def _asked(model: str, body: dict[str, Any]) -> Asked:
    texts = []
    if body.get("systemInstruction"):
        texts.append(("system", _text(body["systemInstruction"])))
    texts += [(content.get("role", "user"), _text(content)) for content in body["contents"]]
    config = body["generationConfig"]
    return Asked(model, tuple(texts), config.get("responseSchema") or config.get("responseJsonSchema"))


def _text(content: dict[str, Any]) -> str:
    return "".join(str(part.get("text", "")) for part in content.get("parts", []))
