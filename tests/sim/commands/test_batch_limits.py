"""Budgets, deadlines and keys: what stops a run, what it says, and how it goes on."""

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.runs.budget import spent
from sim.runs.store import Run
from sim.runs.verdicts import judged
from sim.wiring.part import RunPart
from tests.sim.commands.conftest import Skopos

CLINIC = ("--scenarios", "kor-ind-clinic-fasting", "--turns", "2")


def fake(name: str, **rule: Any) -> str:
    text = json.dumps({"fake": 1, "rules": [{"reply": "Baik, Bu, jangan makan.", **rule}]})
    Path(name).write_text(text, encoding="utf-8")
    return f"fake:{name}"


def held() -> int:
    return len(list(Run(Path("r")).conversations()))


def test_a_money_budget_is_kept_and_the_rest_is_held_later(skopos: Skopos) -> None:
    paid = fake("paid.json", cost=0.01, tokens=[100, 20])
    plan = (*CLINIC, "--interpreters", paid, "--judge", "none", "--trials", "10", "--no-cache")
    done = skopos("run", *plan, "--budget", "0.07USD", "--out", "r")
    assert done.code == 3, done.err
    assert "the budget is used up" in done.err
    assert "the worst case of this call, 0.0100 USD" in done.err
    assert "skopos resume r" in done.err
    assert held() == 3
    assert spent(Run(Path("r")), "USD") == pytest.approx(0.07)
    again = skopos("resume", "r", "--no-cache")
    assert (again.code, held()) == (3, 3), "the budget of the run holds until another is given"
    assert "holding the 7 of 10 conversations that are missing" in again.err
    assert skopos("resume", "r", "--no-cache", "--budget", "1USD").code == 0
    assert held() == 10


def test_a_token_budget_counts_tokens(skopos: Skopos) -> None:
    paid = fake("paid.json", cost="unknown", tokens=[100, 20])
    plan = (
        *CLINIC,
        "--interpreters",
        paid,
        "--judge",
        "none",
        "--trials",
        "4",
        "--no-cache",
        "--concurrency",
        "1",
    )
    done = skopos("run", *plan, "--budget", "500tokens", "--out", "r")
    assert (done.code, held()) == (3, 2), done.err
    assert spent(Run(Path("r")), "tokens") == 480.0


def test_calls_the_cache_answers_cost_nothing(skopos: Skopos) -> None:
    paid = fake("paid.json", cost=0.01)
    plan = (*CLINIC, "--interpreters", paid, "--judge", "none", "--trials", "2")
    assert skopos("run", *plan, "--budget", "0.05USD", "--out", "r").code == 0
    assert skopos("run", *plan, "--budget", "0.001USD", "--out", "cached").code == 0


def test_a_model_without_a_price_refuses_a_money_budget(skopos: Skopos, monkeypatch: Any) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nothing")
    unpriced = fake("f.json", cost="unknown")
    for name in (unpriced, "openai/no-such-model-in-any-list"):
        done = skopos("run", *CLINIC, "--interpreters", name, "--budget", "5USD", "--out", "r")
        assert done.code == 2
        assert "price" in done.err
        assert name in done.err
        assert not Path("r").exists()


def test_words_that_are_no_budget_or_deadline_are_refused(skopos: Skopos) -> None:
    for option, words in (("--budget", "5EUR"), ("--deadline", "soon")):
        done = skopos("run", "--out", "r", option, words)
        assert done.code == 2
        assert words in done.err
        assert "Valid:" in done.err


def test_a_deadline_finishes_what_runs_and_says_so(skopos: Skopos) -> None:
    slow = fake("slow.json", latency=0.2)
    plan = (*CLINIC, "--interpreters", slow, "--judge", "none", "--trials", "40", "--concurrency", "4")
    done = skopos("run", *plan, "--no-cache", "--deadline", "1s", "--out", "r")
    assert done.code == 3
    assert "the deadline of 1s has passed" in done.err
    assert 4 <= held() < 40
    assert not Path("r/failures.jsonl").exists()


def test_later_judges_wait_until_a_stopped_run_is_held(skopos: Skopos) -> None:
    model = fake("paid.json", cost=0.01, tokens=[100, 20])
    verdicts = [{"id": f"c{n}", "met": True, "reason": "seen"} for n in range(1, 13)]
    Path("j.json").write_text(json.dumps({"fake": 1, "rules": [{"reply": {"verdicts": verdicts}}]}))
    Path("p.toml").write_text(
        f'schema = 1\ntrials = 3\nturns = 2\nscenarios = ["{CLINIC[1]}"]\n'
        f'judges = ["none", "fake:j.json"]\n[[systems]]\nmodel = "{model}"\n',
        encoding="utf-8",
    )
    done = skopos("run", "p.toml", "--no-cache", "--budget", "0.03USD", "--out", "r")
    assert done.code == 3, done.err
    assert not Run(Path("r")).verdict_files()
    assert skopos("resume", "r", "--no-cache", "--budget", "1USD").code == 0
    assert len(Run(Path("r")).verdict_files()) == 1


def test_a_later_judge_does_not_hide_that_conversations_are_missing(skopos: Skopos) -> None:
    models = f'["copy", "{fake("f.json", fault="context_length")}"]'
    Path("p.toml").write_text(
        f'schema = 1\nturns = 2\nscenarios = ["{CLINIC[1]}"]\njudges = ["none", "rules"]\n'
        f"[[systems]]\nmodel = {models}\n",
        encoding="utf-8",
    )
    done = skopos("run", "p.toml", "--no-cache", "--out", "r")
    assert "1 of 2 conversations are missing" in done.err
    assert len(Run(Path("r")).verdict_files()) == 1
    assert done.code == 1


def test_the_tables_of_a_plan_with_later_judges_are_shown_once(skopos: Skopos) -> None:
    Path("p.toml").write_text(
        f'schema = 1\nturns = 2\nscenarios = ["{CLINIC[1]}"]\njudges = ["none", "rules"]\n'
        '[[systems]]\nmodel = "copy"\n',
        encoding="utf-8",
    )
    done = skopos("run", "p.toml", "--out", "r")
    assert [line for line in done.out.splitlines() if line.startswith("judge none")] == ["judge none"]
    assert len(re.findall(r"(?m)^judge rules \([0-9a-f]{8}\)$", done.out)) == 1


def test_a_wrong_key_of_an_interpreter_shows_no_score(skopos: Skopos) -> None:
    broken = fake("f.json", fault="authentication")
    done = skopos("run", *CLINIC, "--interpreters", broken, "--out", "r")
    assert done.code == 1
    assert "stopped" in done.err
    assert "key not accepted" in done.err
    assert done.out == ""


@pytest.fixture
def keyed_server(skopos: Skopos, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A model server that asks for a key, in a process of its own; the key."""
    Path("steps.json").write_text('[{"do": "judge"}]', encoding="utf-8")
    words = [sys.executable, "-m", "tests.stub", "--key", "sk-right", "--script", "steps.json"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = json.loads(server.stdout.readline())["port"]
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{port}/v1")
        yield "sk-right"
        server.kill()


@pytest.mark.parametrize("by", [("resume", "r"), ("judge", "r", "--judge", "openai/stub")])
def test_a_wrong_key_of_a_judge_costs_no_conversation_and_is_completed_later(
    by: tuple[str, ...], skopos: Skopos, keyed_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong")
    plan = (*CLINIC, "--interpreters", "reference", "--judge", "openai/stub", "--trials", "2", "--no-cache")
    done = skopos("run", *plan, "--out", "r")
    criteria = judged(Run(Path("r"))).criteria
    assert (done.code, held()) == (1, 2)
    assert f"0/{criteria} judged" in done.err
    assert "key not accepted" in done.err
    before = Path("r/conversations.jsonl").read_bytes()
    assert skopos("resume", "r", "--no-cache").code == 1
    monkeypatch.setenv("OPENAI_API_KEY", keyed_server)
    done = skopos(*by, "--no-cache")
    assert done.code == 0, done.err
    assert judged(Run(Path("r"))).judged == criteria
    assert Path("r/conversations.jsonl").read_bytes() == before


def test_a_ctrl_c_before_the_first_dialogue_is_an_interruption_and_says_how_to_go_on(
    skopos: Skopos, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = RunPart.create

    def interrupted(*args: Any, **options: Any) -> RunPart:
        signal.raise_signal(signal.SIGINT)
        return create(*args, **options)

    monkeypatch.setattr(RunPart, "create", interrupted)
    done = skopos("run", *CLINIC, "--interpreters", fake("f.json"), "--judge", "none", "--out", "r")
    assert done.code == 130
    assert "1 of 1 conversations are missing. Go on by `skopos resume r`" in done.err
    assert skopos("resume", "r").code == 0
    assert held() == 1


def test_the_command_to_go_on_can_be_copied_and_drives_no_terminal(skopos: Skopos) -> None:
    broken = fake("f.json", fault="authentication")
    done = skopos("run", *CLINIC, "--interpreters", broken, "--out", "it's a run")
    assert shlex.split(done.err.split("`")[1]) == ["skopos", "resume", "it's a run"]
    assert skopos("resume", "it's a run").code == 1
    done = skopos("run", *CLINIC, "--interpreters", broken, "--out", "r\x1b[2J\u202e")
    assert "`skopos resume 'r␛[2J⟨U+202E⟩'`" in done.err
    assert set("\x1b\u202e").isdisjoint(done.err)
