"""`skopos resume`: hold what a stopped run is missing, and ask its judge for what was left open."""

import argparse
import asyncio

from sim.commands import errors
from sim.commands.judge import judge_run
from sim.commands.run import add_running, carry_out
from sim.runs.places import places, run_folder
from sim.runs.store import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `resume`."""
    parser.add_argument("run", metavar="RUN", help="folder of the run")
    add_running(parser)


def run(args: argparse.Namespace) -> int:
    """Finish a run; the exit code."""
    return asyncio.run(_resume(args))


async def _resume(args: argparse.Namespace) -> int:
    from sim.wiring.part import RunPart
    from sim.wiring.studio import House

    where = places()
    house = House(where, cache=not args.no_cache)
    try:
        part = RunPart.reopen(house, Run(run_folder(args.run, where)))
        own = part.run.head["plan"]["judge"]
        with part:
            if own != "none":
                await judge_run(house, part.writer, own, args.concurrency, faults_only=True)
        return await carry_out(RunPart.reopen(house, part.run), args.concurrency)
    except asyncio.CancelledError:
        return errors.INTERRUPTED
    finally:
        await house.aclose()
