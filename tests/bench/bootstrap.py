"""The headline bootstrap, time and peak memory, against a naive numpy loop in the same run.

10 systems x 5,624 scenarios in 12 directions, 10,000 paired resamplings, intervals and all pairwise
p values. Each measurement is a process of its own, so that its peak is its own, and they alternate.
"""

import json
import statistics
import subprocess
import sys
import time
from itertools import combinations
from pathlib import Path
from typing import Any

from tests.bench.machine import write

SYSTEMS, UNITS, STRATA, REPLICATES = 10, 5_624, 12, 10_000
RUNS = 5
SECONDS, MEGABYTES = 1.0, 200
WAYS = {
    "fast": "`sim.analysis.bootstrap`, overall",
    "layers": "`sim.analysis.bootstrap`, overall and three layers",
    "naive": "naive numpy loop, overall",
}


def _scores(columns: int) -> tuple[list[str], Any]:
    """The stratum of each scenario and its scores: means of 7 to 34 yes/no criteria."""
    import numpy as np

    random = np.random.default_rng(1)
    strata = sorted(f"d{n % STRATA:02}" for n in range(UNITS))
    criteria = random.integers(7, 35, (UNITS, 1))
    rates = np.clip(random.normal(0.6, 0.2, (UNITS, 1)) + np.linspace(-0.03, 0.03, columns), 0, 1)
    return strata, random.binomial(criteria, rates) / criteria


def _fast(measures: int) -> dict[str, float]:
    import numpy as np

    from sim.analysis.bootstrap import comparison
    from sim.analysis.panel import MEASURES, Label, Panel
    from sim.analysis.table import Unit

    strata, values = _scores(SYSTEMS * measures)
    labels = tuple(Label(f"s{n}", measure) for measure in MEASURES[:measures] for n in range(SYSTEMS))
    units = tuple(Unit(f"u{n}", 0) for n in range(UNITS))
    panel = Panel(labels, units, tuple(strata), values, np.ones_like(values))
    started = _now()
    found = comparison(panel, replicates=REPLICATES, seed=0)
    assert len(found.pairs) == SYSTEMS * (SYSTEMS - 1) // 2
    return _since(started)


def _naive() -> dict[str, float]:
    import numpy as np

    strata, scores = _scores(SYSTEMS)
    members = [np.flatnonzero(np.array(strata) == stratum) for stratum in sorted(set(strata))]
    started = _now()
    random = np.random.default_rng(0)
    drawn = np.empty((REPLICATES, SYSTEMS))
    for replicate in range(REPLICATES):
        chosen = np.concatenate([held[random.integers(0, len(held), len(held))] for held in members])
        drawn[replicate] = scores[chosen].mean(axis=0)
    np.quantile(drawn, [0.025, 0.975], axis=0)
    for a, b in combinations(range(SYSTEMS), 2):
        apart = drawn[:, a] - drawn[:, b]
        np.quantile(apart, [0.025, 0.975])
        min(1.0, (1 + 2 * min((apart <= 0).sum(), (apart >= 0).sum())) / (REPLICATES + 1))
    return _since(started)


def _now() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _since(started: tuple[float, float]) -> dict[str, float]:
    wall, cpu = (now - then for now, then in zip(_now(), started, strict=True))
    return {"seconds": wall, "cpu": cpu}


def _peak() -> float:
    """The largest resident size of this process, in MB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def _measure(way: str) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.bench.bootstrap", way]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _row(way: str, runs: list[dict[str, float]]) -> str:
    seconds = [run["seconds"] for run in runs]
    cells = [
        WAYS[way],
        *(f"{value:.2f}" for value in (statistics.median(seconds), min(seconds), max(seconds))),
        f"{statistics.median(run['cpu'] for run in runs):.2f}",
        f"{max(run['megabytes'] for run in runs):.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure and write docs/bench/bootstrap.md."""
    runs: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
    for _ in range(RUNS):
        for way in WAYS:
            runs[way].append(_measure(way))
    body = "\n".join(
        [
            f"{SYSTEMS} systems x {UNITS:,} scenarios in {STRATA} directions, {REPLICATES:,} paired resamplings,",
            f"percentile intervals and all {SYSTEMS * (SYSTEMS - 1) // 2} pairwise p values. {RUNS} alternating runs, each a process of",
            f"its own. Asked: at most {SECONDS:.0f} s and {MEGABYTES} MB.",
            "",
            "| way | median s | least | most | median CPU s | peak MB |",
            "| --- | --- | --- | --- | --- | --- |",
            *(_row(way, held) for way, held in runs.items()),
            "",
            "Seconds are of the bootstrap alone, without imports; the peak is of the whole process, Python and",
            "numpy included.",
        ]
    )
    write("bootstrap", "Bootstrap", "python -m tests.bench.bootstrap", body)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        held = {"fast": lambda: _fast(1), "layers": lambda: _fast(4), "naive": _naive}[sys.argv[1]]()
        print(json.dumps({**held, "megabytes": _peak()}))
    else:
        main()
