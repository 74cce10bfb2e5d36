"""`skopos records`: mend the records of a run."""

import argparse

from sim.commands import errors
from sim.core.text import visible
from sim.runs.places import places, run_folder
from sim.runs.repair import Mended, repair
from sim.runs.store import Run, unwritable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `records`."""
    parser.add_argument("action", choices=("repair",), help="repair: set aside lines that cannot be read")
    parser.add_argument("run", metavar="RUN", help="folder of a run, or id of a record")


def run(args: argparse.Namespace) -> int:
    """Set aside what cannot be read; the exit code. Raises UsageProblem, also where run.json is damaged."""
    opened = Run(run_folder(args.run, places()))
    found = False
    with opened.writing() as writer:
        try:
            for mended in repair(writer):
                found = True
                _say(mended, opened)
        except OSError as failure:
            raise unwritable(opened.folder, failure) from failure
    _ = opened.head
    if not found:
        print("nothing to repair: every line can be read.")
    return errors.OK


def _say(mended: Mended, opened: Run) -> None:
    for problem in mended.problems:
        print(f"{visible(problem.where)}: {visible(problem.what)} {visible(problem.why)}")
    name = visible(str(mended.file.relative_to(opened.folder)))
    if mended.problems:
        count = len(mended.problems)
        lines = "1 line" if count == 1 else f"{count:,} lines"
        print(f"{name}: {lines} set aside in {visible(str(mended.kept))}, with their numbers")
    if mended.torn:
        print(f"{name}: an unfinished last line set aside in {visible(str(opened.torn / mended.file.name))}")
