"""How often the delivery checks flag a clean human translation, and how often they find a planted fault.

    python -m tests.bench.delivery_flags DATA > docs/bench/delivery-flags.md

DATA is a folder with `ntrex128`; nothing of it is kept. Prints Markdown.
"""

import argparse
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import get_args

from agents.interpreters.delivery import DeliveryChecks
from agents.language_id.opening import open_detector
from sim.core.events import Flag
from sim.core.ports import Interpretation, InterpreterView
from tests.bench.language_texts import ntrex, percent, table

LANGUAGES = ("arb", "ben", "eng", "ind", "kor")
FLAGS: tuple[Flag, ...] = get_args(Flag)
SAMPLE = 400
"""Sentences a direction for the planted faults."""

CHECKS = DeliveryChecks()
DETECTOR = open_detector()
Pair = tuple[str, str]


def flags(direction: Pair, source: str, text: str) -> tuple[Flag, ...]:
    """The flags of one translation."""
    view = InterpreterView(
        source_language=direction[0],
        target_language=direction[1],
        conversation_context="",
        message=source,
        speaker="A",
        turn=0,
        past=(),
        multi_turn=False,
    )
    return CHECKS.flags(view, Interpretation("ok", text, text), DETECTOR.check(text, direction[1]))


def clean(texts: dict[str, list[str]]) -> Iterator[Sequence[str]]:
    """A row a direction: share of reference translations with each flag, in percent."""
    pooled: Counter[Flag] = Counter()
    for direction in itertools.permutations(LANGUAGES, 2):
        pairs = list(zip(texts[direction[0]], texts[direction[1]], strict=True))
        found = Counter(flag for source, text in pairs for flag in flags(direction, source, text))
        pooled += found
        yield [" → ".join(direction), *(f"{100 * found[flag] / len(pairs):.2f}" for flag in FLAGS)]
    total = 20 * len(texts["eng"])
    yield ["all", *(f"{100 * pooled[flag] / total:.2f}" for flag in FLAGS)]


def planted(texts: dict[str, list[str]]) -> Iterator[Sequence[str]]:
    """A row a fault: share of translations so spoilt that carry the flag meant for it, in percent."""
    draw = random.Random(0)
    spoil: dict[str, tuple[Flag, Callable[[str, str], str]]] = {
        "the source itself": ("echo", lambda source, text: source),
        "the source, last word cut": ("echo", lambda source, text: source.rsplit(maxsplit=1)[0]),
        "source, dash, translation": ("echo", lambda source, text: f"{source} - {text}"),
        "“Translation:” before it": ("annotated", lambda source, text: f"Translation: {text}"),
        "an English note after it": ("annotated", lambda source, text: f"{text}\n\n(Note: this is polite.)"),
        "a code fence around it": ("annotated", lambda source, text: f"```\n{text}\n```"),
        "an English refusal": ("refusal_words", lambda source, text: "I'm sorry, I can't translate this."),
        "its last three words, ten times": (
            "repetition",
            lambda source, text: text + f" {' '.join(text.split()[-3:])}" * 10,
        ),
        "its first word only": ("length_ratio", lambda source, text: text.split()[0]),
        "itself four times": ("length_ratio", lambda source, text: " ".join([text] * 4)),
    }
    for name, (flag, make) in spoil.items():
        row = []
        for target in LANGUAGES:
            others = [code for code in LANGUAGES if code != target]
            tried = [(draw.choice(others), draw.randrange(len(texts[target]))) for _ in range(SAMPLE)]
            found = sum(
                flag in flags((code, target), texts[code][i], make(texts[code][i], texts[target][i]))
                for code, i in tried
            )
            row.append(percent(found / SAMPLE))
        yield [name, flag, *row]


def main() -> None:
    """Read the argument and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    texts = {code: ntrex(parser.parse_args().data, code) for code in LANGUAGES}
    print(f"# Delivery checks ({CHECKS.identity}): flags on human translations\n")
    print("Printed by `python -m tests.bench.delivery_flags DATA` over NTREX-128, in percent.\n")
    print(f"## Clean translations, {len(texts['eng'])} a direction\n")
    print("\n".join(table(["direction", *FLAGS], clean(texts))))
    print(f"## Spoilt translations, {SAMPLE} a target language: share with the flag\n")
    print("\n".join(table(["spoilt by", "flag", *LANGUAGES], planted(texts))))


if __name__ == "__main__":
    main()
