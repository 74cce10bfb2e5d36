"""What one turn costs the engine itself, in CPU time of the process; no model is asked.

Zero-latency participants speak and interpret a shipped scenario's own sources and references; bus, loop,
rules judge, journal and record are the real ones. A second row adds the real language check and the
real delivery checks. No check of the shipped scenarios needs an embedding.
"""

import asyncio
import resource
import statistics
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from scenarios import loader
from sim.core.events import Flag
from sim.core.ports import Interpretation, InterpreterView
from sim.core.studio import Setup
from sim.core.values import LanguageCheck
from sim.core.version import __version__
from sim.runs.places import Places
from sim.runs.store import Run, Writer
from sim.wiring.session import HeldSession
from sim.wiring.studio import House
from tests.bench.machine import write

CONVERSATIONS = 200
REPEATS = 5
LIMIT = 1.2
_OK = LanguageCheck(result="ok", label="fake", mass=1.0)


class FakeDetector:
    """Calls everything right, at once."""

    identity: Mapping[str, Any] = {"detector": "fake"}

    def check(
        self, text: str, expected: str, source: str | None = None, original: str | None = None
    ) -> LanguageCheck:
        """OK."""
        return _OK


class FakeDelivery:
    """Flags nothing, at once."""

    identity = "fake"

    def flags(
        self, view: InterpreterView, interpretation: Interpretation, check: LanguageCheck
    ) -> tuple[Flag, ...]:
        """None."""
        return ()


def _session(house: House, store: Writer, scenario: str, trial: int, *, real: bool) -> HeldSession:
    session = house.start(Setup(scenario=scenario, interpreter="reference", trial=trial), store=store)
    if not real:
        session.cast = replace(session.cast, detector=FakeDetector(), delivery=FakeDelivery())
    return session


async def _hold(house: House, store: Writer, scenarios: list[str], first: int, *, real: bool) -> int:
    turns = 0
    for number in range(CONVERSATIONS):
        scenario = scenarios[number % len(scenarios)]
        document = await _session(house, store, scenario, first + number, real=real).run()
        turns += len(document["conversation"]["turns"])
    return turns


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def _measure(*, real: bool) -> tuple[list[float], int]:
    names = [scenario.id for scenario in loader.shipped()]
    figures: list[float] = []
    turns = 0
    with tempfile.TemporaryDirectory() as folder:
        house = House(Places(Path(folder) / "data", Path(folder) / "cache"), cache=False)
        with Run.create(Path(folder) / "run", {"version": __version__, "signatures": []}) as store:
            await _hold(house, store, names, -CONVERSATIONS, real=real)
            for repeat in range(REPEATS):
                before = _cpu()
                turns = await _hold(house, store, names, repeat * CONVERSATIONS, real=real)
                figures.append(1000 * (_cpu() - before) / turns)
        await house.aclose()
    return figures, turns


def _row(name: str, figures: list[float], limit: str) -> str:
    return (
        f"| {name} | {statistics.median(figures):.3f} | {min(figures):.3f} | {max(figures):.3f} | {limit} |"
    )


def main() -> None:
    """Measure and write docs/bench/engine.md."""
    engine, turns = asyncio.run(_measure(real=False))
    whole, _ = asyncio.run(_measure(real=True))
    body = "\n".join(
        [
            f"Milliseconds of CPU a turn, {REPEATS} runs of {turns} turns each.",
            "",
            "| what | median | least | most | asked: at most |",
            "| --- | --- | --- | --- | --- |",
            _row("bus, loop, rules judge, journal, record", engine, str(LIMIT)),
            _row("the same with language check and delivery checks", whole, ""),
            "",
            "Counted too: setting up and closing a conversation, and the fsync of its line.",
        ]
    )
    write("engine", "Engine", "python -m tests.bench.engine", body)


if __name__ == "__main__":
    main()
