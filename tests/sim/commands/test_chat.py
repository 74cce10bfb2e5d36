"""`skopos chat`: what its options make of a conversation."""

import json
import sys
from io import StringIO
from pathlib import Path

import pytest

from sim.runs.store import Run
from tests.sim.commands.conftest import Skopos

SITUATION = "A tenant tells the landlord that the heating has been off for two days."


def talk(skopos: Skopos, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("안녕하세요.\n/quit\n"))
    reply = {"fake": 1, "rules": [{"match": {"contains": SITUATION}, "reply": "Halo, Pak."}]}
    Path("f.json").write_text(json.dumps(reply), encoding="utf-8")
    done = skopos(
        "chat", "--me", "kor", "--other", "ind", "--hotseat", "--interpreter", "fake:f.json", *words
    )
    assert done.code == 0, done.err


def test_the_situation_is_told_to_interpreter_and_judge(
    skopos: Skopos, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    talk(skopos, monkeypatch, "--situation", SITUATION, "--judge", "fake:f.json")
    (folder,) = (tmp_path / "data" / "records").iterdir()
    (line,) = Run(folder).conversations()
    assert line["conversation"]["turns"][0]["translation"] == "Halo, Pak."


def test_a_scenario_brings_its_own_situation(skopos: Skopos) -> None:
    done = skopos("chat", "--scenario", "kor-ind-clinic-fasting", "--situation", SITUATION)
    assert done.code == 2
    assert "--situation and --scenario cannot go together" in done.err
