"""Which items of a run the safety filter removes, and from how many.

An item is a scenario in a mode. One hit anywhere removes it for every system and trial, so that all
systems are still compared on the same items: the whole conversation in multi-turn modes, in single-turn
mode every scenario of the same base too, which is how the opposite direction is found. Nothing is deleted:
the list says what is not to be counted.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sim.core.values import Mode, Scenario
from sim.runs.safety import SafetyFilter

Row = dict[str, Any]
Item = tuple[str, str]
"""Scenario id and mode."""


@dataclass(frozen=True, slots=True)
class Filtered:
    """What the filter found."""

    hits: tuple[Row, ...]
    """One line of exclusions.jsonl each: item, rule and place, never the text; `along` where the hit is in
    another scenario of its base."""
    items: frozenset[Item]
    conversations: int
    """Records there are."""
    kept: int
    """Records of items without a hit."""

    @property
    def removed(self) -> frozenset[Item]:
        """Items with a hit, or of a base with one."""
        return frozenset((row["scenario"], row["mode"]) for row in self.hits)


def filtered(
    lines: Iterable[Row], filter_: SafetyFilter, scenario: Callable[[Row], Scenario | None]
) -> Filtered:
    """Scan records; `scenario` gives the scenario of a line as it was held, None where it has changed."""
    hits: dict[str, Row] = {}
    held: list[Item] = []
    bases: dict[Item, str] = {}
    for line in lines:
        item = line["key"]["scenario"], line["key"]["mode"]
        held.append(item)
        as_held = scenario(line)
        if item[1] == Mode.SINGLE_TURN:
            # a scenario is of its own base where it names none: another may name it
            bases[item] = (as_held.provenance.base if as_held else None) or item[0]
        for place, text in _texts(line, as_held):
            for rule in filter_.hits(text):
                row = {"scenario": item[0], "mode": item[1], "rule": rule, **place}
                hits.setdefault(repr(row), {**row, "filter": filter_.fingerprint})
    rows = (*hits.values(), *_along(tuple(hits.values()), bases))
    removed = {(row["scenario"], row["mode"]) for row in rows}
    kept = sum(item not in removed for item in held)
    return Filtered(rows, frozenset(held), len(held), kept)


def _along(hits: tuple[Row, ...], bases: Mapping[Item, str]) -> Iterator[Row]:
    """A line for each item without a hit of its own whose base has one: `along` names the first that has."""
    first: dict[str, Row] = {}
    own = {(row["scenario"], row["mode"]) for row in hits}
    for row in hits:
        base = bases.get((row["scenario"], row["mode"]))
        if base is not None:
            first.setdefault(base, row)
    for (scenario, mode), base in bases.items():
        if base in first and (scenario, mode) not in own:
            row = first[base]
            where = {"turn": None, "field": None, "system": None, "trial": None}
            kept = {"rule": row["rule"], **where, "filter": row["filter"], "along": row["scenario"]}
            yield {"scenario": scenario, "mode": mode, **kept}


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
