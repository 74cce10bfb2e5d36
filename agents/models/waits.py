"""How long a provider asks to wait, wherever it says so.

In headers (`retry-after-ms`, `Retry-After`, `x-ratelimit-reset*`), in the body (Google's RetryInfo, a field),
or in the sentence of the error. Seconds; None where it does not say. It must not decide whether to wait.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

_SENTENCE = re.compile(
    r"(?:try|retry)(?:ing)?(?: your request)?(?: again)? (?:in|after) ((?:[\d.]{1,12} ?[a-z]{0,8} ?){1,4})",
    re.IGNORECASE,
)
_SPAN = re.compile(
    r"(\d{1,10}(?:\.\d{0,9})?) ?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)?(?![a-z])"
)
_UNITS = {"m": 60.0, "s": 1.0, "h": 3600.0, "d": 86400.0}
_EPOCH = 1e9
"""A number of seconds beyond it is a date."""
_FIELDS = ("retry_after", "retryAfter", "retry_after_seconds", "retryDelay", "retry_delay")


def asked_wait(
    headers: Mapping[str, str] | None, error: object = None, now: datetime | None = None
) -> float | None:
    """Seconds to wait: by the header made for it, else by the body, else by when a limit is reset."""
    now = now or datetime.now(UTC)
    lower = {str(k).lower(): str(v).strip() for k, v in (headers or {}).items()}
    for seconds in (retry_after(lower, now), _in_body(error), _reset(lower, now)):
        if seconds is not None:
            return seconds
    return None


def retry_after(headers: Mapping[str, str] | None, now: datetime | None = None) -> float | None:
    """Seconds Retry-After asks for (RFC 9110: seconds or an HTTP date; or milliseconds), None without it."""
    lower = {k.lower(): v.strip() for k, v in (headers or {}).items()}
    milliseconds = _number(lower.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = lower.get("retry-after", "")
    seconds = _number(value)
    return seconds if seconds is not None else _until(value, now or datetime.now(UTC))


def span(text: str) -> float | None:
    """Seconds of a span such as `17s`, `1m30.5s`, `250ms`, `2 hours`; a bare number is seconds."""
    found = _SPAN.findall(text)
    if not found:
        return None
    return sum(float(count) * _unit(unit) for count, unit in found)


def in_words(seconds: float) -> str:
    """A span for a person: `45 s`, `12 min`, `6 h`."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"


def _unit(word: str) -> float:
    if not word:
        return 1.0
    return 0.001 if word.startswith(("ms", "milli")) else _UNITS[word[0]]


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _until(date: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError, IndexError):
        return None
    return _from(moment, now)


def _from(moment: datetime, now: datetime) -> float:
    return max(0.0, ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - now).total_seconds())


def _in_body(error: object) -> float | None:
    for value in _values(error, 0):
        seconds = _number(str(value)) if not isinstance(value, str) else span(value)
        if seconds is not None:
            return seconds
    for text in _texts(error, 0):
        sentence = _SENTENCE.search(text)
        if sentence:
            return span(sentence.group(1).lower())
    return None


def _values(node: object, depth: int) -> Iterator[Any]:
    """The values of all fields that name a wait."""
    if isinstance(node, dict):
        for name in _FIELDS:
            value = node.get(name)
            if isinstance(value, int | float | str) and not isinstance(value, bool):
                yield value
        if depth < 5:
            for value in node.values():
                yield from _values(value, depth + 1)
    elif isinstance(node, list) and depth < 5:
        for value in node:
            yield from _values(value, depth + 1)


def _texts(node: object, depth: int) -> Iterator[str]:
    if isinstance(node, str):
        yield node[:2000]
    elif isinstance(node, dict) and depth < 5:
        for value in node.values():
            yield from _texts(value, depth + 1)
    elif isinstance(node, list) and depth < 5:
        for value in node:
            yield from _texts(value, depth + 1)


def _reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """The longest time until a limit that is used up is reset; of all, where none says what is left of it."""
    used_up, unsaid = list[float](), list[float]()
    for name, value in headers.items():
        if "ratelimit" not in name or "reset" not in name:
            continue
        seconds = _moment(value, now)
        left = headers.get(name.replace("reset", "remaining"))
        if seconds is not None and left is None:
            unsaid.append(seconds)
        elif seconds is not None and _number(left or "") == 0:
            used_up.append(seconds)
    return max(used_up or unsaid, default=None)


def _moment(value: str, now: datetime) -> float | None:
    number = _number(value)
    if number is None:
        try:
            return _from(datetime.fromisoformat(value), now)
        except ValueError:
            return span(value.lower())
    if number > _EPOCH * 1000:
        number /= 1000
    return max(0.0, number - now.timestamp()) if number > _EPOCH else number
