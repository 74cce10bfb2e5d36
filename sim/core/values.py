"""The values a conversation is made of: scenario, turn, criterion, check, verdict.

Frozen pydantic models, so that a document is checked where it is read and a value can be shared by
tasks. No behaviour beyond reading a field: judging is `agents/judges`, scoring `sim/analysis`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Speaker = Literal["A", "B"]
"""Who speaks: user A or user B."""
LayerName = Literal["L1", "L2", "L3"]
"""L1 semantic, L2 pragmatic, L3 cultural-social."""
Procedure = Literal["turn", "single", "outline", "post-hoc", "live", "conversation"]
"""Which way of writing a checklist a criterion comes from."""
LAYERS: tuple[LayerName, ...] = ("L1", "L2", "L3")


class Value(BaseModel):
    """A frozen value that refuses unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Mode(StrEnum):
    """The four conversation modes of the protocol."""

    SINGLE_TURN = "single-turn"
    SCRIPTED = "scripted"
    DYNAMIC_GUIDED = "dynamic-guided"
    DYNAMIC_FREE = "dynamic-free"

    @property
    def dynamic(self) -> bool:
        """Whether users answer live."""
        return self in (Mode.DYNAMIC_GUIDED, Mode.DYNAMIC_FREE)


class EndReason(StrEnum):
    """Why a conversation ended; closed list."""

    COMPLETED = "completed"
    TURN_LIMIT = "turn_limit"
    USER_ENDED = "user_ended"
    USER_ENDED_EARLY = "user_ended_early"
    """A guided user broke off before its outline was done: apart from the scores."""
    USER_LEFT = "user_left"
    USER_FAULT = "user_fault"
    INTERPRETER_FAILED = "interpreter_failed"
    INFRASTRUCTURE = "infrastructure"
    BUDGET = "budget"
    INTERRUPTED = "interrupted"

    @property
    def recorded(self) -> bool:
        """Whether the conversation counts as held; the others are redone on resume."""
        return self not in (EndReason.INFRASTRUCTURE, EndReason.BUDGET, EndReason.INTERRUPTED)

    @property
    def scored(self) -> bool:
        """Whether it counts in the scores: held, and not broken off by what a simulated user did."""
        return self.recorded and self not in (EndReason.USER_FAULT, EndReason.USER_ENDED_EARLY)


class Pattern(Value):
    """A regular expression (RE2 syntax) over folded text, with its own two examples."""

    re: str = Field(min_length=1, max_length=1000)
    """RE2 pattern; searched, not anchored. It is not folded: write it for folded text."""
    yes: str
    """A text it must match."""
    no: str
    """A text it must not match."""


Form = str | Pattern
"""A form to look for. A plain string is folded and matched as whole words; a leading or trailing
`*` lets the word go on (`puasa*`, `*nya`, `*드세요*`)."""


def _as_list(value: Any) -> Any:
    return value if isinstance(value, (list, tuple)) else [value]


def _as_groups(value: Any) -> Any:
    items = _as_list(value)
    nested = [item for item in items if isinstance(item, (list, tuple))]
    return items if nested or not items else [items]


Forms = Annotated[tuple[Form, ...], BeforeValidator(_as_list)]
Groups = Annotated[tuple[Forms, ...], BeforeValidator(_as_groups)]
"""Groups of forms; a flat list is one group."""


class NumberCheck(Value):
    """A quantity that must arrive, in digits of any script or in one of the given words."""

    value: int | Annotated[float, Field(allow_inf_nan=False)]
    """The number."""
    words: Forms = ()
    """Forms that say the number without digits, in the target language."""


def _as_numbers(value: Any) -> Any:
    items = value if isinstance(value, (list, tuple)) else [value]
    return [{"value": item} if isinstance(item, (int, float)) else item for item in items]


class DetectCheck(Value):
    """An answer a detector of the target language must give of the translation."""

    function: str
    """Name of the detector, as in `docs/detectors.md`."""
    labels: tuple[str, ...] = ()
    """The answer must be one of these; *don't know* decides nothing."""
    value: str | None = None
    """A value that must be among what it found: a number, a time as h:mm, a name."""


class Check(Value):
    """A deterministic test of a translation. All given legs must hold.

    Every check presupposes text in the target language: otherwise it is not met.
    """

    require: Forms = ()
    """Every one of these must appear."""
    any: Groups = ()
    """At least one must appear; a list of lists asks for one of each inner list."""
    forbid: Forms = ()
    """None of these may appear."""
    number: Annotated[tuple[NumberCheck, ...], BeforeValidator(_as_numbers)] = ()
    """Every one of these quantities must appear."""
    detect: tuple[DetectCheck, ...] = ()
    """Answers of detectors; in a language without the detector they decide nothing."""
    similar: float | None = Field(default=None, ge=0, le=1)
    """Least similarity to the reference (cosine of the embedded encoder); only a second leg."""


class Criterion(Value):
    """One yes/no question; yes always means success."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,79}$")
    """Unique within its scenario."""
    layer: LayerName
    ask: str = Field(min_length=1)
    """Begins "Does the translation" (L1) or "Does the interpreter's response" (L2, L3)."""
    function: str | None = None
    """Recurring question it belongs to, in the taxonomy of the target language."""
    failure_point: str | None = None
    """Id of the cultural failure point it is grounded in."""
    needs: Literal["response"] | None = None
    """`response` where the recipient's reply is evidence for it."""
    check: Check | None = None
    """The deterministic test, where there is one."""


class Basis(StrEnum):
    """What a verdict rests on."""

    JUDGED = "judged"
    SYSTEM_FAILURE = "system_failure"
    NOT_REACHED = "not_reached"
    LANGUAGE_GATE = "language_gate"
    MEANING_GATE = "meaning_gate"
    """The translation says something else than its source."""
    NOT_CLAIMED = "not_claimed"
    """`rules` has no check that could fail it: null, counted apart."""
    NOT_SAID = "not_said"
    """The source gave no occasion for it: null, out of the score, counted beside it."""
    UNJUDGED = "unjudged"

    @property
    def apart(self) -> bool:
        """Whether nobody was to answer, whatever was delivered: null, and never counted as unjudged."""
        return self in (Basis.NOT_CLAIMED, Basis.NOT_SAID)


class Vote(Value):
    """What one member of a panel said of one criterion."""

    judge: str
    met: bool | None
    basis: Basis


class Verdict(Value):
    """What a judge said of one criterion. `met` is None where nobody could say: never a zero."""

    criterion: str
    layer: LayerName
    met: bool | None
    basis: Basis
    reason: str = ""
    judge: str = ""
    """Identity of the judge that gave it."""
    provisional: bool = False
    """Shown live, never in a table."""
    votes: tuple[Vote, ...] = ()
    """Of a panel, in the order its members are named; empty for a single judge."""


class MeaningCheck(Value):
    """What the meaning gate said of one translation."""

    result: Literal["carried", "doubtful", "else"] | None
    """None where encoder or language has no stored mean and thresholds: the gate does not answer."""
    cosine: float | None
    """Of source and translation, each less its language's mean; −1 to 1."""
    nearest_earlier: float | None = None
    """Cosine of the translation with the nearest earlier source of the same speaker; None without one."""


Abstained = Literal["wordless", "short", "mixed", "unsure", "unknown"]
"""Why a language check says nothing: no words; too few letters to speak against the language; most of it in
another script, with words of the language in it; no rival that is to be believed; a language its detector
does not know."""


StrictGate = Literal["ours", "study"]
"""Which translations strict scoring rejects: those the language check calls `wrong`, or all whose first label is
not one of the expected language or is less than `STUDY_CONFIDENCE` probable."""
STUDY_CONFIDENCE = 0.9


class TopLabel(Value):
    """The label a detector gives a text first, of all that it knows: what the study's gate goes by."""

    label: str
    probability: float
    accepted: bool
    """Whether it is one of the expected language."""


class LanguageCheck(Value):
    """What the language detector said of one text."""

    result: Literal["ok", "wrong", "low", "abstain"]
    label: str | None
    """Top label in the detector's own code table; None where it abstained."""
    mass: float | None
    """Summed probability of the accepted codes; None where it abstained."""
    why: Abstained | None = None
    """Why it abstained; None where it did not, and in records of before."""
    top: TopLabel | None = None
    """None for an empty text, and in records of before."""


class FailurePoint(Value):
    """A place where a careless translation hurts, named."""

    id: str
    text: str


class FunctionRule(Value):
    """A recurring question of one target language, and when and how it is asked of live words."""

    id: str = Field(pattern=r"^[a-z]{3}/L[123]/[a-z0-9-]+$")
    """`<target>/<layer>/<name>`."""
    ask: str
    """The question; `$value` stands for what `each` found in the source, `$said` for the words it is about,
    `$language` for the target language."""
    later: str | None = None
    """The question of a later turn to the same listener, there one of coherence with the turns before."""
    when: DetectCheck | None = None
    """What must be known of the turn for the question to apply; None: always."""
    each: str | None = None
    """Name of a detector: the question is asked once for each value it finds in the source."""
    failure_point: FailurePoint | None = None
    """The cultural failure point it is grounded in."""
    check: Check | None = None
    """`$value` in a detect leg or a required form stands for the value; None where no check could fail."""

    @property
    def layer(self) -> LayerName:
        """The layer in its id."""
        layer = self.id.split("/")[1]
        return "L1" if layer == "L1" else "L2" if layer == "L2" else "L3"


class Analysis(Value):
    """Why a turn is what it is; English."""

    pragmatic: str = ""
    speech_act: str = ""
    semantic_core: str = ""
    constraints: tuple[str, ...] = ()
    failure_points: tuple[FailurePoint, ...] = ()
    difficulty: tuple[str, ...] = ()


class Checklists(Value):
    """The checklists of a turn, by procedure; any may be absent."""

    turn: tuple[Criterion, ...] | None = None
    single: tuple[Criterion, ...] | None = None
    outline: tuple[Criterion, ...] | None = None


class Contrast(Value):
    """A bad rendering, and exactly which criteria it breaks."""

    name: str
    text: str
    breaks: tuple[str, ...]
    kind: str | None = None
    """Kind of error: negated, swapped, quantity, entity, register, literal …"""


class Gloss(Value):
    """What a turn says, in English, for someone who reads neither language."""

    source: str = Field(min_length=1)
    reference: str = Field(min_length=1)


class ScenarioTurn(Value):
    """One turn of a scenario: what is said, how it should arrive, how that is checked."""

    index: int = Field(ge=0)
    speaker: Speaker
    source: str = Field(min_length=1)
    reference: str = Field(min_length=1)
    alternatives: tuple[str, ...] = ()
    intent: str = ""
    gloss: Gloss | None = None
    analysis: Analysis = Analysis()
    checklists: Checklists = Checklists()
    contrasts: tuple[Contrast, ...] = ()


class Relation(Value):
    """Who the two are to each other."""

    A: str
    B: str
    register_: dict[Speaker, str] = Field(default_factory=dict, alias="register")
    """Level of each one's words to the other."""


class Contexts(Value):
    """Role contexts, each in its own user's language."""

    A: str = ""
    B: str = ""


class WindowLine(Value):
    """One line around the scenario, for subtitle-made scenarios."""

    speaker: str = ""
    text: str


class Window(Value):
    """Lines before and after, with a summary."""

    before: tuple[WindowLine, ...] = ()
    after: tuple[WindowLine, ...] = ()
    summary: str = ""


class Provenance(Value):
    """Where a scenario comes from."""

    source: str
    licence: str
    features: tuple[str, ...] = ()
    base: str | None = None
    """What scenarios made from the same example share, such as its two directions; the safety filter takes
    them out together in single-turn mode."""


class Scenario(Value):
    """A conversation to be held: two people, a situation, turns and checklists."""

    schema_: Literal[1] = Field(alias="schema")
    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")
    pair: tuple[str, str]
    """ISO 639-3 codes: A always speaks pair[0], B pair[1]."""
    opens: Speaker = "A"
    setting: str
    relation: Relation
    conversation_context: str
    """English; roles and situation, no utterance."""
    contexts: Contexts = Contexts()
    turns: tuple[ScenarioTurn, ...]
    """In order; empty only for a chat held without a scenario."""
    window: Window = Window()
    criteria: tuple[Criterion, ...] = ()
    """Conversation-level criteria."""
    pack: str | None = Field(default=None, pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")
    """The pack it ships in; a file of one's own has none."""
    provenance: Provenance

    def language_of(self, speaker: Speaker) -> str:
        """The ISO 639-3 code `speaker` speaks."""
        return self.pair[0] if speaker == "A" else self.pair[1]

    def speaker_of(self, index: int) -> Speaker:
        """Who speaks turn `index`: the sides alternate from `opens`."""
        return self.opens if index % 2 == 0 else other(self.opens)

    def direction(self, index: int) -> tuple[str, str]:
        """(source, target) codes of turn `index`."""
        speaker = self.speaker_of(index)
        return self.language_of(speaker), self.language_of(other(speaker))


def other(speaker: Speaker) -> Speaker:
    """The other side."""
    return "B" if speaker == "A" else "A"
