"""Calibrates the language check on parallel text: pass rates, false alarms, false accepts, speed.

    python -m tests.bench.calibrate_language DATA [--detector glotlid] > docs/bench/language-check.md

DATA is a folder with `ntrex128`, `tico19` and `xpersona`; nothing of it is kept. Prints Markdown.
"""

import argparse
import itertools
import json
import random
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from agents.language_id.detector import Evidence, FastTextDetector, open_detector
from sim.core.languages import language

THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
FLOORS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7)
LENGTHS = (4, 6, 8, 10, 12, 15, 18, 22, 30)
MOST = 2000
"""Texts taken of each set."""
LEAST = 30
"""Fewer texts than this give no rate."""

Sets = Mapping[tuple[str, str], list[str]]


@dataclass(frozen=True)
class Group:
    """Texts checked against one language."""

    expected: str
    texts: list[str]
    evidence: list[Evidence | None]
    least: int
    """Letters from which on `low` and `wrong` are said."""

    def rate(self, result: str, threshold: float, floor: float) -> float:
        """Share of texts with this result."""
        decided = (e.decide(threshold, floor, self.least).result if e else "abstain" for e in self.evidence)
        return sum(1 for found in decided if found == result) / max(len(self.texts), 1)


def group(detector: FastTextDetector, texts: list[str], expected: str) -> Group:
    """The texts with what speaks for and against `expected`."""
    letters = detector.identity["letters"]
    least = letters.get(language(expected).script, letters["any"])
    return Group(expected, texts, [detector.evidence(text, expected) for text in texts], least)


def ntrex(data: Path, code: str) -> list[str]:
    """News sentences."""
    part = "src" if code == "eng" else "ref"
    path = data / "ntrex128" / "NTREX-128" / f"newstest2019-{part}.{code}.txt"
    return [line for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip()]


def xpersona(data: Path, code: str) -> list[str]:
    """Casual dialogue lines."""
    names = {"ind": "Id_persona_split_test_human_annotated", "kor": "Ko_persona_split_test_human_annotated"}
    path = data / "xpersona" / "dataset" / f"{names.get(code, 'En_persona_test')}.json"
    dialogues = json.loads(path.read_text(encoding="utf-8"))
    return [line for d in dialogues for exchange in d["dialogue"] for line in exchange if line.strip()]


def tico(data: Path, file: str, side: int) -> list[str]:
    """Pandemic texts, one side of a translation memory."""
    with zipfile.ZipFile(data / "tico19" / "data" / "TM" / f"all.{file}.tmx.zip") as archive:
        root = ElementTree.fromstring(archive.read(archive.namelist()[0]))
    segments = ([seg.text or "" for seg in unit.iter("seg")] for unit in root.iter("tu"))
    return [pair[side] for pair in segments if len(pair) == 2 and pair[side].strip()]


def collect(data: Path) -> Sets:
    """(set, ISO 639-3 code) → texts, at most `MOST` each, drawn with a fixed seed."""
    sets = {("news", code): ntrex(data, code) for code in ("arb", "ben", "eng", "ind", "kor")}
    sets |= {("dialogue", code): xpersona(data, code) for code in ("eng", "ind", "kor")}
    sides = {"arb": ("ar-id", 0), "ind": ("ar-id", 1), "ben": ("en-bn", 1), "kau": ("en-kr", 1)}
    sets |= {("health", code): tico(data, *where) for code, where in sides.items()}
    draw = random.Random(0)
    return {key: draw.sample(texts, min(MOST, len(texts))) for key, texts in sets.items()}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A Markdown table."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    yield from ("| " + " | ".join(row) + " |" for row in rows)
    yield ""


def percent(value: float) -> str:
    """As printed."""
    return f"{100 * value:.1f}"


def sweep(
    groups: Mapping[str, Group], values: Sequence[float], measure: Callable[[Group, float], float]
) -> Iterator[list[str]]:
    """A row a group: its size and the measured rate at each value."""
    for name, members in groups.items():
        yield [name, str(len(members.texts)), *(percent(measure(members, value)) for value in values)]


def report(detector: FastTextDetector, data: Path) -> Iterator[str]:
    """The whole document, line by line."""
    identity = detector.identity
    threshold, floor = identity["threshold"], identity["floor"]
    sets = collect(data)
    right = {
        f"{code} {name}": group(detector, texts, code)
        for (name, code), texts in sets.items()
        if code != "kau"
    }
    foreign = dict(crossings(detector, sets))
    yield f"# Language check: calibration of {identity['detector']}\n"
    yield "Printed by `python -m tests.bench.calibrate_language DATA`; rates in percent of texts.\n"
    yield "Texts: NTREX-128 (news), XPersona (dialogue), TICO-19 (health; `kau` is Kanuri).\n"
    yield f"Detector: `{json.dumps(dict(identity))}`\n"
    yield f"## Right language: `ok`, by threshold (floor {floor})\n"
    yield from table(
        ["texts", "n", *map(str, THRESHOLDS)],
        sweep(right, THRESHOLDS, lambda members, value: members.rate("ok", value, floor)),
    )
    yield f"## Right language: `wrong` (false alarms), by floor (threshold {threshold})\n"
    yield from table(
        ["texts", "n", *map(str, FLOORS)],
        sweep(right, FLOORS, lambda members, value: members.rate("wrong", threshold, value)),
    )
    yield f"## Other language: `ok` (false accepts), by threshold (floor {floor})\n"
    yield from table(
        ["texts → expected", "n", *map(str, THRESHOLDS)],
        sweep(foreign, THRESHOLDS, lambda members, value: members.rate("ok", value, floor)),
    )
    yield f"## Other language: `wrong` (found), by floor (threshold {threshold})\n"
    yield from table(
        ["texts → expected", "n", *map(str, FLOORS)],
        sweep(foreign, FLOORS, lambda members, value: members.rate("wrong", threshold, value)),
    )
    yield from by_length(detector, sets, threshold, floor)
    yield from chosen({**right, **foreign}, threshold, floor)
    yield from speed(detector, sets)


def crossings(detector: FastTextDetector, sets: Sets) -> Iterator[tuple[str, Group]]:
    """Texts checked against a language they are not in: same script apart, other scripts pooled."""
    latin = {"eng", "ind", "kau"}
    for (name, code), expected in itertools.product(sets, ("eng", "ind")):
        if code in latin and code != expected:
            yield f"{code} {name} → {expected}", group(detector, sets[name, code], expected)
    for expected in ("arb", "ben", "eng", "ind", "kor"):
        others = [
            text
            for (_, code), texts in sets.items()
            if code != expected and not {code, expected} <= latin
            for text in texts[:500]
        ]
        yield f"other scripts → {expected}", group(detector, others, expected)


def pieces(texts: Sequence[str]) -> list[str]:
    """Runs of three words: what short messages look like to a detector."""
    words = [text.split() for text in texts]
    return [" ".join(w[i : i + 3]) for w in words for i in range(0, len(w) - 2, 3)][: 2 * MOST]


def by_length(detector: FastTextDetector, sets: Sets, threshold: float, floor: float) -> Iterator[str]:
    """How the number of letters matters, for pieces of three words."""
    yield f"## Pieces of three words, by letters: ok / low / wrong (threshold {threshold}, floor {floor})\n"
    pairs = [
        (("dialogue", "ind"), "ind"), (("dialogue", "eng"), "eng"), (("news", "arb"), "arb"),
        (("news", "ben"), "ben"), (("dialogue", "eng"), "ind"), (("dialogue", "ind"), "eng"),
    ]  # fmt: skip
    groups = {f"{key[1]} → {code}": group(detector, pieces(sets[key]), code) for key, code in pairs}
    rows = []
    for least, below in itertools.pairwise(LENGTHS):
        row = [f"{least}–{below - 1}"]
        for members in groups.values():
            kept = [e for e in members.evidence if e and least <= e.letters < below]
            found = Counter(e.decide(threshold, floor, 0).result for e in kept)
            rates = [percent(n / max(len(kept), 1)) for n in (found["ok"], found["low"], found["wrong"])]
            row.append(" / ".join(rates) if len(kept) >= LEAST else "–")
        rows.append(row)
    yield from table(["letters", *groups], rows)


def chosen(groups: Mapping[str, Group], threshold: float, floor: float) -> Iterator[str]:
    """All four results under the values in the table."""
    yield f"## As chosen: threshold {threshold}, floor {floor}\n"
    results = ("ok", "low", "wrong", "abstain")
    rows = [
        [name, str(len(g.texts)), *(percent(g.rate(result, threshold, floor)) for result in results)]
        for name, g in groups.items()
    ]
    yield from table(["texts", "n", *results], rows)


def speed(detector: FastTextDetector, sets: Sets) -> Iterator[str]:
    """Microseconds a check, model loaded."""
    yield "## Speed\n"
    rows = []
    for (name, code), texts in sets.items():
        started = time.perf_counter()
        for text in texts:
            detector.check(text, code)
        micro = (time.perf_counter() - started) / len(texts) * 1e6
        rows.append([f"{code} {name}", f"{sum(map(len, texts)) / len(texts):.0f}", f"{micro:.0f}"])
    yield from table(["texts", "characters", "µs a check"], rows)


def main() -> None:
    """Read the arguments and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--detector", default="lid.176")
    arguments = parser.parse_args()
    for line in report(open_detector(arguments.detector), arguments.data):
        print(line)


if __name__ == "__main__":
    main()
