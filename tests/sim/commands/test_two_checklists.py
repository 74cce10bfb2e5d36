"""One transcript under two checklists: judged twice, compared, never in one score."""

import json
from pathlib import Path
from typing import Any

import pytest

from scenarios import loader
from sim.runs.store import Run
from tests.sim.commands.conftest import Skopos

SINGLE = [
    {"id": "t0.s.day", "layer": "L1", "ask": "Does the translation name the day after tomorrow?", "check": {"any": ["lusa"]}},
    {"id": "t0.s.never", "layer": "L2", "ask": "Does the interpreter's response mention a zebra?", "check": {"require": "zebra"}},
]  # fmt: skip


@pytest.fixture
def files(skopos: Skopos) -> tuple[str, ...]:
    """Two scenarios of one direction, with single-turn checklists of turn 0."""
    document: dict[str, Any] = json.loads(
        loader.find("kor-ind-clinic-fasting").model_dump_json(by_alias=True, exclude_defaults=True)
    )
    document["turns"][0]["checklists"]["single"] = SINGLE
    names = []
    for name in ("one", "two"):
        names.append(f"{name}.yaml")
        Path(names[-1]).write_text(json.dumps({**document, "id": name}), encoding="utf-8")
    return tuple(names)


def report(skopos: Skopos) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(skopos("report", "r", "--json").out)
    return found


def test_a_plan_judges_one_transcript_by_both_checklists(skopos: Skopos, files: tuple[str, ...]) -> None:
    done = skopos(
        "run", "plan:group-ab", "--scenarios", ",".join(files), "--interpreters", "reference", "--out", "r"
    )
    assert done.code == 0, done.err
    document = report(skopos)
    (judge,) = document["judges"]
    assert judge["judge"] == "rules", "verdicts by the other checklist are no judge of their own"
    (row,) = judge["two_checklists"]
    assert (row["system"], row["multi"], row["single"]) == ("reference", 1.0, 0.5)
    assert (row["change"]["difference"], row["change"]["units"]) == (0.5, 2)
    (system,) = judge["systems"]
    assert system["scores"]["overall"] == 1.0, "in no score"
    out = skopos("report", "r").out
    assert "one transcript under two checklists" in out
    assert "different procedures" not in out
    (file,) = Run(Path("r")).single_files()
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {(row["procedure"], row["turn"]) for row in rows} == {("single", 0)}
    assert len(rows) == 2 * len(SINGLE)


def test_a_finished_run_can_be_judged_so_and_again_asks_nothing(
    skopos: Skopos, files: tuple[str, ...]
) -> None:
    words = ("--scenarios", ",".join(files), "--interpreters", "reference,copy", "--turns", "1")
    assert skopos("run", *words, "--out", "r").code == 0
    assert report(skopos)["judges"][0]["two_checklists"] == []
    for _ in range(2):
        assert skopos("judge", "r", "--judge", "rules", "--checklist", "single").code == 0
    (file,) = Run(Path("r")).single_files()
    assert len(file.read_text(encoding="utf-8").splitlines()) == 2 * 2 * len(SINGLE)
    rows = {row["system"]: row for row in report(skopos)["judges"][0]["two_checklists"]}
    assert (rows["copy"]["multi"], rows["copy"]["single"]) == (0.0, 0.0)
    assert rows["reference"]["single"] == 0.5


def test_scenarios_without_such_a_list_have_nothing_to_compare(skopos: Skopos) -> None:
    words = ("--scenarios", "kor-ind-clinic-fasting", "--interpreters", "reference", "--turns", "1")
    assert skopos("run", *words, "--out", "r").code == 0
    done = skopos("judge", "r", "--judge", "rules", "--checklist", "single")
    assert done.code == 0
    assert "no scenario of the run has under `checklists.single` a checklist of turn 0" in done.err
    assert "has judged all" not in done.err
    assert report(skopos)["judges"][0]["two_checklists"] == []
