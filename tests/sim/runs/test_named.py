"""`[models.NAME]`: its rules, its place in a file, and its schema."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from pydantic import ValidationError

from sim.commands import settings_schema
from sim.core.errors import UsageProblem
from sim.runs import plan_file, schemas, settings_file
from sim.runs.named import RESERVED, NamedModel
from sim.runs.presets import presets, shelf
from sim.runs.toml_lines import line_of

MODEL = 'model = "m"\n'
GOOD = """
[models.lab-1]
model = "hosted_vllm/Qwen/Qwen3-8B"
api_base = "http://127.0.0.1:8001/v1"
api_key_env = "LAB_KEY"
[models.lab-1.parameters]
temperature = 0.2
judge = {reasoning_effort = "low", temperature = 0}
[models.lab-1.limits]
requests_per_minute = 60
[models.lab-1.prices]
input = 0.25
output = 2
"""
BAD: dict[str, tuple[str, int, str]] = {
    "capital letters": (f"[models.Lab]\n{MODEL}", 2, "is no name"),
    "reserved": (f"[models.rules]\n{MODEL}", 2, "reserved word"),
    "prefix": (f"[models.gguf]\n{MODEL}", 2, "reserved word"),
    "no model": ("[models.a]\nparameters = {}", 2, "field required"),
    "empty model": ('[models.a]\nmodel = " "', 3, "is empty"),
    "model that is none": ('[models.a]\nmodel = "copy"', 3, "no model that a name"),
    "inline parameters": ('[models.a]\nmodel = "m?x=1"', 3, "stand under `parameters`"),
    "no scheme": (f'[models.a]\n{MODEL}api_base = "localhost:8000"', 4, "is no address"),
    "login": (f'[models.a]\n{MODEL}api_base = "http://u:hunter22@h/v1"', 4, "holds a login"),
    "query": (f'[models.a]\n{MODEL}api_base = "http://h/v1?key=hunter22"', 4, "more than scheme"),
    "a key for its name": (f'[models.a]\n{MODEL}api_key_env = "sk-hunter22"', 4, "never the key itself"),
    "access": (f'[models.a]\n{MODEL}parameters = {{api_key = "k"}}', 4, "is access"),
    "access by role": (f'[models.a]\n{MODEL}parameters.judge = {{api_key = "k"}}', 4, "is access"),
    "role no table": (f'[models.a]\n{MODEL}parameters = {{user = "me"}}', 4, "is a role"),
    "negative price": (f"[models.a]\n{MODEL}prices = {{input = -1, output = 1}}", 4, "is no number from 0"),
    "half a price": (f"[models.a]\n{MODEL}prices = {{input = 1}}", 4, "field required"),
    "limit": (
        f"[models.a.limits]\ntokens_per_minute = 0\n[models.a]\n{MODEL}",
        3,
        "greater than or equal to 1",
    ),
    "no key": (f'[models.a]\n{MODEL}api_bse = "x"', 4, "is no key"),
    "placed twice": ('[models.a]\nmodel = "fake:f"\napi_base = "http://h"', 2, "says where it is"),
    "no table": ("models = 3", 2, "valid dictionary"),
}


def test_a_named_model_is_the_same_in_settings_and_in_a_plan(tmp_path: Path) -> None:
    for name, head in (("skopos.toml", ""), ("plan.toml", "schema = 1\n")):
        (tmp_path / name).write_text(head + GOOD, encoding="utf-8")
    found = settings_file.read(tmp_path / "skopos.toml")
    assert found.problems == ()
    assert found.models == plan_file.read(str(tmp_path / "plan.toml")).models
    model = found.models["lab-1"]
    assert model.parameters_of("judge") == {"temperature": 0, "reasoning_effort": "low"}
    assert NamedModel.model_validate(model.document()) == model


@pytest.mark.parametrize("case", BAD)
def test_each_problem_is_told_with_file_and_line_and_no_secret(case: str, tmp_path: Path) -> None:
    text, line, said = BAD[case]
    path = tmp_path / "skopos.toml"
    path.write_text("\n" + text, encoding="utf-8")
    (problem,) = settings_file.read(path).problems
    assert said in problem.what
    assert problem.where == f"{path}:{line}"
    assert "hunter22" not in f"{problem}"


def test_all_problems_are_told_at_once_and_a_misspelt_key_gets_the_nearest(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(
        f'schema = 1\ntrails = 3\n[models.a]\n{MODEL}api_bse = ""\n[models.B]\n{MODEL}', encoding="utf-8"
    )
    with pytest.raises(UsageProblem) as refused:
        plan_file.read(str(path))
    told = {problem.where: problem for problem in refused.value.problems}
    assert set(told) == {f"{path}:2", f"{path}:5", f"{path}:6"}
    assert told[f"{path}:5"].choices[0] == "api_base"
    assert told[f"{path}:2"].choices[0] == "trials"


def test_no_word_with_a_meaning_of_its_own_is_a_name() -> None:
    assert {"local", "reference", "copy", "rules", "none", "script", "person", "gguf", "fake"} <= RESERVED


def test_a_line_is_found_by_quoted_dotted_and_repeated_tables() -> None:
    text = '[a."b.c"]\nx = 1\n[[s]]\nm = 1\n[[s]]\nm = 2\n[d]\ne.f = 1\n"g=h" = 2\n'
    places: list[tuple[tuple[str | int, ...], int | None]] = [
        (("a", "b.c", "x"), 2),
        (("a", "b.c", "missing"), 1),
        (("s", 0, "m"), 4),
        (("s", 1, "m"), 6),
        (("d", "e", "f"), 8),
        (("d", "g=h"), 9),
        (("nowhere",), None),
    ]
    assert [line_of(text, path) for path, _ in places] == [line for _, line in places]


def errors(schema: dict[str, Any], text: str) -> list[str]:
    return [error.message for error in Draft202012Validator(schema).iter_errors(tomllib.loads(text))]


def test_the_schema_files_are_current_and_schemas() -> None:
    for file, schema in ((schemas.PLAN, schemas.plan()), (schemas.SETTINGS, settings_schema.document())):
        assert file.read_text(encoding="utf-8") == schemas.text(schema)
        Draft202012Validator.check_schema(json.loads(schemas.text(schema)))


def test_editors_take_what_skopos_takes() -> None:
    assert (
        errors(
            settings_schema.document(),
            'judge = "rules"\nconcurrency = 8\nno-cache = true\nstrict-language = true\n' + GOOD,
        )
        == []
    )
    one = 'schema = 1\nscenarios = "a"\nmodes = "scripted"\n[[systems]]\nmodel = "m"\nbrief = ["direct"]\n'
    assert errors(schemas.plan(), f'{one}[users]\nA = "m"\n[users.kor]\nmodel = "m"\n{GOOD}') == []
    for name in plan_file.shipped():
        text = (schemas.PLAN.parent / "plans" / f"{name.removeprefix('plan:')}.toml").read_text("utf-8")
        assert errors(schemas.plan(), text) == []


@pytest.mark.parametrize(
    "case", ["capital letters", "reserved", "no model", "role no table", "no key", "limit"]
)
def test_editors_see_what_skopos_refuses(case: str) -> None:
    assert errors(settings_schema.document(), BAD[case][0])
    assert errors(schemas.plan(), "schema = 1\n" + BAD[case][0])
    assert errors(settings_schema.document(), "trust = true")


def test_a_preset_is_a_named_model_and_can_be_read_back() -> None:
    for name, model in presets().items():
        assert NamedModel.model_validate(model.document()) == model, name


def test_the_rows_of_the_study_have_their_settings_by_role() -> None:
    pro = presets()["gemini-3.1-pro"]
    assert pro.model == "gemini/gemini-3.1-pro-preview"
    efforts = {role: pro.parameters_of(role) for role in ("interpreter", "judge", "writer", "user")}
    assert {role: asked.get("reasoning_effort") for role, asked in efforts.items()} == {
        "interpreter": "minimal",
        "judge": "low",
        "writer": "high",
        "user": None,
    }
    assert presets()["tiny-aya"].parameters_of("interpreter") == {"temperature": 0, "max_tokens": 256}
    assert len([name for name, preset in shelf().items() if preset.rows.startswith("study")]) == 7


def test_a_name_that_was_found_stands_in_the_bundled_list() -> None:
    from agents.models import gateway

    known = [name.casefold() for name in gateway.load().model_cost]
    for name, preset in shelf().items():
        bare = preset.model.model.partition("/")[2].casefold()
        there = any(one == bare or one.endswith(f"/{bare}") for one in known)
        if preset.confirmed == "no":
            assert preset.model.model.casefold() not in known, name
        else:
            assert there == (preset.confirmed == "list"), name


def test_a_price_that_is_no_number_is_refused() -> None:
    for price in (float("nan"), float("inf"), True, "1"):
        with pytest.raises(ValidationError):
            NamedModel.model_validate({"model": "m", "prices": {"input": price, "output": 1}})
