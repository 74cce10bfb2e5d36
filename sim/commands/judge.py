"""`skopos judge`: judge a finished run with another judge, or complete what its own left open."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sim.commands import errors, options
from sim.commands.carrying import STOPPING, Means, account, means, named, say_destinations
from sim.commands.run import add_running, limit
from sim.commands.signals import interruptible
from sim.commands.silence import say_silent
from sim.core.errors import FaultKind, Problem, UsageProblem
from sim.core.events import CallFinished, Event, FaultRaised
from sim.core.identity import digest
from sim.core.ports import Judge, MeaningGate
from sim.core.text import visible
from sim.core.values import Basis, Mode, Scenario
from sim.runs.book import judging
from sim.runs.budget import budget
from sim.runs.judging import Case, Judging, cases, judge_all, single_cases
from sim.runs.places import places, run_folder
from sim.runs.plan import RunPlan, scenario_files
from sim.runs.store import SINGLE, Run, Writer, signed_in_part, verdict_file_name
from sim.runs.verdicts import judge_failed, placed

if TYPE_CHECKING:
    from ui.progress import Status

OpenGate = Callable[[Scenario, Mode], MeaningGate | None]
"""Scenario and mode of a conversation → the gate its judge heeds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `judge`."""
    parser.add_argument("run", metavar="RUN", help="folder of a run, or id of a record")
    parser.add_argument("--judge", required=True, metavar="X", help="rules, a model, several with commas")
    parser.add_argument(
        "--checklist",
        choices=("single",),
        help="judge one turn of each scripted conversation by its single-turn checklist, beside the others",
    )
    parser.add_argument("--turn", type=options.natural, default=0, metavar="K", help="which turn (default 0)")
    parser.add_argument(
        "--budget", type=limit(budget), metavar="B", help="for the whole run, in place of its own: 5USD"
    )
    options.add_encoder(parser, default=None)
    add_running(parser)


def run(args: argparse.Namespace) -> int:
    """Judge a run; the exit code."""
    return asyncio.run(_judge(args))


async def _judge(args: argparse.Namespace) -> int:
    from sim.commands.report import print_report

    opened = Run(run_folder(args.run, places()))
    errors.say(f"skopos: judging {visible(str(opened.folder))} by {visible(args.judge)}")
    async with means(
        cache=not args.no_cache,
        concurrency=args.concurrency,
        account=account(opened, args),
        book=args.book.over(named(opened)),
    ) as by:
        say_destinations(by, judging(args.judge))
        with opened.writing() as writer:
            writer.mend()
            turn = args.turn if args.checklist else None
            encoder = options.chosen(args, "encoder", _encoder(opened), options.DEFAULT_ENCODER)
            progress, code = await judge_run(by, writer, args.judge, encoder=encoder, single=turn)
        if progress.futile is None:
            print_report(opened.folder, as_json=False, strict=None)
        return code


async def judge_later(by: Means, run: Run, plan: RunPlan, code: int) -> int:
    """Ask further judges once a run is held, and show the tables of all; the exit code.

    `code` is that of holding it. A run that was interrupted or stopped gets them when it is resumed.
    """
    from sim.commands.report import print_report

    if not plan.later_judges and not plan.single_checklist:
        return code
    found = errors.OK
    if code not in (errors.STOPPED, errors.INTERRUPTED, errors.TERMINATED):
        with run.writing() as writer:
            for name in plan.later_judges:
                _, judging = await judge_run(by, writer, name)
                found = found or judging
            for name in _by_both(plan):
                _, judging = await judge_run(by, writer, name, single=0)
                found = found or judging
    print_report(run.folder, as_json=False, strict=plan.strict_language)
    return found or code


def _by_both(plan: RunPlan) -> tuple[str, ...]:
    """The judges that a plan asks by single-turn checklists as well."""
    names = (plan.judge, *plan.later_judges) if plan.single_checklist else ()
    return tuple(name for name in names if name != "none")


async def judge_run(
    by: Means,
    writer: Writer,
    name: str,
    *,
    encoder: str | None = None,
    faults_only: bool = False,
    single: int | None = None,
) -> tuple[Judging, int]:
    """Ask a judge for every verdict a run lacks of it; how far that came, and the exit code.

    `encoder` is the run's own where none is named. With `faults_only` conversations without a fault of their
    judge are left alone; with `single` that turn of each is judged by its single-turn checklist instead.
    Raises UsageProblem.
    """
    from ui.progress import shown

    encoder = encoder or _encoder(writer.run) or options.DEFAULT_ENCODER
    judge = by.house.judge(name, encoder=encoder)
    if judge is None:
        raise UsageProblem(
            Problem("Unusable judge", f"{name!r} judges nothing.", choices=("rules", "a model"))
        )
    progress = Judging(writer.run.length)

    def gate(scenario: Scenario, mode: Mode) -> MeaningGate | None:
        return by.house.gate(name, encoder, scenario, mode)

    todo = (
        _todo(writer.run, judge, gate, faults_only=faults_only)
        if single is None
        else _todo_single(writer.run, judge, gate, single)
    )

    def publish(event: Event) -> None:
        by.meter.take(event)
        if isinstance(event, CallFinished):
            writer.called(event)
        elif isinstance(event, FaultRaised):
            progress.fault(event.kind, event.what)

    def write(rows: list[dict[str, Any]]) -> None:
        writer.judged(name, judge.identity, rows, single=single is not None)

    async with shown(lambda: _status(name, progress), by.meter, by.account, sys.stderr) as face:

        def finish() -> None:
            progress.stopped = True
            face.said(f"skopos: {STOPPING}")

        work = asyncio.ensure_future(judge_all(judge, todo, progress, write, publish, by.concurrency))
        with interruptible(finish, work.cancel) as interruption:
            await asyncio.wait({work})
    if not work.cancelled():
        work.result()
    return progress, _settle(writer.run, name, progress, interruption.code, single=single, quiet=faults_only)


def _encoder(run: Run) -> str | None:
    """The encoder a run was planned with; None for a single conversation."""
    found = (run.head.get("plan") or {}).get("encoder")
    return None if found is None else str(found)


def _todo(run: Run, judge: Judge, gate: OpenGate, *, faults_only: bool) -> Iterator[Iterable[Case]]:
    """The open cases of one conversation after the other."""
    known, name = Scenarios(run), judge.name
    later = run.given(run.folder / "verdicts" / verdict_file_name(name, judge.identity))
    for line in run.conversations():
        if faults_only and not (judge_failed(line["conversation"]) and known.same(line)):
            yield ()
            continue
        settled = _settled(line, name) | later.get(digest(line["key"]), set())
        scenario = known.of(line)
        yield cases(line, scenario, judge, settled, gate(scenario, Mode(line["key"]["mode"])))


def _todo_single(run: Run, judge: Judge, gate: OpenGate, turn: int) -> Iterator[Iterable[Case]]:
    """The same, by the single-turn checklist of one turn."""
    known = Scenarios(run)
    given = run.given(run.folder / SINGLE / verdict_file_name(judge.name, judge.identity))
    for line in run.conversations():
        settled = given.get(digest(line["key"]), set())
        scenario = known.of(line)
        asked = gate(scenario, Mode(line["key"]["mode"]))
        yield single_cases(line, scenario, judge, settled, turn, asked)


def _settled(line: dict[str, Any], name: str) -> set[str]:
    """The places in a line that have this judge's answer."""
    record = line["conversation"]
    if record["judge"] != name:
        return set()
    return {place for place, verdict in placed(record) if verdict["basis"] != Basis.UNJUDGED}


def _status(name: str, progress: Judging) -> "Status":
    from ui.progress import Status

    failed = f"{progress.failed} judge calls failed: {visible(progress.why)}" if progress.failed else ""
    return Status(
        f"judging by {visible(name)}",
        progress.total,
        progress.done,
        running=progress.running,
        notice=STOPPING if progress.stopped else failed,
    )


def _settle(
    run: Run, name: str, progress: Judging, interrupted: int | None, *, single: int | None, quiet: bool
) -> int:
    """Say what is open and how to go on; the exit code."""
    again = f"Go on by {errors.command('judge', run.folder, '--judge', name)}."
    if progress.futile is FaultKind.BUDGET:
        errors.say(f"skopos: stopped: the budget is used up; not all is judged. {again}")
        return errors.STOPPED
    silent = say_silent(run, name)
    if progress.futile is not None:
        errors.say(f"skopos: stopped: {visible(progress.why)}\n  {again}")
        return errors.FAILURES
    if progress.failed:
        errors.say(
            f"skopos: {progress.failed} of {progress.calls} judge calls failed: {visible(progress.why)}"
        )
        return interrupted or errors.FAILURES
    if interrupted is not None and progress.done < progress.total:
        errors.say(f"skopos: {progress.done} of {progress.total} conversations are judged. {again}")
        return interrupted
    if progress.open and not quiet:
        errors.say(
            f"skopos: {visible(name)} gave no verdict on {progress.open:,} of the {progress.criteria:,} "
            "criteria it was asked about."
        )
    if progress.calls == 0 and not quiet:
        errors.say(f"skopos: {_nothing(visible(name), progress.total, single)}")
    return errors.FAILURES if silent else errors.OK


def _nothing(name: str, conversations: int, single: int | None) -> str:
    """Why nothing was asked; most scenarios have no single-turn checklist of their own."""
    if single is None:
        return f"nothing was missing: {name} has judged all {conversations} conversations."
    return (
        f"nothing to ask {name}: no scenario of the run has under `checklists.single` a checklist of turn "
        f"{single} that it has not answered."
    )


class Scenarios:
    """The scenarios of a run's lines, each read once."""

    def __init__(self, run: Run) -> None:
        self._head = run.head
        self._files = scenario_files(self._head)
        self._read: dict[str, tuple[Scenario, str]] = {}

    def of(self, line: dict[str, Any]) -> Scenario:
        """The scenario of a line. Raises UsageProblem for one that has changed or gone."""
        scenario, _ = self._now(line)
        if not self.same(line):
            raise UsageProblem(
                Problem(
                    "Scenario has changed",
                    f"{scenario.id} is not what it was when the run was held.",
                    "A judge must see what the interpreter saw: hold the run anew.",
                )
            )
        return scenario

    def same(self, line: dict[str, Any]) -> bool:
        """Whether the scenario of a line is the one it was held with."""
        signed = signed_in_part(self._head, line.get("part", 0))
        recorded = {
            row["signature"]["scenario"] for row in signed if row["scenario"] == line["key"]["scenario"]
        }
        return self._now(line)[1] in recorded

    def _now(self, line: dict[str, Any]) -> tuple[Scenario, str]:
        from scenarios import loader

        name = line["key"]["scenario"]
        if name not in self._read:
            scenario = loader.find(self._files.get(name, name))
            self._read[name] = scenario, loader.scenario_hash(scenario)
        return self._read[name]
