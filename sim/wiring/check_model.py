"""Trying one model: a tiny call for each way in which Skopos asks models.

It only finds out; what is said of it and with which exit code is for `sim/commands`.
"""

import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from agents.json_answer import first_object
from sim.core.errors import CallFailed, FaultKind
from sim.core.events import CallFinished, Event
from sim.core.ports import CallScope, Client, Completion, Message, Request

Way = Literal["whole", "streamed", "JSON"]

_SCHEMA: Mapping[str, Any] = {
    "title": "check",
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}
_HOPELESS = (FaultKind.AUTHENTICATION, FaultKind.QUOTA, FaultKind.UNKNOWN_MODEL, FaultKind.UNAVAILABLE)
"""No other way of asking would bring more."""
_SYSTEM = Message("system", "You answer in one word.")
_WORD = Request((_SYSTEM, Message("user", "Say: ready")))
_REQUESTS: Mapping[Way, Request] = {
    "whole": _WORD,
    "streamed": Request(_WORD.messages, stream=True),
    "JSON": Request((Message("user", 'Answer with the JSON object {"ready": true}.'),), schema=_SCHEMA),
}


@dataclass(frozen=True, slots=True)
class Tried:
    """How one way of asking went."""

    way: Way
    ok: bool
    what: str
    """The answer's outcome and form, else what failed."""
    seconds: float
    left_out: tuple[str, ...] = ()
    """Parameters that were asked for and not sent."""
    tokens: tuple[int, int] | None = None
    """In and out, where the server counts them."""


async def tried(client: Client) -> AsyncIterator[Tried]:
    """Ask in every way, one after the other; a failed one says why, and ends it where the next would fail too."""
    for way, request in _REQUESTS.items():
        heard: list[Event] = []
        pieces: list[str] = []
        scope = CallScope("interpreter", "check", None, 0, 0, heard.append, pieces.append)
        started = time.monotonic()
        try:
            completion = await client.complete(request, scope)
        except CallFailed as failure:
            yield Tried(way, False, f"{failure.kind}: {failure.what}", time.monotonic() - started)
            if failure.kind in _HOPELESS:
                return
            continue
        except Exception as surprise:  # a server may answer anything; what broke is told, not shown
            yield Tried(way, False, f"internal: {type(surprise).__name__}", time.monotonic() - started)
            continue
        form, usable = _form(way, completion, len(pieces))
        yield Tried(
            way,
            usable,
            "".join((completion.outcome, f", {form}", *(f", {flag}" for flag in completion.flags))),
            time.monotonic() - started,
            _left_out(client, heard),
            _tokens(heard),
        )


def _form(way: Way, completion: Completion, pieces: int) -> tuple[str, bool]:
    """In which form an answer came, and whether it can be used."""
    usable = completion.outcome == "ok"
    if way == "streamed":
        return (f"in {pieces} pieces" if pieces > 1 else "in one piece: it did not stream"), usable
    if way == "whole":
        return "in one piece", usable
    document = first_object(completion.text) or {}
    holds = isinstance(document.get("ready"), bool)
    return f"{completion.json_mode}{'' if holds else ', but not the document asked for'}", usable and holds


def _left_out(client: Client, heard: list[Event]) -> tuple[str, ...]:
    """What was asked of the call that answered and is not among what was sent."""
    asked: Mapping[str, Any] = client.identity.get("parameters", {})
    finished = [event for event in heard if isinstance(event, CallFinished)]
    if not finished or not (finished[-1].sent or finished[-1].host):
        return ()  # what stays in this process tells nothing of what it was sent
    return tuple(name for name in asked if name not in finished[-1].sent)


def _tokens(heard: list[Event]) -> tuple[int, int] | None:
    for event in heard:
        if isinstance(event, CallFinished) and event.input_tokens is not None:
            return event.input_tokens, event.output_tokens or 0
    return None
