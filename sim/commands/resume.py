"""`skopos resume`: hold what a stopped run is missing, and ask its judge for what was left open."""

import argparse
import asyncio
from typing import TYPE_CHECKING

from sim.commands import errors, options
from sim.commands.carrying import account, carry_out, means, named, say_destinations
from sim.commands.judge import judge_later, judge_run
from sim.commands.planning import DEFAULT_CONCURRENCY
from sim.commands.run import add_limits, add_running
from sim.core.errors import Problem, UsageProblem
from sim.core.text import visible
from sim.runs.book import Book
from sim.runs.places import places, run_folder
from sim.runs.plan import RunPlan
from sim.runs.store import Run

if TYPE_CHECKING:
    from sim.wiring.studio import House


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `resume`."""
    parser.add_argument("run", metavar="RUN", help="folder of the run")
    add_running(parser)
    add_limits(parser)
    options.add_language(parser)
    options.add_encoder(parser, default=None)
    parser.set_defaults(concurrency=None)
    parser.add_argument(
        "--allow-drift",
        action="store_true",
        help="go on although prompts, scenarios, judge or version have changed, in a marked part",
    )


def run(args: argparse.Namespace) -> int:
    """Finish a run; the exit code."""
    return asyncio.run(_resume(args))


async def _resume(args: argparse.Namespace) -> int:
    from sim.wiring.part import RunPart

    run = Run(run_folder(args.run, places()))
    limits = run.head.get("limits") or {}
    errors.say(f"skopos: going on with {visible(str(run.folder))}")
    async with means(
        cache=not args.no_cache,
        concurrency=options.chosen(args, "concurrency", limits.get("concurrency"), DEFAULT_CONCURRENCY),
        account=account(run, args),
        rates=limits.get("providers"),
        book=Book(named(run)),
    ) as by:
        part = RunPart.reopen(by.house, run, allow_drift=args.allow_drift)
        plan = part.plan
        say_destinations(by, plan.written)
        with part:
            _refuse_others(args, by.house, plan)
            if plan.judge != "none":
                _, code = await judge_run(by, part.writer, plan.judge, faults_only=True)
                if code in (errors.INTERRUPTED, errors.TERMINATED):
                    return code
            code = await carry_out(by, part, deadline=args.deadline)
        return await judge_later(by, run, plan, code)


def _refuse_others(args: argparse.Namespace, house: "House", plan: RunPlan) -> None:
    """Raise UsageProblem for an encoder or a language check that is not the plan's: a run has one of each."""
    found = []
    if "encoder" in args.given and args.encoder != plan.encoder:
        found.append(_other("--encoder", args.encoder, plan.encoder))
    check = args.language_check
    if "language_check" in args.given and (
        house.detector(check).identity != house.detector(plan.language_check).identity
    ):
        found.append(_other("--language-check", check, plan.language_check))
    if found:
        raise UsageProblem(*found)


def _other(option: str, asked: str, planned: str) -> Problem:
    return Problem(
        f"Unusable {option}",
        f"{asked!r} is not what this run was held with so far.",
        "Leave it out, or hold a new run.",
        (planned,),
    )
