"""Scores of conversations from their records: pooled verdicts, with denominators and bounds.

Pure numbers over the `conversation` object. Missing is never zero: an empty layer is None, an
unjudged criterion widens the bounds. Conversation-level verdicts are never mixed into turn scores.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sim.core.values import LAYERS, Basis

UNJUDGED_LIMIT = 0.05
"""Share of unjudged criteria above which a score is not ranked."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many criteria there are and how they came out."""

    met: int = 0
    not_met: int = 0
    unjudged: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.met + other.met, self.not_met + other.not_met, self.unjudged + other.unjudged)

    @property
    def judged(self) -> int:
        """met + not met."""
        return self.met + self.not_met

    @property
    def criteria(self) -> int:
        """All criteria."""
        return self.judged + self.unjudged

    @property
    def score(self) -> float | None:
        """met / (met + not met); None where nothing was judged."""
        return self.met / self.judged if self.judged else None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The score with the unjudged taken as all not met, and as all met; None without criteria."""
        if not self.criteria:
            return None
        return self.met / self.criteria, (self.met + self.unjudged) / self.criteria


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of one or of many conversations; every share 0 to 1 or None."""

    overall: float | None
    L1: float | None
    L2: float | None
    L3: float | None
    conversation: float | None
    """Conversation-level verdicts, apart."""
    judged: int
    criteria: int
    bounds: tuple[float, float] | None
    conversation_judged: int
    conversation_criteria: int

    def document(self) -> dict[str, Any]:
        """As plain JSON values."""
        return asdict(self)


def tally(verdicts: Iterable[Mapping[str, Any]]) -> Tally:
    """The tally of verdict rows; provisional ones do not count."""
    met = not_met = unjudged = 0
    for verdict in verdicts:
        if verdict.get("provisional"):
            continue
        if verdict["met"] is None:
            unjudged += 1
        elif verdict["met"]:
            met += 1
        else:
            not_met += 1
    return Tally(met, not_met, unjudged)


def turn_verdicts(
    conversations: Iterable[Mapping[str, Any]], *, strict: bool = False
) -> list[Mapping[str, Any]]:
    """All turn-level verdict rows; with `strict` those of a translation in a wrong language are not met."""
    return [
        {**verdict, "met": False, "basis": Basis.LANGUAGE_GATE} if strict and rejected(turn) else verdict
        for conversation in conversations
        for turn in conversation["turns"]
        for verdict in turn["verdicts"]
    ]


def rejected(turn: Mapping[str, Any]) -> bool:
    """Whether the language check calls the delivered translation `wrong`."""
    check = turn["language_check"]["translation"]
    return turn["translation"] is not None and check is not None and check["result"] == "wrong"


def pooled(conversations: Iterable[Mapping[str, Any]], *, strict: bool = False) -> Scores:
    """Scores over all turn criteria of `conversations`, pooled: met / (met + not met)."""
    held = list(conversations)
    rows = turn_verdicts(held, strict=strict)
    whole = tally(rows)
    layers = {layer: tally(r for r in rows if r["layer"] == layer).score for layer in LAYERS}
    apart = tally(verdict for conversation in held for verdict in conversation["verdicts"])
    return Scores(
        overall=whole.score,
        L1=layers["L1"],
        L2=layers["L2"],
        L3=layers["L3"],
        conversation=apart.score,
        judged=whole.judged,
        criteria=whole.criteria,
        bounds=whole.bounds,
        conversation_judged=apart.judged,
        conversation_criteria=apart.criteria,
    )


def ranked(scores: Scores) -> bool:
    """Whether a score may be ranked: at least 95 % of its criteria were judged."""
    return scores.criteria > 0 and (scores.criteria - scores.judged) / scores.criteria <= UNJUDGED_LIMIT
