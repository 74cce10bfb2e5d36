from pathlib import Path
from typing import Any

import pytest

from agents.judges.checks import problems as lint
from scenarios.checklists import checklists, is_coherence
from sim.core.values import Criterion, Scenario
from tests.scenarios.parts import example


def remarks(data: Any) -> list[str]:
    return [remark.what for remark in checklists(Scenario.model_validate(data), lint)]


@pytest.fixture
def data(tmp_path: Path) -> Any:
    return example(tmp_path)


def first_turn(data: Any) -> Any:
    return data["turns"][0]["checklists"]["turn"]


def test_the_guide_example_is_sound(data: Any) -> None:
    assert remarks(data) == []


@pytest.mark.parametrize("keep", [(0,), (1, 2), (0, 1), (0, 0, 1, 2), (0, 1, 1, 2), (2,), ()])
def test_each_checklist_follows_the_layer_rule(data: Any, keep: tuple[int, ...]) -> None:
    data["turns"][0]["contrasts"] = []
    items = first_turn(data)
    data["turns"][0]["checklists"]["turn"] = [dict(items[n], id=f"c{m}") for m, n in enumerate(keep)]
    assert any(said.startswith("Turn 0, turn: L1") for said in remarks(data))


def test_the_layer_rule_covers_other_procedures_too(data: Any) -> None:
    data["turns"][1]["checklists"]["outline"] = [dict(first_turn(data)[0], id="o1")]
    assert remarks(data) == ["Turn 1, outline: L1 1, L2 0, L3 0."]


def test_a_scenario_needs_a_checklist(data: Any) -> None:
    for turn in data["turns"]:
        turn["checklists"] = {}
    assert "No turn has a checklist under `turn`." in remarks(data)


@pytest.mark.parametrize(
    ("n", "opening"), [(0, "Does the interpreter's response"), (1, "Does the translation")]
)
def test_each_layer_has_its_opening_words(data: Any, n: int, opening: str) -> None:
    first_turn(data)[n]["ask"] = f"{opening} arrive?"
    (said,) = remarks(data)
    assert "should begin" in said


def test_one_criterion_is_about_coherence(data: Any) -> None:
    coherent = data["turns"][1]["checklists"]["turn"][1]
    coherent["function"] = None
    assert remarks(data) == []
    coherent["id"] = "t1.l2.tablets"
    assert remarks(data) == ["No criterion is about coherence with surrounding turns."]


@pytest.mark.parametrize(
    ("id", "function", "marked"),
    [
        ("t1.l2.coh", None, True),
        ("t1.l2.coh-name", None, True),
        ("t1.l2.cohort", None, False),
        ("coh", None, False),
        ("c", "coherence", True),
        ("c", "ind/L2/coherence-names", True),
        ("c", "incoherence", False),
    ],
)
def test_what_marks_coherence(id: str, function: str | None, marked: bool) -> None:
    assert is_coherence(Criterion(id=id, layer="L2", ask="Does", function=function)) is marked


def test_one_l3_criterion_is_grounded_in_a_failure_point(data: Any) -> None:
    del first_turn(data)[2]["failure_point"]
    first_turn(data)[1]["failure_point"] = "fp.address"
    assert remarks(data) == ["No L3 criterion is grounded in a failure_point."]


def test_similarity_is_never_the_only_leg(data: Any) -> None:
    first_turn(data)[1]["check"] = {"similar": 0.8}
    assert remarks(data) == ["Similarity is the only leg of this check."]
    first_turn(data)[1]["check"] = {"similar": 0.8, "require": "mohon"}
    assert remarks(data) == []


def test_an_empty_check_and_one_without_a_reference_are_named(data: Any) -> None:
    first_turn(data)[1]["check"] = {}
    data["criteria"][0]["check"] = {"similar": 0.8, "require": "dua"}
    assert remarks(data) == [
        "The check is empty.",
        "A conversation-level check has no reference to be similar to.",
    ]


def test_the_rules_of_forms_are_asked_of_every_check(data: Any) -> None:
    first_turn(data)[1]["check"] = {"require": {"re": r"\bmohon", "yes": "mohon", "no": "x"}}
    data["criteria"][0]["check"] = {"forbid": "*"}
    said = remarks(data)
    assert len(said) == 2
    assert r"uses \b" in said[0]


@pytest.mark.parametrize(
    "form",
    [
        "kamu tolong minum",
        "*Tolong   minum 2*",
        "lalu kamu, tolong minum",
        {"re": "kamu tolong minum", "yes": "kamu tolong minum", "no": "x"},
        {"re": "(?:kamu tolong minum|lo)", "yes": "lo", "no": "x"},
        {"re": "kamu +tolong[ ]*minum", "yes": "kamu tolong minum", "no": "x"},
    ],
)
def test_a_forbidden_form_quotes_no_three_words_of_a_contrast(data: Any, form: Any) -> None:
    first_turn(data)[2]["check"]["forbid"] = [form]
    (said,) = remarks(data)
    assert "of the contrast 'rude'" in said


@pytest.mark.parametrize(
    "form",
    [
        "kamu tolong",
        "kamu minum tolong",
        {"re": "kamu (?:tolong|harap) minum", "yes": "kamu harap minum", "no": "x"},
    ],
)
def test_two_words_or_other_words_are_no_quotation(data: Any, form: Any) -> None:
    first_turn(data)[2]["check"]["forbid"] = [form]
    assert remarks(data) == []


def test_a_conversation_check_quotes_no_contrast_either(data: Any) -> None:
    data["criteria"][0]["check"] = {"forbid": "should i take those four"}
    assert "of the contrast 'slip'" in remarks(data)[0]


def test_bengali_marks_belong_to_their_words(data: Any) -> None:
    data["turns"][0]["contrasts"].append({"name": "ben", "text": "আমি বাংলায় কথা বলি", "breaks": []})
    first_turn(data)[2]["check"]["forbid"] = ["বাংলায়"]
    assert remarks(data) == []
    first_turn(data)[2]["check"]["forbid"] = ["বাংলায় কথা বলি"]
    assert len(remarks(data)) == 1
