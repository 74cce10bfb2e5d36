"""How scores change inside a conversation: from its first turn to its last, and from its turns to the whole.

Paired by conversation. It compares what one checklist procedure asked of one set of conversations; whether
two procedures compare is for the reader, who is told which they are.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sim.analysis.bootstrap import Difference, Estimate, adjusted, resampled
from sim.analysis.panel import Label, joined, panel
from sim.analysis.protocol import REPLICATES
from sim.analysis.resample import Seed
from sim.analysis.table import Table, whole_table

Record = Mapping[str, Any]
WHOLE = "conversation"


@dataclass(frozen=True, slots=True)
class Position:
    """One system's score at one turn of its conversations."""

    position: int
    estimate: Estimate
    units: int


@dataclass(frozen=True, slots=True)
class Whole:
    """One system's conversation-level score, and that minus the score of its turns."""

    estimate: Estimate
    change: Difference


def positions(table: Table, *, replicates: int = REPLICATES, seed: Seed = 0) -> tuple[Position, ...]:
    """The score at each turn with its interval, by system. Raises ValueError for a table of several modes."""
    return tuple(
        Position(at, found.estimate(label), found.units)
        for at in sorted(table.present("position"))
        for found in [resampled(panel(table.only("position", at), variant=str(at)), replicates, seed)]
        for label in found.labels
    )


def decline(table: Table, *, replicates: int = REPLICATES, seed: Seed = 0) -> tuple[Difference, ...]:
    """The score of the last turn position minus that of the first, by system; Holm over the systems.

    Over the conversations in which both were judged. Raises ValueError for a table of several modes.
    """
    places = sorted(table.present("position"))
    if len(places) < 2:
        return ()
    first, last = (table.only("position", at) for at in (places[0], places[-1]))
    names = [(str(places[-1]), last), (str(places[0]), first)]
    both = joined([panel(part, variant=name) for name, part in names])
    found = []
    for system in first.present("system"):
        a, b = (Label(system, variant=name) for name, _ in names)
        if a in both.labels and b in both.labels:
            found.append(resampled(both.only([a, b]).complete(), replicates, seed).difference(a, b))
    return tuple(adjusted(found))


def wholes(
    table: Table, records: Iterable[Record], *, replicates: int = REPLICATES, seed: Seed = 0
) -> Iterator[Whole]:
    """Conversation-level scores, and how far they lie from those of the turns of the same conversations.

    `records` are those of the table. Empty where no conversation-level criterion was judged; raises
    ValueError for several modes.
    """
    whole = whole_table(records)
    if not len(whole):
        return
    both = joined([panel(whole, variant=WHOLE), panel(table)])
    for system in whole.present("system"):
        a, b = Label(system, variant=WHOLE), Label(system)
        if b in both.labels:
            found = resampled(both.only([a, b]).complete(), replicates, seed)
            yield Whole(found.estimate(a), replace(found.difference(a, b), group=WHOLE))
