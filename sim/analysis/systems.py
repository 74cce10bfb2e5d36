"""Scores by system: one row a system, with what was left out and why it may not be ranked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sim.analysis.averaged import averaged
from sim.analysis.scores import Scores, ranked, scored
from sim.core.values import EndReason, Mode, StrictGate

ABORTED_LIMIT = 0.05
"""Share of aborted conversations above which a system is not ranked."""

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One system's scores over its conversations."""

    system: str
    mode: str
    conversations: int
    """Scored conversations."""
    aborted: int
    """Ended by a fault of a user: excluded from the scores."""
    ended_early: int
    """Ended by a user before its outline was done: excluded from the scores too, and counted apart."""
    missing: int
    """Never held to an end, for reasons that are not the system's."""
    failed_turns: int
    """Turns scored 0 because the interpretation failed."""
    scores: Scores
    """Under the mode's rule; trials averaged first."""
    aborted_as_zero: float | None
    """Overall score with each conversation that a user broke off, by a fault or an early end, weighing as
    the average scored one, all not met."""
    zeros: int = 0
    """Missing conversations counted as all not met; they are among `conversations`."""
    fallback: int = 0
    """Verdicts of turns that a fallback judge gave."""

    @property
    def broken_off(self) -> int:
        """Held conversations that a user's fault or early end keeps out of the scores."""
        return self.aborted + self.ended_early

    @property
    def caveats(self) -> tuple[str, ...]:
        """Why this row may not be ranked; empty where it may."""
        found = []
        held = self.conversations + self.broken_off
        if self.missing:
            found.append(f"{self.missing} missing")
        if held and self.broken_off / held > ABORTED_LIMIT:
            found += [f"{self.aborted} of {held} aborted"] * bool(self.aborted)
            found += [f"{self.ended_early} of {held} ended early by a user"] * bool(self.ended_early)
        if self.scores.criteria and not self.scores.claimed:
            found.append("its judge claims none of the criteria")
        elif self.scores.criteria and not ranked(self.scores):
            found.append(f"only {self.scores.judged}/{self.scores.claimed} judged")
        elif not self.scores.criteria and not found:
            free = self.mode == Mode.DYNAMIC_FREE
            found.append("live criteria are in no score" if free else "no criterion was asked")
        return tuple(found)


def zero(record: Record) -> bool:
    """Whether a record stands for a missing conversation (`missing.as_zeros`)."""
    return bool(record.get("missing"))


def system_rows(
    records: Iterable[Record], missing: Mapping[tuple[str, str], int], *, strict: StrictGate | None = None
) -> list[SystemRow]:
    """Rows by (system, mode): those of `missing`, which counts unheld conversations, in its order, then as they
    first appear. What has neither a record nor a missing conversation has no row."""
    groups: dict[tuple[str, str], list[Record]] = {name: [] for name in missing}
    for record in records:
        groups.setdefault((record["system"]["id"], record["mode"]), []).append(record)
    return [
        _row(name, mode, held, missing.get((name, mode), 0), strict=strict)
        for (name, mode), held in groups.items()
        if held or missing.get((name, mode))
    ]


def _row(name: str, mode: str, held: list[Record], missing: int, *, strict: StrictGate | None) -> SystemRow:
    counted = [record for record in held if scored(record)]
    early = sum(record["end_reason"] == EndReason.USER_ENDED_EARLY for record in held)
    scores = averaged(counted, strict=strict)
    share = len(counted) / len(held) if held else 0.0
    # where all are aborted there is no score to weigh them against, and all of them are 0
    as_zero = 0.0 if held and not counted else None if scores.overall is None else scores.overall * share
    failed = sum(
        turn["fault"] is not None and turn["fault"]["layer"] == "system"
        for record in counted
        for turn in record["turns"]
    )
    return SystemRow(
        system=name,
        mode=mode,
        conversations=len(counted),
        aborted=len(held) - len(counted) - early,
        ended_early=early,
        missing=missing,
        failed_turns=failed,
        scores=scores,
        aborted_as_zero=as_zero,
        zeros=sum(zero(record) for record in counted),
        fallback=sum(
            bool(verdict.get("fallback"))
            for record in counted
            for turn in record["turns"]
            for verdict in turn["verdicts"]
        ),
    )
