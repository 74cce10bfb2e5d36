import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from scenarios import schema
from scenarios.document import read
from scenarios.loader import shipped_files
from tests.scenarios.parts import example


def errors(data: Any) -> list[str]:
    return [error.message for error in Draft202012Validator(schema.json_schema()).iter_errors(data)]


def test_the_schema_file_is_current() -> None:
    assert schema.FILE.read_text(encoding="utf-8") == schema.text()


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(json.loads(schema.text()))


def test_the_guide_example_and_all_shipped_files_follow_it(tmp_path: Path) -> None:
    assert errors(example(tmp_path)) == []
    for path in shipped_files():
        assert errors(read(path).data) == []
        assert path.read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=../schema.json\n")


@pytest.mark.parametrize(
    "check",
    [
        {"require": "a"},
        {"require": {"re": "a", "yes": "a", "no": "b"}},
        {"any": ["a", ["b", {"re": "a", "yes": "a", "no": "b"}]]},
        {"number": 3},
        {"number": [3, {"value": 2.5, "words": "x"}]},
    ],
)
def test_short_forms_are_known_to_editors(tmp_path: Path, check: Any) -> None:
    data = example(tmp_path)
    data["criteria"][0]["check"] = check
    assert errors(data) == []


@pytest.mark.parametrize("check", [{"require": 5}, {"requires": "a"}, {"number": "x"}, {"similar": 2}])
def test_mistakes_are_known_to_editors(tmp_path: Path, check: Any) -> None:
    data = example(tmp_path)
    data["criteria"][0]["check"] = check
    assert errors(data) != []
