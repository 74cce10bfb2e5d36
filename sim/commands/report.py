"""`skopos report`: the scores of a run as tables, JSON, CSV or one page.

A single conversation, and the end of a `run` or `judge`, get a light table without intervals: what
resampling needs is imported only where there is something to resample.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.analysis.missing import as_zeros, by_system
from sim.analysis.scores import gate_said
from sim.analysis.systems import SystemRow, system_rows
from sim.analysis.votes import of_records
from sim.analysis.worth import Worth
from sim.commands import errors, options
from sim.commands.reading import Held, Row, held, signatures, worths
from sim.core import files
from sim.core.errors import Problem, UsageProblem
from sim.core.text import dumps, visible
from sim.core.values import StrictGate
from sim.runs.places import places, run_folder
from sim.runs.signature import short

if TYPE_CHECKING:
    from sim.analysis.judges import Between, Judged
    from sim.analysis.outputs import Metric

_COLUMNS = ("overall", "L1", "L2", "L3", "conv", "judged", "bounds", "held")
Signed = dict[tuple[str, str], Row]


@dataclass(frozen=True, slots=True)
class Found:
    """All numbers of a report."""

    judged: "tuple[Judged, ...]"
    signed: tuple[Signed, ...]
    """Of each judge, the signatures of its numbers."""
    worth: tuple[Mapping[str, Worth], ...]
    """Of each judge, what its scores are worth, by mode; only of `rules`."""
    between: "Between | None"
    """Where a run has several judges."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `report`."""
    parser.add_argument("run", metavar="RUN", help="folder of a run, or id of a record")
    parser.add_argument("--json", action="store_true", help="exact figures as JSON")
    parser.add_argument("--html", metavar="F", help="write one page with figures and failures")
    parser.add_argument("--csv", metavar="F", help="write one CSV table (F.csv), or a folder of them")
    parser.add_argument(
        "--fallback", metavar="J", help="a judge whose verdicts fill what the run's own left open"
    )
    parser.add_argument(
        "--metrics", metavar="F", help="CSV with values of MT metrics to set beside the scores"
    )
    parser.add_argument(
        "--count-missing-as-zero", action="store_true", help="count conversations never held as all not met"
    )
    options.add_strict(parser)


def run(args: argparse.Namespace) -> int:
    """Show the scores; the exit code."""
    read = held(run_folder(args.run, places()), words=bool(args.html), fallback=args.fallback)
    faces = args.json or args.html or args.csv or args.metrics or args.fallback
    if read.conversations == 1 and not faces and not args.count_missing_as_zero:
        _print_light(read, strict=args.strict_language)
    else:
        _report(read, args)
    return errors.OK


def print_report(folder: Path, *, as_json: bool, strict: StrictGate | None) -> None:
    """Print one light table a judge, or the JSON document. Raises UsageProblem for an unreadable run."""
    read = held(folder)
    if as_json:
        print(dumps(document(read, found(read, strict=strict, zeros=False), strict=strict)))
    else:
        _print_light(read, strict=strict)


def found(read: Held, *, strict: StrictGate | None, zeros: bool, metrics: "Sequence[Metric]" = ()) -> Found:
    """The numbers of a run under each of its judges, and between them."""
    from sim.analysis.judges import between

    judged = tuple(_judged(read, judge, strict, zeros, metrics) for judge in read.judges)
    return Found(
        judged=judged,
        signed=tuple(signatures(read, judge, strict=strict) for judge in read.judges),
        worth=tuple(worths(read, judge) for judge in read.judges),
        between=between(judged) if len(judged) > 1 else None,
    )


def _judged(
    read: Held, judge: str, strict: StrictGate | None, zeros: bool, metrics: "Sequence[Metric]"
) -> "Judged":
    from sim.analysis.judges import Judged
    from sim.analysis.summary import gated, summarised

    records = read.judges[judge]
    counted, missing = as_zeros(records, read.missing) if zeros else (records, read.missing)
    verdicts = gated(counted, strict=strict)
    summary = summarised(
        judge,
        counted,
        by_system(missing, read.planned),
        verdicts=verdicts,
        metrics=metrics,
        singles=read.singles.get(judge, {}),
        strict=strict,
    )
    return Judged(read.models[judge], summary, counted, verdicts)


def document(read: Held, found: Found, *, strict: StrictGate | None, zeros: bool = False) -> dict[str, Any]:
    """The report as plain JSON values, exact."""
    from sim.analysis.documents import between_document
    from sim.analysis.documents import document as of

    return {
        "schema": 1,
        "run": read.folder.name,
        "conversations": read.conversations,
        "remarks": read.remarks,
        "sent": [one.document() for one in read.sent],
        "before_safety_filter": read.before,
        "excluded": [{"scenario": scenario, "mode": mode} for scenario, mode in sorted(read.excluded)],
        "strict_language": strict,
        "fallback": read.fallback,
        "missing_as_zero": zeros,
        "judges": [
            of(one.summary)
            | {
                "signatures": [
                    {"system": system, "mode": mode, "signature": signature}
                    for (system, mode), signature in signed.items()
                ],
                "floor": {mode: one.document() for mode, one in worth.items()},
            }
            for one, signed, worth in zip(found.judged, found.signed, found.worth, strict=True)
        ],
        "between_judges": between_document(found.between) if found.between else None,
        "signatures": {row["system"]: row["signature"] for row in read.head["signatures"]},
    }


def _report(read: Held, args: argparse.Namespace) -> None:
    strict, zeros = args.strict_language, args.count_missing_as_zero
    metrics = _metrics(read, args.metrics)
    held = found(read, strict=strict, zeros=zeros, metrics=metrics)
    remarks = [*read.remarks, *_of_metrics(held, metrics, args.metrics)]
    if args.html:
        from ui.report.page import Part, page

        parts = [
            Part(one.summary, one.records, _short(signed), worth)
            for one, signed, worth in zip(held.judged, held.signed, held.worth, strict=True)
        ]
        _write(
            Path(args.html),
            page(read.folder.name, parts, str(read.head.get("version", "unknown")), remarks, held.between),
        )
    whole = document(read, held, strict=strict, zeros=zeros) | {"remarks": remarks}
    if args.csv:
        _write_tables(whole, Path(args.csv))
    if args.json:
        print(dumps(whole))
    elif not args.html and not args.csv:
        _print(held, remarks)


def _print(held: Found, remarks: Sequence[str]) -> None:
    from ui.report.terminal import between, lines

    for remark in remarks:
        print(f"note: {visible(remark)}")
    for one, signed, worth in zip(held.judged, held.signed, held.worth, strict=True):
        print("\n".join(lines(one.summary, _short(signed), worth)))
        print()
    if held.between:
        print("\n".join(between(held.between)))


def _metrics(read: Held, path: str | None) -> "list[Metric]":
    if path is None:
        return []
    from sim.commands.metric_file import read as read_metrics

    records = next(iter(read.judges.values()))
    return read_metrics(Path(path), tuple(dict.fromkeys(str(record["mode"]) for record in records)))


def _of_metrics(held: Found, metrics: "Sequence[Metric]", path: str | None) -> Iterator[str]:
    """Which file the metrics are from, and of each the values that belong to nothing scored."""
    if path is None:
        return
    from sim.commands.metric_file import LARGEST

    digest = sha256(files.read(Path(path), LARGEST)).hexdigest()
    yield f"Metrics are from {Path(path).name}, SHA-256 {digest[:16]}."
    own = held.judged[0].summary
    for metric in metrics:
        rows = [one.rows[-1] for one in own.metrics if one.metric == metric.name]
        left = len(metric.values) - sum(row.points for row in rows)
        if left:
            yield (
                f"{metric.name}: {left:,} of {len(metric.values):,} values belong to no output that "
                f"{own.judge} scored."
            )


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as failure:
        raise _unwritable(path, failure) from failure
    print(f"written: {path}", file=sys.stderr)


def _write_tables(report: Row, target: Path) -> None:
    from ui.report.tables import write

    try:
        files = write(report, target)
    except OSError as failure:
        raise _unwritable(target, failure) from failure
    print(f"written: {', '.join(map(str, files))}", file=sys.stderr)


def _unwritable(path: Path, failure: OSError) -> UsageProblem:
    return UsageProblem(
        Problem("Not writable", f"{path} cannot be written.", str(failure.strerror or failure))
    )


def _short(signed: Mapping[tuple[str, str], Row]) -> dict[tuple[str, str], str]:
    return {name: short(signature) for name, signature in signed.items()}


def _print_light(read: Held, *, strict: StrictGate | None) -> None:
    for remark in read.remarks:
        print(f"note: {visible(remark)}")
    for judge, records in read.judges.items():
        print(f"judge {visible(judge)}{gate_said(strict)}")
        for member in of_records(records).silent:
            print(
                f"warning: {visible(member.judge)} was asked about {member.asked:,} criteria and never voted"
            )
        rows = system_rows(records, by_system(read.missing, read.planned), strict=strict)
        _print_modes(rows, worths(read, judge))
        print()
    print("signatures")
    for judge in read.judges:
        for signature in signatures(read, judge, strict=strict).values():
            print(f"  {visible(short(signature))}")


def _print_modes(rows: Sequence[SystemRow], worth: Mapping[str, Worth]) -> None:
    """A table a mode, with the floor under it; which mode is said where there are several."""
    from ui.report.notes import of_floor

    modes = list(dict.fromkeys(row.mode for row in rows))
    for mode in modes:
        if len(modes) > 1:
            print(f"mode {visible(mode)}")
        held = [row for row in rows if row.mode == mode]
        _print_table(held)
        for line in of_floor(held, worth.get(mode)):
            print(line)


def _print_table(rows: list[SystemRow]) -> None:
    cells = [_cells(row) for row in rows]
    widths = [max(len(line[i]) for line in [_COLUMNS, *cells]) for i in range(len(_COLUMNS))]
    for line, name in [(_COLUMNS, "system"), *zip(cells, map(_name, rows), strict=True)]:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)), name, sep="  ")


def _cells(row: SystemRow) -> tuple[str, ...]:
    from ui.report.notes import held as of_planned
    from ui.report.numbers import bounds, share

    s = row.scores
    return (
        *map(share, (s.overall, s.L1, s.L2, s.L3, s.conversation)),
        f"{s.judged}/{s.criteria}",
        bounds(s.bounds),
        of_planned(row),
    )


def _name(row: SystemRow) -> str:
    from ui.report.notes import of_row

    notes = of_row(row)
    return visible(row.system) + (f" ({'; '.join(notes)})" if notes else "")
