"""How a model is asked, and what to try when it refuses to be asked so: the one place where that is decided.

Providers refuse what others demand: a JSON schema, a temperature, a seed, a name of a parameter, a system
message, streaming. A refused request is tried in other forms, those first that its error names; the form that
passed is remembered for the model. Decided by status, by the parameter an error names, and by trying, never
by a sentence. It sends nothing.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from agents.models.ladder import RUNGS, Rung
from agents.models.wire import AttemptFailed
from sim.core.errors import FaultKind
from sim.core.ports import Request

Streaming = Literal["counted", "plain", "none"]
"""With usage in the stream, without, or not at all."""
_STREAMINGS: tuple[Streaming, ...] = ("counted", "plain", "none")
_EFFORTS = ("none", "minimal", "low", "medium", "high")
EFFORT = "reasoning_effort"
_LENGTH, _NEW_LENGTH = "max_tokens", "max_completion_tokens"
_NAMED = re.compile(r'"(?:param|parameter|field)"\s*:\s*"([^"]{1,80})"|"loc"\s*:\s*\[([^\]]{1,200})\]')
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ALIASES: Mapping[str, str] = {
    "thinking": EFFORT,
    "thinkinglevel": EFFORT,
    "thinking_level": EFFORT,
    "thinking_config": EFFORT,
    "thinkingconfig": EFFORT,
    "reasoning": EFFORT,
    "effort": EFFORT,
    "enable_thinking": EFFORT,
    "chat_template_kwargs": EFFORT,
    "random_seed": "seed",
}
"""Names under which parameters of ours are sent to some providers."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to ask."""

    rung: Rung = "json_schema"
    """Of requests that want JSON."""
    streaming: Streaming = "counted"
    """Of requests that want a stream."""
    streamed: bool = False
    """Whether what is wanted whole is asked for in pieces: some models answer in no other way."""
    folded: bool = False
    """Whether the system text goes into the first user message."""
    seeded: bool = True
    """Whether the conversation's seed is sent."""
    left_out: frozenset[str] = frozenset()
    """Optional parameters that are not sent."""
    new_length: bool = False
    """Whether `max_tokens` is called `max_completion_tokens`."""
    effort: str | None = None
    """Sent in place of a reasoning effort the model does not know."""

    def parameters(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters that are sent of those that were asked for."""
        sent = {name: value for name, value in asked.items() if name not in self.left_out}
        if self.new_length and _LENGTH in sent:
            sent.setdefault(_NEW_LENGTH, sent.pop(_LENGTH))
        if self.effort is not None and EFFORT in sent:
            sent[EFFORT] = self.effort
        return sent


@dataclass(slots=True)
class Forms:
    """What is known of one model."""

    known: Form = field(default_factory=Form)
    """How it was asked when it last answered."""
    _spent: set[tuple[bool, bool]] = field(default_factory=set)
    """Kinds of request (JSON, streamed) for which nothing helped: the next refusal is told at once."""

    def others(self, form: Form, failure: AttemptFailed, request: Request, *, seed: bool) -> Iterator[Form]:
        """Other forms of a request that was refused in `form`, most likely ones first, each once."""
        named = _without_named(form, failure.detail, request, seed=seed)
        if named is not None:
            yield named
            return
        if _kind(request) in self._spent:
            return
        singles = list(_singles(form, failure, request, seed=seed))
        yield from singles
        if len(singles) > 1 and failure.kind is not FaultKind.UNKNOWN_MODEL:
            yield _all_of(form, singles)

    def worked(self, form: Form) -> None:
        """Remember what was learned from a form that was answered.

        Calls overlap: what another one found refused meanwhile stays known.
        """
        self.known = _all_of(form, [self.known])

    def nothing_helped(self, request: Request) -> None:
        """Remember that no other form passed either."""
        self._spent.add(_kind(request))


def lower(form: Form, request: Request) -> Iterator[Form]:
    """Forms that ask less of a server that stumbles over this one: JSON a rung lower, no system message."""
    if wants_json(request):
        yield from (replace(form, rung=rung) for rung in RUNGS[RUNGS.index(form.rung) + 1 :])
    if not form.folded and any(message.role == "system" for message in request.messages):
        yield replace(form, folded=True)


def wants_json(request: Request) -> bool:
    """Whether the ladder is climbed: a prompt knows no response format."""
    return request.schema is not None and request.prompt is None


def _kind(request: Request) -> tuple[bool, bool]:
    return wants_json(request), request.stream


def _singles(form: Form, failure: AttemptFailed, request: Request, *, seed: bool) -> Iterator[Form]:
    """Forms with one thing less each. A 404 is about what the server offers, never about a parameter."""
    missing = failure.kind is FaultKind.UNKNOWN_MODEL
    if seed and form.seeded and not missing:
        yield replace(form, seeded=False)
    if wants_json(request):
        yield from (replace(form, rung=rung) for rung in RUNGS[RUNGS.index(form.rung) + 1 :])
    if request.stream:
        less = _STREAMINGS[_STREAMINGS.index(form.streaming) + 1 :]
        yield from (replace(form, streaming=way) for way in less)
    if missing:
        return
    if not form.folded and _foldable(request):
        yield replace(form, folded=True)
    for name in sorted(form.parameters(request.parameters)):
        yield replace(form, left_out=form.left_out | {name})


def _foldable(request: Request) -> bool:
    """Whether folding changes anything: a system message, or neighbours of one side."""
    roles = [message.role for message in request.messages]
    return "system" in roles or any(a == b for a, b in itertools.pairwise(roles))


def _all_of(form: Form, others: list[Form]) -> Form:
    """The form with everything less that some of `others` do with less."""
    every = [form, *others]
    return Form(
        rung=max((one.rung for one in every), key=RUNGS.index),
        streaming=max((one.streaming for one in every), key=_STREAMINGS.index),
        streamed=any(one.streamed for one in every),
        folded=any(one.folded for one in every),
        seeded=all(one.seeded for one in every),
        left_out=frozenset().union(*(one.left_out for one in every)),
        new_length=any(one.new_length for one in every),
        effort=next((one.effort for one in every if one.effort is not None), None),
    )


def _without_named(form: Form, said: str, request: Request, *, seed: bool) -> Form | None:
    """The form without the parameter that an error names; None where it names none that was sent.

    An error about streams, to a request for a whole answer, names what is missing.
    """
    if not request.stream and not form.streamed and "stream" in said.casefold():
        return replace(form, streamed=True)
    sent = form.parameters(request.parameters)
    for name in _names(said):
        known = _ALIASES.get(name.casefold(), name)
        if known == "seed" and seed and form.seeded and "seed" not in sent:
            return replace(form, seeded=False)
        if known == "stream_options" and request.stream and form.streaming == "counted":
            return replace(form, streaming="plain")
        if known == "stream" and request.stream and form.streaming != "none":
            return replace(form, streaming="none")
        if known == "response_format" and wants_json(request) and form.rung != "text":
            return replace(form, rung=RUNGS[RUNGS.index(form.rung) + 1])
        if known in sent:
            return _without(form, known, str(sent[known]))
    return None


def _without(form: Form, name: str, value: str) -> Form:
    if name == _LENGTH and not form.new_length:
        return replace(form, new_length=True)
    if name == EFFORT and value in _EFFORTS[:-1]:
        return replace(form, effort=_EFFORTS[_EFFORTS.index(value) + 1])
    out = {name, _LENGTH} if name == _NEW_LENGTH else {name}
    return replace(form, left_out=form.left_out | out)


def _names(said: str) -> Iterator[str]:
    """Names an error gives, where it has a field for them, then the words of its first line."""
    for param, path in _NAMED.findall(said):
        yield from _WORD.findall(param or path)
    first = said.partition("\n")[0][:600]
    yield from (word for word in _WORD.findall(first) if "_" in word or word in _PLAIN)


_PLAIN = frozenset(
    {"temperature", "seed", "stop", "stream", "logprobs", "n", "thinking", "reasoning", "effort"}
)
"""Parameters whose names are plain words too."""
