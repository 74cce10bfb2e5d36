"""Whether the runner's memory stays flat in the number of conversations: whole runs, by scripted models.

`skopos run` in a process of its own, on scripted interpreter, users and judge of the product (`fake:FILE`):
client, retries, ledger, bus, journal, record, progress and the table at the end are the real ones. Memory is
what the kernel says of the process: the peak while conversations are held, and the peak with the table.
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from tests.bench.machine import write

SIZES = (1_000, 10_000)
LIMIT = 400
"""Megabytes a run of 10,000 conversations may take."""
TURNS = 2
"""Of each conversation: whole ones of six turns take six minutes of CPU."""
_SKOPOS = "import sys; from sim.commands.main import main; sys.exit(main())"
_SYSTEMS = 2


@dataclass(frozen=True, slots=True)
class Measured:
    """One run."""

    conversations: int
    halfway: float
    """Megabytes in use when half of it was held."""
    held: float
    """Peak until the last conversation was held, in megabytes."""
    whole: float
    """Peak of the whole process."""
    cpu: float
    """Seconds."""
    clock: float
    """Seconds."""


def measured(conversations: int, folder: Path) -> Measured:
    """Hold so many conversations in `folder`."""
    _scripts(folder)
    words = ["run", "--scenarios", "kor-ind-*", "--interpreters", "fake:t.json,fake:u.json"]
    words += ["--judge", "fake:j.json", "--turns", str(TURNS), "--no-cache", "--concurrency", "16"]
    words += ["--trials", str(conversations // _SYSTEMS // 2), "--out", "r"]
    environment = os.environ | {"SKOPOS_DATA": str(folder / "d"), "SKOPOS_CACHE": str(folder / "c")}
    started = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    halfway = held = 0.0
    with subprocess.Popen(
        [sys.executable, "-c", _SKOPOS, *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stderr is not None
        last: deque[str] = deque(maxlen=20)
        for line in child.stderr:
            last.append(line)
            if line.startswith(f"{conversations // 2}/{conversations} "):
                halfway = _megabytes(child.pid, "VmRSS")
            if line.startswith(f"{conversations}/{conversations} "):
                held = _megabytes(child.pid, "VmHWM")
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, "".join(last)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Measured(conversations, halfway, held, usage.ru_maxrss / 1024, cpu, time.monotonic() - started)


def _scripts(folder: Path) -> None:
    verdicts = [
        {"id": f"c{n}", "met": n % 3 > 0, "reason": "It was seen in the translation."} for n in range(1, 25)
    ]
    for name, reply in (
        ("t", "Baik, Bu, jangan makan mulai jam sepuluh malam."),
        ("u", "Baik, Pak, tolong jangan makan apa pun setelah pukul sepuluh malam."),
        ("j", {"verdicts": verdicts}),
    ):
        rule = {"reply": reply, "tokens": [800, 30], "cost": 0.001}
        (folder / f"{name}.json").write_text(json.dumps({"fake": 1, "rules": [rule]}), encoding="utf-8")


def _megabytes(process: int, name: str) -> float:
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    found = re.search(rf"{name}:\s+(\d+) kB", status)
    assert found is not None, status
    return int(found[1]) / 1024


def main() -> None:
    """Measure and write docs/bench/batch-memory.md."""
    rows = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measured(size, Path(folder)))
    body = [
        f"Megabytes of the runner's process; {TURNS} turns a conversation (each interpreted and judged by a "
        f"scripted model: {2 * TURNS} calls), 16 at once, two scenarios, two systems. Asked: at most "
        f"{LIMIT} at {SIZES[-1]:,} conversations.",
        "",
        "| conversations | in use halfway | peak while held | peak with the table | CPU, s | clock, s |",
        "| --- | --- | --- | --- | --- | --- |",
        *(
            f"| {row.conversations:,} | {row.halfway:.0f} | {row.held:.0f} | {row.whole:.0f} "
            f"| {row.cpu:.0f} | {row.clock:.0f} |"
            for row in rows
        ),
        "",
        "What is kept of a conversation that has ended is a count, so that its length does not matter; the "
        "scenarios' six turns would take six minutes of CPU. The table at the end reads all records.",
    ]
    write("batch-memory", "Memory of a batch", "python -m tests.bench.batch_memory", "\n".join(body))


if __name__ == "__main__":
    main()
