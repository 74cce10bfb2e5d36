"""`skopos filter`: find personal data and offensive language in a run, and list what not to count."""

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from sim.commands import errors
from sim.commands.judge import Scenarios
from sim.core.errors import UsageProblem
from sim.core.text import visible
from sim.core.values import Scenario
from sim.runs import safety
from sim.runs.exclusions import Filtered, filtered
from sim.runs.places import places, run_folder
from sim.runs.store import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `filter`."""
    parser.add_argument("run", metavar="RUN", help="folder of a run, or id of a record")
    parser.add_argument("--lists", metavar="DIR", help="folder of lists in place of those that ship")


def run(args: argparse.Namespace) -> int:
    """Filter a run; the exit code."""
    rules = safety.load(Path(args.lists) if args.lists else None)
    opened = Run(run_folder(args.run, places()))
    known = Scenarios(opened)
    with opened.writing() as writer:
        writer.mend()
        found = filtered(opened.conversations(), rules, lambda line: _as_held(known, line))
        writer.exclude(found.hits)
    _say(found, opened, rules.fingerprint)
    return errors.OK


def _as_held(known: Scenarios, line: dict[str, Any]) -> Scenario | None:
    """The scenario of a line, for its references; None where it has changed or gone since."""
    try:
        return known.of(line)
    except UsageProblem:
        return None


def _say(found: Filtered, opened: Run, fingerprint: str) -> None:
    places = Counter(row["rule"] for row in found.hits if "along" not in row)
    for rule, count in sorted(places.items()):
        print(f"  {visible(rule)}: {count} {'place' if count == 1 else 'places'}")
    along = {(row["scenario"], row["mode"]): row["along"] for row in found.hits if "along" in row}
    for scenario, mode in sorted(found.removed):
        other = along.get((scenario, mode))
        why = f", of the same base as {visible(other)}" if other else ""
        print(f"excluded for every system: {visible(scenario)}, {visible(mode)}{why}")
    print(
        f"items {len(found.items)} before, {len(found.items - found.removed)} after; "
        f"conversations {found.conversations} before, {found.kept} after (filter {fingerprint})"
    )
    if found.hits:
        where = visible(str(opened.folder / "exclusions.jsonl"))
        print(f"{where} says where; edit copies of the lists and give --lists DIR.")
    else:
        print("nothing was found: every conversation counts.")
