"""What a reader must know before comparing the numbers of a run, in sentences.

Each names what it is about. It counts and excludes nothing: `systems` says who is not ranked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sim.analysis.bootstrap import Comparison
from sim.analysis.panel import OVERALL
from sim.analysis.protocol import FEW
from sim.analysis.systems import SystemRow
from sim.analysis.votes import Member, Votes

if TYPE_CHECKING:
    from sim.analysis.summary import ModeSummary

UNSAID_LIMIT = 0.2
"""Share of criteria `not_said` above which a system's score is warned of."""


def warnings(held: Sequence[ModeSummary], panel: Votes) -> tuple[str, ...]:
    """The warnings about the modes of a run and the panel that judged it, if one did."""
    ways = {one.mode: one.procedures for one in held if one.procedures}
    found = [
        f"In mode {mode} checklists come from different procedures ({', '.join(names)}): "
        "their scores are not comparable."
        for mode, names in ways.items()
        if len(names) > 1
    ]
    if len(set(ways.values())) > 1:
        each = "; ".join(f"{mode}: {', '.join(names)}" for mode, names in ways.items())
        found.append(
            f"Modes differ in the procedure of their checklists ({each}): a difference between modes "
            "may be one between checklists."
        )
    found += [_silence(member) for member in panel.silent]
    found += [words for one in held for row in one.rows if (words := _unsaid(row))]
    return (*found, *(warning for warning in _resampling(held) if warning))


def _silence(member: Member) -> str:
    """What is to be said of a panel's member that never voted."""
    return f"{member.judge} was asked about {member.asked:,} criteria and never gave a verdict."


def _unsaid(row: SystemRow) -> str | None:
    unsaid, others = row.scores.not_said, row.scores.criteria
    if unsaid <= UNSAID_LIMIT * (unsaid + others):
        return None
    return (
        f"{row.system} in mode {row.mode}: the source gave no occasion for {unsaid:,} of "
        f"{unsaid + others:,} criteria, so its score rests on other questions than was planned."
    )


def _resampling(held: Sequence[ModeSummary]) -> Iterator[str | None]:
    """What intervals and differences cannot tell, each with the modes it is about."""
    found = {one.mode: one.comparison for one in held}
    yield _said(
        {mode: str(c.units) for mode, c in found.items() if 0 < c.units < FEW},
        "Few scenarios",
        f"; with fewer than {FEW}, intervals are too narrow and p is withheld.",
    )
    yield _said(
        {mode: f"{c.lone} of {c.units}" for mode, c in found.items() if 0 < c.lone < c.units},
        "Scenarios alone in their direction",
        " add no variation: intervals are too narrow.",
    )
    yield _said(
        {mode: ", ".join(_unvaried(c)) for mode, c in found.items() if _unvaried(c)},
        "All scenarios alike",
        ": an interval without width is not certainty.",
    )
    yield _said(
        {mode: f"{c.shared} of {c.units}" for mode, c in found.items() if c.shared < c.units},
        "Not all systems have a score on all scenarios",
        ": scores and differences rest on each one's own, `skopos compare` on those that two share.",
    )


def _said(modes: Mapping[str, str], what: str, of_it: str) -> str | None:
    each = "; ".join(f"{mode}: {words}" for mode, words in modes.items())
    return f"{what} ({each}){of_it}" if each else None


def _unvaried(found: Comparison) -> list[str]:
    """Systems whose overall score has an interval without width."""
    return [
        e.label.system
        for e in found.systems
        if e.label.measure == OVERALL and e.interval is not None and e.interval.low == e.interval.high
    ]
