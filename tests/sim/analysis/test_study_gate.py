"""The study's strict gate beside ours: what each rejects, on made checks of every kind."""

from typing import Any

import numpy as np
import pytest

from sim.analysis.comparisons import strict_gate
from sim.analysis.scores import pooled, rejected
from sim.analysis.sensitivity import sensitivity
from sim.analysis.table import table
from tests.sim.analysis.made import record, turn


def checked(result: str, probability: float | None, accepted: bool = True, **rest: Any) -> dict[str, Any]:
    made = turn(0, [True, True], check=result, **rest)
    if probability is not None:
        top = {"label": "id" if accepted else "jv", "probability": probability, "accepted": accepted}
        made["language_check"]["translation"]["top"] = top
    return made


@pytest.mark.parametrize(
    ("result", "probability", "accepted", "ours", "study"),
    [
        ("ok", 0.95, True, False, False),
        ("ok", 0.9, True, False, False),
        (
            "ok",
            0.89,
            True,
            False,
            True,
        ),  # the mass of several labels is enough for ours, none is for the study
        ("low", 0.45, True, False, True),
        ("low", 0.3, False, False, True),
        ("wrong", 0.97, False, True, True),
        ("abstain", 0.99, False, False, True),
        ("abstain", 0.95, True, False, False),
        ("ok", None, True, False, False),
        ("low", None, True, False, True),
        ("wrong", None, True, True, True),
        ("abstain", None, True, False, False),
    ],
)
def test_what_each_gate_rejects(
    result: str, probability: float | None, accepted: bool, ours: bool, study: bool
) -> None:
    made = checked(result, probability, accepted)
    assert (rejected(made, "ours"), rejected(made, "study"), rejected(made, None)) == (ours, study, False)


def test_an_interpretation_that_never_came_is_no_matter_of_language() -> None:
    assert not rejected(checked("wrong", 0.9, False, translation=None), "study")


def test_scores_under_the_study_count_low_as_rejected() -> None:
    records = [
        record("a", f"s{n}", [checked("low" if n < 3 else "ok", 0.4 if n < 3 else 0.99)]) for n in range(10)
    ]
    scores = [pooled(records, strict=gate).overall for gate in (None, "ours", "study")]
    assert scores == [1.0, 1.0, pytest.approx(0.7)]


def test_the_study_gate_has_its_own_paired_interval() -> None:
    random = np.random.default_rng(3)
    shares = random.random(40)
    records = [
        record("a", f"s{n}", [checked("low" if share < 0.25 else "ok", 0.5 if share < 0.25 else 0.99)])
        for n, share in enumerate(shares)
    ]
    lost = float((shares < 0.25).mean())
    (ours,), (study,) = strict_gate(table(records), "ours"), strict_gate(table(records), "study")
    assert (ours.gate, ours.change.effect.value) == ("ours", 0.0)
    assert study.gate == "study"
    assert study.change.effect.value == pytest.approx(-lost)
    assert study.change.effect.interval is not None
    assert study.change.effect.interval.high < 0


def test_both_gates_stand_beside_the_score() -> None:
    (row,) = sensitivity(
        table([record("a", "s0", [checked("ok", 0.6)]), record("a", "s1", [checked("ok", 0.99)])])
    )
    assert (row.score, row.strict, row.study) == (1.0, 1.0, 0.5)
