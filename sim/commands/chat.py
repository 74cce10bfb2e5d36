"""`skopos chat`: a person, or two at one keyboard, talk through the interpreter."""

import argparse
import asyncio
import sys
from dataclasses import replace

from sim.commands import errors, options
from sim.commands.watch import NOTES, SETTINGS, held, on_terminal, result_code, say_record, starting
from sim.core.errors import Problem, UsageProblem
from sim.core.languages import language
from sim.core.studio import DEFAULT_CHECK, Setup
from sim.core.values import Mode, Scenario, Speaker, other


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `chat`."""
    parser.add_argument("--me", metavar="LANG", help="your language, by ISO 639-3 code")
    parser.add_argument("--other", metavar="LANG", help="the other side's language")
    parser.add_argument(
        "--seat", choices=("A", "B"), help="your side of the scenario (default: by --me, else A)"
    )
    parser.add_argument("--hotseat", action="store_true", help="both seats at this keyboard")
    parser.add_argument(
        "--scenario", metavar="S", help="a scenario's situation; its script is the other side"
    )
    parser.add_argument(
        "--with", dest="partner", metavar="X", help="who the other side is: a model, or script"
    )
    parser.add_argument("--interpreter", default="local", metavar="X", help="local (default), or a model")
    parser.add_argument(
        "--brief", metavar="B", help="cultural (default), specification, direct-context, direct"
    )
    parser.add_argument("--history", metavar="H", help="full (default), none, last:K, similar:K, summary")
    parser.add_argument(
        "--situation",
        metavar="TEXT",
        help="without a scenario: who the two are and what it is about, for interpreter and judge",
    )
    parser.add_argument("--judge", default="rules", metavar="J", help="rules (default), a model, none")
    options.add_encoder(parser)
    parser.add_argument(
        "--on-flag",
        default="ask",
        choices=("deliver", "ask"),
        help="what to do with an odd translation: ask (default) or deliver it",
    )
    parser.add_argument("--no-record", action="store_true", help="keep no record of this chat")
    options.add_language(parser)
    options.add_trust(parser)
    parser.add_argument(
        "--plain", action="store_true", help="lines instead of a screen; the default in a pipe"
    )


def run(args: argparse.Namespace) -> int:
    """Hold one chat; the exit code."""
    return asyncio.run(_chat(args))


async def _chat(args: argparse.Namespace) -> int:
    on_screen = not args.plain and on_terminal()
    with starting(on_screen):
        from scenarios import loader
        from sim.runs.places import places
        from sim.wiring.studio import House

        house = House(places(), book=args.book)
    try:
        with starting(on_screen):
            scenario = loader.find(args.scenario) if args.scenario else None
            wanted = setup(args, scenario)
            session = house.start(wanted)
            if on_screen:
                from ui.app import run_app
                from ui.mishaps import noted
                from ui.settings import Settings
        if on_screen and scenario is None and args.situation is None:
            from ui.situation import ask_situation

            situation = await ask_situation()
            if situation is None:
                return errors.OK
            session = house.start(replace(wanted, situation=situation))
        if on_screen:
            settings = Settings(places().data / SETTINGS)
            with noted(places().logs / NOTES, errors.say):
                code = await held(run_app(session, chat=True, settings=settings), result_code)
            say_record(session.folder)
            return code
        from ui.plain_chat import chat_plain

        return await held(chat_plain(session, sys.stdin, sys.stdout), result_code)
    finally:
        await house.aclose()


def setup(args: argparse.Namespace, scenario: Scenario | None) -> Setup:
    """The setup the options spell. Raises UsageProblem for options that contradict each other."""
    pair = scenario.pair if scenario else _pair(args)
    seat = _seat(args, pair)
    if args.hotseat and args.partner:
        raise UsageProblem(
            Problem(
                "Options contradict",
                "--hotseat and --with cannot go together.",
                "--hotseat takes both seats.",
            )
        )
    if scenario and args.situation is not None:
        raise UsageProblem(
            Problem(
                "Options contradict",
                "--situation and --scenario cannot go together.",
                "A scenario brings its own situation.",
            )
        )
    partner = args.partner or ("script" if scenario and not args.hotseat else "person")
    users: dict[Speaker, str] = {seat: "person", other(seat): partner}
    return Setup(
        scenario=args.scenario,
        mode=Mode.DYNAMIC_FREE,
        interpreter=args.interpreter,
        brief=args.brief,
        history=args.history,
        user_a=users["A"],
        user_b=users["B"],
        judge=args.judge,
        encoder=args.encoder,
        on_flag=args.on_flag,
        record=not args.no_record,
        language_check=args.language_check or DEFAULT_CHECK,
        pair=pair,
        situation=args.situation or "",
    )


def _pair(args: argparse.Namespace) -> tuple[str, str]:
    missing = [option for option, value in (("--me", args.me), ("--other", args.other)) if not value]
    if missing:
        raise UsageProblem(
            Problem(
                "Languages needed",
                f"A chat needs {' and '.join(missing)}, or a --scenario.",
                "Languages are ISO 639-3 codes, such as kor and ind.",
            )
        )
    if args.me == args.other:
        raise UsageProblem(
            Problem("One language", f"--me and --other are both {args.me}: there is nothing to interpret.")
        )
    return (args.me, args.other) if args.seat != "B" else (args.other, args.me)


def _seat(args: argparse.Namespace, pair: tuple[str, str]) -> Speaker:
    for code in filter(None, (args.me, args.other)):
        language(code)
    if not args.me:
        return args.seat or "A"
    seats: dict[str, Speaker] = {pair[1]: "B", pair[0]: "A"}
    seat: Speaker = args.seat or seats.get(args.me, "A")
    spoken = pair[0] if seat == "A" else pair[1]
    if spoken != args.me or (args.other and {args.me, args.other} != set(pair)):
        raise UsageProblem(
            Problem(
                "Languages do not fit",
                f"--me {args.me}{f' --other {args.other}' if args.other else ''} does not fit seat {seat}, "
                f"which speaks {language(spoken).name}.",
                "In a scenario A and B speak the languages of its pair.",
                pair,
            )
        )
    return seat
