"""The standing comparisons: what is paired, what is a family."""

import numpy as np
import pytest

from sim.analysis.bootstrap import holm
from sim.analysis.comparisons import history, modes, self_preference, strict_gate
from sim.analysis.table import table
from tests.sim.analysis.made import record, single, study, turn
from tests.sim.analysis.naive import ends


def test_the_strict_gate_is_the_difference_to_the_plain_score() -> None:
    records = [
        record("a", f"s{n}", [turn(0, [True, True], check="wrong" if n % 2 else "ok")]) for n in range(8)
    ] + [record("b", f"s{n}", [[True, False]]) for n in range(8)]
    a, b = strict_gate(table(records))
    assert (a.first.system, a.first.variant, a.second.variant) == ("a", "strict", "")
    assert a.effect.value == -0.5
    assert ends(a.effect.interval)[1] < 0
    assert a.effect.p is not None
    assert a.effect.p < 0.02
    assert (b.effect.value, b.effect.p) == (0.0, 1.0)
    assert a.p_holm is None


def test_the_strict_gate_is_paired() -> None:
    random = np.random.default_rng(0)
    records = [
        record("a", f"s{n}", [turn(0, list(random.random(5) < rate)), turn(1, [True], check="wrong")])
        for n, rate in enumerate(random.random(30))
    ]
    (found,) = strict_gate(table(records))
    low, high = ends(found.effect.interval)
    assert high == pytest.approx(low)


def test_modes_are_one_family_over_systems_and_modes() -> None:
    records = [
        row
        for place, mode in enumerate(["scripted", "dynamic-guided", "dynamic-free"])
        for row in study(mode=mode, seed=place)
    ]
    found = modes(table(records), "scripted", ["dynamic-guided", "dynamic-free"], replicates=300)
    assert [(row.group, row.second.system) for row in found] == [
        (mode, system) for mode in ("dynamic-guided", "dynamic-free") for system in "abc"
    ]
    assert [row.p_holm for row in found] == holm([row.effect.p for row in found])
    assert found[0].first.variant == "scripted"


def test_modes_are_resampled_apart() -> None:
    records = study(["a"], scenarios=20) + study(["a"], scenarios=20, mode="dynamic-guided")
    (found,) = modes(table(records), "scripted", ["dynamic-guided"], replicates=500)
    assert found.effect.value == 0.0
    low, high = ends(found.effect.interval)
    assert low < -0.01 < 0.01 < high
    assert found.effect.units == 120


def test_a_system_absent_from_a_mode_has_no_row() -> None:
    records = study(["a", "b"]) + study(["b", "c"], mode="dynamic-free")
    found = modes(table(records), "scripted", ["dynamic-free", "dynamic-guided"], replicates=50)
    assert [row.second.system for row in found] == ["b"]


def histories(scenarios: int = 8) -> list[dict[str, object]]:
    pairs = [("kor", "ind"), ("ind", "kor"), ("arb", "ben")]
    records = [
        record(system, f"{'-'.join(pair)}-{n}", [[True, system == "on" or n % 2 == 0]], pair=pair)
        for system in ("on", "off")
        for pair in pairs
        for n in range(scenarios)
    ]
    return [*records, record("on", "only-on", [[False, False]], pair=("arb", "ben"))]


def test_history_is_compared_by_language_pair_over_common_conversations() -> None:
    found = history(table(histories()), "on", "off", replicates=300)
    assert [(row.group, row.effect.value, row.effect.units) for row in found] == [
        ("arb-ben", 0.25, 8),
        ("ind-kor", 0.25, 16),
    ]
    assert [row.p_holm for row in found] == holm([row.effect.p for row in found])


def test_history_of_an_unknown_system_is_an_error() -> None:
    with pytest.raises(ValueError, match="nobody"):
        history(table(histories()), "on", "nobody")


def judged(rates: dict[str, float]) -> list[dict[str, object]]:
    return [single(system, f"s{n}", [n < 10 * rate]) for system, rate in rates.items() for n in range(10)]


def test_self_preference_is_what_the_own_judge_adds_to_the_lead() -> None:
    own = table(judged({"mine": 0.9, "x": 0.5, "y": 0.3}))
    other = table(judged({"mine": 0.6, "x": 0.5, "y": 0.3}))
    found = self_preference(own, other, "mine", replicates=400)
    assert found.value == pytest.approx(0.3)
    assert ends(found.interval)[0] >= 0
    assert found.units == 10


def test_a_judge_that_lifts_everybody_prefers_nobody() -> None:
    own = table(judged({"mine": 0.8, "x": 0.6}))
    other = table(judged({"mine": 0.6, "x": 0.4}))
    assert self_preference(own, other, "mine", replicates=100).value == pytest.approx(0)


def test_self_preference_without_another_system_is_undefined() -> None:
    held = table(judged({"mine": 0.5}))
    found = self_preference(held, held, "mine", replicates=100)
    assert (found.value, found.interval, found.p) == (None, None, None)
