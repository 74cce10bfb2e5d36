"""A run that has drifted goes on only when told to, and then says so for ever."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim.runs.store import Run
from tests.sim.commands.conftest import Skopos

CLINIC = ("--scenarios", "kor-ind-clinic-fasting", "--turns", "2", "--no-cache")


def speak(words: str, **rule: Any) -> None:
    rules = [{"reply": words, **rule}]
    Path("f.json").write_text(json.dumps({"fake": 1, "rules": rules}), encoding="utf-8")


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("r/conversations.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture
def stopped(skopos: Skopos) -> None:
    """A run of four conversations with two of them missing, whose model changed since."""
    speak("Baik, Bu, jangan makan.")
    skopos("run", *CLINIC, "--interpreters", "fake:f.json", "--judge", "none", "--trials", "4", "--out", "r")
    kept = Path("r/conversations.jsonl").read_bytes().splitlines(keepends=True)[:2]
    Path("r/conversations.jsonl").write_bytes(b"".join(kept))
    head = json.loads(Path("r/run.json").read_text("utf-8"))
    for row in head["signatures"]:
        row["signature"]["version"] = "0.0.1"
    Path("r/run.json").write_text(json.dumps(head), encoding="utf-8")


@pytest.mark.usefixtures("stopped")
def test_drift_is_refused_with_the_difference_and_the_way_on(skopos: Skopos) -> None:
    before = Path("r/run.json").read_bytes()
    done = skopos("resume", "r", "--no-cache")
    assert done.code == 2
    assert "version was 0.0.1 and is" in done.err
    assert "--allow-drift" in done.err
    assert Path("r/run.json").read_bytes() == before


@pytest.mark.usefixtures("stopped")
def test_many_differences_are_lines_with_short_digests_and_one_way_on(skopos: Skopos) -> None:
    head = json.loads(Path("r/run.json").read_text("utf-8"))
    for row in head["signatures"]:
        row["signature"]["scenario"] = "0123abcd" * 8
    Path("r/run.json").write_text(json.dumps(head), encoding="utf-8")
    done = skopos("resume", "r", "--no-cache")
    assert done.code == 2
    assert "scenario was 0123abcd and is " in done.err
    assert done.err.count("Run has drifted") > done.err.count("--allow-drift") == 1


@pytest.mark.usefixtures("stopped")
def test_allowed_drift_is_a_marked_part(skopos: Skopos) -> None:
    done = skopos("resume", "r", "--no-cache", "--allow-drift")
    assert done.code == 0, done.err
    (part,) = Run(Path("r")).head["parts"]
    assert part["held_before"] == 2
    assert [row["what"] for row in part["differences"]] == ["version"]
    assert part["differences"][0]["was"] == "0.0.1"
    assert [row.get("part", 0) for row in rows()] == [0, 0, 1, 1]


@pytest.mark.usefixtures("stopped")
def test_a_part_is_begun_once_and_the_run_goes_on_under_it(skopos: Skopos) -> None:
    for _ in range(2):
        assert skopos("resume", "r", "--no-cache", "--allow-drift").code == 0
    assert skopos("resume", "r", "--no-cache").code == 0
    assert len(Run(Path("r")).head["parts"]) == 1
    assert len(rows()) == 4


@pytest.mark.usefixtures("stopped")
def test_a_judge_still_reads_both_parts(skopos: Skopos) -> None:
    skopos("resume", "r", "--no-cache", "--allow-drift")
    done = skopos("judge", "r", "--judge", "rules")
    assert done.code == 0, done.err
    (file,) = Run(Path("r")).verdict_files()
    assert len({place[0] for place in Run(Path("r")).verdicts(file)}) == 4
