"""What LiteLLM raises, as our failures.

By status and error code, never by a sentence; the exceptions are the table's left side, the right side
says whether another attempt can help.
"""

from __future__ import annotations

from typing import Any

from agents.models.normalise import blocking
from agents.models.retry import retry_after
from agents.models.wire import AttemptFailed
from sim.core.errors import FaultKind

_QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_LONGEST = 2000


def error_code(error: Exception) -> str | None:
    """The provider's error code or type, where it sent one."""
    body = getattr(error, "body", None)
    found = (body.get("code") or body.get("type")) if isinstance(body, dict) else None
    return str(found or getattr(error, "code", None) or "") or None


def block_marker(litellm: Any, error: Exception) -> str | None:
    """The provider's marker where an error says that it blocked the request."""
    code = error_code(error)
    if blocking(code):
        return code
    return "content_policy_violation" if isinstance(error, litellm.ContentPolicyViolationError) else None


def attempt_failed(litellm: Any, error: Exception) -> AttemptFailed:
    """`error` as a failed attempt."""
    code, status = error_code(error), getattr(error, "status_code", None)
    detail = str(error)[:_LONGEST]
    if isinstance(error, litellm.ContextWindowExceededError) or code == "context_length_exceeded":
        return AttemptFailed(FaultKind.CONTEXT_LENGTH, "text too long for its context", detail=detail)
    if isinstance(error, litellm.Timeout):
        return AttemptFailed(FaultKind.TIMEOUT, "timeout", detail=detail, retryable=True)
    if status == 402 or (status == 429 and code in _QUOTA):
        return AttemptFailed(FaultKind.QUOTA, "quota used up", detail=detail)
    if status == 429:
        wait = retry_after(_headers(error))
        return AttemptFailed(
            FaultKind.RATE_LIMIT, "rate limit", detail=detail, retryable=True, retry_after=wait
        )
    if status in (401, 403):
        return AttemptFailed(FaultKind.AUTHENTICATION, f"key not accepted ({status})", detail=detail)
    if isinstance(status, int) and 400 <= status < 500 and status != 408:
        why = f"request refused ({status})"
        return AttemptFailed(FaultKind.BAD_REQUEST, why, detail=detail, rejected=status in (400, 422))
    return _server_failed(error, status, detail)


def _server_failed(error: Exception, status: int | None, detail: str) -> AttemptFailed:
    response = getattr(error, "response", None)
    answered = bool(_headers(error)) or bool(getattr(response, "content", b""))
    why = f"server error {status}" if answered else "no whole answer from the server"
    return AttemptFailed(
        FaultKind.UNAVAILABLE, why, detail=detail, retryable=True, retry_after=retry_after(_headers(error))
    )


def _headers(error: Exception) -> dict[str, str]:
    found = getattr(error, "litellm_response_headers", None)
    if found is None:
        found = getattr(getattr(error, "response", None), "headers", None)
    return {str(k): str(v) for k, v in (found or {}).items()}
