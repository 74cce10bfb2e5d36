from pathlib import Path

import pytest

from scenarios.document import read
from sim.core.errors import Problem, UsageProblem
from tests.scenarios.parts import write


def problems(path: Path) -> tuple[Problem, ...]:
    with pytest.raises(UsageProblem) as refused:
        read(path)
    return refused.value.problems


def test_plain_data_with_the_line_of_each_part(tmp_path: Path) -> None:
    document = read(write(tmp_path, "a: 1\nb:\n  - x\n  - {c: 2.5,\n     d: ~}\n"))
    assert document.data == {"a": 1, "b": ["x", {"c": 2.5, "d": None}]}
    assert document.lines["b", 1, "d"] == 5
    assert document.where(("b", 1, "gone", 7)).endswith(":4")
    assert document.where(("gone",)).endswith(":1")


def test_yaml_1_2_words_and_dates_are_text(tmp_path: Path) -> None:
    document = read(write(tmp_path, "a: yes\nb: no\nc: on\nd: 2024-01-02\ne: true\n"))
    assert document.data == {"a": "yes", "b": "no", "c": "on", "d": "2024-01-02", "e": True}


def test_yaml_1_1_words_stay_text_even_if_asked_for(tmp_path: Path) -> None:
    assert read(write(tmp_path, "%YAML 1.1\n---\na: yes\n")).data == {"a": "yes"}


def test_bom_and_windows_line_ends_are_tolerated(tmp_path: Path) -> None:
    document = read(write(tmp_path, b"\xef\xbb\xbfa: \xd9\x85\r\nb:\r\n  - x\r\n"))
    assert document.data == {"a": "م", "b": ["x"]}
    assert document.lines["b", 0] == 3


def test_text_is_kept_code_point_for_code_point(tmp_path: Path) -> None:
    hostile = "e\u0301 \u202eمرحبا\u202c [/] {0.__class__} %s ক্\u200dষ \U0001f469\u200d\U0001f467"
    assert read(write(tmp_path, f"a: '{hostile}'\n")).data == {"a": hostile}


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        ("a: &x 1\nb: 2\n", 1, "anchors and aliases"),
        ("a: 1\nb: *x\n", 2, "anchors and aliases"),
        ("a: 1\nb: [1\n", 3, "Not valid YAML"),
        ("a: 1\n---\nb: 1\n", 2, "another document"),
        ("a: 1\nb: !!python/object:os.system x\n", 2, "tag"),
        ("a: !secret x\n", 1, "tag"),
        ("a: 1\n? [x]\n: 2\n", 2, "key must be plain text"),
        ("a: .nan\n", 1, "not a plain number"),
        ("a: 0o14\n", 1, "not a plain number"),
        ('a: 1\nb: "\\ud800"\n', 2, "surrogate"),
        ("a: \x00\n", 1, "Not valid YAML"),
        (b"a: 1\nb: \xe9t\xe9\n", 2, "not valid UTF-8"),
        ("a: 1\n".encode("utf-16"), 1, "not valid UTF-8"),
        ("", 1, "empty"),
        ("# only a comment\n", 1, "empty"),
        ("[" * 200_000, 1, "nested too deeply"),
        ("{" * 200_000, 1, "nested too deeply"),
        ("- " * 100_000, 1, "nested too deeply"),
        ("? " * 100_000, 1, "nested too deeply"),
    ],
)
def test_what_is_not_strict_yaml_is_one_problem_with_its_line(
    tmp_path: Path, content: str | bytes, line: int, said: str
) -> None:
    path = write(tmp_path, content)
    (problem,) = problems(path)
    assert problem.where == f"{path}:{line}"
    assert said in problem.what


def test_all_duplicate_keys_are_reported_at_once(tmp_path: Path) -> None:
    found = problems(write(tmp_path, "a: 1\na: 2\nb: {c: 1, c: 2}\n!!str a: 3\n"))
    assert [problem.where.rsplit(":", 1)[1] for problem in found] == ["2", "3", "4"]


@pytest.mark.parametrize("size", [10, 200_000])
def test_a_huge_scalar_is_only_a_scalar(tmp_path: Path, size: int) -> None:
    assert read(write(tmp_path, f"a: {'x' * size}\n")).data == {"a": "x" * size}
    assert read(write(tmp_path, f"a: {'9' * size}\n")).data["a"] > 0


def test_a_missing_file_and_a_folder_are_problems(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        (problem,) = problems(path)
        assert str(path) in problem.what
