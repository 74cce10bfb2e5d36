"""The standing comparisons of the protocol: strict gate, modes, history, self-preference.

Each one names its pairing and its family; the resampling is `bootstrap`'s. Nothing here decides which
runs may be compared: the caller warns where checklist procedures differ.
"""

from collections.abc import Sequence

import numpy as np

from sim.analysis.bootstrap import (
    REPLICATES,
    Difference,
    Effect,
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


def strict_gate(table: Table, *, replicates: int = STRICT_REPLICATES, seed: Seed = 0) -> list[Difference]:
    """What the strict language gate changes: each system's strict score minus its score; paired, no family.

    Raises ValueError for a table of several modes.
    """
    both = joined([panel(table.strict(), variant="strict"), panel(table)])
    found = resampled(both, replicates, seed)
    systems = table.present("system")
    return [found.difference(Label(system, variant="strict"), Label(system)) for system in systems]


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


def history(
    table: Table, on: str, off: str, *, replicates: int = REPLICATES, seed: Seed = 0
) -> list[Difference]:
    """System `on` minus system `off` (the same one without history) by language pair.

    Paired by conversation: scenarios only one of them has are left out. Holm over the pairs.
    Raises ValueError for a table of several modes, or without one of the systems.
    """
    held = panel(table).only([Label(on), Label(off)]).complete()
    return adjusted(
        resampled(part, replicates, seed).difference(Label(on), Label(off), group=pair)
        for pair, part in _by_pair(held)
    )


def _by_pair(held: Panel) -> list[tuple[str, Panel]]:
    pairs = ["-".join(sorted(stratum.split("-"))) for stratum in held.strata]
    return [(pair, held.where(np.array(pairs) == pair)) for pair in sorted(set(pairs))]


def self_preference(
    own: Table, other: Table, system: str, *, replicates: int = SELF_PREFERENCE_REPLICATES, seed: Seed = 0
) -> Effect:
    """How much more a judge lifts its own `system` over the rest than another judge does.

    (own judge's score of `system` - its mean score of the other systems) - (the same of `other`'s):
    the two tables hold the same conversations under two judges. Paired over their common units.
    Raises ValueError for a table of several modes, or without `system`.
    """
    both = joined([panel(own, variant="own"), panel(other, variant="other")])
    rest = [name for name in own.present("system") if name != system and name in other.present("system")]
    if not rest:
        return Effect(None, None, None, len(both.units))
    weights = {}
    for variant, sign in (("own", 1.0), ("other", -1.0)):
        weights[Label(system, variant=variant)] = sign
        weights |= {Label(name, variant=variant): -sign / len(rest) for name in rest}
    return resampled(both, replicates, seed).contrast(weights)
