"""`skopos watch`: one dialogue, interpreted and scored live, on a screen, as lines or as JSON."""

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

from sim.commands import errors, options
from sim.commands.signals import interruptible
from sim.commands.silence import said
from sim.core.errors import Problem, UsageProblem
from sim.core.studio import DEFAULT_CHECK, Session, Setup, Studio
from sim.core.values import EndReason
from sim.runs.book import Book

SETTINGS = "screen.json"
"""What a person set on the screen, in the data directory."""
NOTES = "screen.log"
"""What could not be shown on the screen, among the logs."""
_RECENT = 5
"""Records that are named on the home screen."""
T = TypeVar("T")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `watch`."""
    parser.add_argument(
        "scenario",
        nargs="?",
        default=options.DEFAULT_SCENARIO,
        metavar="SCENARIO",
        help=f"id or file (default {options.DEFAULT_SCENARIO}); `skopos scenarios list` shows them",
    )
    parser.add_argument(
        "--interpreter", default="local", metavar="X", help="local (default), reference, copy, a model"
    )
    parser.add_argument(
        "--judge", default="rules", metavar="J", help="rules (default), none, a model, several with commas"
    )
    options.add_strict(parser)
    parser.add_argument(
        "--choose", action="store_true", help="choose scenario, systems and mode on a screen first"
    )
    options.add_conversation(parser)
    options.add_language(parser)
    options.add_encoder(parser)
    options.add_cache(parser)
    options.add_trust(parser)
    options.add_faces(parser)


def run(args: argparse.Namespace) -> int:
    """Watch one conversation; the exit code."""
    setup = Setup(
        scenario=args.scenario,
        mode=options.mode(args.mode),
        interpreter=args.interpreter,
        brief=args.brief,
        history=args.history,
        user_a=args.user_a,
        user_b=args.user_b,
        users=args.users or {},
        judge=args.judge,
        encoder=args.encoder,
        turn=args.turn,
        turns=args.turns,
        seed=args.seed,
        language_check=args.language_check or DEFAULT_CHECK,
        strict_language=args.strict_language,
    )
    cache = not args.no_cache
    return asyncio.run(_watch(setup, face(args), args.book, choose=args.choose, cache=cache))


def face(args: argparse.Namespace) -> str:
    """Which face is meant: `screen` only where there is a terminal on both sides."""
    for name in ("json", "events", "plain"):
        if getattr(args, name):
            return name
    return "screen" if on_terminal() else "plain"


def on_terminal() -> bool:
    """Whether a screen can be shown: it reads stdin, is drawn on stdout and stderr, and moves the cursor."""
    return os.environ.get("TERM") != "dumb" and all(
        stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)
    )


async def _watch(setup: Setup, face_name: str, book: Book, *, choose: bool, cache: bool) -> int:
    if choose and face_name != "screen":
        raise UsageProblem(Problem("No screen", "--choose needs a terminal, and no other face."))
    with starting(face_name == "screen"):
        from sim.runs.places import places
        from sim.wiring.studio import House

        house = House(places(), cache=cache, book=book)
    try:
        if choose:
            return await _choose(house, setup)
        if face_name != "screen":
            return await held(_plain(house.start(setup), face_name), result_code)
        with starting():
            from ui.app import run_app
            from ui.mishaps import noted
            from ui.settings import Settings

            session = house.start(setup)
        with noted(places().logs / NOTES, errors.say):
            code = await held(run_app(session, settings=Settings(places().data / SETTINGS)), result_code)
        say_record(session.folder)
        return code
    finally:
        await house.aclose()


@contextlib.contextmanager
def starting(on_screen: bool = True) -> Iterator[None]:
    """Say at once, before a screen, that it is coming: imports may take seconds. Wiped again."""
    if not on_screen:
        yield
        return
    sys.stderr.write("Skopos is starting …")
    sys.stderr.flush()
    try:
        yield
    finally:
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()


def say_record(folder: Path | None) -> None:
    """What stays in the terminal after a screen: how to see the dialogue again."""
    if folder is not None and folder.exists():
        print(f"recorded as {folder.name}: skopos replay {folder.name}")


async def _choose(studio: Studio, setup: Setup) -> int:
    with starting():
        from sim.runs.places import places
        from ui.home import run_home
        from ui.mishaps import noted
        from ui.settings import Settings

    def recent() -> list[str]:
        records = places().records.glob("*/run.json")
        newest = sorted(records, key=lambda path: path.stat().st_mtime, reverse=True)
        return [path.parent.name for path in newest[:_RECENT]]

    with noted(places().logs / NOTES, errors.say):
        return await held(run_home(studio, setup, recent, Settings(places().data / SETTINGS)), _home_code)


def _home_code(last: tuple[Session, dict[str, Any] | None] | None) -> int:
    """The exit code of the last conversation that was held, if there was one."""
    from sim.wiring.session import HeldSession

    if last is None:
        return errors.OK
    session, document = last
    say_record(session.folder if isinstance(session, HeldSession) else None)
    return result_code(document)


def _plain(session: Session, face_name: str) -> Coroutine[Any, Any, dict[str, Any]]:
    from ui import plain

    faces = {"plain": plain.watch_plain, "json": plain.json_face, "events": plain.events_face}
    return faces[face_name](session, sys.stdout)


@contextlib.contextmanager
def _hung_up(stop: Callable[[], object]) -> Iterator[None]:
    """Call `stop` when the terminal goes away, as a lost connection does; not where that is ignored."""
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_DFL:
        yield
        return
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGHUP, stop)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGHUP)


async def held(face: Coroutine[Any, Any, T], code: Callable[[T], int]) -> int:
    """Let a face hold its conversation, cut off by SIGINT or SIGTERM; the exit code.

    `code` gives it for what the face returns.
    """
    task = asyncio.ensure_future(face)
    with _hung_up(task.cancel), interruptible(task.cancel, task.cancel) as interruption:
        try:
            result = await task
        except asyncio.CancelledError:
            return interruption.code or errors.INTERRUPTED
    return interruption.code or code(result)


def result_code(document: dict[str, Any] | None) -> int:
    """The exit code of a finished conversation: 1 too where a judge was asked and said nothing."""
    if document is None:
        return errors.INTERRUPTED
    record, scores = document["conversation"], document["scores"]
    code = errors.exit_code(record["end_reason"])
    claimed = scores["criteria"] - scores["not_claimed"]
    mute = record["judge"] != "none" and claimed > 0 and scores["judged"] == 0
    given = [verdict for turn in record["turns"] for verdict in turn["verdicts"]]
    silent = said([*given, *record["verdicts"]])
    if code == errors.OK and mute and record["end_reason"] != EndReason.USER_LEFT:
        errors.say(f"skopos: 0/{claimed} judged: the judge gave no verdict.")
        return errors.FAILURES
    return errors.FAILURES if code == errors.OK and silent else code
