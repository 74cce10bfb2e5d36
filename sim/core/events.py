"""What happens in a conversation, as typed events in the past tense.

One class an event, one `Literal` tag each. The envelope (`conversation`, `seq`, `at`, `t`) is filled
by the bus, never by a publisher. Events carry plain values: no live object, no callable, no secret.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, TypeAdapter
from pydantic_core import PydanticSerializationError

from sim.core.errors import FaultKind, Layer
from sim.core.text import dumps, escaped, loads
from sim.core.values import (
    Criterion,
    EndReason,
    Gloss,
    LanguageCheck,
    MeaningCheck,
    Mode,
    Procedure,
    Speaker,
    Value,
    Verdict,
)

Role = Literal["user-a", "user-b", "interpreter", "judge", "writer"]
"""On whose behalf a model is called."""
Outcome = Literal["ok", "empty", "truncated", "blocked"]
"""How a call that reached its model came out."""
Flag = Literal[
    "echo",
    "wrong_language",
    "annotated",
    "refusal_words",
    "repetition",
    "length_ratio",
    "truncated",
    "template_tokens",
    "unknown_finish",
]
"""Something a person should know about a delivered translation."""


class Event(Value):
    """The envelope all events share."""

    lossless: ClassVar[bool] = True
    """Whether the event is journalled and numbered; what only observers get is neither."""

    v: Literal[1] = 1
    type: str
    conversation: str = ""
    """`<key hash>-<attempt>`."""
    seq: int | None = None
    """From 0 without holes over lossless events."""
    at: str = ""
    """RFC 3339 UTC, milliseconds."""
    t: float = 0.0
    """Seconds since ConversationStarted."""
    turn: int | None = None
    """Turn index, None for what concerns the whole conversation."""


class ConversationStarted(Event):
    """The conversation is set up; nothing has been said."""

    type: Literal["ConversationStarted"] = "ConversationStarted"
    key: dict[str, Any]
    scenario: str
    pair: tuple[str, str]
    mode: Mode
    system: dict[str, Any]
    users: dict[Speaker, str]
    judge: str
    procedure: Procedure
    signature: dict[str, Any]
    seed: int | None = None
    """What all randomness of the conversation comes from."""


class TurnRequested(Event):
    """A user was asked to speak."""

    type: Literal["TurnRequested"] = "TurnRequested"
    speaker: Speaker
    language: str


class UtteranceSpoken(Event):
    """A user spoke, in its own language. The response to turn n is the utterance of turn n+1."""

    type: Literal["UtteranceSpoken"] = "UtteranceSpoken"
    speaker: Speaker
    language: str
    text: str
    end: bool = False
    """Whether the user ended the conversation with these words."""
    seconds: float = 0.0
    intent: str | None = None
    """What the turn is for, English, where the scenario says so."""
    reference: str | None = None
    """The scenario's own rendering of these very words, where it has one."""
    gloss: Gloss | None = None
    """These words and their reference in English, where the scenario has them."""


class TranslationDelta(Event):
    """A piece of a translation on its way; for observers only."""

    lossless: ClassVar[bool] = False
    type: Literal["TranslationDelta"] = "TranslationDelta"
    part: int
    text: str


class UtteranceInterpreted(Event):
    """The interpreter answered. `text` is None where it produced nothing to deliver."""

    type: Literal["UtteranceInterpreted"] = "UtteranceInterpreted"
    source: str
    target: str
    raw: str
    """What the system produced, before outer white space is taken off."""
    text: str | None
    outcome: Outcome
    seconds: float = 0.0


class LanguageChecked(Event):
    """The language of one text was checked."""

    type: Literal["LanguageChecked"] = "LanguageChecked"
    subject: Literal["utterance", "translation"]
    expected: str
    check: LanguageCheck


class MeaningChecked(Event):
    """The meaning gate looked at a translation."""

    type: Literal["MeaningChecked"] = "MeaningChecked"
    check: MeaningCheck


class UtteranceHeld(Event):
    """A flagged translation waits for the speaker's word."""

    type: Literal["UtteranceHeld"] = "UtteranceHeld"
    flags: tuple[Flag, ...]


class HoldDecided(Event):
    """The speaker decided on a held translation."""

    type: Literal["HoldDecided"] = "HoldDecided"
    decision: Literal["deliver", "retry"]


class UtteranceDelivered(Event):
    """The other user has the translation."""

    type: Literal["UtteranceDelivered"] = "UtteranceDelivered"
    text: str
    flags: tuple[Flag, ...] = ()


class ChecklistReady(Event):
    """The criteria of a turn, or of the conversation (`turn` None), are known."""

    type: Literal["ChecklistReady"] = "ChecklistReady"
    procedure: Procedure
    criteria: tuple[Criterion, ...]
    provisional: bool = False


class CriterionJudged(Event):
    """One verdict."""

    type: Literal["CriterionJudged"] = "CriterionJudged"
    verdict: Verdict


class TurnJudged(Event):
    """All verdicts of a turn are in."""

    type: Literal["TurnJudged"] = "TurnJudged"
    met: int
    judged: int
    criteria: int


class ConversationJudged(Event):
    """All conversation-level verdicts are in."""

    type: Literal["ConversationJudged"] = "ConversationJudged"
    met: int
    judged: int
    criteria: int


class CallFinished(Event):
    """A model call ended well; its price and its tokens."""

    type: Literal["CallFinished"] = "CallFinished"
    role: Role
    model: str
    outcome: Outcome
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    """US dollars; None where the price is unknown."""
    cost_status: Literal["known", "unknown", "free"] = "unknown"
    cached: bool = False
    seconds: float = 0.0
    attempts: int = 1
    sent: dict[str, Any] = Field(default_factory=dict)
    """Parameters as they were sent, after what the provider refused was left out."""
    host: str = ""
    """Where the text went; empty for what stays in this process."""


class Sent(Value):
    """One message of a call, as it was sent."""

    role: Literal["system", "user", "assistant", "prompt"]
    """`prompt` for raw text to continue."""
    text: str


class CallAttempted(Event):
    """One attempt of a call came back: what was sent, and what came; for observers only.

    Not journalled: with full history the prompts of a conversation grow with the square of its length,
    and a record tells by hash which prompts were used.
    """

    lossless: ClassVar[bool] = False
    type: Literal["CallAttempted"] = "CallAttempted"
    role: Role
    model: str
    number: int
    """From 1 within one call; 0 where the cache answered."""
    sent: tuple[Sent, ...]
    reply: str | None
    """As the provider sent it; None where nothing came."""
    failure: str = ""
    """Why the attempt failed, in a few words, without secrets."""


class ContextTrimmed(Event):
    """Earlier lines, or the end of a role context, were left out of a call that did not fit its model."""

    type: Literal["ContextTrimmed"] = "ContextTrimmed"
    role: Role
    kept: int
    """Earlier lines that were shown."""
    dropped: int
    """The oldest lines, left out."""
    context: int | None = None
    """Characters the role context was cut to; None where it was whole."""


class Waiting(Event):
    """Someone is waited for longer than usual."""

    type: Literal["Waiting"] = "Waiting"
    who: str
    why: str
    until: float | None = None
    """Seconds to wait from `at` on; None where nobody knows."""


class Paused(Event):
    """Somebody stopped the loop between turns."""

    type: Literal["Paused"] = "Paused"


class Resumed(Event):
    """The loop goes on."""

    type: Literal["Resumed"] = "Resumed"


class PeekUsed(Event):
    """A person looked at the other side."""

    type: Literal["PeekUsed"] = "PeekUsed"
    seat: Speaker


class SeatEnded(Event):
    """A person left a seat."""

    type: Literal["SeatEnded"] = "SeatEnded"
    seat: Speaker


class Gap(Event):
    """An observer was too slow: it missed lossless events and reloads them from the journal."""

    lossless: ClassVar[bool] = False
    type: Literal["Gap"] = "Gap"
    first: int
    """`seq` of the first missed event."""


class FaultRaised(Event):
    """Something failed: which layer, who, how."""

    type: Literal["FaultRaised"] = "FaultRaised"
    layer: Layer
    who: str
    kind: FaultKind
    what: str
    detail: str = ""


class ConversationEnded(Event):
    """Nothing more happens; always the last event."""

    type: Literal["ConversationEnded"] = "ConversationEnded"
    reason: EndReason


AnyEvent = Annotated[
    ConversationStarted
    | TurnRequested
    | UtteranceSpoken
    | TranslationDelta
    | UtteranceInterpreted
    | LanguageChecked
    | MeaningChecked
    | UtteranceHeld
    | HoldDecided
    | UtteranceDelivered
    | ChecklistReady
    | CriterionJudged
    | TurnJudged
    | ConversationJudged
    | CallFinished
    | CallAttempted
    | ContextTrimmed
    | Waiting
    | Paused
    | Resumed
    | PeekUsed
    | SeatEnded
    | Gap
    | FaultRaised
    | ConversationEnded,
    Field(discriminator="type"),
]

_ADAPTER: TypeAdapter[Event] = TypeAdapter(AnyEvent)


def parse_event(line: str | bytes) -> Event:
    """The event written on one JSON line. Raises ValueError for anything else."""
    # not `validate_json`: its parser refuses an unpaired surrogate, which a text may hold
    return _ADAPTER.validate_python(loads(line))


def event_document(event: Event) -> dict[str, Any]:
    """`event` as plain JSON values, keys in the order of the contract."""
    return event.model_dump(mode="json", by_alias=True)


def event_line(event: Event) -> str:
    """`event` on one line of JSON, escaped as all our JSON is."""
    try:
        return escaped(event.model_dump_json(by_alias=True))
    except PydanticSerializationError:
        # the quick way cannot write an unpaired surrogate
        return dumps(event_document(event))
