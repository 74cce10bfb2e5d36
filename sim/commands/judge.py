"""`skopos judge`: judge a finished run with another judge, or complete what its own left open."""

import argparse
import asyncio
from typing import Any

from sim.commands import errors
from sim.commands.run import add_running
from sim.core.errors import Problem, UsageProblem
from sim.core.events import Event
from sim.core.identity import digest
from sim.core.values import Scenario
from sim.runs.judging import cases, judge_all
from sim.runs.places import places, run_folder
from sim.runs.store import Run, Writer, signed_in_part, verdict_file_name, verdict_place
from sim.runs.verdicts import judge_failed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `judge`."""
    parser.add_argument("run", metavar="RUN", help="folder of a run, or id of a record")
    parser.add_argument("--judge", required=True, metavar="X", help="rules, a model, several with commas")
    add_running(parser)


def run(args: argparse.Namespace) -> int:
    """Judge a run; the exit code."""
    return asyncio.run(_judge(args))


async def _judge(args: argparse.Namespace) -> int:
    from sim.commands.report import print_report
    from sim.wiring.studio import House

    where = places()
    house = House(where, cache=not args.no_cache)
    try:
        opened = Run(run_folder(args.run, where))
        with opened.writing() as writer:
            writer.mend()
            failures = await judge_run(house, writer, args.judge, args.concurrency)
        print_report(opened.folder, as_json=False, strict=False)
        return errors.FAILURES if failures else errors.OK
    finally:
        await house.aclose()


async def judge_later(house: Any, run: Run, names: tuple[str, ...], concurrency: int) -> int:
    """Ask further judges once a run is held, and show their tables; the exit code."""
    from sim.commands.report import print_report

    if not names:
        return errors.OK
    failures: list[str] = []
    with run.writing() as writer:
        for name in names:
            failures += await judge_run(house, writer, name, concurrency)
    print_report(run.folder, as_json=False, strict=False)
    return errors.FAILURES if failures else errors.OK


async def judge_run(
    house: Any, writer: Writer, name: str, concurrency: int, *, faults_only: bool = False
) -> list[str]:
    """Ask a judge for every verdict a run lacks of it; the reasons of calls that failed.

    With `faults_only` conversations without a fault of their judge are left alone. Raises UsageProblem.
    """
    judge = house.judge(name)
    if judge is None:
        raise UsageProblem(
            Problem("Unusable judge", f"{name!r} judges nothing.", choices=("rules", "a model"))
        )
    known = Scenarios(writer.run)
    lines = [
        line
        for line in writer.run.conversations()
        if not faults_only or (judge_failed(line["conversation"]) and known.same(line))
    ]
    settled = _settled(writer.run, lines, name, judge.identity)
    names = {digest(line["key"]): line["key"]["scenario"] for line in lines}
    todo = [case for line in lines for case in cases(line, known.of(line), judge, settled)]
    failures = await judge_all(
        judge,
        todo,
        lambda key: names[key],
        lambda rows: writer.judged(name, judge.identity, rows),
        _say_waiting,
        concurrency,
    )
    if failures:
        errors.say(f"skopos: {len(failures)} of {len(todo)} judge calls failed: {failures[0]}")
    return failures


def _settled(run: Run, lines: list[dict[str, Any]], name: str, identity: Any) -> set[tuple[str, str]]:
    """(key hash, place) of every criterion that has this judge's verdict, or needs none."""
    found: set[tuple[str, str]] = set()
    for line in lines:
        record, key = line["conversation"], digest(line["key"])
        own = record["judge"] == name
        places_and_verdicts = [
            (turn["index"], verdict) for turn in record["turns"] for verdict in turn["verdicts"]
        ] + [(None, verdict) for verdict in record["verdicts"]]
        for turn, verdict in places_and_verdicts:
            if verdict["basis"] in ("system_failure", "not_reached") or (own and verdict["met"] is not None):
                found.add((key, verdict_place(turn, verdict["criterion"])))
    later = run.verdicts(run.folder / "verdicts" / verdict_file_name(name, identity))
    return found | {place for place, row in later.items() if row["verdict"]["met"] is not None}


class Scenarios:
    """The scenarios of a run's lines, each read once."""

    def __init__(self, run: Run) -> None:
        self._head = run.head
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
            scenario = loader.find(name)
            self._read[name] = scenario, loader.scenario_hash(scenario)
        return self._read[name]


def _say_waiting(event: Event) -> None:
    """Waits of a judge, on stderr; its other events have no conversation to belong to."""
    if event.type == "Waiting":
        document = event.model_dump()
        errors.say(f"waiting: {document['who']}: {document['why']}")
