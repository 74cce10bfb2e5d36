"""Whose verdicts count: a conversation's record with the verdicts of one judge laid over it.

A later verdict fills a null of the run's own judge and never replaces one. Under another judge all
verdicts are that judge's, but a failed system stays failed whoever judges.
"""

from collections.abc import Iterator, Mapping
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
    own = (run.head.get("plan") or {}).get("judge")
    later: dict[str, set[str]] = {}
    for file in run.verdict_files():
        for name, places in run.given(file, own).items():
            later.setdefault(name, set()).update(places)
    asked = left = faulty = 0
    for line in run.conversations():
        settled = later.get(digest(line["key"]), set())
        given = [v["met"] is not None or place in settled for place, v in placed(line["conversation"])]
        asked += len(given)
        left += given.count(False)
        faulty += judge_failed(line["conversation"]) and not all(given)
    return Judged(asked - left, asked, faulty)


def placed(record: Row) -> Iterator[tuple[str, Row]]:
    """Every verdict of a conversation with its place."""
    for turn in record["turns"]:
        yield from ((verdict_place(turn["index"], v["criterion"]), v) for v in turn["verdicts"])
    yield from ((verdict_place(None, v["criterion"]), v) for v in record["verdicts"])


def judge_failed(record: Row) -> bool:
    """Whether a conversation holds a fault of its judge."""
    faults = [record["fault"], *(turn["fault"] for turn in record["turns"])]
    return any(fault and fault["layer"] == Layer.JUDGE for fault in faults)
