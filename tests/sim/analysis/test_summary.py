"""What a reader is warned of, and that a summary is valid JSON whatever it holds."""

import json
from typing import Any

import pytest

from sim.analysis.costs import costs
from sim.analysis.documents import document
from sim.analysis.summary import summarised
from tests.sim.analysis.made import record, single, study, turn
from tests.sim.analysis.test_degenerate import CASES
from ui.report.listing import concordance as row_of_concordance

PAIRS = (("kor", "ind"), ("arb", "ben"))


def warnings(records: list[dict[str, Any]]) -> str:
    return " | ".join(summarised("j", records, {}, replicates=20).warnings)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", CASES)
def test_every_summary_is_a_document(name: str) -> None:
    found = document(summarised("j", CASES[name], {}, replicates=20))
    json.dumps(found, allow_nan=False)


def test_checklists_of_two_procedures_in_a_mode_are_warned_of() -> None:
    mixed = [record("a", f"s{n}", [turn(0, [True], procedure=("turn", "outline")[n % 2])]) for n in range(4)]
    assert "In mode scripted checklists come from different procedures (outline, turn)" in warnings(mixed)


def test_modes_of_different_procedures_are_warned_of() -> None:
    def held(other: str) -> list[dict[str, Any]]:
        return [
            *study(["a"], scenarios=3),
            *(single("a", f"t{n}", [True, False]) for n in range(3)),
            record("a", "u", [turn(0, [True, False], procedure=other)], mode="dynamic-guided"),
        ]

    assert "Modes differ in the procedure of their checklists" in warnings(held("outline"))
    assert "Modes differ" not in warnings(held("turn"))


def test_little_to_resample_is_warned_of() -> None:
    assert "Few scenarios (scripted: 18)" in warnings(study(["a"]))
    assert warnings(study(["a"], scenarios=20)) == ""


def test_scenarios_alone_in_their_direction_are_warned_of() -> None:
    records = [*study(["a"], scenarios=10), record("a", "alone", [[True, False]], pair=("eng", "kor"))]
    assert "Scenarios alone in their direction (scripted: 1 of 31)" in warnings(records)


def test_an_interval_without_width_is_warned_of() -> None:
    records = [*study(["a"], PAIRS, scenarios=12), *_all_met("b")]
    assert "All scenarios alike (scripted: b)" in warnings(records)


def _all_met(system: str) -> list[dict[str, Any]]:
    return [record(system, f"{'-'.join(pair)}-{n}", [[True]], pair=pair) for pair in PAIRS for n in range(12)]


def test_systems_on_different_scenarios_are_warned_of() -> None:
    records = study(["a", "b"], PAIRS, scenarios=12)
    some = [one for one in records if one["system"]["id"] == "a" or one["pair"][0] == "kor"]
    assert "Not all systems have a score on all scenarios (scripted: 12 of 24)" in warnings(some)
    assert warnings(records) == ""


def test_a_system_never_judged_does_not_count_as_sharing_nothing() -> None:
    unjudged = [
        record("c", f"{'-'.join(pair)}-{n}", [[None]], pair=pair) for pair in PAIRS for n in range(12)
    ]
    assert warnings([*study(["a", "b"], PAIRS, scenarios=12), *unjudged]) == ""


@pytest.mark.parametrize(("scenarios", "told"), [(2, False), (7, True)])
def test_friedmans_p_is_withheld_as_every_other(scenarios: int, told: bool) -> None:
    """Three pairs: 6 scenarios are too few, 21 are not."""
    found = summarised("rules", study(scenarios=scenarios), {}, replicates=20)
    rows = document(found)["concordance"]
    assert rows
    for row in rows:
        assert (row["p"] is not None) is told
        assert row["p_withheld"] == (None if told else "6 scenarios, under 20")
    drawn = [row_of_concordance(one.concordance) for held in found.modes for one in held.hardness]
    assert all(("few" in row) is not told for row in drawn)


def test_costs_do_not_depend_on_the_order_of_conversations() -> None:
    held = [{**record("a", f"s{at}", [[True]]), "turns": []} for at in range(4)]
    for one, known in zip(held, (0.1, 0.2, 0.3, 0), strict=True):
        one["turns"] = [{**turn(0, [True]), "cost": {"known": known, "unknown_calls": 0}}]
    (there,), (back,) = costs(held), costs(reversed(held))
    assert json.dumps(there.known) == json.dumps(back.known) == "0.6"
    held[0]["turns"][0]["cost"]["known"] = 0
    assert json.dumps(costs(held[:1])[0].known) == "0.0"
