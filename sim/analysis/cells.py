"""Sums of verdicts by group and unit, the trials of a unit averaged first.

The step between verdict rows and every score. Two rules (specification, section 8): single-turn
scores are means of scenarios' means, the others pool criteria; in both a score is a ratio of two sums
over units, so one resampling serves both.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from sim.analysis.table import NOT_CLAIMED, NOT_SAID, Codes, Floats, Mask, Table
from sim.core.values import Mode


class Rule(StrEnum):
    """How units make a score."""

    MEAN = "mean"
    """Mean over units of met / judged."""
    POOLED = "pooled"
    """Sum of met over sum of judged."""

    @classmethod
    def of(cls, mode: str) -> "Rule":
        """The rule of a mode."""
        return cls.MEAN if mode == Mode.SINGLE_TURN else cls.POOLED


@dataclass(frozen=True, slots=True)
class Cells:
    """One row a (group, unit) that has criteria; a score is sum(numerator) / sum(denominator)."""

    group: Codes
    unit: Codes
    numerator: Floats
    denominator: Floats
    """Zero where nothing was judged."""
    least: Floats
    """The numerator with the unjudged taken as not met; over `whole`."""
    most: Floats
    """The numerator with the unjudged taken as met; over `whole`."""
    whole: Floats
    judged: Floats
    """Verdicts, over all trials."""
    criteria: Floats
    """Criteria that the source gave occasion for, over all trials."""
    claimed: Floats
    """Of these, what the judge claims."""


def cells(table: Table, group: Codes, rule: Rule, weights: Floats | None = None) -> Cells:
    """The cells of `table` under the grouping `group` (a code a row; negative rows are left out).

    What the source gave no occasion for counts nowhere. `weights` weigh each verdict, default 1. A unit's trials are averaged: its met and judged counts
    under POOLED, its scores under MEAN, so that a scenario tried more often weighs no more.
    """
    held = (group >= 0) & (table.met != NOT_SAID)
    weight = np.ones(len(table)) if weights is None else weights
    trials = _trials(table, group, held, weight)
    first, cell = _grouped(trials.group, trials.unit)
    averaged = _means if rule is Rule.MEAN else _averages
    numerator, denominator, least, most, whole = averaged(trials, cell, len(first))
    return Cells(
        group=trials.group[first],
        unit=trials.unit[first],
        numerator=numerator,
        denominator=denominator,
        least=least,
        most=most,
        whole=whole,
        judged=totals(cell, trials.judged_rows, len(first)),
        criteria=totals(cell, trials.rows, len(first)),
        claimed=totals(cell, trials.claimed_rows, len(first)),
    )


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """numerator / denominator, NaN where the denominator is zero; no warning."""
    out: Floats = np.full(numerator.shape, np.nan)
    return np.divide(numerator, denominator, out=out, where=denominator > 0)


def totals(member: Codes, values: ArrayLike | None, size: int) -> Floats:
    """Sums of `values` (default 1 each) by the group each belongs to."""
    return np.bincount(member, values, size).astype(float, copy=False)


@dataclass(frozen=True, slots=True)
class _Trials:
    """Weighted sums of one conversation in one group, a row each."""

    group: Codes
    unit: Codes
    met: Floats
    judged: Floats
    criteria: Floats
    judged_rows: Floats
    rows: Floats
    claimed_rows: Floats


def _trials(table: Table, group: Codes, held: Mask, weight: Floats) -> _Trials:
    met, weight, group = table.met[held], weight[held], group[held]
    first, trial = _grouped(group, table.columns["conversation"].codes[held])
    size = len(first)
    return _Trials(
        group=group[first],
        unit=table.columns["unit"].codes[held][first],
        met=totals(trial, weight * (met == 1), size),
        judged=totals(trial, weight * (met >= 0), size),
        criteria=totals(trial, weight, size),
        judged_rows=totals(trial, met >= 0, size),
        rows=totals(trial, None, size),
        claimed_rows=totals(trial, met != NOT_CLAIMED, size),
    )


def _grouped(major: Codes, minor: Codes) -> tuple[Codes, Codes]:
    """First row of each different (major, minor), and which one each row belongs to."""
    span = int(minor.max(initial=0)) + 1
    _, first, member = np.unique(
        major.astype(np.int64) * span + minor, return_index=True, return_inverse=True
    )
    return first, member


def _averages(trials: _Trials, cell: Codes, size: int) -> tuple[Floats, ...]:
    number = totals(cell, None, size)
    met, judged, criteria = (
        totals(cell, values, size) / number for values in (trials.met, trials.judged, trials.criteria)
    )
    return met, judged, met, met + criteria - judged, criteria


def _means(trials: _Trials, cell: Codes, size: int) -> tuple[Floats, ...]:
    scored = trials.judged > 0
    number = totals(cell, None, size)
    scores = ratio(trials.met, trials.judged)
    defined = totals(cell[scored], None, size)
    score = ratio(totals(cell[scored], scores[scored], size), defined)
    open_rows = trials.criteria - trials.judged
    least = totals(cell, ratio(trials.met, trials.criteria), size) / number
    most = totals(cell, ratio(trials.met + open_rows, trials.criteria), size) / number
    return np.nan_to_num(score), (defined > 0).astype(float), least, most, np.ones(size)
