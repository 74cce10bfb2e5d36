"""A run's records as each of its judges sees them: the run's own first, then those that were asked later."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sim.commands.keeper import Keeper, Row
from sim.core.errors import Problem, UsageProblem
from sim.core.values import Basis
from sim.runs.shapes import Judged
from sim.runs.store import Run, verdict_place
from sim.runs.verdicts import overlaid

_Later = Mapping[tuple[str, str], Row]
Singles = Mapping[tuple[str, int], list[Row]]
"""(key hash, turn) → verdicts."""


@dataclass(frozen=True, slots=True)
class View:
    """One judge's."""

    model: str
    """What was asked: the judge's name without what tells two of a name apart."""
    records: list[Row]
    digest: str = ""
    """Eight hex digits of its identity, of a judge that was asked later."""


def views(run: Run, held: list[Row], keep: Keeper, fallback: str | None) -> dict[str, View]:
    """Judge name → its view of the lines `held`.

    With `fallback` the verdicts of that judge, marked so, fill what the run's own left open. Raises
    UsageProblem where no one judge is called that.
    """
    plan = run.head.get("plan") or {}
    own = held[0]["conversation"]["judge"] if held else str(plan.get("judge", "none"))
    own_later: dict[tuple[str, str], Row] = {}
    files: dict[str, Path] = {}
    others: dict[str, View] = {}
    for file in run.verdict_files():
        model, later = _given(run, file, keep)
        if model == own:
            own_later |= later
        else:
            name = f"{model} ({file.stem[-8:]})"
            files[name] = file
            others[name] = View(model, [overlaid(line, later, own=False) for line in held], file.stem[-8:])
    records = [overlaid(line, own_later, own=True) if own_later else line["conversation"] for line in held]
    if fallback is None:
        return {own: View(own, records), **others}
    _, later = _given(run, files[_named(fallback, others)], keep)
    return {f"{own}, else {fallback}": View(own, _filled(records, later)), **others}


def singles(run: Run, keep: Keeper) -> dict[str, Singles]:
    """Name of a judge, as `views` has it for one asked later, → its verdicts by single-turn checklists."""
    found: dict[str, Singles] = {}
    for file in run.single_files():
        model, later = _given(run, file, keep)
        turns: dict[tuple[str, int], list[Row]] = {}
        for (name, place), row in later.items():
            turns.setdefault((name, int(place.partition("/")[0])), []).append(row["verdict"])
        found[f"{model} ({file.stem[-8:]})"] = turns
    return found


def _given(run: Run, file: Path, keep: Keeper) -> tuple[str, _Later]:
    """The judge of a file, and its verdicts; a later line fills a null, never replaces a verdict."""
    model: str = file.stem
    found: dict[tuple[str, str], Row] = {}
    for number, line in enumerate(run.rows(file, Judged)):
        verdict = line["verdict"]
        if not number:
            model = verdict["judge"]
        at = sys.intern(line["conversation"]), sys.intern(verdict_place(line["turn"], verdict["criterion"]))
        if at not in found or found[at]["verdict"]["basis"] == Basis.UNJUDGED:
            found[at] = keep.later(verdict)
    return model, found


def _filled(records: list[Row], later: _Later) -> list[Row]:
    """The records with another judge's verdicts, said to be that, where there were none."""
    marked = {
        place: {"verdict": {**row["verdict"], "fallback": True}}
        for place, row in later.items()
        if row["verdict"]["met"] is not None
    }
    return [
        overlaid({"key": record["key"], "conversation": record}, marked, own=True, apart=True)
        for record in records
    ]


def _named(judge: str, others: Mapping[str, View]) -> str:
    """The judge with this name, or the only one of this model. Raises UsageProblem."""
    found = [name for name, view in others.items() if judge in (name, view.model)]
    if len(found) != 1:
        what = f"{judge!r} is more than one judge." if found else f"{judge!r} has not judged this run."
        raise UsageProblem(Problem("No such judge", what, choices=tuple(others)))
    return found[0]
