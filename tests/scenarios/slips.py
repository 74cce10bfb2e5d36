"""References with one small slip each, by kind of error, written without sight of the checks."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ruamel.yaml import YAML

from scenarios import loader
from sim.core.values import Scenario

_FILE = Path(__file__).parent / "data" / "slips.yaml"


@dataclass(frozen=True)
class Slip:
    """One wrong rendering of one turn."""

    scenario: Scenario
    turn: int
    kind: str
    """negated, swapped, quantity or entity."""
    text: str
    breaks: str | None
    """The criterion that asks about what is wrong; None where none does."""


@cache
def slips() -> tuple[Slip, ...]:
    """All of them, in the order of the file."""
    return tuple(_read())


def _read() -> Iterator[Slip]:
    for row in YAML(typ="safe", pure=True).load(_FILE.read_text(encoding="utf-8")):
        yield Slip(loader.find(row["id"]), row["turn"], row["kind"], row["text"], row["breaks"])
