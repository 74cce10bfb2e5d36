"""Plan files: every problem at once, and the plans that ship are plans."""

from pathlib import Path

import pytest

from sim.core.errors import Problem, UsageProblem
from sim.core.values import Mode
from sim.runs import plan_file
from sim.runs.plan import RunPlan, System


def problems(tmp_path: Path, text: str) -> tuple[Problem, ...]:
    path = tmp_path / "p.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageProblem) as refused:
        plan_file.read(str(path))
    assert {problem.where.partition(".toml")[0] for problem in refused.value.problems} == {str(path)[:-5]}
    return refused.value.problems


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        """
        schema = 1
        surprise = true
        modes = ["scriptd"]
        trials = 0
        budget = "5EUR"
        deadline = "soon"
        [[systems]]
        modell = "copy"
        [limits.openai]
        requests_per_minute = "many"
        """,
    )
    said = "\n".join(problem.what for problem in found)
    places = ("surprise", "modes.0", "trials", "budget", "deadline", "systems.0.modell")
    for place in (*places, "limits.openai.requests_per_minute"):
        assert place in said
    assert len(found) == 7
    assert "dynamic-guided" in said
    assert "5USD" in said
    by_place = {problem.what.split()[0]: problem.choices for problem in found}
    assert "model" in by_place["systems.0.modell"]
    assert "schema" in by_place["surprise"]


@pytest.mark.parametrize("text", ["", "schema = 2", "not toml", "schema = 1\ntrials = true"])
def test_what_is_no_plan_is_refused(tmp_path: Path, text: str) -> None:
    assert problems(tmp_path, text)


def test_a_file_that_is_not_there_gets_the_plans_that_ship() -> None:
    with pytest.raises(UsageProblem) as refused:
        plan_file.read("nowhere.toml")
    assert "plan:brief-ablation" in refused.value.problems[0].choices


@pytest.mark.parametrize("name", plan_file.shipped())
def test_a_plan_that_ships_reads_and_says_what_it_is_for(name: str) -> None:
    assert plan_file.read(name).about


def test_a_plan_survives_its_run_json() -> None:
    system = System("openai/x", "direct", "last:2", {"temperature": 0.5, "stop": ["a"]})
    plan = RunPlan(
        scenarios=("a", "b"),
        systems=(system, System("copy")),
        modes=(Mode.SCRIPTED, Mode.SINGLE_TURN),
        judge="rules",
        later_judges=("none",),
        trials=2,
        turn=1,
        turns=3,
    )
    assert RunPlan.read(plan.document()) == plan
    setups = list(plan.setups())
    assert len(setups) == len(plan) == 16
    assert {(s.mode, s.turn, s.turns) for s in setups} == {
        (Mode.SCRIPTED, None, 3),
        (Mode.SINGLE_TURN, 1, None),
    }


def test_a_byte_order_mark_and_carriage_returns_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_bytes(b"\xef\xbb\xbfschema = 1\r\ntrials = 3\r\n")
    assert plan_file.read(str(path)).trials == 3


@pytest.mark.parametrize("text", ["a = " + "[" * 5000 + "]" * 5000, "trials = " + "9" * 5000])
def test_toml_that_no_reader_can_hold_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    (problem,) = problems(tmp_path, text)
    assert problem.what == "It is not TOML."


@pytest.mark.parametrize(
    "given",
    [
        "temperature = inf",
        "top_p = nan",
        "since = 2020-01-01",
        "stop = [1, {a = inf}]",
        "max_tokens = -5",
        "max_tokens = '100'",
        "max_completion_tokens = true",
        "n = 5",
        "messages = []",
        "stream = true",
        "api_key = 'k'",
        "API_BASE = 'http://127.0.0.1'",
        "aws_secret_access_key = 'k'",
        "extra_headers = {Authorization = 'k'}",
    ],
)
def test_parameters_are_those_of_sampling_and_can_be_recorded(tmp_path: Path, given: str) -> None:
    (problem,) = problems(tmp_path, f"schema = 1\n[[systems]]\nmodel = 'm'\nparameters = {{{given}}}")
    assert problem.what.startswith("systems.0.parameters")


def test_parameters_of_sampling_pass_untouched(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(
        "schema = 1\n[[systems]]\nmodel = 'm'\n"
        "parameters = {temperature = 0.5, max_tokens = 10, top_k = 4, logit_bias = {a = -1}}"
    )
    expected = {"temperature": 0.5, "max_tokens": 10, "top_k": 4, "logit_bias": {"a": -1}}
    assert plan_file.read(str(path)).systems[0].parameters == expected
