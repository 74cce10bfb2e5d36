"""The criteria that were not met, with the turn they are about; and a fair sample of them.

Drawn by a fixed seed and stratified by direction and layer, so that two people see the same ones and
no direction or layer crowds out another. It scores nothing.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sim.analysis.scores import outcome, rejected, scored
from sim.analysis.systems import zero
from sim.core.values import Basis, StrictGate

Record = Mapping[str, Any]
SHOWN = 200
"""Failures of one system that a page shows at most."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One criterion that was not met."""

    record: Record
    turn: Mapping[str, Any] | None
    """None for a criterion of the whole conversation."""
    criterion: Mapping[str, Any]
    verdict: Mapping[str, Any]

    @property
    def stratum(self) -> tuple[str, str]:
        """(direction or pair, layer)."""
        where = self.record["pair"] if self.turn is None else self.turn["direction"]
        return "-".join(where), self.verdict["layer"]


@dataclass(frozen=True, slots=True)
class Sample:
    """Some failures of one system in one mode."""

    system: str
    mode: str
    shown: tuple[Failure, ...]
    """In order of the records."""
    total: int


def sampled(
    records: Iterable[Record], *, strict: StrictGate | None = None, most: int = SHOWN, seed: int = 0
) -> list[Sample]:
    """At most `most` failures a (system, mode); missing and aborted conversations have none to show."""
    groups: dict[tuple[str, str], list[Failure]] = {}
    for record in records:
        held = groups.setdefault((record["system"]["id"], record["mode"]), [])
        if scored(record) and not zero(record):
            held.extend(_failures(record, strict))
    return [
        Sample(system, mode, tuple(_drawn(found, most, seed)), len(found))
        for (system, mode), found in groups.items()
    ]


def _failures(record: Record, strict: StrictGate | None) -> Iterator[Failure]:
    for turn in record["turns"]:
        gated = rejected(turn, strict)
        yield from _of_place(record, turn, turn["criteria"], turn["verdicts"], gated)
    yield from _of_place(record, None, record.get("criteria", ()), record["verdicts"], False)


def _of_place(
    record: Record,
    turn: Mapping[str, Any] | None,
    criteria: Iterable[Mapping[str, Any]],
    verdicts: Iterable[Mapping[str, Any]],
    gated: bool,
) -> Iterator[Failure]:
    asked = {criterion["id"]: criterion for criterion in criteria}
    for verdict in verdicts:
        if verdict.get("provisional") or outcome(verdict["met"], verdict["basis"], gated=gated) != "not_met":
            continue
        criterion = asked.get(verdict["criterion"], {"id": verdict["criterion"]})
        said = verdict if verdict["met"] is False else {**verdict, "basis": str(Basis.LANGUAGE_GATE)}
        yield Failure(record, turn, criterion, said)


def _drawn(found: list[Failure], most: int, seed: int) -> list[Failure]:
    """`most` of them: each stratum its share, the rest of the places by chance."""
    if len(found) <= most:
        return found
    strata: dict[tuple[str, str], list[int]] = {}
    for at, failure in enumerate(found):
        strata.setdefault(failure.stratum, []).append(at)
    generator = random.Random(seed)
    chosen: set[int] = set()
    for _, places in sorted(strata.items()):
        chosen.update(generator.sample(places, most * len(places) // len(found)))
    rest = [at for at in range(len(found)) if at not in chosen]
    chosen.update(generator.sample(rest, most - len(chosen)))
    return [found[at] for at in sorted(chosen)]
