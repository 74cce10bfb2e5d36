"""Quitting while the embedded model works, for real: a complete record, and no process that stays."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sim.core.events import ConversationEnded
from sim.runs.journal import read_journal
from tests.ui.terminals import PATIENCE, Pty, wait_for

SKOPOS = str(Path(sys.executable).with_name("skopos"))
QUICK = 3.0
"""Seconds a person may have to wait after quitting."""

pytestmark = pytest.mark.slow


@pytest.fixture
def terminal(tmp_path: Path, models_dir: Path) -> Iterator[Pty]:
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "models").symlink_to(models_dir)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "SKOPOS_DATA": str(tmp_path / "data"),
        "SKOPOS_CACHE": str(cache),
    }
    opened = Pty(tmp_path, environment, (100, 30))
    yield opened
    opened.close()


def ours(folder: Path) -> dict[int, str]:
    """Processes whose environment names `folder`, but for the shell: skopos, and what it started."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            environment = (entry / "environ").read_bytes()
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder).encode() in environment and not command.startswith("sh "):
            found[int(entry.name)] = command
    return found


def eventually(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


@pytest.mark.parametrize(
    ("command", "line", "key"),
    [
        ("watch kor-ind-clinic-fasting", "", "q"),
        ("watch kor-ind-clinic-fasting", "", "C-c"),
        (
            "chat --me kor --other ind --situation friends",
            "내일 아침에 병원에 같이 가 주실 수 있어요?",
            "\x11",
        ),
    ],
)
def test_quitting_in_a_local_turn_completes_the_record_and_leaves_no_process(
    terminal: Pty, tmp_path: Path, command: str, line: str, key: str
) -> None:
    terminal.press(f"{SKOPOS} {command}; echo left with $?", "Enter")
    if line:
        wait_for(terminal, "your turn")
        terminal.press(line, "Enter")
    assert eventually(lambda: any("launcher" in each for each in ours(tmp_path).values()), PATIENCE)
    wait_for(terminal, "loading the model")
    terminal.press(key)
    begun = time.monotonic()
    assert eventually(lambda: not ours(tmp_path), PATIENCE), ours(tmp_path)
    assert time.monotonic() - begun < QUICK
    wait_for(terminal, "left with 130")
    (record,) = (tmp_path / "data" / "records").iterdir()
    (journal,) = (record / "journal").glob("*.jsonl")
    *_, last = read_journal(journal)
    assert isinstance(last, ConversationEnded)
    numbers = [json.loads(text)["seq"] for text in journal.read_text(encoding="utf-8").splitlines()]
    assert numbers == list(range(len(numbers)))
    assert (record / "failures.jsonl").read_text(encoding="utf-8").count("\n") == 1
