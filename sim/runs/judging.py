"""Judging a finished run again: a stage of its own, repeatable, over records.

No conversation is held again. What a judge is shown is rebuilt from the record and the scenario; its
verdicts stand beside the others in a file of their own.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.errors import CallFailed
from sim.core.events import Event
from sim.core.identity import digest
from sim.core.judging import complete
from sim.core.ports import CallScope, Judge, JudgedTurn, JudgeView
from sim.core.values import Criterion, LanguageCheck, Scenario, Verdict
from sim.core.view import conversation_view, judge_view
from sim.runs.store import verdict_place

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One judge call to make."""

    conversation: str
    """Key hash."""
    trial: int
    turn: int | None
    view: JudgeView
    procedures: Mapping[str, str]
    """Criterion id → procedure."""


def cases(line: Row, scenario: Scenario, judge: Judge, settled: set[tuple[str, str]]) -> Iterator[Case]:
    """The calls that one conversation line still needs; `settled` holds (key hash, place)."""
    record, name = line["conversation"], digest(line["key"])
    turns = [
        _judged_turn(row, scenario, judge.sees_reference) for row in record["turns"] if row["translation"]
    ]
    by_index = {turn.index: turn for turn in turns}
    for row in record["turns"]:
        criteria = _open(row["criteria"], name, row["index"], settled)
        if criteria and row["index"] in by_index:
            view = judge_view(scenario, by_index[row["index"]], criteria)
            yield Case(name, line["key"]["trial"], row["index"], view, _procedures(row["criteria"]))
    criteria = _open(record["criteria"], name, None, settled)
    if criteria and turns:
        view = conversation_view(scenario, tuple(turns), criteria)
        yield Case(name, line["key"]["trial"], None, view, _procedures(record["criteria"]))


async def judge_all(
    judge: Judge,
    todo: list[Case],
    scenarios: Callable[[str], str],
    write: Callable[[list[Row]], None],
    publish: Callable[[Event], object],
    concurrency: int,
) -> list[str]:
    """Ask for every case; write what was said as it comes. The reasons of calls that failed.

    `scenarios` names the scenario of a key hash (for scripted judges).
    """
    failures: list[str] = []
    places = asyncio.Semaphore(concurrency)

    async def one(case: Case) -> None:
        async with places:
            scope = CallScope("judge", scenarios(case.conversation), case.turn, case.trial, 0, publish)
            try:
                given = await judge.judge(case.view, scope)
            except CallFailed as failure:
                failures.append(failure.what)
                return
            verdicts = complete(case.view.criteria, given, judge.name, "The judge gave no verdict on it.")
            write([_row(case, verdict) for verdict in verdicts])

    async with asyncio.TaskGroup() as group:
        for case in todo:
            group.create_task(one(case))
    return failures


def _row(case: Case, verdict: Verdict) -> Row:
    return {
        "conversation": case.conversation,
        "procedure": case.procedures[verdict.criterion],
        "turn": case.turn,
        "verdict": verdict.model_dump(mode="json"),
    }


def _open(
    rows: list[Row], name: str, turn: int | None, settled: set[tuple[str, str]]
) -> tuple[Criterion, ...]:
    return tuple(
        Criterion.model_validate({key: value for key, value in row.items() if key != "procedure"})
        for row in rows
        if (name, verdict_place(turn, row["id"])) not in settled
    )


def _procedures(rows: list[Row]) -> dict[str, str]:
    return {row["id"]: row["procedure"] for row in rows}


def _judged_turn(row: Row, scenario: Scenario, with_reference: bool) -> JudgedTurn:
    index, checks = row["index"], row["language_check"]
    fixed = index < len(scenario.turns) and scenario.turns[index].source == row["source"]
    response = checks["response"] if row["response"] is not None else None
    return JudgedTurn(
        index=index,
        speaker=row["speaker"],
        source_language=row["direction"][0],
        target_language=row["direction"][1],
        source=row["source"],
        translation=row["translation"],
        translation_check=LanguageCheck.model_validate(checks["translation"]),
        flags=tuple(row["flags"]),
        response=row["response"],
        response_check=LanguageCheck.model_validate(response) if response else None,
        reference=scenario.turns[index].reference if with_reference and fixed else None,
    )
