"""`skopos run`: scenarios × systems × trials, held, judged and recorded."""

import argparse
import asyncio
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sim.commands import errors, options
from sim.commands.planning import Limits, planned, refuse_unused, say_plan
from sim.commands.signals import interruptible
from sim.core.errors import Problem, UsageProblem
from sim.core.text import visible
from sim.core.version import __version__
from sim.runs.batch import Progress
from sim.runs.budget import Account, budget, duration
from sim.runs.plan import RunPlan
from sim.runs.store import Run
from sim.runs.verdicts import judged


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `run`; what is left out is for the plan, then for the defaults."""
    parser.add_argument("plan", nargs="?", metavar="PLAN.toml", help="a plan, or one that ships: plan:NAME")
    parser.add_argument("--scenarios", metavar="GLOB", help="ids of scenarios (default all)")
    parser.add_argument("--interpreters", metavar="A,B", help="systems, with commas (default local)")
    parser.add_argument("--judge", metavar="J", help="rules (default), none, a model, several with commas")
    parser.add_argument("--trials", type=options.positive, metavar="N", help="repeats (default 1)")
    parser.add_argument("--out", metavar="RUN", help="folder of the run; it must not hold one yet")
    options.add_conversation(parser)
    add_running(parser)
    add_limits(parser)
    parser.add_argument("--dry-run", action="store_true", help="say what would be held, and hold nothing")
    parser.set_defaults(mode=None, seed=None, concurrency=None)


def add_running(parser: argparse.ArgumentParser) -> None:
    """Options of how a run is carried out; they never change a result."""
    parser.add_argument(
        "--concurrency", type=options.positive, default=4, metavar="N", help="at once (default 4)"
    )
    parser.add_argument("--no-cache", action="store_true", help="ask models anew instead of the call cache")


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Options of what a run may use up."""
    parser.add_argument(
        "--budget", type=limit(budget), metavar="B", help="for the whole run: 5USD or 200000tokens"
    )
    parser.add_argument(
        "--deadline", type=limit(duration), metavar="T", help="start nothing after 30m; what runs is finished"
    )


def limit(read: Callable[[str], object]) -> Callable[[str], str]:
    """`read` as an argparse type that keeps the words."""

    def checked(text: str) -> str:
        try:
            read(text)
        except UsageProblem as failure:
            problem = failure.problems[0]
            raise argparse.ArgumentTypeError(
                f"{problem.what} Valid: {', '.join(problem.choices)}"
            ) from failure
        return text

    return checked


def run(args: argparse.Namespace) -> int:
    """Hold a run; the exit code."""
    wanted, limits = planned(args)
    if not args.out and not args.dry_run:
        raise UsageProblem(Problem("Folder needed", "Name the folder of the run by --out."))
    return asyncio.run(_run(args, wanted, limits))


async def _run(args: argparse.Namespace, wanted: RunPlan, limits: Limits) -> int:
    from sim.commands.judge import judge_later
    from sim.runs.places import places
    from sim.wiring.part import RunPart, signatures
    from sim.wiring.studio import House

    account = Account(budget(limits.budget)) if limits.budget else None
    house = House(places(), cache=not args.no_cache, purse=account, rates=limits.providers)
    try:
        signed = signatures(house, wanted)
        refuse_unused(limits, house.providers)
        if args.dry_run:
            from sim.wiring.rehearsal import demands

            say_plan(wanted, limits, await demands(places(), wanted))
            return errors.OK
        head = {
            "schema": 1,
            "version": __version__,
            "kind": "run",
            "plan": wanted.document(),
            "limits": limits.document(),
            "signatures": signed,
        }
        part = RunPart.create(house, Path(args.out), head)
        code = await carry_out(part, limits.concurrency, limits.deadline, strict=wanted.strict_language)
        return await judge_later(house, part.run, wanted.later_judges, limits.concurrency) or code
    finally:
        await house.aclose()


async def carry_out(part: Any, concurrency: int, deadline: str | None, *, strict: bool = False) -> int:
    """Hold what is missing of a run, show its progress and its table; the exit code."""
    from sim.commands.report import print_report

    with part:
        batch = part.batch(concurrency, print_progress)
        work = asyncio.ensure_future(batch.run())
        with interruptible(batch.finish, work.cancel) as interruption, _until(deadline, batch.expire):
            try:
                progress = await work
            except asyncio.CancelledError:
                progress = batch.progress
    if not progress.refused:
        print_report(part.run.folder, as_json=False, strict=strict)
    return _settle(part.run, progress, interruption.code)


@contextlib.contextmanager
def _until(deadline: str | None, expire: Callable[[str], object]) -> Iterator[None]:
    """Call `expire` once the deadline has passed, if there is one."""
    if deadline is None:
        yield
        return
    timer = asyncio.get_running_loop().call_later(
        duration(deadline), expire, f"the deadline of {deadline} has passed"
    )
    try:
        yield
    finally:
        timer.cancel()


def print_progress(document: dict[str, Any], progress: Progress) -> None:
    """One line a conversation, on stderr: the table alone goes to stdout."""
    record, scores = document["conversation"], document["scores"]
    score = "no score" if scores["overall"] is None else f"{scores['overall']:.3f}"
    line = (
        f"{progress.held}/{progress.total} {record['scenario']} {record['system']['id']} "
        f"trial {record['key']['trial']}: {record['end_reason']}, "
        f"{scores['judged']}/{scores['criteria']} judged, {score}"
    )
    errors.say(line)


def _settle(run: Run, progress: Progress, interrupted: int | None) -> int:
    """Say what is open and how to go on; the exit code."""
    resume = f"Go on by `skopos resume {run.folder}`."
    if progress.refused:
        errors.say(f"skopos: stopped: {visible(progress.refused)}\n  {resume}")
        return errors.FAILURES
    unjudged = _say_unjudged(run, progress)
    if progress.missing:
        stopped = f"stopped: {progress.exhausted}; " if progress.exhausted else ""
        errors.say(
            f"skopos: {stopped}{progress.missing} of {progress.total} conversations are missing. {resume}"
        )
    if progress.exhausted and (progress.missing or unjudged):
        return errors.STOPPED
    if interrupted is not None and progress.missing:
        return interrupted
    return errors.FAILURES if progress.missing or unjudged else errors.OK


def _say_unjudged(run: Run, progress: Progress) -> bool:
    """Tell what faults of the judge left open in the whole run; whether anything is."""
    found = judged(run)
    if found.faulty == 0:
        return False
    reason = f": {visible(progress.judge_failed)}" if progress.judge_failed else ""
    errors.say(
        f"skopos: {found.judged}/{found.criteria} judged; the judge failed in {found.faulty} conversations"
        f"{reason}\n  Complete it by `skopos resume {run.folder}`, or ask another by "
        f"`skopos judge {run.folder} --judge X`."
    )
    return True
