"""How each system would stand under another way of counting: strict, by difficulty, without refusals.

Variants beside the score, never instead of it. No resampling: `comparisons.strict_gate` has the
interval of the first.
"""

from dataclasses import dataclass

import numpy as np

from sim.analysis.cells import Rule
from sim.analysis.panel import panel
from sim.analysis.table import Floats, Table


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """One system's overall score in one mode, and its variants; each None where undefined."""

    mode: str
    system: str
    score: float | None
    strict: float | None
    """A translation in a wrong language scores zero."""
    study: float | None
    """So does one whose first label is another's, or is less than 0.9 probable."""
    by_difficulty: float | None
    """Sum of w met / sum of w, w = 1 - pooled met rate of the criterion."""
    without_refusals: float | None
    """Without the turns whose recipient refused them (study)."""
    refused: float
    """Share of criteria that stand on refused turns."""


def sensitivity(table: Table) -> list[Sensitivity]:
    """The variants by (mode, system), in order of appearance."""
    return [row for mode in table.present("mode") for row in _of_mode(table.only("mode", mode), mode)]


def difficulty(table: Table) -> Floats:
    """w = 1 - pooled met rate of each row's criterion, over all systems and trials of its mode.

    Zero, so that it weighs nothing, where fewer than two systems had the criterion judged: one system's
    own verdict says nothing of how hard a question is (checklists derived after the conversation).
    """
    criteria = table.columns["criterion"].codes
    size = int(criteria.max(initial=-1)) + 1
    judged = table.met >= 0
    number = np.bincount(criteria[judged], minlength=size)
    met = np.bincount(criteria[table.met == 1], minlength=size)
    systems = table.columns["system"]
    pairs = np.unique(criteria[judged].astype(np.int64) * len(systems.levels) + systems.codes[judged])
    seen = np.bincount(pairs // max(1, len(systems.levels)), minlength=size)
    weight = np.where(seen >= 2, 1 - met / np.maximum(1, number), 0.0)
    held: Floats = weight[criteria]
    return held


def _of_mode(table: Table, mode: str) -> list[Sensitivity]:
    plain, strict, study = _scores(table), _scores(table.strict()), _scores(table.strict("study"))
    kept = _scores(table.where(~table.refused))
    weighted = _scores(table, rule=Rule.POOLED, weights=difficulty(table))
    systems = table.columns["system"]
    number = np.bincount(systems.codes, minlength=len(systems.levels))
    refused = np.bincount(systems.codes[table.refused], minlength=len(systems.levels))
    return [
        Sensitivity(
            mode=mode,
            system=system,
            score=plain[system],
            strict=strict[system],
            study=study[system],
            by_difficulty=weighted[system],
            without_refusals=kept.get(system),
            refused=float(refused[code] / number[code]),
        )
        for code, system in enumerate(systems.levels)
        if number[code]
    ]


def _scores(table: Table, rule: Rule | None = None, weights: Floats | None = None) -> dict[str, float | None]:
    held = panel(table, rule=rule, weights=weights)
    return {
        label.system: None if np.isnan(score) else float(score)
        for label, score in zip(held.labels, held.scores, strict=True)
    }
