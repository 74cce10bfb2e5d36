"""How long a person waits: `--help` as a whole process, and the first paint of `watch` on a terminal."""

import os
import pty
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.machine import write

RUNS = 7
SKOPOS = str(Path(sys.executable).with_name("skopos"))
SCENARIO = "kor-ind-clinic-fasting"


def _help() -> float:
    started = time.perf_counter()
    subprocess.run([SKOPOS, "--help"], check=True, capture_output=True)
    return time.perf_counter() - started


def _first_paint(folder: str) -> float:
    """Seconds until the scenario's name stands on the screen."""
    environment = {**os.environ, "SKOPOS_DATA": f"{folder}/data", "SKOPOS_CACHE": f"{folder}/cache"}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    started = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.execve(SKOPOS, [SKOPOS, "watch", SCENARIO, "--interpreter", "reference"], environment)
    seen = b""
    while SCENARIO.encode() not in seen and time.perf_counter() - started < 30:
        if select.select([terminal], [], [], 0.05)[0]:
            seen += os.read(terminal, 65536)
    elapsed = time.perf_counter() - started
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(terminal)
    return elapsed


def _figures(name: str, values: list[float], limit: float) -> str:
    return f"| {name} | {statistics.median(values):.2f} | {min(values):.2f} | {max(values):.2f} | {limit} |"


def main() -> None:
    """Measure and write docs/bench/startup.md."""
    with tempfile.TemporaryDirectory() as folder:
        _help()
        helps = [_help() for _ in range(RUNS)]
        _first_paint(folder)
        paints = [_first_paint(folder) for _ in range(RUNS)]
    body = "\n".join(
        [
            f"Seconds, {RUNS} runs after one that is not counted.",
            "",
            "| what | median | least | most | asked: at most |",
            "| --- | --- | --- | --- | --- |",
            _figures("`skopos --help`", helps, 0.5),
            _figures("`skopos watch`, first paint", paints, 1.5),
        ]
    )
    write("startup", "Start-up", "python -m tests.bench.startup", body)


if __name__ == "__main__":
    main()
