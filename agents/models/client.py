"""The client port over any backend: ladder, retries, normaliser, ledger.

Hosted, local and scripted models differ only in their backend; everything a conversation relies on is
here, once.
"""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from agents.models.asked import Asked
from agents.models.faults import surprise
from agents.models.forms import Form, Forms, lower, wants_json
from agents.models.ladder import Rung, described, in_words, response_format
from agents.models.ledger import Ledger, attempted
from agents.models.messages import folded, sendable
from agents.models.normalise import Normal, normalise, raw_of
from agents.models.reasoning import DeltaFilter
from agents.models.redact import Redactor
from agents.models.retry import Retrying, RetryPolicy
from agents.models.wire import Answer, Attempt, AttemptFailed, Backend
from sim.core.beside import beside
from sim.core.errors import CallFailed, FaultKind
from sim.core.events import Waiting
from sim.core.identity import SEEDS
from sim.core.ports import CallScope, Completion, Message, Request

_UNUSABLE = {"empty": "empty answer", "blocked": "blocked by the provider"}
_LONGEST = 240
_MOST_FORMS = 24
"""Of one request."""
_SERVER_ERROR = "server error 500"

Tell = Callable[[Attempt, str | None, str], None]
"""Told of an attempt that came back: the attempt, the reply as it was sent, why it failed."""


class _SameErrorTwice(Exception):
    """A server error that came back word for word."""

    def __init__(self, failure: AttemptFailed) -> None:
        super().__init__(failure.why)
        self.failure = failure


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
        self._forms = Forms()
        self.again: Callable[[], Awaitable[None]] = _at_once
        """Waited for before an attempt that is not a call's first; whoever paces calls sets it."""
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

        call = _Call(self._backend, request, scope, ledger, tell, self._redactor, hold=self._hold)
        try:
            form, normal = await self._in_some_form(call, request)
        except AttemptFailed as failure:
            raise self._call_failed(failure) from failure
        self._forms.worked(form)
        self._hold = self._hold or normal.unopened
        scope.publish(ledger.finished(self._name, scope, normal.outcome, time.monotonic() - started))
        rung = form.rung if wants_json(request) else "text"
        return Completion(normal.outcome, normal.text, normal.raw, rung, normal.flags)

    async def aclose(self) -> None:
        """Release the backend."""
        await self._backend.aclose()

    async def _in_some_form(self, call: _Call, request: Request) -> tuple[Form, Normal]:
        """The answer to the first form that is not refused. Raises AttemptFailed: the first refusal."""
        waiting = deque([self._forms.known])
        tried: set[Form] = set()
        first: AttemptFailed | None = None
        spread = False
        while waiting:
            form = waiting.popleft()
            if form in tried or len(tried) > _MOST_FORMS:
                continue
            tried.add(form)
            try:
                return form, await self._patiently(call, form, request)
            except AttemptFailed as failure:
                if not failure.rejected:
                    raise
                first = first or failure
                others = list(self._forms.others(form, failure, request, seed=call.scope.seed is not None))
                if len(others) == 1:
                    waiting.appendleft(others[0])  # it names what it does not take: believe it
                elif not spread:
                    spread = True
                    waiting.extend(others)
        assert first is not None
        if len(tried) > 1:
            self._forms.nothing_helped(request)
        raise first

    async def _patiently(self, call: _Call, form: Form, request: Request) -> Normal:
        """The answer, asked for again as long as that may help.

        The same server error twice may be about the form as well: a lower one is then tried once, before the
        server is given more time.
        """
        try:
            return await self._retried(call, form, give_up_on_same=any(lower(form, request)))
        except _SameErrorTwice as stumbled:
            failure = stumbled.failure
        for other in lower(form, request):
            with contextlib.suppress(AttemptFailed):
                normal = await call.attempt(other)
                self._forms.worked(other)
                return normal
        if not failure.retryable:
            raise failure
        return await self._retried(call, form)

    async def _retried(self, call: _Call, form: Form, *, give_up_on_same: bool = False) -> Normal:
        said: list[str] = []

        def waiting(why: str, seconds: float) -> None:
            event = Waiting(who=self._name, why=why, until=round(seconds, 3), turn=call.scope.turn)
            call.scope.publish(event)

        async def attempt(number: int) -> Normal:
            if number > 1:
                await self.again()
            try:
                return await call.attempt(form)
            except AttemptFailed as error:
                if give_up_on_same and error.why == _SERVER_ERROR:
                    said.append(error.detail)
                    if len(said) > 1 and said[-1] == said[-2]:
                        raise _SameErrorTwice(error) from error
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


async def _at_once() -> None:
    """Do not wait."""


class _Call:
    """One call: its request, and what its attempts have done so far."""

    def __init__(
        self,
        backend: Backend,
        request: Request,
        scope: CallScope,
        ledger: Ledger,
        tell: Tell,
        redactor: Redactor,
        *,
        hold: bool,
    ) -> None:
        self.scope = scope
        self._hold = hold
        self._tell = tell
        self._redactor = redactor
        self._backend = backend
        self._request = request
        self._ledger = ledger
        self._shown = False
        self._unusable = False
        self._thrown_away = 0

    async def attempt(self, form: Form) -> Normal:
        """One attempt in one form."""
        self._ledger.attempts += 1
        rung: Rung = form.rung if wants_json(self._request) else "text"
        messages, prompt = self._messages(rung, form.folded), self._prompt()
        asked = Asked([prompt] if prompt is not None else [m.content for m in messages])
        filtered = self._delta_filter(form, asked)
        attempt = Attempt(
            number=self._ledger.attempts,
            messages=messages,
            prompt=prompt,
            parameters=form.parameters(self._request.parameters),
            response_format=response_format(rung, self._request.schema),
            on_delta=filtered.feed if filtered else None,
            seed=self._seed(form),
            stream_options=form.streaming == "counted",
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
        self._ledger.add(answer)
        answer = self._without_keys(answer)
        try:
            normal = await beside(len(raw_of(answer)), lambda: normalise(answer, asked))
        except AttemptFailed as error:
            self._tell(attempt, raw_of(answer), error.why)
            raise
        self._tell(attempt, normal.raw, "")
        self._unusable = normal.outcome in _UNUSABLE
        self._thrown_away += self._unusable
        return normal

    def _without_keys(self, answer: Answer) -> Answer:
        hide = self._redactor.answered
        content = None if answer.content is None else hide(answer.content)
        return replace(answer, content=content, thought=hide(answer.thought))

    def _seed(self, form: Form) -> int | None:
        """The scope's, where the model takes one and the parameters name none; another one after an answer of
        no use, which the same seed would bring again.

        A fault changes nothing: when a provider complains is no part of a conversation.
        """
        seed = self.scope.seed if form.seeded and "seed" not in self._request.parameters else None
        return None if seed is None else (seed + self._thrown_away) % SEEDS

    def _delta_filter(self, form: Form, asked: Asked) -> DeltaFilter | None:
        """Deltas of the first attempt that shows any; a repeated beginning would be read as new text.

        After an empty answer the next is asked for in one piece: a streamed refusal looks empty, for
        LiteLLM drops the refusal field of deltas.
        """
        if not self._request.stream:
            return DeltaFilter(lambda piece: None, asked, hold=self._hold) if form.streamed else None
        if self._unusable or form.streaming == "none":
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
