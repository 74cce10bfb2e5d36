"""`skopos doctor`: what is available on this machine, and why not."""

import argparse

from sim.commands import errors
from sim.core.text import visible


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`doctor` has no options."""


def run(args: argparse.Namespace) -> int:
    """Print the facts; exit code 1 where something is missing."""
    from sim.runs.places import places
    from sim.wiring.facts import facts, opened

    found = (*facts(places(), args.book, opened=True), *opened())
    for fact in found:
        print(f"{fact.status:<8} {fact.subject}: {visible(fact.detail)}")
    return errors.FAILURES if any(fact.status == "missing" for fact in found) else errors.OK
