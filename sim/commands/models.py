"""`skopos models`: which models and data there are, how they are had, and under which licence."""

import argparse

from sim.commands import errors


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`models` has no options."""


def run(args: argparse.Namespace) -> int:
    """Print the catalogue; the exit code."""
    from sim.wiring.catalogue import CATALOGUE

    for entry in CATALOGUE:
        print(entry.name)
        print(f"  for: {entry.serves}")
        print(f"  licence: {entry.licence}{' (restricted use)' if entry.restricted else ''}")
        print(f"  how: {entry.how}")
    return errors.OK
