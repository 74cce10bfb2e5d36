"""What a brief adds: systems alike but for their brief, step by step, each model alone and all of them pooled.

Paired by scenario. Which briefs a run has, and in which modes, is its plan's business.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from sim.analysis.bootstrap import Effect, holm, resampled
from sim.analysis.families import alike
from sim.analysis.panel import Label, panel
from sim.analysis.protocol import REPLICATES
from sim.analysis.resample import Seed
from sim.analysis.table import Table

Record = Mapping[str, Any]
BRIEFS = ("direct", "direct-context", "specification", "cultural")
"""In the order in which each says more than the one before; a brief of another name comes after them."""


@dataclass(frozen=True, slots=True)
class Step:
    """The score under brief `second` minus that under `first`."""

    model: str | None
    """None: the mean over the models that have both briefs."""
    models: int
    first: str
    second: str
    effect: Effect
    p_holm: float | None = None
    """Over all steps of the models; those of the pooled row are a family of their own."""


def ablation(
    table: Table, records: Iterable[Record], *, replicates: int = REPLICATES, seed: Seed = 0
) -> tuple[Step, ...]:
    """From each brief to the next, and from the first to the last: the pooled steps, then each model's.

    Empty where no two systems differ in their brief alone. Raises ValueError for a table of several modes.
    """
    scored = table.present("system")
    ladders = [
        {brief: system for brief, system in ladder.items() if system in scored}
        for ladder in alike(records, "brief")
    ]
    held = [ladder for ladder in ladders if len(ladder) > 1]
    present = sorted({brief for ladder in held for brief in ladder}, key=_order)
    found = [
        step
        for first, second in _steps(present)
        for step in _of_step(table, held, first, second, replicates, seed)
    ]
    pooled = [step for step in found if step.model is None]
    return (*_as_family(pooled), *_as_family(step for step in found if step.model is not None))


def _order(brief: str) -> tuple[int, str]:
    return (BRIEFS.index(brief) if brief in BRIEFS else len(BRIEFS), brief)


def _steps(briefs: list[str]) -> list[tuple[str, str]]:
    return [*pairwise(briefs), *([(briefs[0], briefs[-1])] if len(briefs) > 2 else [])]


def _of_step(
    table: Table, ladders: list[dict[str, str]], first: str, second: str, replicates: int, seed: Seed
) -> Iterator[Step]:
    """Each model's own difference over the scenarios it has under both briefs, and their mean."""
    both = [(ladder[first], ladder[second]) for ladder in ladders if first in ladder and second in ladder]
    held = panel(table)
    for below, above in both:
        one = held.only([Label(below), Label(above)]).complete()
        effect = resampled(one, replicates, seed).contrast({Label(above): 1.0, Label(below): -1.0})
        yield Step(above, 1, first, second, effect)
    if len(both) > 1:
        labels = [Label(system) for pair in both for system in pair]
        weights = {
            Label(system): sign / len(both)
            for pair in both
            for system, sign in zip(pair, (-1.0, 1.0), strict=True)
        }
        effect = resampled(held.only(labels).complete(), replicates, seed).contrast(weights)
        yield Step(None, len(both), first, second, effect)


def _as_family(steps: Iterable[Step]) -> list[Step]:
    held = list(steps)
    return [replace(one, p_holm=p) for one, p in zip(held, holm([s.effect.p for s in held]), strict=True)]
