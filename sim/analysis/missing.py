"""Conversations that were planned and never held, counted as all not met where a person asks for it.

A zero needs a checklist: it is taken from another record of the same scenario, mode and turn, the same
system's other trial first. Where nobody has one the conversation stays missing, never a guess.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.analysis.scores import scored
from sim.core.values import Basis

Record = Mapping[str, Any]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a conversation belongs in a run; its trials share a place."""

    system: str
    mode: str
    scenario: str
    turn: int | None
    """Only in single-turn mode."""


def place_of(record: Record) -> Place:
    """The place of a record."""
    turn = record["key"]["turn"]
    return Place(record["system"]["id"], str(record["mode"]), record["scenario"], turn)


def as_zeros(records: Sequence[Row], missing: Counter[Place]) -> tuple[list[Row], Counter[Place]]:
    """The records with zeros in place of the missing, and what stays missing."""
    counted = [record for record in records if scored(record)]
    by_place: dict[Place, Row] = {}
    by_task: dict[tuple[str, str, int | None], Row] = {}
    for record in counted:
        at = place_of(record)
        by_place.setdefault(at, record)
        by_task.setdefault((at.mode, at.scenario, at.turn), record)
    zeros: list[Row] = []
    left: Counter[Place] = Counter()
    for at, number in missing.items():
        like = by_place.get(at) or by_task.get((at.mode, at.scenario, at.turn))
        if like is None:
            left[at] = number
        else:
            zeros += [_zero(like, at.system)] * number
    return [*records, *zeros], left


def by_system(
    missing: Mapping[Place, int], planned: Iterable[tuple[str, str]] = ()
) -> dict[tuple[str, str], int]:
    """How many are missing by (system, mode), those of `planned` first and also where none is."""
    found: dict[tuple[str, str], int] = dict.fromkeys(planned, 0)
    for at, number in missing.items():
        found[(at.system, at.mode)] = found.get((at.system, at.mode), 0) + number
    return found


def _zero(like: Row, system: str) -> Row:
    """A record with the checklist of `like`, nothing said and nothing met."""
    turns = [
        {
            **turn,
            "translation": None,
            "raw": None,
            "response": None,
            "flags": [],
            "fault": None,
            "cost": None,
            "verdicts": _not_met(turn["verdicts"]),
        }
        for turn in like["turns"]
    ]
    return {
        **like,
        "system": {"id": system},
        "turns": turns,
        "verdicts": _not_met(like["verdicts"]),
        "missing": True,
    }


def _not_met(verdicts: Iterable[Row]) -> list[Row]:
    """The verdicts as not met; what the judge does not claim counts for no system."""
    return [
        {
            **verdict,
            "met": False,
            "basis": str(Basis.NOT_REACHED),
            "reason": "Never held; counted as not met.",
        }
        if verdict["basis"] != Basis.NOT_CLAIMED
        else verdict
        for verdict in verdicts
    ]
