"""DeepSeek's chat completions.

By its reference and its pages on thinking mode, JSON output and error codes: thinking stands beside the
answer in `reasoning_content`, there is no `json_schema`, JSON mode needs the word in the prompt, a value
of the wrong kind is a 422, an unknown model a 400, and a busy server keeps a connection alive with empty
lines and comments.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from aiohttp import web

from tests.stub.providers.brain import THOUGHT, Asked
from tests.stub.providers.compatible import Compatible, bearer, error, has_key, without_json_word
from tests.stub.providers.refusal import Refused

_INVALID = "invalid_request_error"
_HYBRID = ("deepseek-v4-pro", "deepseek-v4-flash")
_EFFORTS = ("minimal", "low", "medium", "high", "xhigh", "max")


@dataclass
class DeepSeek(Compatible):
    """api.deepseek.com."""

    path = "/chat/completions"
    comments = True

    def __post_init__(self) -> None:
        self.name = "deepseek"

    @property
    def models(self) -> tuple[str, ...]:
        """Those that think by themselves unless told not to, and the older pair."""
        return (*_HYBRID, "deepseek-chat", "deepseek-reasoner")

    def thought(self, asked: Asked, body: dict[str, Any]) -> str | None:
        """Thinking is on by default."""
        off = (body.get("thinking") or {}).get("type") == "disabled"
        return None if off or asked.model == "deepseek-chat" else THOUGHT

    def check(self, request: web.Request, body: dict[str, Any]) -> None:
        """Raises Refused."""
        if not has_key(request):
            shown = bearer(request)[-4:]
            message = f"Authentication Fails, Your api key: ****{shown} is invalid"
            raise error(401, message, "authentication_error", code=_INVALID)
        _check_kinds(body)
        if body.get("model") not in self.models:
            raise error(400, "Model Not Exist", _INVALID, code=_INVALID)
        roles = [one["role"] for one in body["messages"] if one["role"] != "system"]
        if body["model"] == "deepseek-reasoner" and any(a == b for a, b in pairwise(roles)):
            message = "deepseek-reasoner does not support successive user or assistant messages"
            raise error(400, message, _INVALID, code=_INVALID)
        if (body.get("response_format") or {}).get("type") not in (None, "text", "json_object"):
            raise error(400, "This response_format type is unavailable now", _INVALID, code=_INVALID)
        if without_json_word(body):
            message = "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'."
            raise error(400, message, _INVALID, code=_INVALID)


def _check_kinds(body: dict[str, Any]) -> None:
    def wrong(name: str, what: str) -> Refused:
        message = (
            f"Failed to deserialize the JSON body into the target type: {name}: {what} at line 1 column 9"
        )
        return error(422, message, _INVALID, code=_INVALID)

    if not body.get("messages"):
        raise wrong("messages", "missing field `messages`")
    for number, one in enumerate(body["messages"]):
        if one.get("role") not in ("system", "user", "assistant", "tool"):
            raise wrong(f"messages[{number}].role", f"unknown variant `{one.get('role')}`")
        if "reasoning_content" in one and body.get("model") == "deepseek-reasoner":
            raise error(400, "reasoning_content is not allowed in messages", _INVALID, code=_INVALID)
    kind = (body.get("thinking") or {}).get("type")
    if "thinking" in body and kind not in ("enabled", "disabled", "adaptive"):
        raise wrong("thinking.type", f"unknown variant `{kind}`, expected `enabled` or `disabled`")
    if body.get("reasoning_effort") not in (None, *_EFFORTS):
        raise wrong("reasoning_effort", f"unknown variant `{body['reasoning_effort']}`")
    if "stream_options" in body and not body.get("stream"):
        raise error(400, "stream_options should be set along with stream = true", _INVALID, code=_INVALID)
