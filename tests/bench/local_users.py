"""How often users played by the embedded model speak their own language, in all twelve directions.

Each study pair is opened from both sides, in both dynamic modes, interpreted by the embedded model too:
nothing leaves the machine. An utterance counts that the model itself said (the opening of a free
conversation is the scenario's). In language is what the language check calls `ok` or `low`. A line of the
example dialogue said again is in the language too, so those are counted apart.
"""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from prompts.loader import load
from scenarios import loader
from sim.core.languages import STUDY, language
from sim.core.studio import Setup
from sim.core.values import Mode, Scenario
from sim.runs.places import Places
from sim.wiring.studio import House
from tests.bench.machine import write

_TURNS = 3
_MODES = (Mode.DYNAMIC_GUIDED, Mode.DYNAMIC_FREE)
_RESULTS = ("ok", "low", "wrong", "abstain")
_Z = 1.96


def _scenarios() -> list[Scenario]:
    """One scenario a direction."""
    first: dict[tuple[str, str], Scenario] = {}
    for scenario in loader.shipped():
        if set(scenario.pair) <= set(STUDY):
            first.setdefault(scenario.direction(0), scenario)
    return list(first.values())


def _own(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(language, what was found) of each utterance a model said: the check's result, and `example`."""
    free = record["mode"] == Mode.DYNAMIC_FREE
    for turn in record["turns"]:
        said, code = turn["source"], turn["direction"][0]
        if said is None or (free and turn["index"] == 0):
            continue
        yield code, turn["language_check"]["source"]["result"]
        if said.strip() in _example(code):
            yield code, "example"


@cache
def _example(code: str) -> frozenset[str]:
    lines = load(f"examples/dialogue/{code}").text.splitlines()
    return frozenset(line.partition(": ")[2] for line in lines)


async def _measure() -> tuple[Counter[tuple[str, str, str]], Counter[tuple[str, str]], dict[str, Any]]:
    found: Counter[tuple[str, str, str]] = Counter()
    ends: Counter[tuple[str, str]] = Counter()
    signature: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        house = House(Places(Path(folder) / "data", Path(folder) / "cache"), cache=False)
        for scenario in _scenarios():
            for mode in _MODES:
                setup = Setup(
                    scenario=scenario.id,
                    mode=mode,
                    user_a="local",
                    user_b="local",
                    judge="none",
                    turns=_TURNS,
                    record=False,
                )
                document = await house.start(setup).run()
                record, signature = document["conversation"], document["signature"]
                ends[mode, record["end_reason"]] += 1
                for code, result in _own(record):
                    found[mode, code, result] += 1
        await house.aclose()
    return found, ends, signature


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The Wilson score interval of a share, 95 %."""
    if of == 0:
        return 0.0, 1.0
    share, z2 = hits / of, _Z * _Z / of
    middle = share + z2 / 2
    half = _Z * (share * (1 - share) / of + z2 / (4 * of)) ** 0.5
    return max(0.0, (middle - half) / (1 + z2)), min(1.0, (middle + half) / (1 + z2))


def _row(name: str, results: Counter[str]) -> str:
    of = sum(results[result] for result in _RESULTS)
    hits = results["ok"] + results["low"]
    low, high = wilson(hits, of)
    share = f"{hits / of:.2f} ({low:.2f}–{high:.2f})" if of else "undefined"
    counted = " | ".join(str(results[result]) for result in (*_RESULTS, "example"))
    return f"| {name} | {of} | {counted} | {share} |"


def _table(found: Counter[tuple[str, str, str]], modes: tuple[Mode, ...]) -> list[str]:
    rows = []
    for code in STUDY:
        results: Counter[str] = Counter()
        for (mode, spoken, result), count in found.items():
            if mode in modes and spoken == code:
                results[result] += count
        rows.append(_row(language(code).name, results))
    every: Counter[str] = Counter()
    for (mode, _, result), count in found.items():
        if mode in modes:
            every[result] += count
    return [*rows, _row("all", every)]


def main() -> None:
    """Measure and write docs/bench/local-users.md."""
    found, ends, signature = asyncio.run(_measure())
    head = [
        "| utterances in | said | ok | low | wrong | abstain | of the example | in language (95 %) |",
        "| --- " * 8 + "|",
    ]
    body = []
    for title, modes in (
        ("Both modes", _MODES),
        *((str(mode), (mode,)) for mode in _MODES),
    ):
        body += [f"## {title}", "", *head, *_table(found, modes), ""]
    ended = ", ".join(f"{mode} {reason} {count}" for (mode, reason), count in sorted(ends.items()))
    check = signature["language_check"]
    body += [
        f"{len(_scenarios())} directions, {_TURNS} turns each, in each mode. Ended: {ended}. "
        "A text too short to tell (abstain) counts as not in the language. "
        "A conversation that ends by somebody's failure leaves its further turns unsaid. "
        "Intervals are Wilson's, over utterances; those of one conversation are not independent.",
        "",
        f"Signature: skopos {signature['version']} | users local|local | examples "
        f"{', '.join(load(f'examples/dialogue/{code}').hash for code in STUDY)} | system local | "
        f"language {check['detector']}@{check['threshold']} | seed {signature['seed']}",
    ]
    write(
        "local-users",
        "Users played by the embedded model",
        "python -m tests.bench.local_users",
        "\n".join(body),
    )


if __name__ == "__main__":
    main()
