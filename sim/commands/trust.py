"""`skopos trust`: let the settings of a folder say where text and keys go, as they are now."""

import argparse
from pathlib import Path

from sim.commands import errors
from sim.core.errors import Problem, UsageProblem
from sim.core.text import visible
from sim.runs import settings_file, trust
from sim.runs.places import places


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The one argument of `trust`."""
    parser.add_argument("folder", metavar="FOLDER", help="where the skopos.toml lies")


def run(args: argparse.Namespace) -> int:
    """Trust a folder's settings; the exit code."""
    file = settings_file.read(Path(args.folder) / settings_file.FILE)
    if file.problems:
        raise UsageProblem(*file.problems)
    if not file.digest:
        raise UsageProblem(
            Problem(
                "Nothing to trust", f"There is no {settings_file.FILE} in {args.folder}.", "Name its folder."
            )
        )
    trust.trust(file, places())
    print(f"trusted as it is now: {visible(str(file.path.resolve()))}")
    for what in file.guarded or ("nothing yet: it names no address, key or command",):
        print(f"  it decides: {visible(what)}")
    return errors.OK
