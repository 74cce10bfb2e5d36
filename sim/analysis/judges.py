"""Several judges of the same conversations: how far they agree, on what order, and whom each one favours.

Over raw verdicts and scores as they are; whether a judge is a good one is not asked here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np

from sim.analysis.agreement import FleissAgreement, agreement, fleiss, kendall, spearman
from sim.analysis.comparisons import SELF_PREFERENCE_REPLICATES, SelfPreference, self_preference
from sim.analysis.concordance import Concordance, Matrix, concordance
from sim.analysis.families import of_family
from sim.analysis.scores import scored
from sim.analysis.summary import Summary
from sim.analysis.systems import zero
from sim.analysis.table import Table
from sim.core.values import LAYERS, Basis

Record = Mapping[str, Any]
WHOLE = "conversation"
LEVELS = ("overall", *LAYERS, WHOLE)
"""All turn criteria, those of a layer, and those of whole conversations."""
_WITHOUT_A_JUDGE = (Basis.SYSTEM_FAILURE, Basis.NOT_REACHED)
_Ratings = dict[str, list[tuple[bool | None, ...]]]


@dataclass(frozen=True, slots=True)
class Judged:
    """One judge's view of the conversations."""

    model: str
    """The judge as it was named when asked: what its family is read off."""
    summary: Summary
    records: Sequence[Record]
    """As many as, and in the order of, every other judge's."""
    table: Table


@dataclass(frozen=True, slots=True)
class Pair:
    """Two judges over the criteria that both judged."""

    first: str
    second: str
    level: str
    items: int
    raw: float | None
    kappa: float | None
    """Cohen's."""


@dataclass(frozen=True, slots=True)
class All:
    """All judges, three or more, over the criteria that every one of them judged."""

    level: str
    found: FleissAgreement


@dataclass(frozen=True, slots=True)
class Order:
    """Two judges' orders of the systems in one mode, by overall score."""

    mode: str
    first: str
    second: str
    systems: int
    spearman: float | None
    kendall: float | None
    """tau-b."""


@dataclass(frozen=True, slots=True)
class SharedOrder:
    """Friedman's test and Kendall's W of one mode: judges are the raters, systems are rated."""

    mode: str
    found: Concordance


@dataclass(frozen=True, slots=True)
class Preference:
    """How a judge scores its own family, and the others, beside another judge, in one mode."""

    mode: str
    judge: str
    other: str
    family: tuple[str, ...]
    found: SelfPreference


@dataclass(frozen=True, slots=True)
class Between:
    """What several judges say together."""

    pairs: tuple[Pair, ...]
    all: tuple[All, ...]
    orders: tuple[Order, ...]
    concordances: tuple[SharedOrder, ...]
    preferences: tuple[Preference, ...]
    replicates: int
    """Of the preferences."""


def between(
    judges: Sequence[Judged], *, replicates: int = SELF_PREFERENCE_REPLICATES, seed: int = 0
) -> Between:
    """Compare two or more judges. Raises ValueError where their records do not hold the same criteria."""
    names = [judge.summary.judge for judge in judges]
    ratings = _ratings([judge.records for judge in judges])
    modes = [held.mode for held in judges[0].summary.modes]
    return Between(
        pairs=tuple(_pairs(names, ratings)),
        all=tuple(All(level, fleiss(rows)) for level, rows in ratings.items()) if len(judges) > 2 else (),
        orders=tuple(order for mode in modes for order in _orders(mode, judges)),
        concordances=tuple(SharedOrder(mode, _concordance(mode, judges)) for mode in modes),
        preferences=tuple(_preferences(modes, judges, replicates, seed)),
        replicates=replicates,
    )


def _ratings(judges: Sequence[Sequence[Record]]) -> _Ratings:
    """Level → a row a criterion, a verdict a judge; what no judge was asked about is left out."""
    found: _Ratings = {level: [] for level in LEVELS}
    alike: dict[tuple[bool | None, ...], tuple[bool | None, ...]] = {}
    for records in zip(*judges, strict=True):
        if zero(records[0]) or not scored(records[0]):
            continue
        for turns in zip(*(record["turns"] for record in records), strict=True):
            for layer, given in _rows([turn["verdicts"] for turn in turns]):
                row = alike.setdefault(given, given)
                found["overall"].append(row)
                found[layer].append(row)
        found[WHOLE] += [row for _, row in _rows([record["verdicts"] for record in records])]
    return found


def _rows(judges: Sequence[Sequence[Record]]) -> Iterator[tuple[str, tuple[bool | None, ...]]]:
    for verdicts in zip(*judges, strict=True):
        if len({verdict["criterion"] for verdict in verdicts}) > 1:
            raise ValueError("Judges can only be compared over the same criteria.")
        if any(v["basis"] in _WITHOUT_A_JUDGE or v.get("provisional") for v in verdicts):
            continue
        yield verdicts[0]["layer"], tuple(None if v.get("fallback") else v["met"] for v in verdicts)


def _pairs(names: Sequence[str], ratings: _Ratings) -> Iterator[Pair]:
    for first, second in combinations(range(len(names)), 2):
        for level, rows in ratings.items():
            found = agreement([row[first] for row in rows], [row[second] for row in rows])
            yield Pair(names[first], names[second], level, found.items, found.raw, found.kappa)


def _scores(mode: str, judge: Judged) -> dict[str, float]:
    """System → overall score, of those that have one."""
    return {
        row.system: row.scores.overall
        for held in judge.summary.modes
        if held.mode == mode
        for row in held.rows
        if row.scores.overall is not None
    }


def _orders(mode: str, judges: Iterable[Judged]) -> Iterator[Order]:
    for one, two in combinations(judges, 2):
        a, b = _scores(mode, one), _scores(mode, two)
        both = [system for system in a if system in b]
        left, right = [a[system] for system in both], [b[system] for system in both]
        yield Order(
            mode=mode,
            first=one.summary.judge,
            second=two.summary.judge,
            systems=len(both),
            spearman=spearman(left, right),
            kendall=kendall(left, right),
        )


def _concordance(mode: str, judges: Sequence[Judged]) -> Concordance:
    """Without an interval: judges are not a sample of judges."""
    scores = [_scores(mode, judge) for judge in judges]
    shared = tuple(system for system in scores[0] if all(system in held for held in scores))
    values = np.array([[held[system] for system in shared] for held in scores], dtype=float)
    names = tuple(judge.summary.judge for judge in judges)
    units = min(
        held.comparison.units for judge in judges for held in judge.summary.modes if held.mode == mode
    )
    ranked = Matrix(names, shared, values.reshape(len(names), len(shared)))
    return concordance(ranked, scenarios=units, replicates=0)


def _preferences(
    modes: Iterable[str], judges: Sequence[Judged], replicates: int, seed: int
) -> Iterator[Preference]:
    for mode in modes:
        for judge, other in permutations(judges, 2):
            mine = of_family(judge.records, judge.model)
            if mine and of_family(other.records, other.model) != mine:
                own, others = (one.table.only("mode", mode) for one in (judge, other))
                found = self_preference(own, others, set(mine), replicates=replicates, seed=seed)
                yield Preference(mode, judge.summary.judge, other.summary.judge, mine, found)
