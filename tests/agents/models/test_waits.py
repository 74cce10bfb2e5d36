"""Seconds a provider asks to wait, in headers, body and sentence."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models.waits import asked_wait, retry_after, span

NOW = datetime(2026, 5, 4, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("3", 3.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("Mon, 04 May 2026 12:00:07 GMT", 7.0),
        ("Mon, 04 May 2026 11:00:00 GMT", 0.0),
        ("", None),
        ("-1", None),
        ("inf", None),
        ("nan", None),
        ("soon", None),
    ],
)
def test_retry_after_forms(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-AFTER": value}, NOW) == seconds


def test_no_header_is_none() -> None:
    assert retry_after(None) is None
    assert retry_after({"date": "x"}) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("17s", 17),
        ("45.578569677s", 45.578569677),
        ("6m0s", 360),
        ("2m59.56s", 179.56),
        ("250ms", 0.25),
        ("20 seconds", 20),
        ("1h2m", 3720),
        ("2 hours", 7200),
        ("1d", 86400),
        ("5", 5),
        ("soon", None),
    ],
)
def test_spans(text: str, seconds: float | None) -> None:
    assert span(text) == pytest.approx(seconds) if seconds is not None else span(text) is None


@pytest.mark.parametrize(
    ("headers", "error", "seconds"),
    [
        ({"retry-after-ms": "1500", "retry-after": "2"}, None, 1.5),
        ({"Retry-After": "2"}, {"message": "try again in 20s"}, 2),
        ({}, {"details": [{"retryDelay": "17s"}]}, 17),
        ({}, {"details": [{"retryDelay": {"seconds": 3}}]}, None),
        ({}, {"metadata": {"retry_after": 4}}, 4),
        ({}, {"message": "Rate limit reached. Please try again in 1m30s. Visit …"}, 90),
        ({}, {"message": "Please retry in 45.5s."}, 45.5),
        ({}, {"message": "Retry after 9 seconds"}, 9),
        ({}, {"message": "Please try again later."}, None),
        ({"x-ratelimit-reset-requests": "6m0s"}, {}, 360),
        ({"x-ratelimit-reset-requests": "9s", "x-ratelimit-remaining-requests": "3"}, {}, None),
        (
            {
                "x-ratelimit-reset-tokens": "9s",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-requests": "1h",
                "x-ratelimit-remaining-requests": "5",
            },
            {},
            9,
        ),
        ({"X-RateLimit-Reset": str(int((NOW.timestamp() + 30) * 1000))}, {}, 30),
        ({"X-RateLimit-Reset": str(int(NOW.timestamp() + 30))}, {}, 30),
        ({"anthropic-ratelimit-requests-reset": "2026-05-04T12:00:05Z"}, {}, 5),
        ({}, {}, None),
        (None, None, None),
    ],
)
def test_wherever_a_provider_says_it(headers: Any, error: Any, seconds: float | None) -> None:
    got = asked_wait(headers, error, NOW)
    assert got == pytest.approx(seconds) if seconds is not None else got is None


@given(
    st.dictionaries(st.sampled_from(["retry-after", "x-ratelimit-reset", "retry-after-ms"]), st.text()),
    st.text(),
)
def test_nothing_is_a_traceback_or_negative(headers: dict[str, str], said: str) -> None:
    got = asked_wait(headers, {"message": said, "retry_after": said})
    assert got is None or 0 <= got < float("inf")
