"""What the error codes of providers mean, as data.

A code is a machine's word in an error: OpenAI's `code` and `type`, Google's `status` and `reason`, the numbers of
Zhipu and MiniMax. A sentence counts only where a provider has no other sign, and only as a whole or for
the two things every provider words for itself: a text too long, a key not accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal

Meaning = Literal["blocked", "context", "quota", "rate", "key", "model", "busy", "timeout", "request"]

_CODES: dict[Meaning, str] = {
    "blocked": """
        content_filter content_filtered content_policy_violation invalid_prompt moderation_blocked
        ResponsibleAIPolicyViolation data_inspection_failed InternalError.Algo.DataInspectionFailed
        content_risk sensitive_check_error sensitive_words_detected prompt_blocked censorship_blocked
        system_unsafe user_setting_unsafe functions_unsafe content_unsafe unsafe_content content_blocked
        InputTextSensitiveContentDetected OutputTextSensitiveContentDetected SensitiveContentDetected
        InputTextRiskDetection OutputTextRiskDetection safety_error content_moderation
        zhipu:1300 zhipu:1301 minimax:1026 minimax:1027 baidu:336104
    """,
    "context": """
        context_length_exceeded exceed_context_size_error context_window_exceeded string_above_max_length
        tokens_too_long characters_too_long request_too_large input_too_long prompt_too_long
        zhipu:1261 minimax:1039 baidu:336103 baidu:336007
    """,
    "quota": """
        insufficient_quota billing_hard_limit_reached billing_not_active quota_exceeded
        exceeded_current_quota_error insufficient_balance insufficient_user_quota insufficient_credits
        credit_balance_too_low billing_error Arrearage account_overdue AccountOverdueError payment_required
        AllocationQuota.FreeTierOnly zhipu:1110 zhipu:1112 zhipu:1113 zhipu:1121 zhipu:1304 zhipu:1308
        zhipu:1309 zhipu:1310 minimax:1008 baidu:17 baidu:19
    """,
    "rate": """
        rate_limit_exceeded rate_limit_error rate_limit_reached_error rate_limit too_many_requests
        rateLimitExceeded RESOURCE_EXHAUSTED Throttling Throttling.RateQuota Throttling.AllocationQuota
        Throttling.BurstRate ThrottlingException limit_requests limit_burst_rate
        rpm_rate_limit_exceeded tpm_rate_limit_exceeded tokens_exceeded_rate
        zhipu:1302 zhipu:1303 zhipu:1305 zhipu:1312 minimax:1002 baidu:4 baidu:18 baidu:336501
        baidu:336502 baidu:336503
    """,
    "key": """
        invalid_api_key incorrect_api_key_error authentication_error invalid_authentication_error
        invalid_iam_token InvalidApiKey API_KEY_INVALID UNAUTHENTICATED unauthorized
        UnrecognizedClientException InvalidSignatureException AccessDenied access_denied
        AccessDeniedException permission_error permission_denied_error PERMISSION_DENIED
        zhipu:1000 zhipu:1001 zhipu:1002 zhipu:1003 zhipu:1004 zhipu:1111 zhipu:1220 minimax:1004
        minimax:2049 baidu:6 baidu:13 baidu:14 baidu:100 baidu:110 baidu:111
    """,
    "model": """
        model_not_found model_not_exist ModelNotFound ModelNotExist model_not_supported invalid_model
        no_such_model unknown_model DeploymentNotFound InvalidEndpointOrModel.NotFound NotFoundError
        zhipu:1211 zhipu:1221 zhipu:1222 baidu:3
    """,
    "busy": """
        server_error internal_error internal_server_error api_error overloaded_error engine_overloaded_error
        overloaded service_unavailable UNAVAILABLE INTERNAL InternalServerException
        ServiceUnavailableException ModelNotReadyException insufficient_system_resource network_error
        ABORTED CANCELLED UNKNOWN zhipu:1120 zhipu:1200 zhipu:1230 zhipu:1234 minimax:1000 minimax:1013
        minimax:1024 minimax:1033 baidu:1 baidu:2 baidu:336100
    """,
    "timeout": "timeout timeout_error request_timeout DEADLINE_EXCEEDED ModelTimeoutException minimax:1001",
    "request": """
        invalid_request_error invalid_parameter_error invalid_argument INVALID_ARGUMENT
        FAILED_PRECONDITION ValidationException BadRequest bad_request unsupported_parameter
        unsupported_value invalid_value malformed_json
    """,
}


def _folded(code: str) -> str:
    return "".join(c for c in code.casefold() if c.isalnum() or c == ":")


_ORDER: tuple[Meaning, ...] = tuple(_CODES)
_VAGUE = frozenset({"request", "busy"})
"""What a code means that does not say what is wrong."""
_TABLE: dict[str, Meaning] = {
    _folded(code): meaning for meaning in reversed(_ORDER) for code in _CODES[meaning].split()
}
_SENTENCES: dict[str, Meaning] = {
    "content exists risk": "blocked",
    "model not exist": "model",
}
"""Whole messages of providers that send no code of their own."""
_PARTS: tuple[tuple[str, Meaning], ...] = (
    ("datainspectionfailed", "blocked"),
    ("content violates usage guidelines", "blocked"),
    ("prompt is too long", "context"),
    ("input is too long", "context"),
    ("input token length too long", "context"),
    ("input token count", "context"),
    ("maximum context length", "context"),
    ("model token limit", "context"),
    ("context window", "context"),
    ("context size", "context"),
    ("context length", "context"),
    ("range of input length", "context"),
    ("too many tokens", "context"),
    ("maximum prompt length", "context"),
    ("larger than the maximum context", "context"),
    ("too large for model with", "context"),
    ("context the overflows", "context"),
    ("input length and `max_tokens` exceed", "context"),
    ("credit balance is too low", "quota"),
    ("incorrect api key", "key"),
    ("invalid api key", "key"),
    ("api key not valid", "key"),
)
_NO_MODEL = re.compile(r"\bmodels?\b.{0,160}(?:not exist|not found)", re.IGNORECASE)
_DAILY = re.compile(r"per_?day|\brp[dm]?d\b|\btpd\b|daily", re.IGNORECASE)


def meaning(codes: Iterable[str], message: str) -> tuple[Meaning | None, str]:
    """What an error means by its codes, else by its message; and the code, or the words, that say so.

    The gravest meaning of several wins: a request error whose inner code is a content filter was blocked.
    """
    known = [(_TABLE[_folded(code)], code) for code in codes if _folded(code) in _TABLE]
    if all(found in _VAGUE for found, _ in known):
        known += _by_words(message[:2000].casefold().strip())
    return min(known, key=lambda pair: _ORDER.index(pair[0]), default=(None, ""))


def _by_words(said: str) -> list[tuple[Meaning, str]]:
    sentence = _SENTENCES.get(said.rstrip(" ."))
    if sentence:
        return [(sentence, said)]
    return [(found, words) for words, found in _PARTS if words in said]


def names_model(message: str) -> bool:
    """Whether a 404 is about the model, not about a path that this form of a request goes to."""
    return _NO_MODEL.search(message[:2000]) is not None


def codes_in(error: object) -> Iterator[str]:
    """Every code an error carries, down to inner errors and Google's details."""
    yield from _codes(error, 0)


def daily(error: object) -> bool:
    """Whether a limit that was hit is one of the day: Google names it in the violated quota's id."""
    if not isinstance(error, dict):
        return False
    violated = [
        str(violation.get("quotaId", ""))
        for detail in _dicts(error.get("details"))
        for violation in _dicts(detail.get("violations"))
    ]
    return any(_DAILY.search(name) for name in violated)


def _codes(node: object, depth: int) -> Iterator[str]:
    if not isinstance(node, dict) or depth > 4:
        return
    for field in ("code", "type", "status", "reason", "error_type"):
        value = node.get(field)
        if isinstance(value, str) and value:
            yield value
            if value.isdigit():
                yield f"zhipu:{value}"
    yield from _numbered(node)
    if node.get("flagged_input"):
        yield "content_filter"
    for field in ("error", "innererror", "inner_error", "metadata"):
        yield from _codes(node.get(field), depth + 1)
    for detail in _dicts(node.get("details")):
        yield from _codes(detail, depth + 1)


def _numbered(node: dict[str, Any]) -> Iterator[str]:
    base = node.get("base_resp")
    if isinstance(base, dict):
        yield f"minimax:{base.get('status_code')}"
    if node.get("error_code") is not None:
        yield f"baidu:{node['error_code']}"


def _dicts(node: object) -> list[dict[str, Any]]:
    return [item for item in node if isinstance(item, dict)] if isinstance(node, list) else []
