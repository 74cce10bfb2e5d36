"""`skopos run`: scenarios × systems × trials, held, judged and recorded."""

import argparse
import asyncio
from collections.abc import Callable
from pathlib import Path

from sim.commands import errors, options
from sim.commands.carrying import carry_out, means, say_destinations, say_unseen
from sim.commands.planning import Limits, planned, refuse_unused, say_plan, spelled
from sim.core.errors import Problem, UsageProblem
from sim.core.text import visible
from sim.core.version import __version__
from sim.runs.book import Book
from sim.runs.bounds import MOST_AT_ONCE, MOST_TRIALS
from sim.runs.budget import Account, budget, duration
from sim.runs.places import places
from sim.runs.plan import RunPlan


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `run`; what is left out is for the plan, then for the defaults."""
    parser.add_argument("plan", nargs="?", metavar="PLAN.toml", help="a plan, or one that ships: plan:NAME")
    parser.add_argument(
        "--scenarios",
        type=options.named,
        metavar="S,…",
        help="ids, files, folders, or globs over either (default: all of the pack core)",
    )
    options.add_pack(parser)
    parser.add_argument("--interpreters", metavar="A,B", help="systems, with commas (default local)")
    parser.add_argument("--judge", metavar="J", help="rules (default), none, a model, several with commas")
    parser.add_argument(
        "--trials", type=options.whole(1, MOST_TRIALS), metavar="N", help="repeats (default 1)"
    )
    parser.add_argument("--out", metavar="RUN", help="folder of the run; it must not hold one yet")
    parser.add_argument(
        "--shared-out", action="store_true", help="allow a folder that other users can reach or own"
    )
    options.add_conversation(parser)
    options.add_language(parser)
    options.add_strict(parser)
    options.add_encoder(parser, default=None)
    add_running(parser)
    add_limits(parser)
    parser.add_argument("--dry-run", action="store_true", help="say what would be held, and hold nothing")
    parser.set_defaults(mode=None, seed=None, concurrency=None)


def add_running(parser: argparse.ArgumentParser) -> None:
    """Options of how a run is carried out; they never change a result."""
    parser.add_argument(
        "--concurrency",
        type=options.whole(1, MOST_AT_ONCE),
        default=4,
        metavar="N",
        help="at once (default 4)",
    )
    options.add_cache(parser)
    options.add_trust(parser)


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
    wanted, limits, book = planned(args)
    if not args.out and not args.dry_run:
        raise UsageProblem(Problem("Folder needed", "Name the folder of the run by --out."))
    return asyncio.run(_run(args, wanted, limits, book))


async def _run(args: argparse.Namespace, wanted: RunPlan, limits: Limits, book: Book) -> int:
    from sim.commands.judge import judge_later
    from sim.wiring.part import RunPart, signatures

    async with means(
        cache=not args.no_cache,
        concurrency=limits.concurrency,
        account=Account(budget(limits.budget)) if limits.budget else None,
        rates=limits.providers,
        book=book,
    ) as by:
        unseen: dict[str, None] = {}
        signed = signatures(by.house, wanted, unseen)
        refuse_unused(limits, by.house.providers)
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
        say_destinations(by, wanted.written)
        say_unseen(unseen)
        part = RunPart.create(by.house, Path(args.out), head, shared=args.shared_out)
        errors.say(
            f"skopos: holding {spelled(wanted)}, {limits.concurrency} at once, into {visible(args.out)}"
        )
        code = await carry_out(by, part, deadline=limits.deadline)
        return await judge_later(by, part.run, wanted, code)
