"""`skopos judge` and `resume`: rejected keys, budgets, and runs of which nothing is missing."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agents.models.fake import FakeBackend
from sim.runs.budget import spent
from sim.runs.store import Run
from tests.sim.commands.conftest import Skopos

PLAN = ("--scenarios", "kor-ind-clinic-fasting", "--turns", "2", "--interpreters", "copy,reference")


def judge(name: str = "j.json", **rule: Any) -> str:
    verdicts = [{"id": f"c{n}", "met": True, "reason": "seen"} for n in range(1, 13)]
    rules = [{"reply": {"verdicts": verdicts}, **rule}]
    Path(name).write_text(json.dumps({"fake": 1, "rules": rules}), encoding="utf-8")
    return f"fake:{name}"


def given() -> int:
    return sum(len(places) for file in RUN.verdict_files() for places in RUN.given(file).values())


RUN = Run(Path("r"))


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Filled with the role of every call that reaches a scripted model."""
    roles: list[str] = []
    send = FakeBackend.send

    async def counting(self: FakeBackend, attempt: Any, scope: Any) -> Any:
        roles.append(scope.role)
        return await send(self, attempt, scope)

    monkeypatch.setattr(FakeBackend, "send", counting)
    return roles


def test_a_rejected_key_stops_judging_at_once_and_scores_nothing(skopos: Skopos, sent: list[str]) -> None:
    skopos("run", *PLAN, "--judge", "none", "--trials", "5", "--out", "r")
    name = judge(fault="authentication")
    done = skopos("judge", "r", "--judge", name, "--concurrency", "1")
    assert (done.code, done.out, len(sent)) == (1, "", 1)
    assert f"stopped: {name}: key not accepted" in done.err
    assert f"skopos judge r --judge {name}" in done.err
    assert "Traceback" not in done.err
    assert not RUN.verdict_files()
    judge()
    done = skopos("judge", "r", "--judge", name)
    assert (done.code, len(sent)) == (0, 1 + 10 * 2), done.err
    assert f"judge {name}" in done.out


def test_judging_counts_in_the_budget_of_the_run(skopos: Skopos, sent: list[str]) -> None:
    name = judge(cost=0.01)
    skopos("run", *PLAN, "--judge", "none", "--trials", "5", "--budget", "0.055USD", "--out", "r")
    words = ("judge", "r", "--judge", name, "--no-cache")
    done = skopos(*words)
    assert (done.code, len(sent)) == (3, 5), done.err
    assert "the budget is used up" in done.err
    assert spent(RUN, "USD") == pytest.approx(0.05)
    before = given()
    assert before == 5 * 6
    assert skopos(*words).code == 3, "what was spent stays spent"
    assert (given(), len(sent)) == (before, 5)
    done = skopos(*words, "--budget", "1USD")
    assert (done.code, len(sent)) == (0, 20), done.err
    assert spent(RUN, "USD") == pytest.approx(0.20)


def test_later_judges_and_resumed_ones_are_paid_from_the_same_budget(skopos: Skopos) -> None:
    name = judge(cost=0.01)
    Path("p.toml").write_text(
        'schema = 1\nscenarios = "kor-ind-clinic-fasting"\nturns = 2\nbudget = "0.03USD"\n'
        f'judges = ["none", "{name}"]\n[[systems]]\nmodel = ["copy", "reference"]\n',
        encoding="utf-8",
    )
    done = skopos("run", "p.toml", "--no-cache", "--out", "r")
    assert done.code == 3, done.err
    assert spent(RUN, "USD") == pytest.approx(0.03)
    done = skopos("resume", "r", "--no-cache")
    assert done.code == 3
    assert spent(RUN, "USD") == pytest.approx(0.03)
    done = skopos("resume", "r", "--no-cache", "--budget", "1USD")
    assert done.code == 0, done.err
    assert spent(RUN, "USD") == pytest.approx(0.04)


def test_a_whole_run_says_that_nothing_is_missing(skopos: Skopos, sent: list[str]) -> None:
    name = judge()
    skopos("run", *PLAN, "--judge", name, "--out", "r")
    calls = len(sent)
    done = skopos("resume", "r")
    assert (done.code, len(sent)) == (0, calls)
    assert "no conversation was missing: all 2 are held" in done.err
    done = skopos("judge", "r", "--judge", name)
    assert (done.code, len(sent)) == (0, calls)
    assert f"nothing was missing: {name} has judged all 2 conversations" in done.err


def test_criteria_a_judge_says_nothing_of_are_counted(skopos: Skopos) -> None:
    skopos("run", *PLAN, "--judge", "none", "--out", "r")
    some = [{"id": "c1", "met": True, "reason": "seen"}]
    Path("some.json").write_text(json.dumps({"fake": 1, "rules": [{"reply": {"verdicts": some}}]}))
    done = skopos("judge", "r", "--judge", "fake:some.json")
    assert done.code == 0, done.err
    assert "fake:some.json gave no verdict on 20 of the 24 criteria it was asked about" in done.err
    done = skopos("judge", "r", "--judge", judge())
    assert "gave no verdict" not in done.err


def test_a_judge_that_never_gives_a_verdict_has_failed(skopos: Skopos) -> None:
    Path("none.json").write_text(json.dumps({"fake": 1, "rules": [{"reply": "As a model, I like both."}]}))
    done = skopos("run", *PLAN, "--judge", "fake:none.json", "--out", "r")
    assert done.code == 1
    assert "0/24 judged; the judge failed in 2 conversations: " in done.err
    assert "holds no verdict" in done.err
    done = skopos("judge", "r", "--judge", "fake:none.json")
    assert (done.code, given()) == (1, 0)
    assert "4 of 4 judge calls failed" in done.err
    done = skopos("judge", "r", "--judge", judge())
    assert (done.code, given()) == (0, 24)


def test_a_run_says_what_it_is_about_before_the_first_dialogue_ends(skopos: Skopos) -> None:
    done = skopos("run", *PLAN, "--judge", "none", "--out", "r")
    assert done.err.splitlines()[0] == (
        "skopos: holding 2 conversations (1 scenario, 2 systems, 1 trial, mode scripted), 4 at once, into r"
    )
    assert done.err.splitlines()[1].startswith("1/2 ")


def test_an_interrupted_judging_finishes_what_runs_and_is_completed_later(skopos: Skopos) -> None:
    skopos("run", *PLAN, "--judge", "none", "--trials", "5", "--out", "r")
    name = judge(latency=0.3)
    words = ["judge", "r", "--judge", name, "--concurrency", "2", "--no-cache"]
    program = "import sys; from sim.commands.main import main; sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while not RUN.verdict_files():
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "stopping: what runs is finished" in err
    assert "of 10 conversations are judged. Go on by `skopos judge r" in err
    assert 0 < given() < 120
    assert given() % 6 == 0, "no turn is judged by half"
    assert skopos(*words).code == 0
    assert given() == 120


def test_judging_later_asks_what_judging_at_once_asked(skopos: Skopos, sent: list[str]) -> None:
    name = judge()
    assert skopos("run", *PLAN, "--judge", name, "--trials", "2", "--out", "at-once").code == 0
    calls = len(sent)
    assert skopos("run", *PLAN, "--judge", "none", "--trials", "2", "--out", "r").code == 0
    assert skopos("judge", "r", "--judge", name).code == 0
    assert len(sent) == calls, "the same calls, with the same seeds: the cache answers them"
    assert skopos("run", *PLAN, "--judge", name, "--trials", "2", "--seed", "1", "--out", "other").code == 0
    assert len(sent) == 2 * calls
