"""`skopos resume`: hold what a stopped run is missing, and ask its judge for what was left open."""

import argparse
import asyncio

from sim.commands import errors
from sim.commands.judge import judge_later, judge_run
from sim.commands.planning import DEFAULT_CONCURRENCY
from sim.commands.run import add_limits, add_running, carry_out
from sim.runs.budget import Account, budget, spent
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
    from sim.wiring.studio import House

    where = places()
    run = Run(run_folder(args.run, where))
    limits = run.head.get("limits", {})
    concurrency = args.concurrency or limits.get("concurrency") or DEFAULT_CONCURRENCY
    account = _account(run, args.budget or limits.get("budget"))
    house = House(where, cache=not args.no_cache, purse=account, rates=limits.get("providers"))
    try:
        part = RunPart.reopen(house, run, allow_drift=args.allow_drift)
        plan = part.plan
        with part:
            if plan.judge != "none":
                await judge_run(house, part.writer, plan.judge, concurrency, faults_only=True)
        code = await carry_out(
            RunPart.reopen(house, run), concurrency, args.deadline, strict=plan.strict_language
        )
        return await judge_later(house, run, plan.later_judges, concurrency) or code
    except asyncio.CancelledError:
        return errors.INTERRUPTED
    finally:
        await house.aclose()


def _account(run: Run, words: str | None) -> Account | None:
    """An account over this budget, less what earlier parts spent; None without any."""
    if not words:
        return None
    limit = budget(words)
    return Account(limit, spent(run, limit.unit))
