"""A batch of a thousand conversations against bare LiteLLM, Inspect AI and its own critical path.

All sides talk to the stub at 50 ms in a process of its own, each as a whole process: start, calls, records.
The calls are those of our own run, recorded once and played by the others: the same messages and formats in the same number. Sides
take turns in slices, so that other load meets them alike. Inspect AI lives in an
environment of its own, made for the measurement.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from aiohttp import web

from tests.bench.machine import write
from tests.stub.app import Stub, make_app

COMMAND = "python -m tests.bench.batches"
LATENCY = 0.05
SCENARIO = "kor-ind-clinic-fasting"
CONVERSATIONS = {64: 800, 16: 120}
"""Held, by how many at once."""
SLICES = 2
SKOPOS = str(Path(sys.executable).with_name("skopos"))
HERE = Path(__file__).parent
STEP = [{"do": "either", "text": "Selamat siang, Bu. Silakan duduk."}]

Side = Callable[[int, int, Path], list[str]]


def _run(trials: int, in_flight: int, out: Path) -> list[str]:
    return [
        SKOPOS, "run", "--scenarios", SCENARIO, "--interpreters", "openai/stub", "--judge", "openai/stub",
        "--trials", str(trials), "--concurrency", str(in_flight), "--out", str(out),
    ]  # fmt: skip


def record(folder: Path) -> Path:
    """The bodies of one conversation's calls, in order, as LiteLLM takes them."""
    bodies = asyncio.run(_recorded(folder))
    kept = ("messages", "temperature", "max_tokens", "response_format")
    calls = [{"model": "openai/stub"} | {k: body[k] for k in kept if k in body} for body in bodies]
    path = folder / "bodies.json"
    path.write_text(json.dumps(calls, ensure_ascii=False), "utf-8")
    return path


async def _recorded(folder: Path) -> list[dict[str, object]]:
    stub = Stub(script=STEP)
    runner = web.AppRunner(make_app(stub), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    environment = _environment(folder, runner.addresses[0][1])
    child = await asyncio.create_subprocess_exec(
        *_run(1, 1, folder / "recorded"), env=environment, stdout=subprocess.DEVNULL
    )
    if await child.wait() != 0:
        raise SystemExit("the run to be recorded failed")
    await runner.cleanup()
    return stub.requests


def _environment(folder: Path, port: int) -> dict[str, str]:
    places = {"SKOPOS_DATA": str(folder / "data"), "SKOPOS_CACHE": str(folder / "cache")}
    base = f"http://127.0.0.1:{port}/v1"
    return {**os.environ, **places, "OPENAI_API_KEY": "stub", "OPENAI_BASE_URL": base}


@contextmanager
def _stub(folder: Path, answered: list[int]) -> Iterator[int]:
    """The stub's port; how many requests it answered is added to `answered`."""
    script = folder / "step.json"
    script.write_text(json.dumps(STEP), "utf-8")
    command = [sys.executable, "-m", "tests.stub", "--latency", str(LATENCY), "--script", str(script)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        yield json.loads(child.stdout.readline())["port"]
        child.stdin.close()
        answered.append(json.loads(child.stdout.readline())["answered"])


def measure(side: Side, conversations: int, in_flight: int) -> tuple[int, float, float]:
    """(calls, seconds, seconds of processor time) of one slice of one side."""
    answered: list[int] = []
    with tempfile.TemporaryDirectory() as name, _stub(Path(name), answered) as port:
        command = side(conversations, in_flight, Path(name, "out"))
        started = time.perf_counter()
        log = Path(name, "log")
        with log.open("wb") as said:
            child = subprocess.Popen(command, env=_environment(Path(name), port), stdout=said, stderr=said)
            _, status, used = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - started
        if os.waitstatus_to_exitcode(status) != 0:
            raise SystemExit(f"{command[0]} ended with {status}: {log.read_text('utf-8')[-2000:]}")
    return answered[0], seconds, used.ru_utime + used.ru_stime


def _inspect_python(folder: Path) -> str:
    """The Python of an environment with Inspect AI: `INSPECT_PYTHON`, or one made now."""
    given = os.environ.get("INSPECT_PYTHON")
    if given:
        return given
    venv.create(folder / "inspect", with_pip=True)
    python = str(folder / "inspect" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", "inspect-ai==0.3.285", "openai"], check=True)
    return python


def _sides(bodies: Path, python: str) -> dict[str, Side]:
    others = str(HERE / "batches_inspect.py")
    bare = [sys.executable, "-m", "tests.bench.batches_bare", str(bodies)]
    return {
        "bare LiteLLM": lambda n, c, out: [*bare, str(n), str(c)],
        "skopos run": _run,
        "Inspect AI": lambda n, c, out: [python, others, str(bodies), str(n), str(c), str(out)],
    }


def _compare(sides: dict[str, Side], in_flight: int, calls: int) -> list[str]:
    """A table row a side: calls a second over all slices."""
    totals = {name: [0, 0.0, 0.0] for name in sides}
    for slice_ in range(SLICES):
        names = list(sides) if slice_ % 2 == 0 else list(sides)[::-1]
        for name in names:
            figures = measure(sides[name], CONVERSATIONS[in_flight] // SLICES, in_flight)
            totals[name] = [old + new for old, new in zip(totals[name], figures, strict=True)]
    rates = {name: done / seconds for name, (done, seconds, _) in totals.items()}
    path = CONVERSATIONS[in_flight] / in_flight * calls * LATENCY
    return [
        f"| {in_flight} | {name} | {done} | {seconds:.1f} | {rates[name]:.1f} | "
        f"{rates[name] / rates['bare LiteLLM']:.2f} | {rates[name] / rates['Inspect AI']:.2f} | "
        f"{path / seconds:.2f} | {processor / done * 1000:.1f} |"
        for name, (done, seconds, processor) in totals.items()
    ]


def main() -> None:
    """Measure and write docs/bench/batches.md."""
    with tempfile.TemporaryDirectory() as name:
        bodies = record(Path(name))
        calls = len(json.loads(bodies.read_text("utf-8")))
        sides = _sides(bodies, _inspect_python(Path(name)))
        rows = [row for in_flight in CONVERSATIONS for row in _compare(sides, in_flight, calls)]
    body = "\n".join(
        [
            f"Conversations of {calls} calls (six turns interpreted, each judged by a model, and the whole), stub at "
            f"{LATENCY * 1000:.0f} ms; {SLICES} slices of each side by turns; whole processes, from start to "
            "records on disk. Critical path: the seconds that the stub's latency alone would take, over the "
            "seconds it took.",
            "",
            "| conversations at once | side | calls | seconds | calls/s | of bare LiteLLM | of Inspect AI "
            "| of the critical path | ms of processor a call |",
            "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
            *rows,
        ]
    )
    write("batches", "Batches", COMMAND, body)


if __name__ == "__main__":
    main()
