"""Names and inline parameters: what a role means by what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.core.errors import UsageProblem
from sim.runs.book import Book, judging, separated, split
from sim.runs.named import NamedModel


@pytest.mark.parametrize(
    ("written", "model", "parameters"),
    [
        ("openai/gpt-5.4-mini", "openai/gpt-5.4-mini", {}),
        ("openai/gpt-5.4-mini?reasoning_effort=low", "openai/gpt-5.4-mini", {"reasoning_effort": "low"}),
        ("m?temperature=0&top_p=0.5", "m", {"temperature": 0, "top_p": 0.5}),
        ("m?logprobs=true&seed=null", "m", {"logprobs": True, "seed": None}),
        ('m?stop=["a","b"]', "m", {"stop": ["a", "b"]}),
        ('m?extra={"a": {"b": 1}}', "m", {"extra": {"a": {"b": 1}}}),
        ("m?note=a=b=c", "m", {"note": "a=b=c"}),
        ("m?note=", "m", {"note": ""}),
        ("odd?name/x?k=v", "odd?name/x", {"k": "v"}),
        ("m?user=somebody", "m", {"user": "somebody"}),
        ("gguf:what?.gguf", "gguf:what?.gguf", {}),
        ("fake:f.json?a=b", "fake:f.json?a=b", {}),
        ("command:translate --q=a?b=c", "command:translate --q=a?b=c", {}),
    ],
)
def test_inline_parameters_stand_behind_the_last_question_mark(
    written: str, model: str, parameters: dict[str, object]
) -> None:
    assert split(written) == (model, parameters)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("m?", "KEY=VALUE"),
        ("m?low", "KEY=VALUE"),
        ("m?a=1&", "KEY=VALUE"),
        ("m?=1", "KEY=VALUE"),
        ("m?a=1&a=2", "given twice"),
        ("?a=1", "no model before"),
        ("rules?a=1", "takes no parameters"),
        ("local?temperature=1", "takes no parameters"),
        ("m?temperature=NaN", "finite number"),
        ("m?api_key=sk-x", "is access"),
        ("m?model=other", "the call sets it"),
        ("m?max_tokens=-1", "whole number"),
    ],
)
def test_parameters_that_cannot_be_read_or_given_are_refused(written: str, said: str) -> None:
    with pytest.raises(UsageProblem) as refused:
        split(written)
    (problem,) = refused.value.problems
    assert said in f"{problem.what} {problem.why}"


@given(st.text())
def test_whatever_is_written_is_read_or_refused(written: str) -> None:
    try:
        model, parameters = split(written)
    except UsageProblem:
        return
    assert parameters or model == written


@pytest.mark.parametrize(
    ("written", "models"),
    [
        ("rules, openai/x", ("rules", "openai/x")),
        ('a?stop=["x","y"]&n2={"k": [1, 2]},b', ('a?stop=["x","y"]&n2={"k": [1, 2]}', "b")),
        ('a?stop=",",b', ('a?stop=","', "b")),
        ("gguf:we[ird.gguf,b", ("gguf:we[ird.gguf", "b")),
        ("a?x=[1,b", ("a?x=[1,b",)),
        ("a", ("a",)),
    ],
)
def test_commas_in_parameters_separate_nothing(written: str, models: tuple[str, ...]) -> None:
    assert separated(written) == models


def test_a_rubric_asks_the_model_it_names() -> None:
    assert judging("rules,rubric:lab?seed=1, openai/x") == ("rules", "lab?seed=1", "openai/x")


NAMED = NamedModel(
    model="openai/x",
    parameters={"temperature": 0.5, "seed": 1, "judge": {"temperature": 0.0, "reasoning_effort": "low"}},
)


def test_a_role_gets_its_own_parameters_before_the_shared_ones_and_inline_before_both() -> None:
    book = Book({"lab": NAMED})
    assert book.asked("lab", "user").parameters == {"temperature": 0.5, "seed": 1}
    judging = book.asked("lab?seed=7", "judge")
    assert judging.parameters == {"temperature": 0.0, "seed": 7, "reasoning_effort": "low"}
    assert (judging.name, judging.model, judging.written) == ("lab", "openai/x", "lab?seed=7")


def test_what_goes_before_replaces_a_name_whole_and_clears_its_distrust() -> None:
    book = Book({"lab": NAMED}, {"lab": "somewhere"}).over({"lab": NamedModel(model="fake:f")})
    assert book.asked("lab", "judge").parameters == {}
    assert book.asked("lab", "judge").withheld == ""


def test_only_the_names_that_are_used_are_kept() -> None:
    book = Book({"lab": NAMED, "other": NAMED}).kept(["lab?seed=7", "rules", "openai/x", "gguf:other"])
    assert set(book.named) == {"lab"}
