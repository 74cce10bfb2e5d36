"""A process without stdin, stdout or stderr, or with a full one, ends as it should and without a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

WATCH = ("watch", "--interpreter", "copy", "--judge", "none", "--turns", "1")
CHAT = ("chat", "--plain", "--me", "kor", "--other", "ind", "--interpreter", "copy", "--judge", "none")
PROGRAM = "import sys; from sim.commands.main import main; sys.exit(main())"


def run(
    place: Path, *words: str, shell: str, environment: dict[str, str] | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """One command in a shell that arranges its streams; `{}` stands for the command."""
    command = " ".join(("$PYTHON", "-c", "'" + PROGRAM + "'", *words))
    env = {
        **os.environ,
        "PYTHON": sys.executable,
        "SKOPOS_DATA": str(place / "data"),
        "SKOPOS_CACHE": str(place / "cache"),
        **(environment or {}),
    }
    return subprocess.run(
        ["sh", "-c", shell.replace("{}", command)], capture_output=True, timeout=60, env=env, check=False
    )


@pytest.mark.parametrize("face", ["--plain", "--json", "--events"])
def test_without_stdout_a_conversation_is_still_held_and_recorded(face: str, tmp_path: Path) -> None:
    done = run(tmp_path, *WATCH, face, shell="{} >&-")
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(list(tmp_path.glob("data/records/*/conversations.jsonl"))) == 1


def test_a_chat_without_stdin_is_left_at_once(tmp_path: Path) -> None:
    done = run(tmp_path, *CHAT, shell="{} <&-")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "a person left" in done.stdout.decode()


@pytest.mark.parametrize("words", [("scenarios", "list"), (*WATCH, "--plain")])
def test_a_full_stdout_is_said_and_is_a_failure(words: tuple[str, ...], tmp_path: Path) -> None:
    done = run(tmp_path, *words, shell="{} >/dev/full")
    assert done.returncode == 1
    assert "The output: No space left on device" in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_progress_that_nobody_reads_does_not_stop_a_run(tmp_path: Path) -> None:
    words = ("run", "--interpreters", "copy", "--judge", "none", "--out", str(tmp_path / "r"))
    done = run(tmp_path, *words, shell="{ {} 2>&3; echo $? >&2; } 3>&1 >/dev/null | true")
    assert done.stderr.decode().split() == ["0"]


def test_usage_is_told_by_the_exit_code_where_stderr_is_gone(tmp_path: Path) -> None:
    assert run(tmp_path, "nonsense", shell="{} 2>/dev/full").returncode == 2


def test_what_is_typed_is_read_as_utf_8_whatever_the_locale_says(tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = run(tmp_path, *CHAT, shell="printf '/end 안녕\\nd\\n' | {}", environment=plain)
    assert "A: 안녕" in done.stdout.decode()
