"""The client port over any backend: ladder, retries, normaliser, ledger.

Hosted, local and scripted models differ only in their backend; everything a conversation relies on is
here, once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from agents.models.asked import Asked
from agents.models.faults import surprise
from agents.models.ladder import Ladder, Rung, described, in_words, response_format
from agents.models.ledger import Ledger, attempted
from agents.models.messages import folded, sendable, template_refused
from agents.models.normalise import Normal, normalise, raw_of
from agents.models.reasoning import DeltaFilter
from agents.models.redact import Redactor
from agents.models.retry import Retrying, RetryPolicy
from agents.models.wire import Attempt, AttemptFailed, Backend
from sim.core.errors import CallFailed, FaultKind
from sim.core.events import Waiting
from sim.core.identity import SEEDS
from sim.core.ports import CallScope, Completion, Message, Request

_UNUSABLE = {"empty": "empty answer", "blocked": "blocked by the provider"}
_LONGEST = 240

Tell = Callable[[Attempt, str | None, str], None]
"""Told of an attempt that came back: the attempt, the reply as it was sent, why it failed."""


class ModelClient:
    """A model behind a name; fills the Client port."""

    def __init__(
        self,
        name: str,
        backend: Backend,
        *,
        identity: Mapping[str, Any],
        policy: RetryPolicy,
        redactor: Redactor,
    ) -> None:
        self._name = name
        self._backend = backend
        self._identity = dict(identity)
        self._policy = policy
        self._redactor = redactor
        self._ladder = Ladder()
        self._fold = False
        self._hold = False
        """Whether its streams are held back: it was seen to reason without an opening token."""

    @property
    def name(self) -> str:
        """As the user wrote it."""
        return self._name

    @property
    def identity(self) -> Mapping[str, Any]:
        """What makes its answers its own."""
        return self._identity

    async def complete(self, request: Request, scope: CallScope) -> Completion:
        """Answer one request; publishes Waiting, CallAttempted and CallFinished. Raises CallFailed."""
        started = time.monotonic()
        ledger = Ledger()

        def tell(attempt: Attempt, reply: str | None, failure: str) -> None:
            scope.publish(attempted(self._name, scope, attempt, reply, self._redactor(failure)))

        call = _Call(self._backend, request, scope, ledger, tell, hold=self._hold)
        failure: AttemptFailed | None = None
        climbs = request.schema is not None and request.prompt is None
        for rung in self._ladder.rungs(request.schema if climbs else None):
            try:
                normal = await self._on_rung(call, rung)
            except AttemptFailed as error:
                failure = failure if failure and error.rejected else error
                if not error.rejected:
                    break
                continue
            if climbs:
                self._ladder.worked(rung)
            self._hold = self._hold or normal.unopened
            seconds = time.monotonic() - started
            scope.publish(ledger.finished(self._name, scope, normal.outcome, seconds))
            return Completion(normal.outcome, normal.text, normal.raw, rung, normal.flags)
        assert failure is not None
        raise self._call_failed(failure)

    async def aclose(self) -> None:
        """Release the backend."""
        await self._backend.aclose()

    async def _on_rung(self, call: _Call, rung: Rung) -> Normal:
        try:
            return await self._retried(call, rung)
        except AttemptFailed as error:
            if self._fold or not template_refused(error.detail):
                raise
        normal = await self._retried(call, rung, fold=True)
        self._fold = True
        return normal

    async def _retried(self, call: _Call, rung: Rung, *, fold: bool = False) -> Normal:
        def waiting(why: str, seconds: float) -> None:
            event = Waiting(who=self._name, why=why, until=round(seconds, 3), turn=call.scope.turn)
            call.scope.publish(event)

        async def attempt(_: int) -> Normal:
            folding = fold or self._fold
            try:
                return await call.attempt(rung, fold=folding)
            except AttemptFailed as error:
                error.retryable = error.retryable and (folding or not template_refused(error.detail))
                raise

        retrying = Retrying[Normal](
            self._policy, unusable=lambda n: _UNUSABLE.get(n.outcome), waiting=waiting
        )
        return await retrying.run(attempt)

    def _call_failed(self, failure: AttemptFailed) -> CallFailed:
        said = self._redactor(failure.detail)
        crashed = failure.kind is FaultKind.CRASHED
        first = said.strip().splitlines()[0] if said.strip() and not crashed else ""
        what = f"{self._name}: {failure.why}" + (f": {first[:_LONGEST]}" if first else ".")
        return CallFailed(failure.kind, self._redactor(what), said)


class _Call:
    """One call: its request, and what its attempts have done so far."""

    def __init__(
        self, backend: Backend, request: Request, scope: CallScope, ledger: Ledger, tell: Tell, *, hold: bool
    ) -> None:
        self.scope = scope
        self._hold = hold
        self._tell = tell
        self._backend = backend
        self._request = request
        self._ledger = ledger
        self._shown = False
        self._unusable = False
        self._thrown_away = 0

    async def attempt(self, rung: Rung, *, fold: bool) -> Normal:
        """One attempt on one rung."""
        self._ledger.attempts += 1
        messages, prompt = self._messages(rung, fold), self._prompt()
        asked = Asked([prompt] if prompt is not None else [m.content for m in messages])
        filtered = self._delta_filter(asked)
        attempt = Attempt(
            number=self._ledger.attempts,
            messages=messages,
            prompt=prompt,
            parameters=self._request.parameters,
            response_format=response_format(rung, self._request.schema),
            on_delta=filtered.feed if filtered else None,
            seed=self._seed(),
        )
        try:
            answer = await self._backend.send(attempt, self.scope)
            if filtered:
                filtered.finish()
        except AttemptFailed as error:
            self._tell(attempt, None, error.why)
            raise
        except Exception as bug:
            failed = surprise(bug)
            self._tell(attempt, None, failed.why)
            raise failed from bug
        finally:
            self._shown = self._shown or bool(filtered and filtered.delivered)
        self._ledger.add(answer.usage)
        try:
            normal = normalise(answer, asked)
        except AttemptFailed as error:
            self._tell(attempt, raw_of(answer), error.why)
            raise
        self._tell(attempt, normal.raw, "")
        self._unusable = normal.outcome in _UNUSABLE
        self._thrown_away += self._unusable
        return normal

    def _seed(self) -> int | None:
        """The scope's; another one after an answer of no use, which the same seed would bring again.

        A fault changes nothing: when a provider complains is no part of a conversation.
        """
        seed = self.scope.seed
        return None if seed is None else (seed + self._thrown_away) % SEEDS

    def _delta_filter(self, asked: Asked) -> DeltaFilter | None:
        """Deltas of the first attempt that shows any; a repeated beginning would be read as new text.

        After an empty answer the next is asked for in one piece: a streamed refusal looks empty, for
        LiteLLM drops the refusal field of deltas.
        """
        if not self._request.stream or self._unusable:
            return None
        deliver = self.scope.on_delta
        return DeltaFilter(
            deliver if deliver and not self._shown else lambda piece: None, asked, hold=self._hold
        )

    def _messages(self, rung: Rung, fold: bool) -> tuple[Message, ...]:
        asked = tuple(
            Message(m.role, sendable(m.content))
            for m in described(rung, self._request.schema, self._request.messages)
        )
        return folded(asked) if fold else asked

    def _prompt(self) -> str | None:
        """A prompt knows no response format: the schema is said in words."""
        prompt, schema = self._request.prompt, self._request.schema
        if prompt is None:
            return None
        return sendable(prompt if schema is None else f"{prompt}\n\n{in_words(schema)}\n")
