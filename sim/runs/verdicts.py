"""Whose verdicts count: a conversation's record with the verdicts of one judge laid over it.

A later verdict fills a null of the run's own judge and never replaces one. Under another judge all
verdicts are that judge's, but a failed system stays failed whoever judges.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.errors import Layer
from sim.core.identity import digest
from sim.core.values import Basis
from sim.runs.store import Run, verdict_place

Row = dict[str, Any]
_WITHOUT_A_JUDGE = (Basis.SYSTEM_FAILURE, Basis.NOT_REACHED)


def overlaid(line: Row, later: Mapping[tuple[str, str], Row], *, own: bool) -> Row:
    """The `conversation` object of `line` under `later` verdicts.

    With `own` they are the run's own judge's, else another one's. Keys of `later` are (key hash, place).
    """
    record, name = line["conversation"], digest(line["key"])
    turns = [
        {**turn, "verdicts": [_one(v, turn["index"], name, later, own) for v in turn["verdicts"]]}
        for turn in record["turns"]
    ]
    whole = [_one(v, None, name, later, own) for v in record["verdicts"]]
    return {**record, "turns": turns, "verdicts": whole}


def _one(verdict: Row, turn: int | None, name: str, later: Mapping[tuple[str, str], Row], own: bool) -> Row:
    if verdict["basis"] in _WITHOUT_A_JUDGE or (own and verdict["met"] is not None):
        return verdict
    found = later.get((name, verdict_place(turn, verdict["criterion"])))
    if found is not None:
        given: Row = found["verdict"]
        return given
    if own:
        return verdict
    return {**verdict, "met": None, "basis": str(Basis.UNJUDGED), "reason": "Not judged by this judge."}


@dataclass(frozen=True, slots=True)
class Judged:
    """How far a run's own judge has come."""

    judged: int
    """Criteria with a verdict."""
    criteria: int
    faulty: int
    """Conversations in which a fault of the judge left a criterion open."""


def judged(run: Run) -> Judged:
    """The verdicts of the run's own judge, later ones included."""
    plan = run.head.get("plan") or {}
    later: dict[tuple[str, str], Row] = {}
    for file in run.verdict_files():
        rows = run.verdicts(file).items()
        later |= {place: row for place, row in rows if row["verdict"]["judge"] == plan.get("judge")}
    given = asked = faulty = 0
    for line in run.conversations():
        record = overlaid(line, later, own=True)
        verdicts = [v for part in (record, *record["turns"]) for v in part["verdicts"]]
        given += sum(v["met"] is not None for v in verdicts)
        asked += len(verdicts)
        faulty += judge_failed(record) and any(v["met"] is None for v in verdicts)
    return Judged(given, asked, faulty)


def judge_failed(record: Row) -> bool:
    """Whether a conversation holds a fault of its judge."""
    faults = [record["fault"], *(turn["fault"] for turn in record["turns"])]
    return any(fault and fault["layer"] == Layer.JUDGE for fault in faults)
