"""What LiteLLM and the openai package raise, as our failures.

By class, status and error code, never by a sentence. Classes go by name, so that nothing heavy is
imported to read an error: LiteLLM's derive from openai's.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator

from agents.models.normalise import blocking
from agents.models.waits import retry_after
from agents.models.wire import Answer, AttemptFailed
from sim.core.errors import FaultKind

_QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_log = logging.getLogger(__name__)
_LONGEST = 2000


def error_code(error: Exception) -> str | None:
    """The provider's error code or type, where it sent one."""
    for cause in _chain(error):
        body = getattr(cause, "body", None)
        found = (body.get("code") or body.get("type")) if isinstance(body, dict) else None
        if found:
            return str(found)
    return None


def _is(error: BaseException, name: str) -> bool:
    return any(kind.__name__ == name for kind in type(error).__mro__)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """`error` and what it was raised from: LiteLLM drops the body of some errors on the way."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def block_marker(error: Exception) -> str | None:
    """The provider's marker where an error says that it blocked the request."""
    code = error_code(error)
    if blocking(code):
        return code
    return "content_policy_violation" if _is(error, "ContentPolicyViolationError") else None


async def answered(asking: Awaitable[Answer], failed: Callable[[Exception], AttemptFailed]) -> Answer:
    """The answer of `asking`, or the blocked one its error stands for. Raises AttemptFailed."""
    try:
        return await asking
    except AttemptFailed:
        raise
    except Exception as error:
        marker = block_marker(error)
        if marker is not None:
            return Answer(None, None, marker)
        raise failed(error) from error


def attempt_failed(error: Exception) -> AttemptFailed:
    """`error` as a failed attempt."""
    code, status = error_code(error), getattr(error, "status_code", None)
    detail = str(error)[:_LONGEST]
    if _is(error, "ContextWindowExceededError") or code == "context_length_exceeded":
        return AttemptFailed(FaultKind.CONTEXT_LENGTH, "text too long for its context", detail=detail)
    if _is(error, "APITimeoutError") and not _cut_off(error):
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
    if status == 404:
        return AttemptFailed(FaultKind.UNKNOWN_MODEL, "unknown model (404)", detail=detail, rejected=True)
    if isinstance(status, int) and 400 <= status < 500 and status != 408:
        why = f"request refused ({status})"
        return AttemptFailed(FaultKind.BAD_REQUEST, why, detail=detail, rejected=status in (400, 422))
    return _server_failed(error, status, detail)


def surprise(bug: Exception) -> AttemptFailed:
    """What nobody foresaw, as the failure of one call."""
    _log.exception("an attempt failed in a way nobody foresaw")
    detail = f"{type(bug).__name__}: {bug}"[:_LONGEST]
    return AttemptFailed(
        FaultKind.INTERNAL, f"a failure nobody foresaw ({type(bug).__name__})", detail=detail
    )


def _cut_off(error: Exception) -> bool:
    """Whether a connection failed: openai's aiohttp transport calls that a timeout as well."""
    return any(
        _is(cause, "ClientConnectionError") and not isinstance(cause, TimeoutError) for cause in _chain(error)
    )


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
