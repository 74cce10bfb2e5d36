"""What a brief adds: which systems are compared, what is pooled, what is a family."""

from typing import Any

import numpy as np
import pytest

from sim.analysis.ablation import BRIEFS, ablation
from sim.analysis.bootstrap import holm
from sim.analysis.table import table
from tests.sim.analysis.made import record, single
from tests.sim.analysis.naive import ends, indices

RATES = {"direct": 0.3, "direct-context": 0.4, "specification": 0.5, "cultural": 0.7}


def _of(record: dict[str, Any], model: str, brief: str, **parts: Any) -> dict[str, Any]:
    return {**record, "system": {"id": f"{model}/{brief}", "model": model, "brief": brief, **parts}}


def made(models: tuple[str, ...] = ("m", "n"), scenarios: int = 20) -> list[dict[str, Any]]:
    random = np.random.default_rng(1)
    return [
        _of(
            single(f"{model}/{brief}", f"s{n:02}", list(random.random(8) < RATES[brief])),
            model,
            brief,
            history="none",
        )
        for n in range(scenarios)
        for model in models
        for brief in BRIEFS
    ]


def test_each_brief_is_compared_with_the_one_before_and_the_last_with_the_first() -> None:
    records = made(("m",))
    found = ablation(table(records), records, replicates=200)
    assert [(step.first, step.second) for step in found] == [
        ("direct", "direct-context"),
        ("direct-context", "specification"),
        ("specification", "cultural"),
        ("direct", "cultural"),
    ]
    assert {(step.model, step.models) for step in found} == {("m/" + brief, 1) for brief in BRIEFS[1:]}
    assert [step.p_holm for step in found] == pytest.approx(holm([step.effect.p for step in found]))


def test_the_pooled_row_is_the_mean_of_the_models_over_the_same_draws() -> None:
    records = made()
    held = table(records)
    pooled, *_ = ablation(held, records, replicates=300, seed=4)
    assert (pooled.model, pooled.models, pooled.first, pooled.second) == (None, 2, "direct", "direct-context")
    scores = {
        system: np.array([
            np.mean([v["met"] for v in one["turns"][0]["verdicts"]])
            for one in records
            if one["system"]["id"] == system
        ])
        for system in held.present("system")
    }  # fmt: skip
    apart = np.mean([scores[f"{m}/direct-context"] - scores[f"{m}/direct"] for m in "mn"], axis=0)
    assert pooled.effect.value == pytest.approx(apart.mean())
    drawn = [apart[chosen].mean() for chosen in indices([20], 300, 4)]
    assert ends(pooled.effect.interval) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))


def test_only_systems_alike_in_all_else_are_compared() -> None:
    records = [
        _of(record("m/direct", "s", [[True]]), "m", "direct", history="full"),
        _of(record("m/cultural", "s", [[True]]), "m", "cultural", history="none"),
        {
            **record("reference", "s", [[True]]),
            "system": {"id": "reference", "model": "reference", "brief": None},
        },
    ]
    assert ablation(table(records), records) == ()


def test_a_brief_of_ones_own_comes_after_the_known_ones() -> None:
    records = [
        _of(single(f"m/{brief}", f"s{n}", [True]), "m", brief)
        for n in range(3)
        for brief in ("mine", "cultural")
    ]
    (step,) = ablation(table(records), records, replicates=50)
    assert (step.first, step.second) == ("cultural", "mine")
