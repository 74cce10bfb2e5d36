"""Several judges of the same conversations, against naive counts and scipy."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.analysis.judges import Judged, between
from sim.analysis.summary import gated, summarised
from tests.sim.analysis.made import record, turn

SYSTEMS = {"mine": "acme/zeta-1", "x": "other/eta-1", "y": "other/theta-1", "w": "other/iota-1"}


def of(model: str, records: list[dict[str, Any]], name: str | None = None) -> Judged:
    verdicts = gated(records, strict=None)
    return Judged(model, summarised(name or model, records, {}, verdicts=verdicts), records, verdicts)


def records(seed: int, lift: float = 0.0, scenarios: int = 10) -> list[dict[str, Any]]:
    random = np.random.default_rng(seed)
    rates = {name: 0.4 + 0.1 * place for place, name in enumerate(reversed(SYSTEMS))}
    return [
        {
            **record(
                name,
                f"s{n}",
                [[bool(v < rates[name] + lift * (name == "mine")) for v in random.random(6)]],
            ),
            "system": {"id": name, "model": model},
        }
        for name, model in SYSTEMS.items()
        for n in range(scenarios)
    ]


def test_two_judges_are_compared_by_layer_over_what_both_judged() -> None:
    first = [record("a", "s", [[True, True, False, True, None, False]])]
    second = [record("a", "s", [[True, False, False, None, True, False]])]
    found = {row.level: row for row in between([of("j", first), of("k", second)]).pairs}
    assert {level: (row.items, row.raw) for level, row in found.items()} == {
        "overall": (4, 0.75), "L1": (1, 1.0), "L2": (1, 0.0), "L3": (2, 1.0), "conversation": (0, None),
    }  # fmt: skip
    # by hand: p_o = 3/4, p_e = (2/4)(1/4) + (2/4)(3/4) = 1/2
    assert found["overall"].kappa == pytest.approx(0.5)
    assert found["L3"].kappa is None


def test_what_no_judge_was_asked_and_what_is_provisional_is_no_agreement() -> None:
    def held() -> list[dict[str, Any]]:
        one = record("a", "s", [turn(0, [False, False, True])])
        one["turns"][0]["verdicts"][0]["basis"] = "system_failure"
        one["turns"][0]["verdicts"][1]["provisional"] = True
        return [one, record("a", "t", [[True]], end="user_fault")]

    (overall, *_) = between([of("j", held()), of("k", held())]).pairs
    assert (overall.items, overall.raw) == (1, 1.0)


def test_criteria_of_whole_conversations_stand_apart() -> None:
    def held(met: bool) -> list[dict[str, Any]]:
        whole = {"criterion": "c", "layer": "L2", "met": met, "basis": "judged"}
        return [{**record("a", "s", [[True]]), "verdicts": [whole]}]

    found = {row.level: row for row in between([of("j", held(True)), of("k", held(False))]).pairs}
    assert (found["conversation"].items, found["conversation"].raw) == (1, 0.0)
    assert (found["overall"].items, found["L2"].items) == (1, 0)


def test_judges_of_different_criteria_are_an_error() -> None:
    with pytest.raises(ValueError, match="same criteria"):
        between(
            [of("j", [record("a", "s", [turn(0, [True])])]), of("k", [record("a", "s", [turn(1, [True])])])]
        )


def test_three_judges_have_a_kappa_together() -> None:
    rows = [[True, True, False], [True, False, False], [True, True, False]]
    found = between([of(name, [record("a", "s", [row])]) for name, row in zip("jkl", rows, strict=True)])
    overall = next(row.found for row in found.all if row.level == "overall")
    # by hand (Fleiss 1971): P_i = 1, 1/3, 1; p_e = (5/9)^2 + (4/9)^2 = 41/81
    assert overall.kappa == pytest.approx((7 / 9 - 41 / 81) / (40 / 81))
    assert between([of("j", records(0)), of("k", records(1))]).all == ()


def test_the_order_of_systems_is_compared_by_rank() -> None:
    judges = [of(name, records(seed)) for seed, name in enumerate("jkl")]
    found = between(judges, replicates=10)
    scores = [
        [row.scores.overall for row in judge.summary.modes[0].rows if row.scores.overall is not None]
        for judge in judges
    ]
    assert [(row.first, row.second, row.systems) for row in found.orders] == [
        ("j", "k", 4), ("j", "l", 4), ("k", "l", 4),
    ]  # fmt: skip
    assert found.orders[0].spearman == pytest.approx(stats.spearmanr(scores[0], scores[1]).statistic)
    assert found.orders[0].kendall == pytest.approx(stats.kendalltau(scores[0], scores[1]).statistic)
    (shared,) = found.concordances
    expected = stats.friedmanchisquare(*np.array(scores).T)
    assert shared.found.statistic == pytest.approx(expected.statistic)
    assert shared.found.p == pytest.approx(expected.pvalue)
    assert (shared.found.systems, shared.found.levels, shared.found.interval) == (3, 4, None)


def test_a_judge_that_lifts_its_own_family_is_found_out() -> None:
    own, other = of("acme/zeta-judge", records(0, lift=0.4)), of("rules", records(0))
    (found,) = between([own, other], replicates=500).preferences
    assert (found.judge, found.other, found.family) == ("acme/zeta-judge", "rules", ("mine",))
    lift = found.found.lift
    assert lift.value is not None
    assert lift.value > 0.2
    assert lift.p is not None
    assert lift.p < 0.01


def test_judges_without_a_family_among_the_systems_prefer_nobody() -> None:
    assert between([of("rules", records(0)), of("gpt-5", records(1))]).preferences == ()


def test_the_same_model_twice_has_nobody_to_be_measured_against() -> None:
    twice = [of("acme/zeta-judge", records(0)), of("acme/zeta-judge", records(1), "acme/zeta-judge (2)")]
    assert between(twice).preferences == ()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("held", [[], [record("a", "s", [[]])], [record("a", "s", [[None]])]])
def test_nothing_judged_is_undefined(held: list[dict[str, Any]]) -> None:
    found = between([of("j", held), of("k", held)])
    assert all((row.items, row.raw, row.kappa) == (0, None, None) for row in found.pairs)
    assert all((row.spearman, row.kendall) == (None, None) for row in found.orders)
    assert all((row.found.w, row.found.p) == (None, None) for row in found.concordances)
