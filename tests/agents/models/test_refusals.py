"""What an error status means, by code and status; sentences only where a provider has nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.models.bodies import LONGEST
from agents.models.refusals import refused
from agents.models.wire import Answer, AttemptFailed
from sim.core.errors import FaultKind
from tests.agents.models.test_documents import BODIES

DAILY = {
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}],
}
RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17s"}


def error(**fields: Any) -> dict[str, Any]:
    return {"error": fields}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, error(code="content_filter", message="…", innererror={"code": "ResponsibleAIPolicyViolation"})),
        (400, error(code="invalid_prompt", type="invalid_request_error")),
        (400, error(code="data_inspection_failed", type="data_inspection_failed")),
        (400, {"code": "DataInspectionFailed", "message": "Input data may contain inappropriate content."}),
        (
            400,
            error(code="invalid_parameter_error", message="<400> InternalError.Algo.DataInspectionFailed: …"),
        ),
        (400, error(message="Content Exists Risk", code="invalid_request_error")),
        (
            400,
            error(
                message="The request was rejected because it was considered high risk", type="content_filter"
            ),
        ),
        (400, error(code="1301", message="…")),
        (400, error(code="system_unsafe", type="invalid_request_error")),
        (400, error(code="InputTextSensitiveContentDetected")),
        (
            403,
            {"code": "…", "error": "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_DATA"},
        ),
        (403, error(code=403, message="…", metadata={"reasons": ["violence"], "flagged_input": "…"})),
        (451, error(type="censorship_blocked", message="…")),
    ],
)
def test_a_providers_block_is_an_answer(status: int, body: Any) -> None:
    got = refused(status, {}, json.dumps(body).encode())
    assert isinstance(got, Answer)
    assert (got.content, bool(got.marker)) == (None, True)


@pytest.mark.parametrize(
    ("status", "body", "kind", "rejected"),
    [
        (401, error(message="no"), FaultKind.AUTHENTICATION, False),
        (403, {}, FaultKind.AUTHENTICATION, False),
        (
            400,
            error(status="INVALID_ARGUMENT", details=[{"reason": "API_KEY_INVALID"}]),
            FaultKind.AUTHENTICATION,
            True,
        ),
        (400, {"code": "x", "error": "Incorrect API key provided: xa***"}, FaultKind.AUTHENTICATION, True),
        (402, error(message="Insufficient Balance"), FaultKind.QUOTA, False),
        (429, error(type="insufficient_quota"), FaultKind.QUOTA, False),
        (429, error(code="1113", message="…"), FaultKind.QUOTA, False),
        (429, error(code=429, status="RESOURCE_EXHAUSTED", details=[DAILY, RETRY]), FaultKind.QUOTA, False),
        (400, {"code": "Arrearage", "message": "…"}, FaultKind.QUOTA, True),
        (404, error(code="model_not_found"), FaultKind.UNKNOWN_MODEL, False),
        (404, {"error": "model 'x' not found"}, FaultKind.UNKNOWN_MODEL, False),
        (404, "404 page not found", FaultKind.UNKNOWN_MODEL, True),
        (400, error(message="Model Not Exist", code="invalid_request_error"), FaultKind.UNKNOWN_MODEL, False),
        (400, error(code="context_length_exceeded"), FaultKind.CONTEXT_LENGTH, False),
        (
            400,
            error(message="prompt is too long: 210000 tokens > 200000 maximum"),
            FaultKind.CONTEXT_LENGTH,
            False,
        ),
        (400, error(type="exceed_context_size_error", code=400), FaultKind.CONTEXT_LENGTH, False),
        (413, error(code="rate_limit_exceeded"), FaultKind.CONTEXT_LENGTH, False),
        (
            400,
            error(message="The input token count (9) exceeds the maximum"),
            FaultKind.CONTEXT_LENGTH,
            False,
        ),
        (400, error(message="bad"), FaultKind.BAD_REQUEST, True),
        (422, {"detail": [{"msg": "field"}]}, FaultKind.BAD_REQUEST, True),
        (405, "", FaultKind.BAD_REQUEST, True),
        (501, "", FaultKind.BAD_REQUEST, True),
        (302, "", FaultKind.BAD_REQUEST, False),
    ],
)
def test_what_no_retry_can_mend(status: int, body: Any, kind: FaultKind, rejected: bool) -> None:
    got = refused(status, {}, body)
    assert isinstance(got, AttemptFailed)
    assert (got.kind, got.retryable) == (kind, False)
    assert got.rejected is rejected or kind in (FaultKind.AUTHENTICATION, FaultKind.QUOTA)


@pytest.mark.parametrize(
    ("status", "headers", "body", "kind", "wait"),
    [
        (429, {"Retry-After": "3"}, {}, FaultKind.RATE_LIMIT, 3),
        (429, {}, error(code=429, status="RESOURCE_EXHAUSTED", details=[RETRY]), FaultKind.RATE_LIMIT, 17),
        (429, {}, error(message="Please try again in 1m2.5s."), FaultKind.RATE_LIMIT, 62.5),
        (429, {}, error(message="Too many tokens, please wait"), FaultKind.RATE_LIMIT, None),
        (429, {}, error(type="engine_overloaded_error"), FaultKind.RATE_LIMIT, None),
        (500, {}, "<html>boom</html>", FaultKind.UNAVAILABLE, None),
        (503, {"retry-after": "2"}, error(message="busy"), FaultKind.UNAVAILABLE, 2),
        (529, {}, error(type="overloaded_error"), FaultKind.UNAVAILABLE, None),
        (408, {}, "", FaultKind.TIMEOUT, None),
        (504, {}, "", FaultKind.TIMEOUT, None),
    ],
)
def test_what_passes(
    status: int, headers: dict[str, str], body: Any, kind: FaultKind, wait: float | None
) -> None:
    got = refused(status, headers, body)
    assert isinstance(got, AttemptFailed)
    assert (got.kind, got.retryable, got.retry_after) == (kind, True, wait)


def test_a_person_sees_the_sentence_first_and_a_pages_title() -> None:
    got = refused(400, {}, json.dumps(error(message="No such field.", code="x")).encode())
    assert isinstance(got, AttemptFailed)
    assert got.detail.splitlines()[0] == "No such field."
    page = refused(502, {}, b"<!DOCTYPE html><html><title>Bad\n gateway</title>" + b"x" * 10_000)
    assert isinstance(page, AttemptFailed)
    assert page.detail.splitlines()[0] == "a web page: Bad gateway"
    assert len(page.detail) < LONGEST + 300


@given(st.integers(300, 599), st.dictionaries(st.text(max_size=5), st.text(max_size=5)), BODIES | st.binary())
def test_nothing_is_a_traceback(status: int, headers: dict[str, str], body: Any) -> None:
    got = refused(status, headers, body)
    assert isinstance(got, AttemptFailed | Answer)
