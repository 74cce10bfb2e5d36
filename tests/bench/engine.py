"""What one turn costs the engine itself: bus, loop, rules judge, language check, record; no model.

CPU seconds of the process over many conversations with zero-latency participants, per turn. The rules
judge runs real checks over a shipped scenario's references; none of them needs an embedding.
"""

import asyncio
import resource
import statistics
import tempfile
from pathlib import Path

from scenarios import loader
from sim.core.studio import Setup
from sim.core.version import __version__
from sim.runs.places import Places
from sim.runs.store import Run, Writer
from sim.wiring.studio import House
from tests.bench.machine import write

CONVERSATIONS = 200
REPEATS = 5
LIMIT = 1.2


async def _hold(house: House, store: Writer, scenarios: list[str], trial: int) -> int:
    turns = 0
    for number in range(CONVERSATIONS):
        setup = Setup(
            scenario=scenarios[number % len(scenarios)], interpreter="reference", trial=trial + number
        )
        document = await house.start(setup, store=store).run()
        turns += len(document["conversation"]["turns"])
    return turns


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def _measure() -> tuple[list[float], int]:
    names = [scenario.id for scenario in loader.shipped()]
    figures: list[float] = []
    turns = 0
    with tempfile.TemporaryDirectory() as folder:
        house = House(Places(Path(folder) / "data", Path(folder) / "cache"), cache=False)
        run = Run.create(Path(folder) / "run", {"version": __version__, "signatures": []})
        with run.writing() as store:
            await _hold(house, store, names, -CONVERSATIONS)
            for repeat in range(REPEATS):
                before = _cpu()
                turns = await _hold(house, store, names, repeat * CONVERSATIONS)
                figures.append(1000 * (_cpu() - before) / turns)
        await house.aclose()
    return figures, turns


def main() -> None:
    """Measure and write docs/bench/engine.md."""
    figures, turns = asyncio.run(_measure())
    median = statistics.median(figures)
    body = (
        f"CPU per turn, {REPEATS} runs of {turns} turns: median {median:.3f} ms, "
        f"{min(figures):.3f} to {max(figures):.3f} ms (asked: at most {LIMIT} ms).\n\n"
        "Counted: setting up and closing a conversation, loop and bus, the rules judge with the checks of the "
        "shipped scenarios, two language checks and the delivery checks a turn, journal, record, and the "
        "fsync of each conversation's line."
    )
    write("engine", "Engine", "python -m tests.bench.engine", body)


if __name__ == "__main__":
    main()
