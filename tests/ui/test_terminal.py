import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ui.terminals import KINDS, PATIENCE, Pty, Terminal, Tmux, wait_for

SKOPOS = str(Path(sys.executable).with_name("skopos"))
SCENARIO = "kor-ind-clinic-fasting"


def environment(tmp_path: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "SKOPOS_DATA": str(tmp_path / "data"),
        "SKOPOS_CACHE": str(tmp_path / "cache"),
    }


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def terminal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Terminal]:
    kind: type[Pty] | type[Tmux] = request.param
    opened = kind(tmp_path, environment(tmp_path), (110, 34))
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("interpreter", "on_failure"), [("reference", "Nothing has failed so far"), ("copy", "Turn 5")]
)
def test_a_dialogue_is_watched_with_real_keys_and_the_terminal_is_given_back(
    terminal: Terminal, tmp_path: Path, interpreter: str, on_failure: str
) -> None:
    watch = f"{SKOPOS} watch {SCENARIO} --interpreter {interpreter}"
    terminal.press(f"stty -g > before; {watch}; echo left with $?", "Enter")
    wait_for(terminal, "ended: all turns were held")
    terminal.press("Up")
    wait_for(terminal, "Turn 4")
    terminal.press("f")
    wait_for(terminal, on_failure)
    terminal.press("?")
    wait_for(terminal, "next turn with something not met")
    terminal.press("?")
    wait_for(terminal, "Inspect" if isinstance(terminal, Tmux) else "L3")
    terminal.press("q")
    wait_for(terminal, "left with 0")
    terminal.press("stty -g > after; echo noted down as $((2 + 2))", "Enter")
    wait_for(terminal, "noted down as 4")
    assert (tmp_path / "after").read_text() == (tmp_path / "before").read_text()
    (record,) = (tmp_path / "data" / "records").iterdir()
    assert (record / "conversations.jsonl").read_text().count("\n") == 1


def test_a_conversation_is_chosen_left_for_the_choice_and_the_choice_left_by_ctrl_c(
    terminal: Terminal, tmp_path: Path
) -> None:
    terminal.press(f"{SKOPOS} watch {SCENARIO} --choose --interpreter reference; echo left with $?", "Enter")
    wait_for(terminal, "Skopos", "choose a conversation")
    wait_for(terminal, "enter begins")
    terminal.press("Enter")
    wait_for(terminal, "ended: all turns were held")
    terminal.press("q")
    wait_for(terminal, "choose a conversation")
    terminal.press("C-c")
    wait_for(terminal, "recorded as", "left with 0")
    (record,) = (tmp_path / "data" / "records").iterdir()
    assert (record / "conversations.jsonl").read_text().count("\n") == 1
    terminal.press(f"{SKOPOS} replay {record.name}; echo seen with $?", "Enter")
    wait_for(terminal, "replay ×1")
    terminal.press("++++++")
    wait_for(terminal, "ended: all turns were held")
    terminal.press("q")
    wait_for(terminal, "seen with 0")


def test_a_terminal_that_goes_away_in_mid_turn_leaves_a_complete_record(tmp_path: Path) -> None:
    (tmp_path / "slow.yaml").write_text("fake: 1\nrules: [{reply: Halo., latency: 600}]\n")
    terminal = Pty(tmp_path, environment(tmp_path), (110, 34))
    terminal.press(f"{SKOPOS} watch {SCENARIO} --interpreter fake:slow.yaml", "Enter")
    wait_for(terminal, "interpreting turn 0")
    terminal.close()
    (record,) = (tmp_path / "data" / "records").iterdir()
    end = time.monotonic() + PATIENCE
    while not (record / "failures.jsonl").exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    assert '"interrupted"' in (record / "failures.jsonl").read_text()
