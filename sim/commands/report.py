"""`skopos report`: the scores of a run as a plain table, or as JSON."""

import argparse
from pathlib import Path
from typing import Any

from sim.analysis.scores import ranked
from sim.analysis.systems import SystemRow, system_rows
from sim.commands import errors
from sim.core.text import dumps, visible
from sim.runs.places import places, run_folder
from sim.runs.signature import short
from sim.runs.store import Run
from sim.runs.verdicts import overlaid

_COLUMNS = ("overall", "L1", "L2", "L3", "conv", "judged", "bounds", "held")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `report`."""
    parser.add_argument("run", metavar="RUN", help="folder of a run, or id of a record")
    parser.add_argument("--json", action="store_true", help="exact figures as JSON")
    parser.add_argument(
        "--strict-language", action="store_true", help="score a translation in a wrong language zero"
    )


def run(args: argparse.Namespace) -> int:
    """Show the scores; the exit code."""
    print_report(run_folder(args.run, places()), as_json=args.json, strict=args.strict_language)
    return errors.OK


def print_report(folder: Path, *, as_json: bool, strict: bool) -> None:
    """Print one table a judge. Raises UsageProblem for an unreadable run."""
    opened = Run(folder)
    tables = {name: _rows(opened, records, strict=strict) for name, records in by_judge(opened).items()}
    signed = {row["system"]: row["signature"] for row in opened.head["signatures"]}
    if as_json:
        print(dumps(_document(tables, signed, strict=strict)))
        return
    for judge, rows in tables.items():
        print(f"judge {visible(judge)}{', strict language gate' if strict else ''}")
        _print_table(rows)
        print()
    _print_signatures(signed)


def by_judge(run: Run) -> dict[str, list[dict[str, Any]]]:
    """Judge name → records under its verdicts; the run's own judge first."""
    lines = list(run.conversations())
    own = lines[0]["conversation"]["judge"] if lines else _own_judge(run)
    own_later: dict[tuple[str, str], dict[str, Any]] = {}
    others: dict[str, dict[tuple[str, str], dict[str, Any]]] = {}
    for file in run.verdict_files():
        later = run.verdicts(file)
        name = next((row["verdict"]["judge"] for row in later.values()), file.stem)
        if name == own:
            own_later |= later
        else:
            others[f"{name} ({file.stem[-8:]})"] = later
    result = {own: [overlaid(line, own_later, own=True) for line in lines]}
    for name, later in others.items():
        result[name] = [overlaid(line, later, own=False) for line in lines]
    return result


def _own_judge(run: Run) -> str:
    plan = run.head.get("plan")
    return str(plan["judge"]) if plan else "none"


def _rows(run: Run, records: list[dict[str, Any]], *, strict: bool) -> list[SystemRow]:
    return system_rows(records, _missing(run), strict=strict)


def _missing(run: Run) -> dict[tuple[str, str], int]:
    """How many planned conversations of each (system, mode) have no record."""
    head = run.head
    if "plan" not in head:
        return {}
    mode, trials = head["plan"]["mode"], head["plan"]["trials"]
    expected: dict[tuple[str, str], int] = {}
    for row in head["signatures"]:
        name = (row["system"], mode)
        expected[name] = expected.get(name, 0) + trials
    for line in run.conversations():
        expected[(line["key"]["system"], mode)] -= 1
    return expected


def _print_table(rows: list[SystemRow]) -> None:
    cells = [_cells(row) for row in rows]
    widths = [max(len(line[i]) for line in [_COLUMNS, *cells]) for i in range(len(_COLUMNS))]
    for line, name in [(_COLUMNS, "system"), *zip(cells, map(_name, rows), strict=True)]:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)), name, sep="  ")


def _cells(row: SystemRow) -> tuple[str, ...]:
    s = row.scores
    bounds = "-" if s.bounds is None else f"{s.bounds[0]:.3f}-{s.bounds[1]:.3f}"
    held = f"{row.conversations}/{row.conversations + row.aborted + row.missing}"
    return (
        *map(_share, (s.overall, s.L1, s.L2, s.L3, s.conversation)),
        f"{s.judged}/{s.criteria}",
        bounds,
        held,
    )


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _name(row: SystemRow) -> str:
    notes = []
    if row.failed_turns:
        notes.append(f"{row.failed_turns} turns failed and scored 0")
    if row.aborted:
        notes.append(f"{row.aborted} aborted and left out, with them as 0: {_share(row.aborted_as_zero)}")
    if row.caveats:
        notes.append(f"not ranked: {', '.join(row.caveats)}")
    return visible(row.system) + (f" ({'; '.join(notes)})" if notes else "")


def _print_signatures(signed: dict[str, Any]) -> None:
    print("signatures (one scenario's each; `--json` and run.json have all)")
    for signature in signed.values():
        print(f"  {visible(short(signature))}")


def _document(tables: dict[str, list[SystemRow]], signed: dict[str, Any], *, strict: bool) -> dict[str, Any]:
    return {
        "schema": 1,
        "strict_language": strict,
        "judges": [
            {
                "judge": judge,
                "systems": [
                    {
                        "system": row.system,
                        "mode": row.mode,
                        "conversations": row.conversations,
                        "aborted": row.aborted,
                        "missing": row.missing,
                        "failed_turns": row.failed_turns,
                        "aborted_as_zero": row.aborted_as_zero,
                        "ranked": ranked(row.scores) and not row.caveats,
                        "scores": row.scores.document(),
                    }
                    for row in rows
                ],
            }
            for judge, rows in tables.items()
        ],
        "signatures": signed,
    }
