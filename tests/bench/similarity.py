"""What the embedded encoder's similarities mean: translations, neighbours, strangers, in five languages.

    python -m tests.bench.similarity DATA > docs/bench/similarity.md

DATA is a folder with `ntrex128`; nothing of it is kept. Prints Markdown.
"""

import argparse
import asyncio
import itertools
import json
import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from agents.embeddings import WorkerEncoder, open_encoder
from tests.bench.language_texts import ntrex, table

LANGUAGES = ("arb", "ben", "eng", "ind", "kor")
SAMPLE = 60
"""Sentences a pair of languages."""
FAR = 700
"""Lines between a sentence and the stranger it is compared with."""


def spread(values: Sequence[float]) -> str:
    """5th percentile, median, 95th percentile."""
    cuts = statistics.quantiles(values, n=20)
    return f"{cuts[0]:.3f} / {statistics.median(values):.3f} / {cuts[-1]:.3f}"


async def across(encoder: WorkerEncoder, texts: dict[str, list[str]], lines: list[int]) -> list[list[str]]:
    """A row a pair: the translation, the translation of the next line, that of a line far off."""
    rows = []
    for one, two in itertools.combinations(LANGUAGES, 2):
        there = texts[two]
        found = [
            await encoder.similarities(texts[one][i], [there[i], there[i + 1], there[(i + FAR) % len(there)]])
            for i in lines
        ]
        rows.append([f"{one}–{two}", *(spread(column) for column in zip(*found, strict=True))])
    return rows


async def within(encoder: WorkerEncoder, texts: dict[str, list[str]], lines: list[int]) -> list[list[str]]:
    """A row a language: the next line, a line far off, the sentence without its second half."""
    rows = []
    for code in LANGUAGES:
        there = texts[code]
        found = [
            await encoder.similarities(
                there[i], [there[i + 1], there[(i + FAR) % len(there)], there[i][: len(there[i]) // 2]]
            )
            for i in lines
        ]
        rows.append([code, *(spread(column) for column in zip(*found, strict=True))])
    return rows


async def report(data: Path) -> None:
    """Print the document."""
    texts = {code: ntrex(data, code) for code in LANGUAGES}
    lines = random.Random(1).sample(range(len(texts["eng"]) - 1), SAMPLE)
    encoder = open_encoder()
    started = time.perf_counter()
    await encoder.similarities("", [texts[code][i] for code in LANGUAGES for i in lines])
    each = (time.perf_counter() - started) / (SAMPLE * len(LANGUAGES)) * 1e3
    print(f"# Similarities of {encoder.identity['encoder']}\n")
    print("Printed by `python -m tests.bench.similarity DATA` over NTREX-128:")
    print(f"5th percentile / median / 95th percentile of {SAMPLE} sentences a pair.\n")
    print(
        f"Encoder: `{json.dumps(dict(encoder.identity))}`; {each:.0f} ms a sentence, model loading included.\n"
    )
    print("## Between languages\n")
    head = ["pair", "the translation", "of the next line", f"of a line {FAR} away"]
    print("\n".join(table(head, await across(encoder, texts, lines))))
    print("## Within a language\n")
    head = ["language", "the next line", f"a line {FAR} away", "its own first half"]
    print("\n".join(table(head, await within(encoder, texts, lines))))
    await encoder.aclose()


def main() -> None:
    """Read the argument and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    asyncio.run(report(parser.parse_args().data))


if __name__ == "__main__":
    main()
