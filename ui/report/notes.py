"""The words that stand beside a score: why it is not ranked, what is counted apart, what it rests on.

Imported for the light table too: no numpy on the way.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sim.analysis.systems import SystemRow
from sim.analysis.worth import Worth, caught_line, floor_line
from sim.core.text import visible
from ui.report.numbers import share

if TYPE_CHECKING:
    from sim.analysis.summary import ModeSummary, Summary


def of_row(row: SystemRow) -> list[str]:
    """What must stand beside a system's score."""
    notes = []
    if row.conversations + row.broken_off == 0:
        notes.append("no conversation recorded")
    if row.failed_turns:
        turns = "turn" if row.failed_turns == 1 else "turns"
        notes.append(f"{row.failed_turns} {turns} failed and scored 0")
    if row.zeros:
        notes.append(f"{row.zeros} missing counted as 0")
    if row.scores.not_claimed:
        notes.append(f"{row.scores.claimed}/{row.scores.criteria} criteria claimed by the judge")
    if row.scores.not_said:
        notes.append(f"{row.scores.not_said} not said by the source and left out")
    if row.fallback:
        notes.append(f"{row.fallback} of {row.scores.judged} verdicts by the fallback judge")
    if row.broken_off:
        parts = [f"{row.aborted} aborted"] * bool(row.aborted)
        parts += [f"{row.ended_early} ended early by a user"] * bool(row.ended_early)
        said = f"{' and '.join(parts)} and left out"
        notes.append(f"{said}, with them as 0: {share(row.aborted_as_zero)}")
    if row.caveats:
        notes.append(f"not ranked: {', '.join(row.caveats)}")
    return notes


def of_mode(held: "ModeSummary") -> str:
    """What the intervals of a mode rest on."""
    found = held.comparison
    if not found.units:
        return "nothing to resample: no criterion in any record"
    how = (
        f"95 % percentile intervals, {found.replicates:,} paired replicates stratified by direction, "
        f"seed {found.seed}, {found.units:,} {'scenario' if found.units == 1 else 'scenarios'}"
    )
    if all(estimate.score is None for estimate in found.systems):
        return f"{how}: undefined, nothing was judged"
    if all(estimate.interval is None for estimate in found.systems):
        return f"{how}: undefined, no direction has two scenarios"
    return how


def of_floor(rows: Sequence[SystemRow], worth: Worth | None) -> Iterator[str]:
    """The floor under the scores of `rules`, and what it claims of one system's criteria."""
    fullest = max((row.scores for row in rows), key=lambda scores: scores.criteria, default=None)
    if worth is not None and fullest is not None and fullest.criteria:
        yield floor_line(worth.document(), fullest.claimed, fullest.criteria)


def of_worth(held: "ModeSummary", worth: Worth | None) -> Iterator[str]:
    """The floor, and which wrong renderings were caught."""
    yield from of_floor(held.rows, worth)
    caught = caught_line(worth) if worth else None
    if caught:
        yield caught


def nothing_between(summary: "Summary") -> str:
    """Why there is no comparison between modes."""
    names = ", ".join(visible(held.mode) for held in summary.modes) or "none"
    return f"One mode at most is in this run ({names}): nothing to compare."


def held(row: SystemRow) -> str:
    """Scored conversations of planned ones."""
    return f"{row.conversations}/{row.conversations + row.broken_off + row.missing}"
