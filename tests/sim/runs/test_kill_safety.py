"""A run survives anything short of a lost disk: whatever stops it, the records come out the same."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_CONVERSATIONS = 200
_KILLS = 10
_FILE_LIMIT = 150_000
"""Bytes a file may have while the disk is full: some conversations fit, not all."""
_FULL_DISK = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({_FILE_LIMIT}, resource.RLIM_INFINITY))
from sim.commands.main import main
sys.exit(main())
"""
_SKOPOS = "import sys; from sim.commands.main import main; sys.exit(main())"


class Workplace:
    """A folder with scripted models, in which runs are started as processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, latency in (("t", 0.004), ("u", 0.001)):
            reply = {"reply": f"Baik, Bu {name}, jangan makan mulai jam sepuluh malam.", "latency": latency}
            self._fake(name, [reply])
        verdicts = [{"id": f"c{n}", "met": n % 3 > 0, "reason": "seen"} for n in range(1, 13)]
        self._fake("j", [{"reply": {"verdicts": verdicts}, "latency": 0.002}])

    def _fake(self, name: str, rules: list[dict[str, Any]]) -> None:
        (self.folder / f"{name}.json").write_text(json.dumps({"fake": 1, "rules": rules}), encoding="utf-8")

    def start(self, *words: str, program: str = _SKOPOS) -> "subprocess.Popen[str]":
        environment = os.environ | {
            "SKOPOS_DATA": str(self.folder / "data"),
            "SKOPOS_CACHE": str(self.folder / "cache"),
        }
        return subprocess.Popen(
            [sys.executable, "-c", program, *words],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def begin(self, out: str, *, concurrency: int, program: str = _SKOPOS) -> "subprocess.Popen[str]":
        plan = ["--scenarios", "kor-ind-clinic-fasting", "--turns", "2", "--judge", "fake:j.json"]
        systems = ["--interpreters", "fake:t.json,fake:u.json", "--trials", str(_CONVERSATIONS // 2)]
        carried_out = ["--concurrency", str(concurrency), "--no-cache", "--out", out]
        return self.start("run", *plan, *systems, *carried_out, program=program)

    def resume(self, out: str) -> "subprocess.Popen[str]":
        return self.start("resume", out, "--concurrency", "16", "--no-cache")

    def held(self, out: str) -> list[str]:
        """The records sorted by key, without what may differ from one run to the next."""
        text = (self.folder / out / "conversations.jsonl").read_text(encoding="utf-8")
        rows = [json.loads(line)["conversation"] for line in text.splitlines()]
        return sorted(json.dumps({"key": row["key"], "rest": _without_times(row)}) for row in rows)


def _without_times(row: dict[str, Any]) -> dict[str, Any]:
    dropped = ("timing", "cost", "cached")
    turns = [{name: value for name, value in turn.items() if name not in dropped} for turn in row["turns"]]
    return {**row, "turns": turns}


def _ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    _, err = process.communicate(timeout=60)
    return process.returncode, err


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    return Workplace(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def whole(place: Workplace) -> list[str]:
    """The records of the run that nothing disturbed, one conversation at a time."""
    code, err = _ended(place.begin("whole", concurrency=1))
    assert code == 0, err
    records = place.held("whole")
    assert len(set(records)) == _CONVERSATIONS
    return records


def test_concurrency_changes_no_record(place: Workplace, whole: list[str]) -> None:
    code, err = _ended(place.begin("wide", concurrency=64))
    assert code == 0, err
    assert place.held("wide") == whole


def test_ten_kills_lose_and_double_nothing(place: Workplace, whole: list[str]) -> None:
    chance = random.Random(20)
    process = place.begin("killed", concurrency=16)
    for _ in range(_KILLS):
        _kill_after(process, lines=chance.randint(1, 17), seconds=chance.uniform(0, 0.02))
        process = place.resume("killed")
    code, err = _ended(process)
    assert code == 0, err
    assert place.held("killed") == whole


def _kill_after(process: "subprocess.Popen[str]", *, lines: int, seconds: float) -> None:
    """Kill without warning once so many conversations have ended, and a moment more."""
    assert process.stderr is not None
    ended = 0
    while ended < lines:
        line = process.stderr.readline()
        if line.startswith(("skopos: holding ", "skopos: going on ")):
            continue
        ended += 1
        assert f"/{_CONVERSATIONS} " in line, line + process.stderr.read()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL


def test_a_full_disk_loses_and_doubles_nothing(place: Workplace, whole: list[str]) -> None:
    code, err = _ended(place.begin("full", concurrency=16, program=_FULL_DISK))
    assert code == 2, err
    assert "cannot be written" in err
    assert "Traceback" not in err
    assert 0 < len(place.held("full")) < _CONVERSATIONS
    code, err = _ended(place.resume("full"))
    assert code == 0, err
    assert place.held("full") == whole
