"""A report as CSV files: one long table, or a folder with one file a kind.

A text cell that a spreadsheet would run as a formula gets a leading apostrophe, and the header line says
so; numbers are written bare. JSON is the exact form.
"""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sim.core.text import dumps
from sim.runs.signature import short

RULE = "text cells beginning with = + - @ tab or CR have a leading apostrophe; JSON is exact"
"""Name of the last, empty column."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
KINDS = (
    "systems", "pairs", "functions", "modes", "modes_by_pair", "sensitivity", "strict_gate", "ablation",
    "two_checklists",
    "history", "positions", "decline", "conversation_level", "concordance", "deviations", "metrics", "costs",
)  # fmt: skip
BETWEEN = ("agreement", "agreement_of_all", "orders", "concordance", "self_preference")
"""Of several judges together; each file's name begins with `judges_`."""
Row = Mapping[str, Any]


def safe(value: Any) -> Any:
    """A cell that no spreadsheet runs."""
    if not isinstance(value, str):
        return value
    return f"'{value}" if value.startswith(_FORMULA) else value


def write(document: Row, target: Path) -> list[Path]:
    """Write the JSON document of a report as CSV; the files written.

    A target ending in `.csv` is one file, anything else a folder. Raises OSError where it cannot be written.
    """
    kinds = _kinds(document)
    if target.suffix == ".csv":
        _write(target, [{"table": name, **row} for name, rows in kinds.items() for row in rows])
        return [target]
    target.mkdir(parents=True, exist_ok=True)
    files = []
    for name, rows in kinds.items():
        files.append(target / f"{name}.csv")
        _write(files[-1], rows)
    return files


def _kinds(document: Row) -> dict[str, list[Row]]:
    judges = document["judges"]
    kinds = {name: [_of(judge, row) for judge in judges for row in judge[name]] for name in KINDS}
    cuts = [
        _of(judge, {"cut": by, **row})
        for judge in judges
        for by, rows in judge["cuts"].items()
        for row in rows
    ]
    signatures = [_of(judge, _signature(row)) for judge in judges for row in judge["signatures"]]
    warnings: list[Row] = [
        *({"judge": None, "warning": remark} for remark in document["remarks"]),
        *({"judge": judge["judge"], "warning": words} for judge in judges for words in judge["warnings"]),
    ]
    between = document["between_judges"] or {}
    together: dict[str, list[Row]] = {
        f"judges_{name}": [_flat(row) for row in between.get(name, ())] for name in BETWEEN
    }
    votes = [_of(judge, row) for judge in judges for row in judge["votes"]["members"]]
    kinds |= {"cuts": cuts, "votes": votes, "signatures": signatures, "warnings": warnings}
    return kinds | (together if between else {})


def _of(judge: Row, row: Row) -> Row:
    return _flat({"judge": judge["judge"], **row})


def _signature(row: Row) -> Row:
    signature = row["signature"]
    return {
        "system": row["system"],
        "mode": row["mode"],
        "signature": short(signature),
        "document": dumps(signature),
    }


def _flat(row: Row, prefix: str = "") -> dict[str, Any]:
    """Nested values as `outer_inner`; pairs of bounds as `_low` and `_high`; lists of words joined."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        label = f"{prefix}{name}"
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{label}_")
        elif name == "bounds" and value is not None:
            flat[f"{label}_low"], flat[f"{label}_high"] = value
        elif isinstance(value, list | tuple):
            flat[label] = "; ".join(map(str, value))
        else:
            flat[label] = value
    return flat


def _write(path: Path, rows: Iterable[Row]) -> None:
    held = list(rows)
    columns = list(dict.fromkeys(name for row in held for name in row))
    with path.open("w", encoding="utf-8-sig", errors="backslashreplace", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*columns, RULE])
        writer.writerows([*(safe(row.get(name)) for name in columns), None] for row in held)
