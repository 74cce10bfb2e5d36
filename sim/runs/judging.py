"""Judging a finished run again: a stage of its own, repeatable, over records.

No conversation is held again. What a judge is shown is rebuilt from the record and the scenario; its
verdicts stand beside the others in a file of their own.
"""

import asyncio
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sim.core.errors import CallFailed, FaultKind
from sim.core.events import Event
from sim.core.identity import digest
from sim.core.judging import complete
from sim.core.ports import CallScope, Judge, JudgedTurn, JudgeView
from sim.core.values import Criterion, LanguageCheck, Scenario, Verdict
from sim.core.view import conversation_view, judge_view
from sim.runs.store import verdict_place

Row = dict[str, Any]

_FUTILE = (FaultKind.AUTHENTICATION, FaultKind.QUOTA, FaultKind.BUDGET)
"""What no further call would escape."""


@dataclass(frozen=True, slots=True)
class Case:
    """One judge call to make."""

    conversation: str
    """Key hash."""
    scenario: str
    """Its id."""
    trial: int
    seed: int | None
    """Of the conversation."""
    turn: int | None
    view: JudgeView
    procedures: Mapping[str, str]
    """Criterion id → procedure."""


def cases(line: Row, scenario: Scenario, judge: Judge, settled: Container[str]) -> Iterator[Case]:
    """The calls that one conversation line still needs; `settled` holds places within it."""
    record, name = line["conversation"], digest(line["key"])
    turns = [
        _judged_turn(row, scenario, judge.sees_reference) for row in record["turns"] if row["translation"]
    ]
    by_index = {turn.index: turn for turn in turns}
    whole = partial(Case, name, line["key"]["scenario"], line["key"]["trial"], record.get("seed"))
    for row in record["turns"]:
        criteria = _open(row["criteria"], row["index"], settled)
        if criteria and row["index"] in by_index:
            view = judge_view(scenario, by_index[row["index"]], criteria)
            yield whole(row["index"], view, _procedures(row["criteria"]))
    criteria = _open(record["criteria"], None, settled)
    if criteria and turns:
        view = conversation_view(scenario, tuple(turns), criteria)
        yield whole(None, view, _procedures(record["criteria"]))


@dataclass(slots=True)
class Judging:
    """How far the judging of a run has come; counts of conversations and of judge calls."""

    total: int
    """Conversations to look through."""
    done: int = 0
    running: int = 0
    calls: int = 0
    """Asked of the judge."""
    failed: int = 0
    """Of these, not answered."""
    criteria: int = 0
    """Asked about in the calls that were answered."""
    open: int = 0
    """Of these, left without a verdict."""
    why: str = ""
    """What the first of them met, or what stopped it all."""
    futile: FaultKind | None = None
    """What every further call would meet, so that none is made."""
    stopped: bool = False
    """Whether no further call is to be made."""

    def fault(self, kind: FaultKind, what: str) -> None:
        """Take note of what a call met; a rejected key or an empty purse stops all."""
        if kind in _FUTILE and self.futile is None:
            self.futile, self.why = kind, what
            self.stopped = True
        self.why = self.why or what


async def judge_all(
    judge: Judge,
    todo: Iterable[Iterable[Case]],
    progress: Judging,
    write: Callable[[list[Row]], object],
    publish: Callable[[Event], object],
    concurrency: int,
) -> None:
    """Ask for every case; write what was said as it comes.

    `todo` gives the cases of one conversation after the other, read as they are needed. After a fault
    that every further call would meet, nothing more is asked. Raises what `todo` and `write` raise.
    """
    conversations = iter(todo)

    async def work() -> None:
        for open_ in conversations:
            progress.running += 1
            for case in open_:
                if progress.stopped:
                    return
                await _ask(judge, case, progress, write, publish)
            progress.running -= 1
            progress.done += 1
            await asyncio.sleep(0)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(work())
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from failures


async def _ask(
    judge: Judge,
    case: Case,
    progress: Judging,
    write: Callable[[list[Row]], object],
    publish: Callable[[Event], object],
) -> None:
    progress.calls += 1
    scope = CallScope("judge", case.scenario, case.turn, case.trial, 0, publish, seed=case.seed)
    try:
        given = await judge.judge(case.view, scope)
    except CallFailed as failure:
        progress.failed += 1
        progress.fault(failure.kind, failure.what)
        return
    verdicts = complete(case.view.criteria, given, judge.name, "The judge gave no verdict on it.")
    progress.criteria += len(verdicts)
    progress.open += sum(verdict.met is None for verdict in verdicts)
    write([_row(case, verdict) for verdict in verdicts])


def _row(case: Case, verdict: Verdict) -> Row:
    return {
        "conversation": case.conversation,
        "procedure": case.procedures[verdict.criterion],
        "turn": case.turn,
        "verdict": verdict.model_dump(mode="json"),
    }


def _open(rows: list[Row], turn: int | None, settled: Container[str]) -> tuple[Criterion, ...]:
    return tuple(
        Criterion.model_validate({key: value for key, value in row.items() if key != "procedure"})
        for row in rows
        if verdict_place(turn, row["id"]) not in settled
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
