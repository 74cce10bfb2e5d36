"""What a server's refusal means: an error status, or an error inside a 200, as a failed attempt or a block.

Pure: no I/O, no exceptions of any library. Decided by code and status; what is worth another attempt is
marked so, what is not is told at once. A block by the provider is an answer, never a fault.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from agents.models.bodies import as_text, parsed, told
from agents.models.error_codes import Meaning, codes_in, daily, meaning, names_model
from agents.models.waits import asked_wait
from agents.models.wire import Answer, AttemptFailed
from sim.core.errors import FaultKind

_log = logging.getLogger(__name__)
_DEEPEST = 4
_STEPPED_DOWN = frozenset({400, 404, 405, 422, 501})
"""Refusals of the request as it is: another form of it may pass."""
_STATUS: dict[int, Meaning] = {
    401: "key",
    402: "quota",
    403: "key",
    404: "model",
    408: "timeout",
    413: "context",
    429: "rate",
    504: "timeout",
}
_RULING = frozenset({401, 402, 413, 429})
"""Statuses that say more than a code beside them, unless that says blocked or quota."""
_VAGUE = frozenset({None, "request", "busy"})


def refused(status: int, headers: Mapping[str, str] | None, body: bytes | object) -> AttemptFailed | Answer:
    """What an answer with an error status means; a blocked Answer where the provider blocked the request."""
    target = _target(status, headers or {})
    if target:
        return AttemptFailed(
            FaultKind.BAD_REQUEST,
            f"redirected ({status}), which is not followed",
            detail=f"to {target}; if that is right, name that address itself",
        )
    document = parsed(body)
    error = error_in(document)
    return _read(status, headers, document if error is None else error, document)


def _target(status: int, headers: Mapping[str, str]) -> str:
    """Where a redirection points; text and keys go to no address that nobody named."""
    return next((v for k, v in headers.items() if k.lower() == "location" and 300 <= status < 400), "")


def error_in(document: object) -> object | None:
    """The error a body carries, None where it carries none: an object, a sentence, or a fault's number."""
    if isinstance(document, list):
        document = next((item for item in document[:4] if isinstance(item, dict)), None)
    if not isinstance(document, dict):
        return None
    error = document.get("error") or document.get("errors") or _of_choice(document.get("choices"))
    if isinstance(error, list):
        error = error[0] if error else None
    if error:
        beside = {
            k: document[k] for k in ("code", "type", "status") if isinstance(document.get(k), str | int)
        }
        return error if isinstance(error, dict) else {**beside, "message": str(error)}
    return document if _flat(document) else None


def _of_choice(choices: object) -> object:
    """The error a gateway puts into the choice it broke off."""
    choice = choices[0] if isinstance(choices, list) and choices else None
    return choice.get("error") if isinstance(choice, dict) else None


def _flat(document: dict[str, Any]) -> bool:
    """Whether an object is an error without an `error` in it."""
    base = document.get("base_resp")
    if document.get("error_code") or (isinstance(base, dict) and base.get("status_code")):
        return True
    if document.get("choices") is not None or document.get("candidates") is not None:
        return False
    coded = any(isinstance(document.get(field), str | int) for field in ("code", "status", "status_code"))
    return coded and any(
        isinstance(document.get(field), str) for field in ("message", "msg", "detail", "title")
    )


def fail(headers: Mapping[str, str] | None, document: object, error: object) -> Answer:
    """The blocked answer an error inside a 200 stands for. Raises AttemptFailed for any other error."""
    outcome = _read(_status_of(error), headers, error, document)
    if isinstance(outcome, Answer):
        return outcome
    raise outcome


def unreadable(why: str, document: object) -> NoReturn:
    """Raise for a reply of a form nobody foresaw, with the reply."""
    raise AttemptFailed(FaultKind.INTERNAL, f"a reply nobody foresaw ({why})", detail=as_text(document))


@contextmanager
def foreseen(document: object) -> Iterator[None]:
    """Read a reply: whatever goes wrong with it is told with it."""
    try:
        yield
    except AttemptFailed:
        raise
    except Exception as bug:
        _log.exception("a reply could not be read")
        unreadable(type(bug).__name__, document)


def _status_of(error: object) -> int:
    """The status an error inside a 200 names; 0 where it names none."""
    if not isinstance(error, dict):
        return 0
    numbers = (_number(error.get(field)) for field in ("code", "status", "status_code"))
    return next((number for number in numbers if 400 <= number < 600), 0)


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return 0
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


def _read(
    status: int, headers: Mapping[str, str] | None, error: object, document: object
) -> AttemptFailed | Answer:
    """`status` is 0 where an error inside a 200 names none."""
    message = _message(error)
    known, code = meaning(codes_in(error), message)
    if known == "blocked":
        return Answer(None, None, code)
    sure = known == "model" or (status == 404 and names_model(message))
    if known in _VAGUE or (status in _RULING and known != "quota"):
        known = _STATUS.get(status, known or "request")
        known = "busy" if status >= 500 and known == "request" else known
    failure = _failure(known or "request", status, daily(error))
    failure.rejected = failure.rejected and not sure
    failure.detail = told(message, document)
    failure.retry_after = asked_wait(headers, error) if failure.retryable else None
    return failure


def _failure(known: Meaning, status: int, of_the_day: bool) -> AttemptFailed:
    where = f" ({status})" if status else ""
    rejected = status in _STEPPED_DOWN or (not status and known in ("request", "model"))
    match known:
        case "context":
            return AttemptFailed(FaultKind.CONTEXT_LENGTH, "text too long for its context")
        case "quota":
            return AttemptFailed(FaultKind.QUOTA, "quota used up")
        case "rate" if of_the_day:
            return AttemptFailed(FaultKind.QUOTA, "the quota of the day is used up")
        case "rate":
            return AttemptFailed(FaultKind.RATE_LIMIT, "rate limit", retryable=True)
        case "key":
            return AttemptFailed(FaultKind.AUTHENTICATION, f"key not accepted{where}")
        case "model":
            return AttemptFailed(FaultKind.UNKNOWN_MODEL, f"unknown model{where}", rejected=rejected)
        case "timeout":
            return AttemptFailed(FaultKind.TIMEOUT, f"the server timed out{where}", retryable=True)
        case "busy" if status != 501:
            why = f"server error {status}" if status else "server error"
            return AttemptFailed(FaultKind.UNAVAILABLE, why, retryable=True)
        case _:
            return AttemptFailed(FaultKind.BAD_REQUEST, f"request refused{where}", rejected=rejected)


def _message(error: object, depth: int = 0) -> str:
    """The sentence of an error."""
    if isinstance(error, str):
        return error
    if not isinstance(error, dict) or depth > _DEEPEST:
        return ""
    for field in ("message", "msg", "error_msg", "detail", "error", "error_description"):
        value = error.get(field)
        inner = value[0] if isinstance(value, list) and value else value
        if isinstance(inner, str | dict) and inner:
            return _message(inner, depth + 1)
    base = error.get("base_resp")
    return str(base.get("status_msg", "")) if isinstance(base, dict) else ""
