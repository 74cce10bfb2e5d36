"""The report of a large run: time, peak memory and size of the page, from 10,000 recorded conversations.

The records are made from the shipped scenarios: their texts, criteria and checks, with drawn verdicts, so
that a line is as long as a real one. Each report is a process of its own, started from the command line.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scenarios import loader
from sim.core.text import dumps
from sim.core.values import Criterion, Scenario, Verdict
from tests.bench.machine import write

SYSTEMS, CONVERSATIONS = 10, 10_000
RUNS = 3
SECONDS, MEGABYTES = 20, 10
FACES = {
    "tables": [],
    "--json": ["--json"],
    "--csv": ["--csv", "tables"],
    "--html": ["--html", "page.html"],
}


def make(folder: Path, conversations: int = CONVERSATIONS, systems: int = SYSTEMS) -> None:
    """Write a run of this size."""
    shipped = loader.shipped()
    plan = [(n, shipped[n % len(shipped)]) for n in range(conversations // systems)]
    names = [f"provider/model-{n}|cultural|full" for n in range(systems)]
    folder.mkdir(parents=True, exist_ok=True)
    signed = [_signed(f"{scenario.id}-{n}", name) for n, scenario in plan for name in names]
    head = {"schema": 1, "version": "0.1.0", "kind": "run", "plan": _PLAN, "signatures": signed}
    (folder / "run.json").write_text(dumps(head), encoding="utf-8")
    generator = random.Random(1)
    with (folder / "conversations.jsonl").open("w", encoding="utf-8") as file:
        for n, scenario in plan:
            for place, name in enumerate(names):
                record = _record(scenario, f"{scenario.id}-{n}", name, generator, 0.5 + 0.03 * place)
                file.write(dumps({"key": record["key"], "attempt": 0, "conversation": record}) + "\n")


_PLAN = {"mode": "scripted", "trials": 1, "judge": "provider/judge", "turn": None}


def _signed(scenario: str, system: str) -> dict[str, Any]:
    return {
        "scenario": scenario,
        "system": system,
        "signature": {
            "version": "0.1.0",
            "scenario": scenario,
            "mode": "scripted",
            "procedure": "turn",
            "system": {"id": system},
            "users": "script|script",
            "judge": {"judge": "provider/judge"},
            "language_check": {"detector": "lid.176", "threshold": 0.5},
            "strict_language": False,
            "seed": 0,
            "replicates": None,
        },
    }


def _record(
    scenario: Scenario, name: str, system: str, generator: random.Random, rate: float
) -> dict[str, Any]:
    key = {
        "scenario": name,
        "system": system,
        "users": "script|script",
        "mode": "scripted",
        "turn": None,
        "trial": 0,
    }
    return {
        "key": key,
        "scenario": name,
        "pair": list(scenario.pair),
        "mode": "scripted",
        "system": {"id": system, "model": system},
        "users": {"A": "script", "B": "script"},
        "judge": "provider/judge",
        "end_reason": "completed",
        "peeked": [],
        "turns": list(_turns(scenario, generator, rate)),
        "criteria": [_criterion(criterion, "conversation") for criterion in scenario.criteria],
        "verdicts": [_verdict(criterion, generator, rate) for criterion in scenario.criteria],
        "fault": None,
    }


def _turns(scenario: Scenario, generator: random.Random, rate: float) -> Iterator[dict[str, Any]]:
    for turn in scenario.turns:
        asked = turn.checklists.turn or ()
        said = generator.choice([turn.reference, *turn.alternatives, *(c.text for c in turn.contrasts)])
        later = [one.source for one in scenario.turns if one.index == turn.index + 1]
        check = {"result": "ok", "label": "x", "mass": 0.99}
        yield {
            "index": turn.index,
            "speaker": turn.speaker,
            "direction": list(scenario.direction(turn.index)),
            "source": turn.source,
            "raw": said,
            "translation": said,
            "flags": [],
            "language_check": {"source": check, "translation": check, "response": check if later else None},
            "response": later[0] if later else None,
            "criteria": [_criterion(criterion, "turn") for criterion in asked],
            "verdicts": [_verdict(criterion, generator, rate - 0.02 * turn.index) for criterion in asked],
            "fault": None,
            "timing": {"spoken": 0.0, "interpreted": 1.0},
            "cost": {
                "known": generator.uniform(0.5, 1.5) * rate / 1000,
                "unknown_calls": 0,
                "currency": "USD",
            },
        }


def _criterion(criterion: Criterion, procedure: str) -> dict[str, Any]:
    document = criterion.model_dump(mode="json", include={"id", "layer", "ask", "function", "needs"})
    check = criterion.check.model_dump(mode="json", exclude_defaults=True) if criterion.check else None
    return document | {"check": check, "procedure": procedure}


def _verdict(criterion: Criterion, generator: random.Random, rate: float) -> dict[str, Any]:
    drawn = generator.random()
    met = None if drawn > 0.99 else drawn < rate
    reason = "" if met else f"The words asked for do not arrive: the delivered text is {drawn:.3f} off."
    return Verdict.model_validate(
        {
            "criterion": criterion.id,
            "layer": criterion.layer,
            "met": met,
            "basis": "unjudged" if met is None else "judged",
            "reason": reason,
            "judge": "provider/judge",
        }
    ).model_dump(mode="json")


_TIMED = """
import resource, sys
from sim.commands.main import main
code = main(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_SELF)
print("USED", used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, file=sys.stderr)
sys.exit(code)
"""


def _measure(run: Path, face: str, work: Path) -> tuple[float, float, int]:
    """Seconds from the start of the process to its end, CPU seconds, and its peak in MB."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _TIMED, "report", str(run), *FACES[face]],
        cwd=work,
        check=True,
        capture_output=True,
        text=True,
    )
    seconds = time.perf_counter() - started
    cpu, peak = done.stderr.rpartition("USED")[2].split()
    return seconds, float(cpu), int(peak)


def main() -> None:
    """Measure and write docs/bench/report.md."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        make(work / "run")
        recorded = (work / "run" / "conversations.jsonl").stat().st_size / 1e6
        rows = []
        for face in FACES:
            runs = [_measure(work / "run", face, work) for _ in range(RUNS)]
            seconds = [one[0] for one in runs]
            shown = (
                statistics.median(seconds),
                min(seconds),
                max(seconds),
                statistics.median(r[1] for r in runs),
            )
            cells = " | ".join(f"{value:.1f}" for value in shown)
            rows.append(f"| {face} | {cells} | {max(one[2] for one in runs)} |")
        page = (work / "page.html").stat().st_size / 1e6
        data = (work / "page.html").read_text(encoding="utf-8").split('id="data">')[1].split("</script>")[0]
    sampled = sum(system["shown"] for judge in json.loads(data) for system in judge["systems"])
    total = sum(system["total"] for judge in json.loads(data) for system in judge["systems"])
    body = "\n".join(
        [
            f"{CONVERSATIONS:,} recorded conversations: {SYSTEMS} systems × {CONVERSATIONS // SYSTEMS:,} scenarios of six turns,",
            f"{recorded:.0f} MB of records; all intervals from 10,000 paired replicates. {RUNS} runs each, the whole",
            f"command with imports. Asked: at most {SECONDS} s, a page of at most {MEGABYTES} MB.",
            "",
            "| `skopos report` | median s | least | most | median CPU s | peak MB |",
            "| --- | --- | --- | --- | --- | --- |",
            *rows,
            "",
            f"Load average of the machine while measuring: {os.getloadavg()[1]:.1f}; niceness of the command "
            f"{os.nice(0)}.",
            "",
            f"The page: {page:.2f} MB, {sampled:,} of {total:,} failures shown.",
        ]
    )
    write("report", "Report", "python -m tests.bench.report", body)


if __name__ == "__main__":
    main()
