"""Carrying out a part of a run: what it is done with, what is seen of it, and how it ends."""

import argparse
import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from sim.commands import errors, options
from sim.commands.signals import interruptible
from sim.commands.silence import say_silent
from sim.core.errors import Problem, UsageProblem
from sim.core.memory import collect_seldom
from sim.core.text import visible
from sim.core.values import EndReason
from sim.runs.batch import Progress
from sim.runs.book import Book
from sim.runs.budget import Account, budget, duration, spent
from sim.runs.meter import Meter
from sim.runs.named import ModelName, NamedModel
from sim.runs.places import places
from sim.runs.store import Run
from sim.runs.verdicts import judged

if TYPE_CHECKING:
    from sim.wiring.part import RunPart
    from sim.wiring.studio import House
    from ui.progress import Status

STOPPING = "stopping: what runs is finished; Ctrl-C again stops at once"


@dataclass(frozen=True, slots=True)
class Means:
    """What a run is carried out with."""

    house: "House"
    meter: Meter
    account: Account | None
    """None without a budget."""
    concurrency: int
    """Conversations at once."""


@contextlib.asynccontextmanager
async def means(
    *,
    cache: bool,
    concurrency: int,
    account: Account | None = None,
    rates: Mapping[str, Mapping[str, int | None]] | None = None,
    book: Book,
) -> AsyncIterator[Means]:
    """A house of its own, closed again when the block ends."""
    from sim.wiring.studio import House

    house = House(places(), cache=cache, purse=account, rates=rates, book=book)
    try:
        yield Means(house, Meter(house.provider), account, concurrency)
    finally:
        await house.aclose()


def named(run: Run) -> dict[str, NamedModel]:
    """The named models of a run or a record. Raises UsageProblem where they are none."""
    tables = (run.head.get("plan") or {}).get("models") or run.head.get("models") or {}
    try:
        return TypeAdapter(dict[ModelName, NamedModel]).validate_python(tables)
    except ValidationError as failure:
        raise UsageProblem(
            Problem(
                "Damaged file", f"run.json names no models: {failure}.", where=str(run.folder / "run.json")
            )
        ) from failure


def say_destinations(by: Means, written: Iterable[str]) -> None:
    """Say, before anything is asked, which hosts get text."""
    there = by.house.destinations(written)
    if there:
        errors.say(f"skopos: text goes to: {', '.join(map(visible, there))}")


def say_unseen(notices: Iterable[str]) -> None:
    """Say, before anything is asked, what will not be seen or judged."""
    for notice in notices:
        errors.say(f"skopos: notice: {visible(notice)}")


def account(run: Run, args: argparse.Namespace) -> Account | None:
    """An account over the budget that is asked for, else the run's own, less what was spent; None without."""
    limits = run.head.get("limits") or {}
    found = options.chosen(args, "budget", limits.get("budget"))
    if not found:
        return None
    limit = budget(found)
    return Account(limit, spent(run, limit.unit))


async def carry_out(by: Means, part: "RunPart", *, deadline: str | None) -> int:
    """Hold what is missing of a run, show its progress and its table; the exit code.

    Where further judges follow, the table is left to them (`judge.judge_later`).
    """
    from sim.commands.report import print_report
    from ui.progress import shown

    collect_seldom()
    with part:
        batch = part.batch(
            by.concurrency,
            lambda document, progress: _say_ended(
                face.said, document, progress, with_mode=len(part.plan.modes) > 1
            ),
            by.meter.listen,
        )
        if not batch.progress.missing:
            errors.say(f"skopos: no conversation was missing: all {batch.progress.total} are held.")
        elif batch.progress.held:
            errors.say(
                f"skopos: holding the {batch.progress.missing} of {batch.progress.total} conversations "
                "that are missing"
            )
        async with shown(lambda: _status(batch.progress), by.meter, by.account, sys.stderr) as face:

            def finish() -> None:
                batch.finish()
                face.said(f"skopos: {STOPPING}")

            work = asyncio.ensure_future(batch.run())
            with interruptible(finish, work.cancel) as interruption, _until(deadline, batch.expire):
                try:
                    progress = await work
                except asyncio.CancelledError:
                    interruption.cancelled()
                    progress = batch.progress
    if not progress.refused and not part.plan.later_judges:
        print_report(part.run.folder, as_json=False, strict=part.plan.strict_language)
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


def _status(progress: Progress) -> "Status":
    from ui.progress import Status

    return Status(
        "holding conversations",
        progress.total,
        progress.held,
        before=progress.before,
        failed=progress.failed,
        running=progress.running,
        notice=(progress.exhausted or STOPPING) if progress.stopped else "",
    )


def _say_ended(
    say: Callable[..., None], document: dict[str, Any], progress: Progress, *, with_mode: bool
) -> None:
    """One line a conversation: how it ended, and what it scored or why it failed."""
    record, scores = document["conversation"], document["scores"]
    key, reason = record["key"], EndReason(record["end_reason"])
    mode = f" {key['mode']}" if with_mode else ""
    what = f"{key['scenario']}{mode} {record['system']['id']} trial {key['trial']}"
    line = f"{progress.held}/{progress.total} {what}: {reason}"
    faults = [record["fault"], *(turn["fault"] for turn in record["turns"])]
    why = next((f": {fault['who']}: {fault['what']}" for fault in faults if fault), "")
    if reason.recorded and not reason.scored:
        say(visible(f"{line}{why.rstrip('.')}; left out of the scores"))
    elif reason.recorded:
        score = "no score" if scores["overall"] is None else f"{scores['overall']:.3f}"
        say(visible(f"{line}, {scores['judged']}/{scores['criteria']} judged, {score}"))
    else:
        say(visible(line + why), bad=True)


def _settle(run: Run, progress: Progress, interrupted: int | None) -> int:
    """Say what is open and how to go on; the exit code."""
    resume = f"Go on by {errors.command('resume', run.folder)}."
    if progress.refused:
        errors.say(f"skopos: stopped: {visible(progress.refused)}\n  {resume}")
        return errors.FAILURES
    unjudged = _say_unjudged(run, progress)
    for name, why in progress.given_up.items():
        errors.say(visible(f"skopos: {name} is not asked again: {why}"))
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
    silent = say_silent(run, str((run.head.get("plan") or {}).get("judge", "none")))
    if found.faulty == 0:
        return silent
    reason = f": {visible(progress.judge_failed)}" if progress.judge_failed else ""
    errors.say(
        f"skopos: {found.judged}/{found.criteria} judged; the judge failed in {found.faulty} conversations"
        f"{reason}\n  Complete it by {errors.command('resume', run.folder)}, or ask another by "
        f"{errors.command('judge', run.folder, '--judge', 'X')}."
    )
    return True
