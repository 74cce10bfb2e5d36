"""Whose verdicts count: a conversation's record with the verdicts of one judge laid over it.

A later verdict fills a null of the run's own judge and never replaces one. Under another judge all
verdicts are that judge's, but a failed system stays failed whoever judges.
"""

from collections.abc import Mapping
from typing import Any

from sim.core.identity import digest
from sim.core.values import Basis
from sim.runs.store import verdict_place

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
