"""`skopos models`: models by name with where their text goes; `skopos models check NAME` tries one."""

import argparse
import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sim.commands import errors, options
from sim.core.errors import Problem, UsageProblem
from sim.core.text import dumps, visible
from sim.runs.book import Book
from sim.runs.named import RESERVED, ROLES

if TYPE_CHECKING:
    from sim.wiring.listing import Listed

_CONFIRMED = {
    "list": "",
    "card": "its name is that of its model card",
    "no": "its name could not be confirmed",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `models`."""
    parser.add_argument(
        "action", nargs="?", choices=("check",), help="try one model: whole, streamed, as JSON"
    )
    parser.add_argument("model", nargs="?", metavar="NAME", help="the model to try, as any role takes it")
    parser.add_argument(
        "--role", choices=ROLES, default="interpreter", help="whose parameters (default interpreter)"
    )
    options.add_trust(parser)


def run(args: argparse.Namespace) -> int:
    """List the models, or try one; the exit code."""
    if args.action is None:
        _list(args.book)
        return errors.OK
    if not args.model or args.model in RESERVED - {"local"}:
        what = f"{args.model!r} asks no model." if args.model else "No model was named."
        raise UsageProblem(
            Problem("Nothing to check", what, "Name one: skopos models check NAME.", tuple(args.book.named))
        )
    return asyncio.run(_check(args.model, args.role, args.book))


async def _check(written: str, role: Any, book: Book) -> int:
    from sim.runs.places import places
    from sim.wiring.check_model import tried
    from sim.wiring.studio import House

    house = House(places(), cache=False, book=book)
    failed = 0
    try:
        client = house.client(written, role)
        for place in house.destinations([written]) or (f"{written} (on this machine)",):
            print(visible(place))
        async for one in tried(client):
            failed += not one.ok
            tokens = f", {one.tokens[0]} + {one.tokens[1]} tokens" if one.tokens else ""
            print(f"  {one.way:<9} {visible(one.what)}, {one.seconds:.1f} s{tokens}", flush=True)
            if one.left_out:
                print(f"            left out, which the server refused: {visible(', '.join(one.left_out))}")
    finally:
        await house.aclose()
    return errors.FAILURES if failed else errors.OK


def _list(book: Book) -> None:
    from sim.wiring.catalogue import CATALOGUE
    from sim.wiring.listing import listed

    rows = list(listed(book))
    _section("your models, by [models.NAME] in skopos.toml", [row for row in rows if row.preset is None])
    _section("models that come with a name", [row for row in rows if row.preset is not None])
    print("\nmodels and data, and their terms")
    for entry in CATALOGUE:
        print(entry.name)
        print(f"  for: {entry.serves}")
        print(f"  licence: {entry.licence}{' (restricted use)' if entry.restricted else ''}")
        print(f"  how: {entry.how}")


def _section(title: str, rows: "list[Listed]") -> None:
    print(title)
    for row in rows:
        print(f"{row.name}{f': {row.preset.title}, {row.preset.rows}' if row.preset else ''}")
        print(f"  {visible(row.model)}")
        print(f"  text goes to: {_place(row)}; price: {_price(row)}")
        for role, parameters in row.parameters.items():
            print(f"  {role or 'every role'}: {visible(_spelled(parameters))}")
        remarks = (_CONFIRMED[row.preset.confirmed], row.preset.note) if row.preset else ()
        if any(remarks):
            print(f"  note: {'; '.join(filter(None, remarks))}")
    if not rows:
        print("  none")
    print()


def _place(row: "Listed") -> str:
    if not row.host:
        return "nobody, it runs here"
    return f"{visible(row.host)}, your own server" if row.own_server else visible(row.host)


def _price(row: "Listed") -> str:
    return (
        "unknown"
        if row.price is None
        else f"{row.price[0]:g} in, {row.price[1]:g} out (USD a million tokens)"
    )


def _spelled(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={v if isinstance(v, str) else dumps(v)}" for name, v in parameters.items())
