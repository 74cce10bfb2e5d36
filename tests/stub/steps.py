"""The steps a stub script is made of.

`reply` text, finish, tokens [in, out], delay · `status` status, retry_after (text, or `date:SECONDS`),
code, message · `empty_choices` · `null_content` · `truncated` · `content_filter` · `refusal` ·
`broken_json` · `cut` (the connection ends in mid-body, or mid-stream) · `no_finish` (a stream that ends
cleanly without finish_reason) · `slow` (a stream, `delay` seconds between pieces) · `hang` (never
answers) · `reject_format` (400 for the response formats in `formats`) · `reject_system` ·
`reject_roles` (400 as templates say it) · `leak` (reasoning with an opening tag; `open: false` without)
· `judge` (verdicts for the ids in the request; `met`: true, false or "alternate") · `either` (`judge`
where the response format asks for verdicts, else `reply`).
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from typing import Any

from aiohttp import web

_CREATED = 1_700_000_000
_ID = re.compile(r"""["']?\bid["']?\s*[:=]\s*["']?([a-z0-9][a-z0-9._-]*)""")
_CRITERION = re.compile(r"\b[a-z0-9-]+\.l[123]\.[a-z0-9-]+")


def error(
    status: int, message: str, code: str | None = None, headers: dict[str, str] | None = None
) -> web.Response:
    """An error as OpenAI words it."""
    kind = "invalid_request_error" if status in (400, 401) else "server_error"
    return web.json_response(
        {"error": {"message": message, "type": kind, "param": None, "code": code}},
        status=status,
        headers=headers,
    )


async def play(
    step: dict[str, Any], request: web.Request, body: dict[str, Any], *, chat: bool
) -> web.StreamResponse:
    """Carry out one step."""
    refused = _refused(step, body)
    if refused is not None:
        return refused
    match step["do"]:
        case "hang":
            await asyncio.Event().wait()
        case "broken_json":
            return web.Response(text='{"id": "x", "choices": [{"mess', content_type="application/json")
        case "cut" if not body.get("stream"):
            return await _cut_body(request)
    text, finish = _content(step, body)
    if body.get("stream"):
        return await _stream(step, request, text, finish, chat=chat)
    await asyncio.sleep(step.get("delay", 0))
    return web.json_response(_document(step, text, finish, chat=chat))


def _refused(step: dict[str, Any], body: dict[str, Any]) -> web.Response | None:
    match step["do"]:
        case "status":
            message = step.get("message", f"stub says {step['status']}")
            return error(step["status"], message, step.get("code"), _retry_after(step))
        case "reject_format":
            kind = body.get("response_format", {}).get("type", "text")
            if kind in step.get("formats", ["json_schema"]):
                return error(400, f"Invalid parameter: 'response_format' of type '{kind}' is not supported.")
        case "reject_system":
            if any(m["role"] == "system" for m in body["messages"]):
                return error(400, "System role not supported")
        case "reject_roles":
            roles = [m["role"] for m in body["messages"] if m["role"] != "system"]
            if any(a == b for a, b in pairwise(roles)):
                return error(400, "Conversation roles must alternate user/assistant/user/assistant/...")
    return None


def _retry_after(step: dict[str, Any]) -> dict[str, str]:
    wait = step.get("retry_after")
    if wait is None:
        return {}
    if str(wait).startswith("date:"):
        moment = datetime.now(UTC) + timedelta(seconds=float(str(wait)[5:]))
        return {"Retry-After": format_datetime(moment, usegmt=True)}
    return {"Retry-After": str(wait)}


def _content(step: dict[str, Any], body: dict[str, Any]) -> tuple[str | None, str]:
    text = step.get("text", "A reply from the stub.")
    match step["do"]:
        case "null_content":
            return None, "stop"
        case "truncated":
            return text, "length"
        case "content_filter":
            return step.get("text", ""), "content_filter"
        case "leak":
            opening = "<think>" if step.get("open", True) else ""
            return f"{opening}They greet, so I greet.</think>\n\n{text}", "stop"
        case "judge":
            return verdicts(body, step.get("met", True)), "stop"
        case "either" if list(_enums(body.get("response_format", {}))):
            return verdicts(body, step.get("met", True)), "stop"
    return text, step.get("finish", "stop")


def verdicts(body: dict[str, Any], met: bool | str) -> str:
    """A valid `{"verdicts": […]}` document for every criterion id of the request."""
    answers = [
        {"id": name, "met": bool(number % 2 == 0) if met == "alternate" else bool(met), "reason": "Stub."}
        for number, name in enumerate(_ids(body))
    ]
    return json.dumps({"verdicts": answers})


def _ids(body: dict[str, Any]) -> list[str]:
    listed = list(_enums(body.get("response_format", {})))
    if listed:
        return list(dict.fromkeys(listed))
    said = "\n".join(str(m["content"]) for m in body.get("messages", [])) or str(body.get("prompt", ""))
    return list(dict.fromkeys(_ID.findall(said) or _CRITERION.findall(said)))


def _enums(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        identity = schema.get("id")
        if isinstance(identity, dict):
            yield from identity.get("enum", [])
            yield from [identity["const"]] if "const" in identity else []
        for value in schema.values():
            yield from _enums(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _enums(value)


def _document(step: dict[str, Any], text: str | None, finish: str, *, chat: bool) -> dict[str, Any]:
    used_in, used_out = step.get("tokens", [12, 7])
    choice: dict[str, Any] = {"index": 0, "finish_reason": finish, "logprobs": None}
    if chat:
        choice["message"] = {"role": "assistant", "content": text}
        if step["do"] == "refusal":
            choice["message"] |= {"content": None, "refusal": "I can't help with that."}
    else:
        choice["text"] = text
    return {
        "id": "stub-1",
        "object": "chat.completion" if chat else "text_completion",
        "created": _CREATED,
        "model": "stub",
        "choices": [] if step["do"] == "empty_choices" else [choice],
        "usage": {
            "prompt_tokens": used_in,
            "completion_tokens": used_out,
            "total_tokens": used_in + used_out,
        },
    }


async def _cut_body(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "4000"})
    await response.prepare(request)
    await response.write(b'{"id": "stub-1", "choi')
    _hang_up(request)
    return response


def _hang_up(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


async def _stream(
    step: dict[str, Any], request: web.Request, text: str | None, finish: str, *, chat: bool
) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    pieces = re.findall(r"\S+\s*|\s+", text or "")
    kept = pieces[: max(1, len(pieces) // 2)] if step["do"] in ("cut", "no_finish") else pieces
    for piece in kept if step["do"] not in ("empty_choices", "refusal") else []:
        await _send(response, _chunk(piece, None, chat=chat))
        await asyncio.sleep(step.get("delay", 0))
    if step["do"] == "cut":
        _hang_up(request)
        return response
    if step["do"] == "refusal":
        await _send(response, _chunk(None, None, chat=chat, refusal="I can't help with that."))
    if step["do"] != "no_finish":
        await _send(response, _chunk(None, finish, chat=chat))
        await _send(response, _document(step, "", finish, chat=chat) | _USAGE_CHUNK)
    await response.write(b"data: [DONE]\n\n")
    return response


_USAGE_CHUNK: dict[str, Any] = {"choices": [], "object": "chat.completion.chunk"}


def _chunk(
    piece: str | None, finish: str | None, *, chat: bool, refusal: str | None = None
) -> dict[str, Any]:
    delta: dict[str, Any] = {"role": "assistant", "content": piece} if piece is not None else {}
    if refusal is not None:
        delta = {"refusal": refusal}
    choice: dict[str, Any] = {"index": 0, "finish_reason": finish}
    choice |= {"delta": delta} if chat else {"text": piece or ""}
    kind = "chat.completion.chunk" if chat else "text_completion"
    return {"id": "stub-1", "object": kind, "created": _CREATED, "model": "stub", "choices": [choice]}


async def _send(response: web.StreamResponse, document: dict[str, Any]) -> None:
    await response.write(b"data: " + json.dumps(document).encode() + b"\n\n")
