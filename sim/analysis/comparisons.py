"""The standing comparisons of the protocol: strict gate, modes, history, self-preference.

Each one names its pairing and its family; the resampling is `bootstrap`'s. Nothing here decides which
runs may be compared: the caller warns where checklist procedures differ.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from sim.analysis.bootstrap import (
    REPLICATES,
    Difference,
    Effect,
    Estimate,
    Replicates,
    adjusted,
    resampled,
    unpaired,
)
from sim.analysis.panel import Label, Panel, joined, panel
from sim.analysis.resample import Seed
from sim.analysis.table import Table

STRICT_REPLICATES = 2_000
SELF_PREFERENCE_REPLICATES = 5_000


@dataclass(frozen=True, slots=True)
class Gate:
    """One system under the strict language gate: every criterion of a `wrong` translation is not met."""

    strict: Estimate
    change: Difference
    """The strict score minus the plain one."""


@dataclass(frozen=True, slots=True)
class History:
    """A system that is shown earlier turns against the same one that is not."""

    on: str
    off: str
    overall: Difference
    """Over all language pairs; in no family."""
    pairs: tuple[Difference, ...]
    """By language pair, in `group`; Holm over them."""


def strict_gate(table: Table, *, replicates: int = STRICT_REPLICATES, seed: Seed = 0) -> list[Gate]:
    """What the strict language gate changes for each system; paired, no family.

    Raises ValueError for a table of several modes.
    """
    both = joined([panel(table.strict(), variant="strict"), panel(table)])
    found = resampled(both, replicates, seed)
    gated = [Label(system, variant="strict") for system in table.present("system")]
    return [Gate(found.estimate(one), found.difference(one, Label(one.system))) for one in gated]


def modes(
    table: Table, base: str, others: Sequence[str], *, replicates: int = REPLICATES, seed: int = 0
) -> list[Difference]:
    """Each system's score in mode `base` minus that in each of `others`: unpaired, Holm over all of them.

    The modes hold different conversations, so each is resampled by its own draws. `group` names the
    other mode; a system absent from a mode has no row there.
    """
    held = {
        mode: _of_mode(table, mode, replicates, (seed, place)) for place, mode in enumerate((base, *others))
    }
    return adjusted(
        unpaired(held[base], Label(label.system, variant=base), held[mode], label, group=mode)
        for mode in others
        for label in held[mode].labels
        if Label(label.system, variant=base) in held[base].labels
    )


def _of_mode(table: Table, mode: str, replicates: int, seed: Seed) -> Replicates:
    return resampled(panel(table.only("mode", mode), variant=mode), replicates, seed)


def history(table: Table, on: str, off: str, *, replicates: int = REPLICATES, seed: Seed = 0) -> History:
    """System `on` minus system `off` (the same one without history), overall and by language pair.

    Paired by conversation: scenarios only one of them has are left out. Holm over the pairs.
    Raises ValueError for a table of several modes, or without one of the systems.
    """
    held = panel(table).only([Label(on), Label(off)]).complete()

    def compared(part: Panel, pair: str) -> Difference:
        return resampled(part, replicates, seed).difference(Label(on), Label(off), group=pair)

    pairs = adjusted(compared(part, pair) for pair, part in _by_pair(held))
    return History(on, off, compared(held, ""), tuple(pairs))


def _by_pair(held: Panel) -> list[tuple[str, Panel]]:
    pairs = ["-".join(sorted(stratum.split("-"))) for stratum in held.strata]
    return [(pair, held.where(np.array(pairs) == pair)) for pair in sorted(set(pairs))]


def self_preference(
    own: Table,
    other: Table,
    family: AbstractSet[str],
    *,
    replicates: int = SELF_PREFERENCE_REPLICATES,
    seed: Seed = 0,
) -> Effect:
    """How much more a judge lifts the systems of its own `family` over the rest than another judge does.

    (own judge's mean score of the family - its mean score of the other systems) - (the same of
    `other`'s): the two tables hold the same conversations under two judges. Paired over their common
    units. Undefined where either group is empty. Raises ValueError for a table of several modes.
    """
    both = joined([panel(own, variant="own"), panel(other, variant="other")])
    shared = [name for name in own.present("system") if name in other.present("system")]
    groups = [name for name in shared if name in family], [name for name in shared if name not in family]
    if not all(groups):
        return Effect(None, None, None, len(both.units))
    weights = {
        Label(name, variant=variant): judged * side / len(group)
        for variant, judged in (("own", 1.0), ("other", -1.0))
        for group, side in zip(groups, (1.0, -1.0), strict=True)
        for name in group
    }
    return resampled(both, replicates, seed).contrast(weights)
