"""Judging a finished run again: a stage of its own, repeatable, over records.

No conversation is held again. What a judge is shown is rebuilt from the record and the scenario; its
verdicts stand beside the others in a file of their own.
"""

import asyncio
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from sim.core.errors import CallFailed, FaultKind
from sim.core.events import Event
from sim.core.identity import digest
from sim.core.judging import WHY_LOST, complete, failed
from sim.core.ports import CallScope, Judge, JudgedTurn, JudgeView, MeaningGate, SpokenLine
from sim.core.values import Basis, Criterion, LanguageCheck, MeaningCheck, Mode, Scenario, Verdict
from sim.core.view import UNTOLD, conversation_view
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
    target: str | None
    """As in `Judge.claims`."""
    lost: Basis | None = None
    """What it counts as that nothing was delivered: then no call is made."""
    gate: MeaningGate | None = None
    """Asked for the turns of the view whose meaning is not in the record."""
    said: Mapping[int, SpokenLine] = field(default_factory=dict)
    """What was said in each turn of the conversation."""


def cases(
    line: Row, scenario: Scenario, judge: Judge, settled: Container[str], gate: MeaningGate | None = None
) -> Iterator[Case]:
    """What one conversation line still needs of a judge; `settled` holds places within it.

    `gate` is the meaning gate the judge heeds: without one, what the record says of meanings is left out.
    """
    record, mode = line["conversation"], Mode(line["conversation"]["mode"])
    spoken = [row for row in record["turns"] if row["source"] is not None]
    turns = [
        _judged_turn(row, scenario, judge.sees_reference, with_meaning=gate is not None) for row in spoken
    ]
    by_index = {turn.index: turn for turn in turns}
    whole = partial(
        Case,
        digest(line["key"]),
        line["key"]["scenario"],
        line["key"]["trial"],
        record.get("seed"),
        gate=gate,
        said=_said(record),
    )
    for row in record["turns"]:
        criteria = _open(row["criteria"], row["index"], settled)
        if criteria:
            turn = by_index.get(row["index"])
            delivered = turn is not None and turn.failed is None
            lost = None if delivered else Basis.NOT_REACHED if turn is None else Basis.SYSTEM_FAILURE
            view = replace(conversation_view(scenario, mode, [turn] if turn else [], criteria), level="turn")
            yield whole(
                turn=row["index"],
                view=view,
                procedures=_procedures(row["criteria"]),
                target=row["direction"][1],
                lost=lost,
            )
    criteria = _open(record["criteria"], None, settled)
    if criteria:
        lost = None if any(turn.failed is None for turn in turns) else Basis.SYSTEM_FAILURE
        view = conversation_view(scenario, mode, turns, criteria)
        yield whole(turn=None, view=view, procedures=_procedures(record["criteria"]), target=None, lost=lost)


def single_cases(
    line: Row,
    scenario: Scenario,
    judge: Judge,
    settled: Container[str],
    turn: int,
    gate: MeaningGate | None = None,
) -> Iterator[Case]:
    """The single-turn checklist of one turn of a scripted conversation, where its scenario has one.

    The same transcript under another checklist: what a judge is shown is what it was shown before.
    """
    record, mode = line["conversation"], Mode(line["conversation"]["mode"])
    wanted = scenario.turns[turn].checklists.single if turn < len(scenario.turns) else None
    if mode is not Mode.SCRIPTED or wanted is None:
        return
    criteria = tuple(c for c in wanted if verdict_place(turn, c.id) not in settled)
    for row in record["turns"]:
        if row["index"] == turn and row["source"] is not None and criteria:
            shown = _judged_turn(row, scenario, judge.sees_reference, with_meaning=gate is not None)
            lost = None if shown.failed is None else Basis.SYSTEM_FAILURE
            yield Case(
                conversation=digest(line["key"]),
                scenario=line["key"]["scenario"],
                trial=line["key"]["trial"],
                seed=record.get("seed"),
                turn=turn,
                view=replace(conversation_view(scenario, mode, [shown], criteria), level="turn"),
                procedures={criterion.id: "single" for criterion in criteria},
                target=row["direction"][1],
                lost=lost,
                gate=gate,
                said=_said(record),
            )


def _said(record: Row) -> dict[int, SpokenLine]:
    """What was said in each turn."""
    return {
        row["index"]: SpokenLine(row["speaker"], row["direction"][0], row["source"])
        for row in record["turns"]
        if row["source"] is not None
    }


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
            for _ in range(min(concurrency, progress.total)):
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
    if case.lost is not None:
        verdicts = failed(case.view.criteria, judge, case.target, case.lost, WHY_LOST[case.lost])
        write([_row(case, verdict) for verdict in verdicts])
        return
    progress.calls += 1
    scope = CallScope("judge", case.scenario, case.turn, case.trial, 0, publish, seed=case.seed)
    try:
        given = await judge.judge(await _weighed(case), scope)
    except CallFailed as failure:
        progress.failed += 1
        progress.fault(failure.kind, failure.what)
        return
    verdicts = complete(case.view.criteria, given, judge.name, "The judge gave no verdict on it.")
    progress.criteria += sum(verdict.basis is not Basis.NOT_CLAIMED for verdict in verdicts)
    progress.open += sum(verdict.basis is Basis.UNJUDGED for verdict in verdicts)
    write([_row(case, verdict) for verdict in verdicts])


async def _weighed(case: Case) -> JudgeView:
    """The view of a case, its turns with what the meaning gate says of them."""
    gate = case.gate
    if gate is None:
        return case.view
    turns = [
        turn
        if turn.meaning is not None or turn.failed is not None
        else replace(
            turn,
            meaning=await gate.check(
                case.said[turn.index],
                turn.translation,
                turn.target_language,
                [line for index, line in case.said.items() if index < turn.index],
            ),
        )
        for turn in case.view.turns
    ]
    return replace(case.view, turns=tuple(turns))


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


def _judged_turn(row: Row, scenario: Scenario, with_reference: bool, *, with_meaning: bool) -> JudgedTurn:
    index, checks = row["index"], row["language_check"]
    meaning = row.get("meaning") if with_meaning else None
    fixed = index < len(scenario.turns) and scenario.turns[index].source == row["source"]
    response = checks["response"] if row["response"] is not None else None
    told, fault = checks["translation"], row["fault"] or {}
    return JudgedTurn(
        index=index,
        speaker=row["speaker"],
        source_language=row["direction"][0],
        target_language=row["direction"][1],
        source=row["source"],
        translation=row["translation"] or "",
        translation_check=LanguageCheck.model_validate(told) if row["translation"] else UNTOLD,
        flags=tuple(row["flags"]),
        response=row["response"],
        response_check=LanguageCheck.model_validate(response) if response else None,
        reference=scenario.turns[index].reference if with_reference and fixed else None,
        meaning=MeaningCheck.model_validate(meaning) if meaning else None,
        failed=None if row["translation"] else FaultKind(fault.get("kind", FaultKind.EMPTY)),
    )
