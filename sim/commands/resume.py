"""`skopos resume`: hold what a stopped run is missing, and ask its judge for what was left open."""

import argparse
import asyncio

from sim.commands import errors, options
from sim.commands.carrying import account, carry_out, means, named, say_destinations
from sim.commands.judge import judge_later, judge_run
from sim.commands.planning import DEFAULT_CONCURRENCY
from sim.commands.run import add_limits, add_running
from sim.core.text import visible
from sim.runs.book import Book
from sim.runs.places import places, run_folder
from sim.runs.store import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `resume`."""
    parser.add_argument("run", metavar="RUN", help="folder of the run")
    add_running(parser)
    add_limits(parser)
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
    limits = run.head.get("limits", {})
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
            if plan.judge != "none":
                _, code = await judge_run(by, part.writer, plan.judge, faults_only=True)
                if code in (errors.INTERRUPTED, errors.TERMINATED):
                    return code
            code = await carry_out(by, part, deadline=args.deadline)
        return await judge_later(by, run, plan, code)
