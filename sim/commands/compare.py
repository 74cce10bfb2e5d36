"""`skopos compare`: two systems of a run, paired: how far apart, how surely, and on which criteria."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sim.analysis.scores import gate_said
from sim.commands import errors, options
from sim.commands.reading import Held, Row, chosen, held, signatures
from sim.core.errors import Problem, UsageProblem
from sim.core.text import dumps, visible
from sim.runs.places import places, run_folder
from sim.runs.signature import short

if TYPE_CHECKING:
    from sim.analysis.versus import Parted, Versus

_SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `compare`."""
    parser.add_argument("run", metavar="RUN", help="folder of a run")
    parser.add_argument("first", metavar="A", help="a system of the run, as `skopos report` names it")
    parser.add_argument("second", metavar="B", help="another one")
    parser.add_argument("--judge", metavar="J", help="whose verdicts (default: the run's own judge's)")
    parser.add_argument("--fallback", metavar="J", help="a judge for what the run's own left open")
    parser.add_argument("--json", action="store_true", help="exact figures as JSON, with all criteria")
    parser.add_argument(
        "--criteria",
        type=options.natural,
        default=_SHOWN,
        metavar="N",
        help=f"criteria shown (default {_SHOWN})",
    )
    options.add_strict(parser)


def run(args: argparse.Namespace) -> int:
    """Compare two systems; the exit code."""
    read = held(run_folder(args.run, places()), words=True, fallback=args.fallback)
    judge = chosen(read, args.judge)
    found = list(_compared(read.judges[judge], args))
    signed = signatures(read, judge, strict=args.strict_language)
    if args.json:
        print(dumps(_document(read, judge, found, signed, args)))
        return errors.OK
    for remark in read.remarks:
        print(f"note: {visible(remark)}")
    print(f"judge {visible(judge)}{gate_said(args.strict_language)}")
    for one in found:
        print("\n".join(_lines(one, args.criteria)))
        print("signatures")
        for system in (one.first, one.second):
            signature = signed.get((system, one.mode))
            print(f"  {visible(short(signature)) if signature else 'none recorded'}")
    return errors.OK


def _compared(records: list[Row], args: argparse.Namespace) -> "Iterator[Versus]":
    """The comparison in each mode that both systems were judged in. Raises UsageProblem where there is none."""
    from sim.analysis.table import table
    from sim.analysis.versus import versus

    names = tuple(dict.fromkeys(record["system"]["id"] for record in records))
    for name in (args.first, args.second):
        if name not in names:
            why = "A system is named as in `skopos report`." if names else "No conversation is recorded."
            raise UsageProblem(Problem("Unknown system", f"{name!r} has no record in this run.", why, names))
    if args.first == args.second:
        raise UsageProblem(
            Problem("One system twice", f"{args.first!r} cannot differ from itself.", "", names)
        )
    whole = table(records).strict(args.strict_language) if args.strict_language else table(records)
    both = [
        mode
        for mode in whole.present("mode")
        if {args.first, args.second} <= set(whole.only("mode", mode).present("system"))
    ]
    if not both:
        raise UsageProblem(
            Problem(
                "Nothing to compare",
                f"{args.first!r} and {args.second!r} share no mode in which both were asked a criterion.",
            )
        )
    for mode in both:
        held_in_mode = [record for record in records if record["mode"] == mode]
        part = whole.only("mode", mode)
        yield versus(part, held_in_mode, args.first, args.second, strict=args.strict_language)


def _lines(one: "Versus", most: int) -> Iterator[str]:
    from ui.report.numbers import chance, share, signed, signed_span
    from ui.report.terminal import aligned

    yield ""
    yield (
        f"{visible(one.mode)} · {visible(one.first)} minus {visible(one.second)} · paired, "
        f"{one.replicates:,} replicates, seed {one.seed}; p of the layers by Holm"
    )
    head = ("difference", "interval", "p", "p Holm", "scenarios", "score")
    yield from aligned(
        head,
        (
            (
                signed(row.effect.value),
                signed_span(row.effect.interval),
                chance(row.effect.p, withheld=row.effect.withheld),
                chance(row.p_holm, withheld=row.effect.withheld),
                str(row.effect.units),
                row.group or "overall",
            )
            for row in (one.overall, *one.layers)
        ),
    )
    if len(one.procedures) > 1:
        yield f"warning: Checklists come from different procedures ({', '.join(one.procedures)})."
    if one.overall.effect.value is None:
        yield "No difference: no scenario that both systems have was judged for both."
    elif one.overall.effect.interval is None:
        yield "No interval: no direction has two scenarios that both systems have."
    yield ""
    yield f"{len(one.parted)} of {one.shared} criteria that both have judged came out differently"
    for parted in one.parted[:most]:
        yield f"  {share(parted.first)} {share(parted.second)}  {_where(parted)}"
        yield f"    {visible(parted.ask)}"
        if parted.reason:
            yield f"    not met: {visible(parted.reason)}"
    if len(one.parted) > most:
        yield f"  {most} of {len(one.parted)} shown; `--criteria N` shows more, `--json` all"


def _where(parted: "Parted") -> str:
    place = "conversation" if parted.turn is None else f"turn {parted.turn}"
    return visible(f"{parted.layer} {parted.scenario}, {place}, {parted.criterion}")


def _document(
    read: Held,
    judge: str,
    found: "list[Versus]",
    signed: dict[tuple[str, str], Row],
    args: argparse.Namespace,
) -> dict[str, Any]:
    return {
        "schema": 1,
        "run": read.folder.name,
        "judge": judge,
        "strict_language": args.strict_language,
        "modes": [asdict(one) for one in found],
        "signatures": [
            {"system": system, "mode": mode, "signature": signature}
            for (system, mode), signature in signed.items()
            if system in (args.first, args.second)
        ],
    }
