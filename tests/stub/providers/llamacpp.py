"""llama.cpp's own server.

By its README: it serves one model whatever is named, a key only where one was set, errors carry a
numeric `code`, a template that fails is a 500, a context that is too small says so by its own type, and
a schema stands in `response_format` in one of two forms by the age of the build.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.stub.providers.brain import THOUGHT, Asked
from tests.stub.providers.compatible import Compatible, has_key, text_of
from tests.stub.providers.refusal import Refused

OLD = "old-build"
"""Named in a request, the server answers as a build that knows no `json_schema`."""
LOADING = "loading"
"""Named in a request, the server is still loading."""
_WINDOW = 16_384


@dataclass
class LlamaCpp(Compatible):
    """localhost:8080."""

    path = "/v1/chat/completions"

    def __post_init__(self) -> None:
        self.name = "llamacpp"

    @property
    def models(self) -> tuple[str, ...]:
        """The file it was started with."""
        return ("gemma-3-12b-it-Q4_K_M.gguf",)

    def thought(self, asked: Asked, body: dict[str, Any]) -> str | None:
        """A model that thinks, where the template was not told not to."""
        template = body.get("chat_template_kwargs") or {}
        return THOUGHT if "think" in asked.model and template.get("enable_thinking", True) else None

    def document(self, body: dict[str, Any], message: dict[str, Any], finish: str = "stop") -> dict[str, Any]:
        """With the times it took."""
        told = super().document(body, message, finish)
        return told | {"timings": {"prompt_n": 120, "predicted_n": 30, "predicted_ms": 1.0}}

    def check(self, request: web.Request, body: dict[str, Any]) -> None:
        """Raises Refused."""
        model = str(body.get("model", ""))
        if "keyed" in model and not has_key(request):
            raise _said(401, "Invalid API Key", "authentication_error")
        if model == LOADING:
            raise _said(503, "Loading model", "unavailable_error")
        form = body.get("response_format") or {}
        kind = form.get("type", "text")
        known = ("text", "json_object") if model == OLD else ("text", "json_object", "json_schema")
        if kind not in known:
            listed = " or ".join(f'"{name}"' for name in known)
            raise _said(500, f"response_format type must be one of {listed}, but got: {kind}", "server_error")
        if kind == "json_schema" and not isinstance(form.get("json_schema", {}).get("schema"), dict):
            raise _said(400, "json_schema: schema is missing", "invalid_request_error")
        size = sum(len(text_of(one.get("content")).encode()) for one in body.get("messages", [])) // 3
        if size > _WINDOW:
            said = "the request exceeds the available context size, try increasing it"
            raise _said(400, said, "exceed_context_size_error", n_prompt_tokens=size, n_ctx=_WINDOW)


def _said(code: int, message: str, kind: str, **more: Any) -> Refused:
    return Refused(code, {"error": {"code": code, "message": message, "type": kind, **more}})
