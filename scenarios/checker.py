"""`scenarios check`: are scenario files sound, and do their checks say what they should?

Collects everything at once and decides nothing: printing and exit codes are the command's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from scenarios.checklists import checklists
from scenarios.evidence import Evidence, Tally
from scenarios.loader import Loaded, load_all
from sim.core.errors import Problem
from sim.core.ports import Judge, LanguageDetector
from sim.core.values import Check


class CheckingJudge(Judge, Protocol):
    """A judge by checks, which can say of a check what its author should mend."""

    def problems(self, check: Check) -> tuple[str, ...]:
        """One sentence for each form of `check` that cannot be used."""
        ...


@dataclass(slots=True)
class Report:
    """What a check found."""

    files: int = 0
    problems: list[Problem] = field(default_factory=list)
    """By file, each with `file:line`."""
    references: Tally = field(default_factory=Tally)
    alternatives: Tally = field(default_factory=Tally)
    contrasts: int = 0
    contrasts_as_named: int = 0
    """Contrasts that broke exactly what they name."""


async def check(paths: Iterable[Path], judge: CheckingJudge, detector: LanguageDetector) -> Report:
    """Check scenario files: documents, checklists, and the evidence of their texts before `judge`."""
    chosen = tuple(paths)
    usable, problems = load_all(chosen)
    report = Report(files=len(chosen), problems=list(problems))
    for loaded in usable:
        await _scenario(loaded, judge, detector, report)
    return report


async def _scenario(loaded: Loaded, judge: CheckingJudge, detector: LanguageDetector, report: Report) -> None:
    scenario = loaded.scenario
    found = list(checklists(scenario, judge.problems))
    evidence = Evidence(scenario, judge, detector)
    found += [remark async for remark in evidence.remarks()]
    report.problems += [loaded.problem(remark) for remark in found]
    report.references.merge(evidence.references)
    report.alternatives.merge(evidence.alternatives)
    report.contrasts += evidence.contrasts
    report.contrasts_as_named += evidence.contrasts_as_named
