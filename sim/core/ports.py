"""The ports of a conversation: what the core asks of the participants, and the values they exchange.

Protocols only. Whoever fills a port lives in `agents`, `sim/runs` or `sim/wiring`; the core knows
none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from sim.core.errors import Fault, FaultKind
from sim.core.events import Event, Flag, Outcome, Role
from sim.core.values import Criterion, LanguageCheck, MeaningCheck, Speaker, Verdict

# ---- model calls


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """One model call. Exactly one of `messages` and `prompt` is given."""

    messages: tuple[Message, ...] = ()
    prompt: str | None = None
    """Raw text to continue, for base models without a chat template."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """temperature, max_tokens, stop, seed, reasoning_effort … as LiteLLM names them."""
    schema: Mapping[str, Any] | None = None
    """JSON Schema the answer must follow; the client walks the ladder json_schema → json_object → text."""
    stream: bool = False
    """Ask for deltas; they reach `CallScope.on_delta`."""


@dataclass(frozen=True, slots=True)
class CallScope:
    """On whose behalf a call is made; carries no state from one conversation to another."""

    role: Role
    scenario: str
    turn: int | None
    trial: int
    attempt: int
    publish: Callable[[Event], object]
    """Where CallFinished and Waiting go."""
    on_delta: Callable[[str], None] | None = None
    """Called with each piece of a streamed answer."""
    occurrence: Callable[[str], int] = lambda fingerprint: 0
    """How often this very request was made before in this conversation (part of the cache key)."""
    seed: int | None = None
    """For the model's sampling, where its provider takes one; 0 to 2³¹ − 1."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer, normalised. Failures are not completions: they raise CallFailed."""

    outcome: Outcome
    text: str
    """Without leaked reasoning; empty where `outcome` is empty or blocked."""
    raw: str
    """As the provider sent it."""
    json_mode: Literal["json_schema", "json_object", "text"] = "text"
    """Which rung of the ladder the answer came from."""
    flags: tuple[Flag, ...] = ()
    """What the client saw of it: `template_tokens`, `unknown_finish`."""


class Client(Protocol):
    """A model behind a name."""

    @property
    def name(self) -> str:
        """As the user wrote it."""
        ...

    @property
    def identity(self) -> Mapping[str, Any]:
        """What makes its answers its own (model, file hash, context size …); transport left out."""
        ...

    async def complete(self, request: Request, scope: CallScope) -> Completion:
        """Answer one request. Raises CallFailed once retries are used up."""
        ...

    async def aclose(self) -> None:
        """Release connections and child processes."""
        ...


class Cache(Protocol):
    """A store of completions by content; refusals and faults never enter it."""

    def get(self, key: str) -> str | None:
        """The stored document, None where there is none."""
        ...

    def put(self, key: str, document: str) -> None:
        """Store one document."""
        ...

    def close(self) -> None:
        """Release the store."""
        ...


# ---- what participants see


@dataclass(frozen=True, slots=True)
class Heard:
    """One earlier line as a user knows it: its own words, or the translation of the other's."""

    mine: bool
    text: str


@dataclass(frozen=True, slots=True)
class UserView:
    """All a user may know when it is asked to speak."""

    speaker: Speaker
    language: str
    """ISO 639-3 code it speaks."""
    role_context: str | None
    """In its own language; None in dynamic-free mode."""
    intent: str | None
    """What to say in this turn, English; dynamic-guided only."""
    lines: tuple[Heard, ...]
    """Earlier lines in order; the last one is what was just delivered, if anything was."""
    received: LanguageCheck | None
    """Language check of what was just delivered."""
    turn: int
    last: bool
    """Whether this is the last planned turn."""
    again: bool = False
    """Whether it was asked before for this very turn and said nothing."""
    parting: str | None = None
    """The words it wanted to end with before the outline was done: it is asked once to go on."""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """One earlier turn as the interpreter knows it."""

    index: int
    speaker: Speaker
    source: str
    translation: str | None


@dataclass(frozen=True, slots=True)
class InterpreterView:
    """All an interpreter may know: never a role context."""

    source_language: str
    target_language: str
    conversation_context: str
    message: str
    speaker: Speaker
    turn: int
    past: tuple[PastTurn, ...]
    multi_turn: bool
    reference: str | None = None
    """Only for the `reference` baseline; None for every other interpreter."""


@dataclass(frozen=True, slots=True)
class JudgedTurn:
    """One turn as a judge sees it."""

    index: int
    speaker: Speaker
    source_language: str
    target_language: str
    source: str
    translation: str
    translation_check: LanguageCheck
    flags: tuple[Flag, ...]
    response: str | None
    response_check: LanguageCheck | None
    reference: str | None
    """Only for judges that say `sees_reference`."""
    meaning: MeaningCheck | None = None
    """None where no meaning gate was asked."""
    failed: FaultKind | None = None
    """Why nothing was delivered; `translation` is empty then. None for a delivered turn."""


@dataclass(frozen=True, slots=True)
class JudgeView:
    """All a judge may know: no role context, no cultural context, no layer in a model's prompt."""

    conversation_context: str
    turns: tuple[JudgedTurn, ...]
    """The turn to judge, or for conversation-level criteria all turns."""
    criteria: tuple[Criterion, ...]
    level: Literal["turn", "conversation"] = "turn"
    roles: Mapping[Speaker, str] = field(default_factory=dict)
    """Who each of the two is to the other, as the scenario says it; a side may be missing."""
    live: bool = False
    """Whether users spoke from an outline: the source may give no occasion for a criterion written before."""


# ---- participants


@dataclass(frozen=True, slots=True)
class Reply:
    """What a user says, and whether it ends the conversation with it."""

    text: str
    end: bool = False
    fault: Fault | None = None
    """What is wrong with the words where they are a failure of the user (a refusal, a broken role): they
    stay in the record all the same."""


class UserLeft(Exception):
    """A person left the seat without a word."""


class User(Protocol):
    """Someone who speaks one language."""

    @property
    def name(self) -> str:
        """As recorded: `script`, `person`, a model name."""
        ...

    async def speak(self, view: UserView, scope: CallScope) -> Reply:
        """Say the next utterance.

        Raises CallFailed (infrastructure), ConversationFault (a failure of the user's own that left no
        words) or UserLeft.
        """
        ...

    async def decide(self, flags: tuple[Flag, ...]) -> Literal["deliver", "retry"]:
        """What to do with a held translation of this user's words."""
        ...


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What an interpreter produced."""

    outcome: Outcome
    text: str
    """To be delivered; empty where `outcome` is empty or blocked."""
    raw: str
    flags: tuple[Flag, ...] = ()
    """What its client saw of the answer; delivery checks add theirs."""
    fault: Fault | None = None
    """Why there is nothing to deliver, where `outcome` alone would not say it."""


class Interpreter(Protocol):
    """The only channel between the two users."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """`{"id", "model", "brief", "history", "parameters"}` and prompt hashes."""
        ...

    @property
    def sees_reference(self) -> bool:
        """True for the `reference` baseline alone."""
        ...

    async def interpret(self, view: InterpreterView, scope: CallScope) -> Interpretation:
        """Translate one message. Raises CallFailed."""
        ...


class Judge(Protocol):
    """Says met, not met or nothing of each criterion."""

    @property
    def name(self) -> str:
        """As the user wrote it."""
        ...

    @property
    def identity(self) -> Mapping[str, Any]:
        """What makes its verdicts its own."""
        ...

    @property
    def sees_reference(self) -> bool:
        """Whether it is shown the reference."""
        ...

    def claims(self, criterion: Criterion, target: str | None) -> bool:
        """Whether it can answer `criterion` at all, whatever is delivered.

        `target` is the ISO 639-3 code of the translations, None for a criterion of the whole conversation.
        What it does not claim is never counted against a system: its failures score nothing there.
        """
        ...

    async def judge(self, view: JudgeView, scope: CallScope) -> tuple[Verdict, ...]:
        """Verdicts on `view.criteria`. Raises CallFailed; the loop fills what is missing as unjudged."""
        ...


class ChecklistWriter(Protocol):
    """Writes a checklist for words that no scenario foresaw."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """What makes its checklists its own."""
        ...

    async def live(self, index: int, source: str, languages: tuple[str, str]) -> tuple[Criterion, ...]:
        """Provisional criteria for the translation of `source`, spoken in turn `index`.

        `languages` are the ISO 639-3 codes of source and target. Empty where it knows nothing to ask.
        """
        ...


class LanguageDetector(Protocol):
    """Says whether a text is in the language it should be in."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """Detector, code table version, threshold."""
        ...

    def check(
        self, text: str, expected: str, source: str | None = None, original: str | None = None
    ) -> LanguageCheck:
        """The check of `text` against the ISO 639-3 code `expected`. Fast; any string is allowed.

        `source` is the language it was translated from, or of the other side: the likeliest rival;
        `original` is what was translated, None for what was said.
        """
        ...


class DeliveryCheck(Protocol):
    """Says what is odd about a translation before it is delivered; never changes it."""

    @property
    def identity(self) -> str:
        """Version of the checks."""
        ...

    def flags(
        self, view: InterpreterView, interpretation: Interpretation, check: LanguageCheck
    ) -> tuple[Flag, ...]:
        """The flags of one interpretation, in a fixed order."""
        ...


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """One line as its speaker said it."""

    speaker: Speaker
    language: str
    text: str


class MeaningGate(Protocol):
    """Says whether a translation is about what its source says. Small slips it cannot see."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """Encoder, means and thresholds."""
        ...

    async def check(
        self, source: SpokenLine, translation: str, target: str, earlier: Sequence[SpokenLine]
    ) -> MeaningCheck:
        """The check of `translation` (ISO 639-3 `target`) against `source`.

        `earlier` are the lines both sides spoke before, in order, `source` not among them.
        """
        ...


class Encoder(Protocol):
    """Sentence meaning as vectors."""

    @property
    def identity(self) -> Mapping[str, Any]:
        """Model and version."""
        ...

    async def vectors(self, texts: Sequence[str]) -> list[Sequence[float]]:
        """One unit vector a text, in order."""
        ...

    async def similarities(self, text: str, others: Sequence[str]) -> list[float]:
        """Cosine of `text` with each of `others`, −1 to 1."""
        ...


# ---- how people act


class Seat(Protocol):
    """A person's place in the conversation."""

    def say(self, text: str, *, end: bool = False) -> None:
        """Speak; with `end` these are the last words."""
        ...

    def leave(self) -> None:
        """Go without a word."""
        ...

    def decide(self, decision: Literal["deliver", "retry"]) -> None:
        """Settle a held translation."""
        ...

    def peek(self) -> None:
        """Look at the other side; recorded."""
        ...
