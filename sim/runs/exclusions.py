"""Which items of a run the safety filter removes, and from how many.

An item is a scenario in a mode. One hit anywhere removes it for every system and trial, so that all
systems are still compared on the same items; in single-turn mode that takes both directions along, in
the others whole conversations. Nothing is deleted: the list says what is not to be counted.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sim.core.values import Scenario
from sim.runs.safety import SafetyFilter

Row = dict[str, Any]
Item = tuple[str, str]
"""Scenario id and mode."""


@dataclass(frozen=True, slots=True)
class Filtered:
    """What the filter found."""

    hits: tuple[Row, ...]
    """One line of exclusions.jsonl each: item, rule and place, never the text."""
    items: frozenset[Item]
    conversations: int
    """Records there are."""
    kept: int
    """Records of items without a hit."""

    @property
    def removed(self) -> frozenset[Item]:
        """Items with a hit."""
        return frozenset((row["scenario"], row["mode"]) for row in self.hits)


def filtered(
    lines: Iterable[Row], filter_: SafetyFilter, scenario: Callable[[Row], Scenario | None]
) -> Filtered:
    """Scan records; `scenario` gives the scenario of a line as it was held, None where it has changed."""
    hits: dict[str, Row] = {}
    held: list[Item] = []
    for line in lines:
        item = line["key"]["scenario"], line["key"]["mode"]
        held.append(item)
        for place, text in _texts(line, scenario(line)):
            for rule in filter_.hits(text):
                row = {"scenario": item[0], "mode": item[1], "rule": rule, **place}
                hits.setdefault(repr(row), {**row, "filter": filter_.fingerprint})
    removed = {(row["scenario"], row["mode"]) for row in hits.values()}
    kept = sum(item not in removed for item in held)
    return Filtered(tuple(hits.values()), frozenset(held), len(held), kept)


def _texts(line: Row, scenario: Scenario | None) -> Iterator[tuple[Row, str]]:
    """Everything that was said in a record, and its references, with where it stands."""
    record = line["conversation"]
    made = {"system": line["key"]["system"], "trial": line["key"]["trial"]}
    scripted = {"system": None, "trial": None}
    for turn in record["turns"]:
        fixed = _fixed(turn, scenario)
        for field in ("source", "translation", "response"):
            if turn[field]:
                whose = scripted if field == "source" and fixed else made
                yield {"turn": turn["index"], "field": field, **whose}, turn[field]
        if fixed and scenario is not None:
            reference = scenario.turns[turn["index"]].reference
            if reference:
                yield {"turn": turn["index"], "field": "reference", **scripted}, reference


def _fixed(turn: Row, scenario: Scenario | None) -> bool:
    """Whether a turn speaks the scenario's own words, the same for every system."""
    index = turn["index"]
    return (
        scenario is not None
        and index < len(scenario.turns)
        and scenario.turns[index].source == turn["source"]
    )
