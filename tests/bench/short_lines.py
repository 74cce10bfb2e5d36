"""Short casual questions under the meaning gate as it ships: where it raises false alarms, and lets most through.

Six everyday questions in five languages, each as a rendering of itself and of each other. Writes
docs/bench/short-lines.md.
"""

import asyncio
from collections import Counter
from itertools import permutations

from agents.embeddings import open_encoder
from agents.meaning.gate import CosineGate
from agents.meaning.means import stored
from sim.core.ports import SpokenLine
from sim.core.values import MeaningCheck
from tests.bench.machine import write

LINES = {
    "eng": (
        "You coming tonight?", "Where are you?", "Did you eat yet?", "What time is it?", "How much is this?",
        "Can you hear me?",
    ),
    "kor": ("오늘 밤에 와?", "어디야?", "밥 먹었어?", "지금 몇 시야?", "이거 얼마야?", "내 말 들려?"),
    "ind": (
        "Nanti malam datang?", "Kamu di mana?", "Sudah makan belum?", "Jam berapa sekarang?", "Ini berapa?",
        "Kedengaran nggak?",
    ),
    "arb": ("هل ستأتي الليلة؟", "أين أنت؟", "هل أكلت؟", "كم الساعة؟", "بكم هذا؟", "هل تسمعني؟"),
    "ben": ("আজ রাতে আসছ?", "কোথায় তুমি?", "খেয়েছ?", "কটা বাজে?", "এটার দাম কত?", "শুনতে পাচ্ছ?"),
}  # fmt: skip
"""Language → the same questions in the same order."""
ANSWERS = ("carried", "doubtful", "else")


async def measure() -> tuple[Counter[str], Counter[str], list[str]]:
    """Answers on right renderings, on wrong ones, and a row for each right one that was not carried."""
    encoder = open_encoder()
    gate = CosineGate(encoder, stored(encoder.identity))
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    alarms: list[str] = []
    for source, target in permutations(LINES, 2):
        for n, line in enumerate(LINES[source]):
            for m, rendering in enumerate(LINES[target]):
                found = await gate.check(SpokenLine("A", source, line), rendering, target, [])
                (right if n == m else wrong)[str(found.result)] += 1
                if n == m and found.result != "carried":
                    alarms.append(_row(source, target, line, found))
    await encoder.aclose()
    return right, wrong, alarms


def _row(source: str, target: str, line: str, found: MeaningCheck) -> str:
    return f"| {source}→{target} | {line} | {found.result} | {found.cosine:.2f} |"


def _counts(what: str, found: Counter[str]) -> str:
    cells = " | ".join(f"{found[answer]}/{found.total()}" for answer in ANSWERS)
    return f"| {what} | {cells} |"


def main() -> None:
    """Measure, and write the page."""
    right, wrong, alarms = asyncio.run(measure())
    body = [
        "| rendering | carried | doubtful | something else |",
        "| --- " * 4 + "|",
        _counts("the same question", right),
        _counts("another of the questions", wrong),
        "",
        "| direction | right rendering of | answer | cosine |",
        "| --- " * 4 + "|",
        *alarms,
    ]
    write("short-lines", "Short casual questions", "python -m tests.bench.short_lines", "\n".join(body))


if __name__ == "__main__":
    main()
