"""The standing comparisons: what is paired, what is a family."""

import numpy as np
import pytest

from sim.analysis.bootstrap import holm
from sim.analysis.comparisons import history, modes, modes_by_pair, self_preference, strict_gate
from sim.analysis.table import table
from tests.sim.analysis.made import record, single, study, turn
from tests.sim.analysis.naive import ends, indices


def test_the_strict_gate_is_the_difference_to_the_plain_score() -> None:
    records = [
        record("a", f"s{n}", [turn(0, [True, True], check="wrong" if n % 2 else "ok")]) for n in range(8)
    ] + [record("b", f"s{n}", [[True, False]]) for n in range(8)]
    a, b = strict_gate(table(records))
    change = a.change
    assert (change.first.system, change.first.variant, change.second.variant) == ("a", "strict", "")
    assert change.effect.value == -0.5
    assert ends(change.effect.interval)[1] < 0
    assert change.effect.p is not None
    assert change.effect.p < 0.02
    assert (b.change.effect.value, b.change.effect.p) == (0.0, 1.0)
    assert change.p_holm is None


def test_the_strict_score_has_an_interval_of_its_own() -> None:
    wrong = [n in (0, 3, 4) for n in range(12)]
    records = [
        record("a", f"s{n}", [turn(0, [True, n % 3 > 0], check="wrong" if no else "ok")])
        for n, no in enumerate(wrong)
    ]
    (found,) = strict_gate(table(records), replicates=500, seed=7)
    scores = np.array([0.0 if no else (1 + (n % 3 > 0)) / 2 for n, no in enumerate(wrong)])
    order = np.argsort([f"s{n}" for n in range(12)])
    drawn = [scores[order][chosen].mean() for chosen in indices([12], 500, 7)]
    assert found.strict.score == pytest.approx(scores.mean())
    assert ends(found.strict.interval) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))


def test_the_strict_gate_is_paired() -> None:
    random = np.random.default_rng(0)
    records = [
        record("a", f"s{n}", [turn(0, list(random.random(5) < rate)), turn(1, [True], check="wrong")])
        for n, rate in enumerate(random.random(30))
    ]
    (found,) = strict_gate(table(records))
    low, high = ends(found.change.effect.interval)
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
    assert (found.on, found.off) == ("on", "off")
    assert (found.overall.effect.value, found.overall.effect.units, found.overall.p_holm) == (0.25, 24, None)
    assert [(row.group, row.effect.value, row.effect.units) for row in found.pairs] == [
        ("arb-ben", 0.25, 8),
        ("ind-kor", 0.25, 16),
    ]
    assert [row.p_holm for row in found.pairs] == holm([row.effect.p for row in found.pairs])


def test_history_of_an_unknown_system_is_an_error() -> None:
    with pytest.raises(ValueError, match="nobody"):
        history(table(histories()), "on", "nobody")


def judged(rates: dict[str, float]) -> list[dict[str, object]]:
    return [single(system, f"s{n}", [n < 10 * rate]) for system, rate in rates.items() for n in range(10)]


def test_self_preference_is_what_the_own_judge_adds_to_the_lead() -> None:
    own = table(judged({"mine": 0.9, "x": 0.5, "y": 0.3}))
    other = table(judged({"mine": 0.6, "x": 0.5, "y": 0.3}))
    found = self_preference(own, other, {"mine"}, replicates=400)
    assert [found.own.value, found.others.value] == pytest.approx([0.3, 0.0])
    assert found.lift.value == pytest.approx(0.3)
    assert ends(found.lift.interval)[0] >= 0
    assert found.lift.units == 10


def test_a_judge_that_lifts_everybody_prefers_nobody() -> None:
    own = table(judged({"mine": 0.8, "x": 0.6}))
    other = table(judged({"mine": 0.6, "x": 0.4}))
    found = self_preference(own, other, {"mine"}, replicates=100)
    assert [found.own.value, found.others.value] == pytest.approx([0.2, 0.2])
    assert found.lift.value == pytest.approx(0)


def test_self_preference_without_another_system_is_undefined() -> None:
    held = table(judged({"mine": 0.5}))
    found = self_preference(held, held, {"mine"}, replicates=100)
    assert found.own.value == 0.0
    for undefined in (found.others, found.lift):
        assert (undefined.value, undefined.interval, undefined.p) == (None, None, None)


def test_a_family_of_several_systems_counts_by_its_mean() -> None:
    own = table(judged({"mine": 0.9, "mine too": 0.7, "x": 0.5, "y": 0.3}))
    other = table(judged({"mine": 0.6, "mine too": 0.6, "x": 0.5, "y": 0.3}))
    found = self_preference(own, other, {"mine", "mine too"}, replicates=100)
    assert found.lift.value == pytest.approx((0.8 - 0.4) - (0.6 - 0.4))


def test_self_preference_is_the_naive_double_difference_of_every_resample() -> None:
    random = np.random.default_rng(5)
    names = ("mine", "x", "y")
    met = random.random((2, 3, 15)) < 0.6
    own, other = (
        table([single(name, f"s{n:02}", [bool(one)]) for name, row in zip(names, held, strict=True)
               for n, one in enumerate(row)])
        for held in met
    )  # fmt: skip
    found = self_preference(own, other, {"mine"}, replicates=400, seed=2).lift

    def lift(held: np.ndarray) -> float:
        return float(held[0].mean() - held[1:].mean())

    drawn = [lift(met[0][:, chosen]) - lift(met[1][:, chosen]) for chosen in indices([15], 400, 2)]
    assert found.value == pytest.approx(lift(met[0]) - lift(met[1]))
    assert ends(found.interval) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))


def test_modes_within_pairs_are_one_family_over_systems_pairs_and_modes() -> None:
    """Twelve tests, as two systems over six pairs: a made run with twenty scenarios a cell."""
    pairs = [("arb", "ben"), ("arb", "ind"), ("arb", "kor"), ("ben", "ind"), ("ben", "kor"), ("ind", "kor")]
    random = np.random.default_rng(3)
    records = [
        record(system, f"{'-'.join(pair)}-{n}", [list(random.random(6) < rate)], mode=mode, pair=pair)
        for pair in pairs
        for mode, rate in (("scripted", 0.8), ("dynamic-guided", 0.5 if pair == ("ind", "kor") else 0.8))
        for system in ("a", "b")
        for n in range(20)
    ]
    found = modes_by_pair(table(records), "scripted", ["dynamic-guided"], replicates=2000)
    assert len(found) == 12
    assert [row.p_holm for row in found] == pytest.approx(holm([row.effect.p for row in found]))
    certain = {row.group for row in found if (row.p_holm or 1) < 0.05}
    assert certain == {"dynamic-guided, ind-kor"}
    assert {(row.effect.units, row.effect.least, row.effect.withheld) for row in found} == {(40, 20, False)}


def test_p_is_withheld_where_one_side_has_few_scenarios() -> None:
    few = [record("a", f"s{n}", [[True, n % 2 > 0]]) for n in range(19)]
    many = [record("a", f"s{n}", [[True, n % 3 > 0]], mode="dynamic-guided") for n in range(40)]
    (found,) = modes(table([*few, *many]), "scripted", ["dynamic-guided"], replicates=100)
    assert (found.effect.units, found.effect.least) == (59, 19)
    assert found.effect.withheld
    assert found.effect.interval is not None
