"""Little, nothing and all alike: every statistic gives valid values or None, and no warning."""

import json
from dataclasses import asdict
from typing import Any

import pytest

from sim.analysis.bootstrap import compared
from sim.analysis.comparisons import history, modes, self_preference, strict_gate
from sim.analysis.concordance import concordance, deviations, matrix
from sim.analysis.cuts import cut, macro
from sim.analysis.sensitivity import sensitivity
from sim.analysis.table import table
from tests.sim.analysis.made import record, study

pytestmark = pytest.mark.filterwarnings("error")

NOBODY = [record(system, f"s{n}", [[None, None]]) for system in "ab" for n in range(4)]
FAILED = [record(system, f"s{n}", [[False] * 3]) for system in "ab" for n in range(4)]
PERFECT = [record(system, f"s{n}", [[True] * 3]) for system in "ab" for n in range(4)]
TWINS = [{**one, "system": {"id": name}} for one in study(["a"], mode="single-turn") for name in ("a", "b")]
CASES: dict[str, list[dict[str, Any]]] = {
    "none": [],
    "one": [record("a", "s", [[True, False]])],
    "no criteria": [record("a", "s", [[]]), record("b", "s", [[]])],
    "identical systems": TWINS,
    "all failed": FAILED,
    "all met": PERFECT,
    "all unjudged": NOBODY,
    "one system unjudged": [*PERFECT[:4], *NOBODY[4:]],
    "aborted": [record("a", "s", [[True]], end="user_fault")],
}


@pytest.mark.parametrize("name", CASES)
def test_every_statistic_holds(name: str) -> None:
    held = table(CASES[name])
    rows = cut(held, "target")
    languages = matrix(rows)
    found: list[Any] = [
        *[row for by in ("direction", "layer", "function", "mode", "position") for row in cut(held, by)],
        *macro(rows),
        compared(held, replicates=50),
        *strict_gate(held, replicates=50),
        *modes(held, "scripted", ["dynamic-free"], replicates=50),
        concordance(languages, replicates=50),
        *deviations(languages, replicates=50),
        *sensitivity(held),
    ]
    if len(held.present("system")) == 2:
        found.append(history(held, "a", "b", replicates=50))
        found.append(self_preference(held, held, {"a"}, replicates=50))
    for one in found:
        json.dumps(asdict(one), allow_nan=False)


def test_identical_systems_differ_nowhere() -> None:
    (pair,) = compared(table(TWINS), replicates=100).pairs
    assert (pair.effect.value, pair.effect.p, pair.p_holm) == (0.0, 1.0, 1.0)
    found = history(table(TWINS), "a", "b", replicates=100)
    for row in (found.overall, *found.pairs):
        assert (row.effect.value, row.effect.p) == (0.0, 1.0)


def test_unjudged_systems_have_no_scores_and_no_differences() -> None:
    found = compared(table(NOBODY), replicates=50)
    assert {estimate.score for estimate in found.systems} == {None}
    assert (found.pairs[0].effect.value, found.pairs[0].effect.p) == (None, None)


def test_failed_systems_score_zero_and_do_not_differ() -> None:
    found = compared(table(FAILED), replicates=50)
    assert {estimate.score for estimate in found.systems} == {0.0}
    assert found.pairs[0].effect.p == 1.0
