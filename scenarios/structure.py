"""What must be true within one scenario for the engine to hold it: order, names, languages.

Pure rules over a `Scenario`. Quality (layers, wording, evidence) is `checker`'s business.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scenarios.document import Place
from sim.core.errors import UsageProblem
from sim.core.languages import language
from sim.core.values import Criterion, Scenario, ScenarioTurn

PROCEDURES = ("turn", "single", "outline")


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to mend at one place of a document."""

    at: Place
    what: str
    why: str = ""
    choices: tuple[str, ...] = ()


def structure(scenario: Scenario) -> Iterator[Remark]:
    """Everything that keeps `scenario` from being held."""
    if not scenario.turns:
        yield Remark(("turns",), "There is no turn; a scenario has at least one.")
    yield from _languages(scenario)
    yield from _order(scenario)
    yield from _unique_ids(scenario)
    yield from _failure_points(scenario)
    for position, turn in enumerate(scenario.turns):
        yield from _breaks(position, turn)


def criteria(scenario: Scenario) -> Iterator[tuple[Place, Criterion]]:
    """All criteria of all checklists with their places, the conversation's last."""
    for position, turn in enumerate(scenario.turns):
        yield from turn_criteria(position, turn)
    yield from ((("criteria", n), item) for n, item in enumerate(scenario.criteria))


def turn_criteria(position: int, turn: ScenarioTurn) -> Iterator[tuple[Place, Criterion]]:
    """All criteria of one turn with their places."""
    for procedure in PROCEDURES:
        for n, item in enumerate(getattr(turn.checklists, procedure) or ()):
            yield ("turns", position, "checklists", procedure, n), item


def failure_points(scenario: Scenario) -> tuple[str, ...]:
    """The ids of all failure points of all turns."""
    return tuple(point.id for turn in scenario.turns for point in turn.analysis.failure_points)


def _languages(scenario: Scenario) -> Iterator[Remark]:
    for n, code in enumerate(scenario.pair):
        try:
            language(code)
        except UsageProblem as error:
            for problem in error.problems:
                yield Remark(("pair", n), problem.what, problem.why, problem.choices)


def _order(scenario: Scenario) -> Iterator[Remark]:
    for position, turn in enumerate(scenario.turns):
        at = ("turns", position)
        if turn.index != position:
            said = f"Turn index {turn.index} should be {position}: indices count from 0 without holes."
            yield Remark((*at, "index"), said)
        expected = scenario.speaker_of(position)
        if turn.speaker != expected:
            said = f"Turn {position} should be spoken by {expected}: sides alternate, {scenario.opens} opens."
            yield Remark((*at, "speaker"), said)


def _unique_ids(scenario: Scenario) -> Iterator[Remark]:
    seen: dict[str, str] = {}
    for at, criterion in criteria(scenario):
        if criterion.id in seen:
            said = f"The criterion id {criterion.id!r} is already used, for: {seen[criterion.id]}"
            yield Remark((*at, "id"), said)
        seen.setdefault(criterion.id, criterion.ask)


def _failure_points(scenario: Scenario) -> Iterator[Remark]:
    known = failure_points(scenario)
    for at, criterion in criteria(scenario):
        named = criterion.failure_point
        if named is not None and named not in known:
            said = f"The failure point {named!r} of {criterion.id} is in no turn's analysis."
            yield Remark((*at, "failure_point"), said, choices=known)


def _breaks(position: int, turn: ScenarioTurn) -> Iterator[Remark]:
    known = tuple(criterion.id for _, criterion in turn_criteria(position, turn))
    for n, contrast in enumerate(turn.contrasts):
        for m, broken in enumerate(contrast.breaks):
            if broken not in known:
                said = f"The contrast {contrast.name!r} breaks {broken!r}, no criterion of turn {position}."
                yield Remark(("turns", position, "contrasts", n, "breaks", m), said, choices=known)
