"""Scores of conversations from their records: pooled verdicts, with denominators and bounds.

Pure numbers over the `conversation` object. Missing is never zero: an empty layer is None, an
unjudged criterion widens the bounds, and so does one the judge does not claim; one the source gave no
occasion for is out of it all. Conversation-level verdicts are never mixed into turn scores.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

from sim.core.values import LAYERS, STUDY_CONFIDENCE, Basis, EndReason, StrictGate

GATE_NAMES: Mapping[StrictGate, str] = {
    "ours": "strict language gate",
    "study": "strict language gate of the study",
}
UNJUDGED_LIMIT = 0.05
"""Share of unjudged criteria above which a score is not ranked, of those the judge claims."""
Outcome = Literal["met", "not_met", "unjudged", "not_said", "not_claimed"]
"""How a criterion came out."""
_APART = frozenset(str(basis) for basis in Basis if basis.apart)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many criteria there are and how they came out."""

    met: int = 0
    not_met: int = 0
    unjudged: int = 0
    not_said: int = 0
    """The source gave no occasion for it: beside all other counts."""
    not_claimed: int = 0
    """The judge has no way to answer it."""

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.met + other.met,
            self.not_met + other.not_met,
            self.unjudged + other.unjudged,
            self.not_said + other.not_said,
            self.not_claimed + other.not_claimed,
        )

    @property
    def judged(self) -> int:
        """met + not met."""
        return self.met + self.not_met

    @property
    def criteria(self) -> int:
        """All criteria that the source gave occasion for."""
        return self.judged + self.unjudged + self.not_claimed

    @property
    def score(self) -> float | None:
        """met / (met + not met); None where nothing was judged."""
        return self.met / self.judged if self.judged else None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The score with all that have no verdict taken as not met, and as met; None without criteria."""
        if not self.criteria:
            return None
        return self.met / self.criteria, (self.criteria - self.not_met) / self.criteria


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
    """Without the `not_said`."""
    not_said: int
    not_claimed: int
    bounds: tuple[float, float] | None
    conversation_judged: int
    conversation_criteria: int
    conversation_not_said: int = 0
    conversation_not_claimed: int = 0

    @property
    def claimed(self) -> int:
        """Criteria that the judge claims to have an answer to."""
        return self.criteria - self.not_claimed

    def document(self) -> dict[str, Any]:
        """As plain JSON values."""
        return asdict(self)


def scored(record: Mapping[str, Any]) -> bool:
    """Whether a conversation counts in the scores: not one that a simulated user failed or broke off."""
    reason = record["end_reason"]
    return reason is None or EndReason(reason).scored


def tally(verdicts: Iterable[Mapping[str, Any]]) -> Tally:
    """The tally of verdict rows; provisional ones do not count."""
    came: Counter[str] = Counter(outcome(v["met"], v["basis"]) for v in verdicts if not v.get("provisional"))
    return Tally(**came)


def outcome(met: bool | None, basis: str, *, gated: bool = False) -> Outcome:
    """How a verdict counts; `gated` where strict scoring rejects the translation it is about.

    The gate makes nothing count that would not count for a right translation.
    """
    if met is None and basis in _APART:
        return cast(Outcome, str(basis))
    if gated:
        return "not_met"
    return "unjudged" if met is None else "met" if met else "not_met"


def turn_verdicts(
    conversations: Iterable[Mapping[str, Any]], *, strict: StrictGate | None = None
) -> list[Mapping[str, Any]]:
    """All turn-level verdict rows; under `strict` those of a translation the gate rejects are not met."""
    return [
        {**verdict, "met": False, "basis": Basis.LANGUAGE_GATE}
        if rejected(turn, strict) and outcome(verdict["met"], verdict["basis"]) not in _APART
        else verdict
        for conversation in conversations
        for turn in conversation["turns"]
        for verdict in turn["verdicts"]
    ]


def rejected(turn: Mapping[str, Any], strict: StrictGate | None) -> bool:
    """Whether a gate rejects the delivered translation; none rejects nothing.

    A record without first labels (of before, or an empty text) is rejected by the study's gate where its
    check is `wrong` or `low`.
    """
    check = turn["language_check"]["translation"]
    if strict is None or turn["translation"] is None or check is None:
        return False
    if strict == "ours":
        return bool(check["result"] == "wrong")
    top = check.get("top")
    if top is None:
        return check["result"] in ("wrong", "low")
    return not top["accepted"] or bool(top["probability"] < STUDY_CONFIDENCE)


def gate_said(strict: StrictGate | None) -> str:
    """A gate as it is added to a heading; nothing where there is none."""
    return f", {GATE_NAMES[strict]}" if strict else ""


def pooled(conversations: Iterable[Mapping[str, Any]], *, strict: StrictGate | None = None) -> Scores:
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
        not_said=whole.not_said,
        not_claimed=whole.not_claimed,
        bounds=whole.bounds,
        conversation_judged=apart.judged,
        conversation_criteria=apart.criteria,
        conversation_not_said=apart.not_said,
        conversation_not_claimed=apart.not_claimed,
    )


def ranked(scores: Scores) -> bool:
    """Whether a score may be ranked: at least 95 % of the criteria its judge claims were judged."""
    return scores.claimed > 0 and (scores.claimed - scores.judged) / scores.claimed <= UNJUDGED_LIMIT
