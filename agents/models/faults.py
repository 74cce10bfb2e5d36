"""What LiteLLM and the openai package raise, as our failures.

By class, status and error code, never by a sentence. Classes go by name, so that nothing heavy is
imported to read an error: LiteLLM's derive from openai's. What a server answered is `refusals`; here is
what never got so far.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Awaitable, Iterator
from typing import Any

from agents.models.bodies import LONGEST
from agents.models.finishes import ending
from agents.models.refusals import refused
from agents.models.wire import Answer, AttemptFailed
from sim.core.errors import FaultKind

_log = logging.getLogger(__name__)
_BUGS = (AttributeError, TypeError, LookupError, AssertionError, NameError)
"""What no server and no network raises."""


async def answered(asking: Awaitable[Answer]) -> Answer:
    """The answer of `asking`, or the blocked one its error stands for. Raises AttemptFailed."""
    try:
        return await asking
    except AttemptFailed:
        raise
    except Exception as error:
        outcome = read_error(error)
        if isinstance(outcome, Answer):
            return outcome
        raise outcome from error


def read_error(error: Exception) -> AttemptFailed | Answer:
    """`error` as a failed attempt, or as the block it tells of."""
    detail = str(error)[:LONGEST]
    code, status = _code(error), getattr(error, "status_code", None)
    if ending(code) == "blocked" or _is(error, "ContentPolicyViolationError"):
        return Answer(None, None, code or "content_policy_violation")
    if _is(error, "ContextWindowExceededError"):
        return AttemptFailed(FaultKind.CONTEXT_LENGTH, "text too long for its context", detail=detail)
    unreached = _on_the_way(error, detail)
    if unreached is not None:
        return unreached
    if isinstance(status, int) and (status < 500 or _came_back(error)) and not _is(error, "APITimeoutError"):
        outcome = refused(status, _headers(error), _body(error))
        if isinstance(outcome, AttemptFailed):
            outcome.detail = detail
        return outcome
    return AttemptFailed(
        FaultKind.UNAVAILABLE, "no whole answer from the server", detail=detail, retryable=True
    )


def surprise(bug: Exception) -> AttemptFailed:
    """What nobody foresaw, as the failure of one call."""
    _log.exception("an attempt failed in a way nobody foresaw")
    detail = f"{type(bug).__name__}: {bug}"[:LONGEST]
    return AttemptFailed(
        FaultKind.INTERNAL, f"a failure nobody foresaw ({type(bug).__name__})", detail=detail
    )


def _on_the_way(error: Exception, detail: str) -> AttemptFailed | None:
    """What kept a request from being answered, None where it was; only what may pass is tried again."""
    causes = list(_chain(error))
    where = next((str(host) for cause in causes if (host := getattr(cause, "host", None))), "the server")
    if any(_is(cause, "InvalidURL") or _is(cause, "UnsupportedProtocol") for cause in causes):
        return AttemptFailed(
            FaultKind.BAD_REQUEST, "its address is no http:// or https:// address", detail=detail
        )
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return AttemptFailed(FaultKind.UNAVAILABLE, f"no such host: {where}", detail=detail)
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        here = _loopback(where)
        why = f"nothing listens at {where}" if here else f"{where} refused the connection"
        return AttemptFailed(FaultKind.UNAVAILABLE, why, detail=detail, retryable=not here)
    if any(isinstance(cause, _BUGS) for cause in causes) and not _came_back(error):
        return AttemptFailed(FaultKind.INTERNAL, "a failure nobody foresaw", detail=detail)
    if any(_is(cause, "APITimeoutError") for cause in causes) and not _cut_off(error):
        return AttemptFailed(FaultKind.TIMEOUT, "timeout", detail=detail, retryable=True)
    return None


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _cut_off(error: Exception) -> bool:
    """Whether a connection failed: openai's aiohttp transport calls that a timeout as well."""
    return any(
        _is(cause, "ClientConnectionError") and not isinstance(cause, TimeoutError) for cause in _chain(error)
    )


def _code(error: Exception) -> str | None:
    """The provider's error code or type, where it sent one."""
    for cause in _chain(error):
        body = getattr(cause, "body", None)
        found = (body.get("code") or body.get("type")) if isinstance(body, dict) else None
        if found:
            return str(found)
    return None


def _body(error: Exception) -> Any:
    """What the server said, as far as any cause still holds it."""
    for cause in _chain(error):
        body = getattr(cause, "body", None)
        if isinstance(body, dict):
            return {"error": body}
    return str(error)


def _came_back(error: Exception) -> bool:
    """Whether a server answered at all: LiteLLM makes up a status where none did."""
    return bool(_headers(error)) or bool(getattr(getattr(error, "response", None), "content", b""))


def _headers(error: Exception) -> dict[str, str]:
    found = getattr(error, "litellm_response_headers", None)
    if found is None:
        found = getattr(getattr(error, "response", None), "headers", None)
    return {str(k): str(v) for k, v in (found or {}).items()}


def _is(error: BaseException, name: str) -> bool:
    return any(kind.__name__ == name for kind in type(error).__mro__)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """`error` and what it was raised from: LiteLLM drops the body of some errors on the way."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
