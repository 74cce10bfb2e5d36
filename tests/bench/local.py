"""The embedded interpreter over 24 turns of four scenarios: seconds a turn, memory of both processes."""

import asyncio
import os
import re
import statistics
import tempfile
from pathlib import Path

from sim.core.studio import Setup
from sim.runs.places import Places
from sim.wiring.studio import House
from tests.bench.machine import write

SCENARIOS = (
    "arb-ben-neighbour-condolence",
    "eng-kor-office-leave",
    "ind-arb-landlord-leak",
    "kor-ind-clinic-fasting",
)


def _peak(pid: int) -> float:
    """Peak resident memory of a process, MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    match = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(match[1]) / 1024 if match else 0.0


def _children() -> list[int]:
    """The processes this one has started, and theirs."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = entry.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(entry.parent.name)] = int(after_name[1])
    found, open_ = [], [os.getpid()]
    while open_:
        parent = open_.pop()
        own = [pid for pid, of in parents.items() if of == parent]
        found += own
        open_ += own
    return found


async def _measure() -> tuple[list[float], dict[str, int], float, float]:
    seconds: list[float] = []
    ends: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        house = House(Places(Path(folder) / "data", Path(folder) / "cache"), cache=False)
        # the model loads once a process; that wait is shown as such and is not a turn's
        await house.start(Setup(scenario=SCENARIOS[0], turns=1, record=False)).run()
        for scenario in SCENARIOS:
            document = await house.start(Setup(scenario=scenario, record=False)).run()
            record = document["conversation"]
            ends[record["end_reason"]] = ends.get(record["end_reason"], 0) + 1
            seconds += [turn["timing"]["interpreted"] for turn in record["turns"]]
        child = max(map(_peak, _children()), default=0.0)
        parent = _peak(os.getpid())
        await house.aclose()
    return seconds, ends, parent, child


def main() -> None:
    """Measure and write docs/bench/local.md."""
    seconds, ends, parent, child = asyncio.run(_measure())
    body = "\n".join(
        [
            "| what | measured | asked |",
            "| --- | --- | --- |",
            f"| seconds a turn, median of {len(seconds)} | {statistics.median(seconds):.2f} | at most 2 |",
            f"| seconds a turn, worst | {max(seconds):.2f} | at most 5 |",
            f"| memory of the parent, peak | {parent:.0f} MB | at most 300 |",
            f"| memory of the model server, peak | {child:.0f} MB | at most 1024 |",
            "",
            f"End reasons: {', '.join(f'{reason} {count}' for reason, count in ends.items())}. "
            "The call cache was off, the server's prompt cache on; the model was loaded before.",
        ]
    )
    write("local", "Embedded interpreter", "python -m tests.bench.local", body)


if __name__ == "__main__":
    main()
