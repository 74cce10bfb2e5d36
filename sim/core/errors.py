"""What can go wrong, as values: problems of a user's input, faults of a conversation.

A `Problem` is for a person: what, why, valid choices. A `Fault` is for a record: which layer failed
and how. Neither prints, and neither decides an exit code: that is `sim/commands`.
"""

from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing a person can mend."""

    title: str
    """Two to five words."""
    what: str
    """The thing, by name, and what is wrong with it."""
    why: str = ""
    """The reason, or what to do."""
    choices: tuple[str, ...] = ()
    """Valid choices, nearest first; empty where there is no list."""
    where: str = ""
    """`file:line` for documents, else empty."""


class UsageProblem(Exception):
    """Input that cannot be used; carries every problem found, not just the first. Exit code 2."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(p.what for p in problems))
        self.problems = problems


class Layer(StrEnum):
    """Who failed. Only a failure of the system costs the system points."""

    SYSTEM = "system"
    INFRASTRUCTURE = "infrastructure"
    JUDGE = "judge"
    WRITER = "writer"
    USER = "user"


class FaultKind(StrEnum):
    """How it failed."""

    EMPTY = "empty"
    BLOCKED = "blocked"
    REFUSED = "refused"
    BROKE_CHARACTER = "broke_character"
    NEVER_ENDED = "never_ended"
    UNPARSEABLE = "unparseable"
    TRUNCATED = "truncated"
    AUTHENTICATION = "authentication"
    RATE_LIMIT = "rate_limit"
    QUOTA = "quota"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    BAD_REQUEST = "bad_request"
    CONTEXT_LENGTH = "context_length"
    UNKNOWN_MODEL = "unknown_model"
    CRASHED = "crashed"
    BUDGET = "budget"
    INTERNAL = "internal"
    """Something nobody foresaw; carries the raw reply and never leaves its conversation."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One failure, as recorded."""

    layer: Layer
    """Who failed."""
    kind: FaultKind
    """How."""
    what: str
    """One redacted sentence for a person."""
    detail: str = field(default="", compare=False)
    """Redacted extra lines, such as the last log lines of a dead server."""


class ConversationFault(Exception):
    """Raised inside a participant; the loop turns it into FaultRaised and an end reason."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.what)
        self.fault = fault


class CallFailed(Exception):
    """A model call that failed for good, after the retry layer: an infrastructure fault.

    A client never says EMPTY, BLOCKED or UNPARSEABLE: those are answers. For a judge, an answer without a
    verdict is a failure too.
    """

    def __init__(self, kind: FaultKind, what: str, detail: str = "") -> None:
        super().__init__(what)
        self.kind = kind
        self.what = what
        self.detail = detail
