"""The standing comparisons of the protocol: strict gate, modes, history, self-preference.

Each one names its pairing and its family; the resampling is `bootstrap`'s. Nothing here decides which
runs may be compared: the caller warns where checklist procedures differ.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np

from sim.analysis.bootstrap import (
    Difference,
    Effect,
    Estimate,
    Replicates,
    adjusted,
    resampled,
    unpaired,
)
from sim.analysis.panel import Label, Panel, joined, panel
from sim.analysis.protocol import REPLICATES
from sim.analysis.resample import Seed
from sim.analysis.table import Table
from sim.core.values import StrictGate

STRICT_REPLICATES = 2_000
SELF_PREFERENCE_REPLICATES = 5_000


@dataclass(frozen=True, slots=True)
class Gate:
    """One system under a strict language gate: every criterion of a translation it rejects is not met."""

    gate: StrictGate
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


def strict_gate(
    table: Table, gate: StrictGate = "ours", *, replicates: int = STRICT_REPLICATES, seed: Seed = 0
) -> list[Gate]:
    """What a strict language gate changes for each system; paired, no family.

    Raises ValueError for a table of several modes.
    """
    both = joined([panel(table.strict(gate), variant="strict"), panel(table)])
    found = resampled(both, replicates, seed)
    gated = [Label(system, variant="strict") for system in table.present("system")]
    return [Gate(gate, found.estimate(one), found.difference(one, Label(one.system))) for one in gated]


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


def modes_by_pair(
    table: Table, base: str, others: Sequence[str], *, replicates: int = REPLICATES, seed: int = 0
) -> list[Difference]:
    """`modes` within each language pair: Holm over systems, pairs and modes together.

    `group` is `MODE, PAIR`.
    """
    found = [
        replace(row, group=f"{row.group}, {pair}", p_holm=None)
        for pair in sorted(table.present("pair"))
        for part in [table.only("pair", pair)]
        if base in part.present("mode")
        for row in modes(part, base, others, replicates=replicates, seed=seed)
    ]
    return adjusted(found)


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


@dataclass(frozen=True, slots=True)
class SelfPreference:
    """A judge's scores minus a neutral judge's, on the outputs of its own family and on those of the others."""

    own: Effect
    """On the systems of its own family."""
    others: Effect
    """On the rest."""
    lift: Effect
    """`own` minus `others`: zero where the judge is milder or harsher than the other alike with everybody."""


def self_preference(
    own: Table,
    other: Table,
    family: AbstractSet[str],
    *,
    replicates: int = SELF_PREFERENCE_REPLICATES,
    seed: Seed = 0,
) -> SelfPreference:
    """How a judge scores the systems of its own `family`, and the others, beside a neutral judge.

    Mean scores of the family, and of the other systems, under the judge minus those under the neutral one: the
    two tables hold the same conversations under two judges. Paired over their common units. What has no
    systems is undefined. Raises ValueError for a table of several modes.
    """
    both = joined([panel(own, variant="own"), panel(other, variant="other")])
    shared = [name for name in own.present("system") if name in other.present("system")]
    mine = _between_judges([name for name in shared if name in family])
    rest = _between_judges([name for name in shared if name not in family])
    found = resampled(both, replicates, seed)
    undefined = Effect(None, None, None, len(both.units))
    lift = {**mine, **{label: -weight for label, weight in rest.items()}}
    return SelfPreference(
        own=found.contrast(mine) if mine else undefined,
        others=found.contrast(rest) if rest else undefined,
        lift=found.contrast(lift) if mine and rest else undefined,
    )


def _between_judges(systems: Sequence[str]) -> dict[Label, float]:
    """Weights of: the judge's mean over `systems` minus the neutral one's."""
    return {
        Label(name, variant=variant): sign / len(systems)
        for variant, sign in (("own", 1.0), ("other", -1.0))
        for name in systems
    }
