"""Calls a second through the whole client path against bare LiteLLM; memory of the local server.

Both sides talk to the stub at 50 ms in a process of its own, with the same cap on calls in flight. Ours
pays for everything a conversation pays for: call cache (on and empty), ladder, retries, normaliser,
ledger. The two sides alternate in slices within each run; the ratio is the median of the runs' ratios.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from agents.models import gateway
from agents.models.cached import CachedClient
from agents.models.registry import ModelPool
from sim.core.ports import CallScope, Message, Request
from sim.runs.cache import SqliteCache
from tests.bench.machine import write

COMMAND = "python -m tests.bench.calls"
LATENCY = 0.05
RUNS = 5
SLICES = 5
CALLS = {1: 50, 16: 480, 64: 1280}
"""Calls a run, by calls in flight."""
NEEDED = {1: 0.85, 16: 0.85, 64: 0.8}
MODEL = "openai/stub"

One = Callable[[int], Awaitable[object]]


def _text(number: int) -> str:
    return f"Translate into Indonesian, and give the translation only: 내일 아침 {number}시에 오세요."


def bare(litellm: object) -> One:
    """One call of `litellm.acompletion`."""
    complete = getattr(litellm, "acompletion")  # noqa: B009

    async def one(number: int) -> object:
        messages = [{"role": "user", "content": _text(number)}]
        return await complete(model=MODEL, messages=messages, temperature=0, num_retries=0, max_retries=0)

    return one


def ours(client: CachedClient) -> One:
    """One call through the client port."""
    scope = CallScope(
        role="interpreter", scenario="bench", turn=0, trial=0, attempt=0, publish=lambda event: None
    )

    async def one(number: int) -> object:
        request = Request(messages=(Message("user", _text(number)),), parameters={"temperature": 0})
        return await client.complete(request, scope)

    return one


async def rate(one: One, in_flight: int, numbers: range) -> float:
    """Calls a second."""
    waiting = iter(numbers)

    async def worker() -> None:
        for number in waiting:
            await one(number)

    started = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(in_flight)))
    return len(numbers) / (time.perf_counter() - started)


@contextmanager
def stub() -> Iterator[str]:
    """The stub's address, in its own process."""
    command = [sys.executable, "-m", "tests.stub", "--latency", str(LATENCY)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        yield f"http://127.0.0.1:{json.loads(child.stdout.readline())['port']}/v1"
        child.stdin.close()


@asynccontextmanager
async def client(folder: Path) -> AsyncIterator[CachedClient]:
    """A hosted client with an empty call cache."""
    cache = SqliteCache(folder / "calls.sqlite")
    async with ModelPool(models=folder, logs=folder) as pool:
        yield CachedClient(pool.open_client(MODEL), cache, {})
    cache.close()


async def alternate(sides: tuple[One, One], in_flight: int, first: int, calls: int) -> tuple[float, float]:
    """Calls a second of both sides over one run, in short slices by turns: other load meets both alike."""
    slice_ = calls // SLICES
    seconds = [0.0, 0.0]
    for number in range(SLICES):
        start = first + number * slice_
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            seconds[side] += slice_ / await rate(sides[side], in_flight, range(start, start + slice_))
    return slice_ * SLICES / seconds[0], slice_ * SLICES / seconds[1]


async def compare(in_flight: int, folder: Path) -> list[tuple[float, float]]:
    """(bare, ours) calls a second, for each run."""
    results = []
    calls = CALLS[in_flight]
    async with client(folder) as one_client:
        sides = (bare(gateway.load()), ours(one_client))
        for side, start in zip(sides, (-200, -100), strict=True):
            await rate(side, in_flight, range(start, start + in_flight))
        for run in range(RUNS):
            results.append(await alternate(sides, in_flight, run * calls, calls))
    return results


def table(results: dict[int, list[tuple[float, float]]]) -> str:
    """The comparison as a Markdown table."""
    lines = ["| in flight | bare calls/s | ours calls/s | ratio | needed |", "|---|---|---|---|---|"]
    for in_flight, runs in results.items():
        theirs, mine = (statistics.median(side) for side in zip(*runs, strict=True))
        ratio = statistics.median(own / other for other, own in runs)
        lines.append(f"| {in_flight} | {theirs:.1f} | {mine:.1f} | {ratio:.3f} | {NEEDED[in_flight]} |")
    return "\n".join(lines)


def memory(pid: int) -> int:
    """Most resident memory of a process so far, in MB."""
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1]) // 1024


async def local_server(folder: Path) -> str:
    """Start, speed and memory of the embedded model's server, its prompt cache on."""
    async with ModelPool(models=folder, logs=folder) as pool:
        model, server = pool.open_client("local"), pool.server(None)
        started = time.perf_counter()
        await server.start()
        start = time.perf_counter() - started
        assert server.pid is not None
        scope = CallScope(
            role="interpreter", scenario="bench", turn=0, trial=0, attempt=0, publish=lambda event: None
        )
        first: list[float] = []
        again: list[float] = []
        for round_ in range(8):
            for prefix in _prefixes():
                request = Request(
                    prompt=f"{prefix}English: Please come at {round_ + 1} tomorrow morning.\nIndonesian:",
                    parameters={"temperature": 0, "max_tokens": 32, "stop": ["\n"]},
                )
                began = time.perf_counter()
                await model.complete(request, scope)
                (again if round_ else first).append(time.perf_counter() - began)
        peak = memory(server.pid)
    return (
        f"Local server: {start:.1f} s to start; a 12-example prompt {statistics.median(first):.2f} s the first "
        f"time, {statistics.median(again):.2f} s (worst {max(again):.2f} s) when one of four such prompts comes "
        f"again in turn; most resident memory of the child {peak} MB (bound 1024 MB)."
    )


def _prefixes() -> list[str]:
    """Four prompts of 12 example pairs with nothing in common."""
    pair = "English: Please take {n} tablets with water, {how}.\nIndonesian: Tolong minum {n} tablet dengan air.\n"
    ways = ("after dinner", "before you sleep", "every four hours", "only when it hurts")
    return [
        f"[{way}]\n" + "".join(pair.replace("{n}", str(n)).replace("{how}", way) for n in range(2, 14))
        for way in ways
    ]


def main() -> None:
    """Measure and write docs/bench/calls.md."""
    os.environ["OPENAI_API_KEY"] = "stub"
    results = {}
    with tempfile.TemporaryDirectory() as name, stub() as base:
        os.environ["OPENAI_BASE_URL"] = base
        for in_flight in CALLS:
            folder = Path(name, str(in_flight))
            folder.mkdir()
            results[in_flight] = asyncio.run(compare(in_flight, folder))
        local = asyncio.run(local_server(Path(name)))
    note = (
        f"Stub at {LATENCY * 1000:.0f} ms in its own process, call cache on and empty, {RUNS} alternating runs "
        "of both sides; medians."
    )
    write("calls", "Model calls", COMMAND, f"{note}\n\n{table(results)}\n\n{local}")


if __name__ == "__main__":
    main()
