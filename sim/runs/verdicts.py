"""Whose verdicts count: a conversation's record with the verdicts of one judge laid over it.

A later verdict fills what the run's own judge left open and never replaces an answer. Under another judge
all verdicts are that judge's; a failed system stays failed whoever judges, on what that judge claims.
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
_OF_THE_LOST = (*_WITHOUT_A_JUDGE, Basis.NOT_CLAIMED)
"""What a judge may have of what was never delivered."""
_KEPT = frozenset(Basis) - {Basis.UNJUDGED}
"""Of the run's own judge, what no later verdict replaces."""
_APART = frozenset(basis for basis in Basis if basis.apart)


def overlaid(line: Row, later: Mapping[tuple[str, str], Row], *, own: bool, apart: bool = False) -> Row:
    """The `conversation` object of `line` under `later` verdicts.

    With `own` they are the run's own judge's, else another one's; with `apart` they also fill what the
    own judge does not claim. Keys of `later` are (key hash, place).
    """
    kept = _KEPT - {Basis.NOT_CLAIMED} if apart else _KEPT if own else frozenset()
    record, name = line["conversation"], digest(line["key"])
    turns = [
        {**turn, "verdicts": [_one(v, turn["index"], name, later, kept) for v in turn["verdicts"]]}
        for turn in record["turns"]
    ]
    whole = [_one(v, None, name, later, kept) for v in record["verdicts"]]
    return {**record, "turns": turns, "verdicts": whole}


def _one(
    verdict: Row, turn: int | None, name: str, later: Mapping[tuple[str, str], Row], kept: frozenset[Basis]
) -> Row:
    if verdict["basis"] in kept:
        return verdict
    lost = verdict["basis"] in _WITHOUT_A_JUDGE
    found = later.get((name, verdict_place(turn, verdict["criterion"])))
    if found is not None and (not lost or found["verdict"]["basis"] in _OF_THE_LOST):
        given: Row = found["verdict"]
        return given
    if kept or lost:
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
        given = [
            v["basis"] != Basis.UNJUDGED or place in settled
            for place, v in placed(line["conversation"])
            if v["basis"] not in _APART
        ]
        asked += len(given)
        left += given.count(False)
        faulty += judge_failed(line["conversation"]) and not all(given)
    return Judged(asked - left, asked, faulty)


def given_by(run: Run, judge: str) -> Iterator[Row]:
    """Every verdict that a judge of this name gave in a run, while it was held or later."""
    for line in run.conversations():
        if line["conversation"]["judge"] == judge:
            yield from (verdict for _, verdict in placed(line["conversation"]))
    for file in run.verdict_files():
        yield from (row["verdict"] for row in run.verdicts(file).values() if row["verdict"]["judge"] == judge)


def placed(record: Row) -> Iterator[tuple[str, Row]]:
    """Every verdict of a conversation with its place."""
    for turn in record["turns"]:
        yield from ((verdict_place(turn["index"], v["criterion"]), v) for v in turn["verdicts"])
    yield from ((verdict_place(None, v["criterion"]), v) for v in record["verdicts"])


def judge_failed(record: Row) -> bool:
    """Whether a conversation holds a fault of its judge."""
    faults = [record["fault"], *(turn["fault"] for turn in record["turns"])]
    return any(fault and fault["layer"] == Layer.JUDGE for fault in faults)
