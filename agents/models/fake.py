"""A scripted model: `fake:FILE` answers what its file says, with latency and faults.

It ships with the product: demonstrations, tests and dry runs need no key. Only the backend is scripted;
answers and faults go through the same retries, ladder and normaliser as those of hosted models. It keeps
no state: the same request in the same place gets the same answer.
"""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from agents.models.fake_file import Match, Rule, ScriptFile
from agents.models.waits import retry_after
from agents.models.wire import FREE, Answer, Attempt, AttemptFailed, Usage
from sim.core.errors import FaultKind
from sim.core.ports import CallScope
from sim.core.text import dumps

_DATE_AHEAD = 3.0
_THOUGHT = "The speaker wants something; I will answer in one line."


class FakeBackend:
    """The model a script file describes."""

    def __init__(self, file: ScriptFile) -> None:
        self._file = file

    async def send(self, attempt: Attempt, scope: CallScope) -> Answer:
        """The first matching rule's answer. Raises AttemptFailed."""
        rule = self._rule(attempt, scope)
        await asyncio.sleep(rule.latency)
        fault = rule.fault if rule.times is None or attempt.number <= rule.times else None
        failure = _failure(rule, fault)
        if failure is not None:
            raise failure
        answer = _answer(rule, fault)
        if attempt.on_delta is not None:
            await _stream(answer.content or "", rule, fault, attempt)
        if fault == "cut_stream":
            raise AttemptFailed(FaultKind.UNAVAILABLE, "stream cut short", retryable=True)
        return answer

    async def aclose(self) -> None:
        """Nothing is held."""

    def _rule(self, attempt: Attempt, scope: CallScope) -> Rule:
        said = [m.content for m in attempt.messages] + ([attempt.prompt] if attempt.prompt else [])
        for rule in self._file.script.rules:
            if _matches(rule.match, scope, said):
                return rule
        place = f"role {scope.role}, scenario {scope.scenario}, turn {scope.turn}, trial {scope.trial}"
        raise AttemptFailed(FaultKind.BAD_REQUEST, f"no rule of {self._file.path} matches {place}")


def _matches(match: Match, scope: CallScope, said: list[str]) -> bool:
    for wanted, actual in (
        (match.role, scope.role),
        (match.scenario, scope.scenario),
        (match.turn, scope.turn),
        (match.trial, scope.trial),
        (match.attempt, scope.attempt),
    ):
        if wanted is not None and wanted != actual:
            return False
    return match.contains is None or any(match.contains in text for text in said)


def _failure(rule: Rule, fault: str | None) -> AttemptFailed | None:
    match fault:
        case "rate_limit":
            return AttemptFailed(FaultKind.RATE_LIMIT, "rate limit", retryable=True, retry_after=_wait(rule))
        case "server_error":
            why = f"server error {rule.status}"
            return AttemptFailed(FaultKind.UNAVAILABLE, why, retryable=True, retry_after=_wait(rule))
        case "timeout":
            return AttemptFailed(FaultKind.TIMEOUT, "timeout", retryable=True)
        case "authentication":
            return AttemptFailed(FaultKind.AUTHENTICATION, "key not accepted (401)")
        case "quota":
            return AttemptFailed(FaultKind.QUOTA, "quota used up")
        case "context_length":
            return AttemptFailed(FaultKind.CONTEXT_LENGTH, "text too long for its context")
    return None


def _wait(rule: Rule) -> float | None:
    """The scripted Retry-After, through the same reader as a real header."""
    if rule.retry_after is None:
        return None
    if rule.retry_after == "date":
        moment = datetime.now(UTC) + timedelta(seconds=_DATE_AHEAD)
        return retry_after({"Retry-After": format_datetime(moment, usegmt=True)})
    return retry_after({"Retry-After": str(rule.retry_after)})


def _answer(rule: Rule, fault: str | None) -> Answer:
    text = rule.reply if isinstance(rule.reply, str) else dumps(rule.reply)
    usage = _usage(rule)
    match fault:
        case "empty_choices":
            return Answer(None, None, None, usage)
        case "null_content":
            return Answer(None, "stop", None, usage)
        case "empty_content":
            return Answer("", "stop", None, usage)
        case "truncated":
            return Answer(text[: max(1, len(text) // 2)], "length", None, usage)
        case "blocked":
            return Answer(None, "content_filter", "content_filter", usage)
        case "broken_json":
            return Answer(text[: max(1, len(text) * 2 // 3)], "stop", None, usage)
        case "leak":
            return Answer(f"<think>{_THOUGHT}</think>\n\n{text}", "stop", None, usage)
        case "leak_unopened":
            return Answer(f"{_THOUGHT}</think>\n\n{text}", "stop", None, usage)
    return Answer(text, "stop", None, usage)


def _usage(rule: Rule) -> Usage:
    tokens_in, tokens_out = rule.tokens or (None, None)
    if rule.cost is None:
        return Usage(tokens_in, tokens_out, FREE.cost, FREE.cost_status)
    if rule.cost == "unknown":
        return Usage(tokens_in, tokens_out)
    return Usage(tokens_in, tokens_out, float(rule.cost), "known")


async def _stream(text: str, rule: Rule, fault: str | None, attempt: Attempt) -> None:
    """Send the pieces. A cut stream breaks off half-way, without a finish reason."""
    assert attempt.on_delta is not None
    pieces = re.findall(r"\S+\s*|\s+", text)
    for piece in pieces[: len(pieces) // 2 or 1] if fault == "cut_stream" else pieces:
        attempt.on_delta(piece)
        await asyncio.sleep(rule.pause)
