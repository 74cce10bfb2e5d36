"""What belongs together: a judge's own family, a system with and without history."""

from typing import Any

import pytest

from sim.analysis.families import family, histories, of_family
from tests.sim.analysis.made import record


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gemini/gemini-3.1-pro-preview", "gemini"),
        ("vertex_ai/gemini-3.1-flash-lite-preview", "gemini"),
        ("gpt-5.4-mini", "gpt"),
        ("openrouter/openai/gpt-5.4", "gpt"),
        ("deepseek/deepseek-v4-pro", "deepseek"),
        ("Qwen3.5-Flash", "qwen"),
        ("gguf:/models/Qwen3-8B-Q4_K_M.gguf", "qwen"),
        ("gguf:tiny.gguf", "tiny"),
        ("rules", None),
        ("reference", None),
        ("copy", None),
        ("local", None),
        ("gpt-5.4,gemini/gemini-3.1-pro", None),
        ("fake:judge.yaml", None),
        ("", None),
        ("7b", None),
    ],
)
def test_a_family_is_the_first_word_of_the_model(model: str, expected: str | None) -> None:
    assert family(model) == expected


def of(name: str, **parts: Any) -> dict[str, Any]:
    return {**record(name, "s", [[True]]), "system": {"id": name, **parts}}


def test_the_systems_of_a_judges_family_are_found_by_their_models() -> None:
    records = [
        of("one", model="gemini/gemini-3.1-flash-lite"),
        of("two", model="deepseek/deepseek-v4"),
        of("three", model="gemini/gemini-3.1-pro"),
        of("one", model="gemini/gemini-3.1-flash-lite"),
    ]
    assert of_family(records, "gemini/gemini-3.1-pro-preview") == ("one", "three")
    assert of_family(records, "gpt-5.4") == ()
    assert of_family(records, "rules") == ()
    assert of_family([of("old")], "gpt-5.4") == ()


def test_history_is_compared_between_systems_alike_in_all_else() -> None:
    records = [
        of("on", model="m", brief="cultural", history="full", parameters={"temperature": 0.0}),
        of("off", model="m", brief="cultural", history="none", parameters={"temperature": 0.0}),
        of("last", model="m", brief="cultural", history="last:3", parameters={"temperature": 0.0}),
        of("warm", model="m", brief="cultural", history="full", parameters={"temperature": 1.0}),
        of("direct", model="m", brief="direct", history="full", parameters={"temperature": 0.0}),
        of("reference", model="reference", brief=None, history=None, parameters={}),
    ]
    assert histories(records) == [("on", "off"), ("last", "off")]


def test_what_was_never_held_is_in_no_family() -> None:
    missing = {**of("on", model="m", history="full"), "missing": True}
    assert histories([missing, of("off", model="m", history="none")]) == []
