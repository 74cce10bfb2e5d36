"""One transcript under two checklists: what of a difference between modes is one between checklists.

Group A is a turn of whole conversations under the multi-turn checklist, group B the same turn, the same
translation, under the single-turn one. Both by the rule of single turns: the mean over scenarios. The two are
compared here and nowhere put into one score.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.analysis.bootstrap import Difference, Estimate, resampled
from sim.analysis.cells import Rule
from sim.analysis.panel import Label, joined, panel
from sim.analysis.protocol import REPLICATES
from sim.analysis.resample import Seed
from sim.analysis.table import table
from sim.core.identity import digest

Record = Mapping[str, Any]
Singles = Mapping[tuple[str, int], Sequence[Record]]
"""(key hash of a conversation, turn) → its verdicts by the single-turn checklist."""
A, B = "turn", "single"


@dataclass(frozen=True, slots=True)
class TwoChecklists:
    """One system under both checklists."""

    multi: Estimate
    """Group A."""
    single: Estimate
    """Group B."""
    change: Difference
    """Group A minus group B; paired by scenario, in no family."""


def two_checklists(
    records: Iterable[Record], singles: Singles, *, replicates: int = REPLICATES, seed: Seed = 0
) -> tuple[TwoChecklists, ...]:
    """Each system over the conversations that were judged by both; empty where none was."""
    held = [
        (record, turn) for record in records for turn in record["turns"] if _place(record, turn) in singles
    ]
    if not held:
        return ()
    multi = table({**record, "turns": [turn]} for record, turn in held)
    single = table(
        {**record, "turns": [{**turn, "criteria": [], "verdicts": singles[_place(record, turn)]}]}
        for record, turn in held
    )
    both = joined([panel(multi, variant=A, rule=Rule.MEAN), panel(single, variant=B, rule=Rule.MEAN)])
    found = []
    for system in multi.present("system"):
        a, b = Label(system, variant=A), Label(system, variant=B)
        if a in both.labels and b in both.labels:
            drawn = resampled(both.only([a, b]).complete(), replicates, seed)
            found.append(TwoChecklists(drawn.estimate(a), drawn.estimate(b), drawn.difference(a, b)))
    return tuple(found)


def _place(record: Record, turn: Record) -> tuple[str, int]:
    return digest(record["key"]), turn["index"]
