"""What the detectors answer on the labelled sentences: `python -m tests.bench.detectors`.

Precision is over the answers given, recall over the sentences with the label, abstention over those that
settle nothing. A number, time or name is right only with exactly the values said.
"""

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from agents.detectors.port import Finding
from agents.detectors.registry import VERSION, detector
from sim.core.text import fold
from tests.bench.machine import write

DATA = Path(__file__).parents[1] / "agents" / "detectors" / "data"
PARTS = ("development", "held-out")
VALUED = ("number", "time", "name")
NAMES = {"si": "honorific"}
"""Functions whose column in the data has another name than the detector."""


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence as labelled for one function."""

    language: str
    function: str
    text: str
    label: str | None
    """None where the sentence does not settle it."""
    values: frozenset[str]


@dataclass(frozen=True, slots=True)
class Answer:
    """A row and what the detector said."""

    row: Row
    label: str | None
    right: bool
    """Whether label and values are those of the row."""


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of one label."""

    gold: int
    found: int
    answered: int
    abstained: int

    @property
    def precision(self) -> float | None:
        """Right among the answers with this label; None without any."""
        return self.found / self.answered if self.answered else None

    @property
    def recall(self) -> float | None:
        """Right among the sentences with this label; None without any."""
        return self.found / self.gold if self.gold else None


def rows(part: str) -> Iterator[Row]:
    """Every labelled pair of sentence and function of one part."""
    for path in sorted((DATA / part).glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for line in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                for pair in line["labels"].split():
                    function, _, said = pair.partition("=")
                    yield _row(path.stem[:3], function, said, line["text"])


def _row(language: str, function: str, said: str, text: str) -> Row:
    label: str | None = None if said == "?" else said
    values: frozenset[str] = frozenset()
    if function in VALUED and said not in ("no", "?"):
        values = frozenset(_canonical(v.replace("_", " ")) for v in said.split(","))
        label = "yes"
    return Row(language, NAMES.get(function, function), text, label, values)


def _canonical(value: object) -> str:
    try:
        return f"{Decimal(str(value)).normalize():f}"
    except ArithmeticError:
        return fold(str(value))


def answer(row: Row) -> Answer:
    """The detector's answer to a row."""
    finding = detector(row.language, row.function).detect(row.text)
    right = finding.label == row.label
    if right and row.values:
        right = _values(row, finding) == _words(row)
    return Answer(row, finding.label, right)


def _words(row: Row) -> frozenset[str]:
    """The values; for names their words without titles."""
    if row.function != "name":
        return row.values
    return frozenset(w for v in row.values for w in v.split() if w not in ("dr", "mr"))


def _values(row: Row, finding: Finding) -> frozenset[str]:
    if row.function == "name":
        return frozenset(w for e in finding.evidence for w in fold(e.quote).split())
    return frozenset(_canonical(e.value) for e in finding.evidence)


def score(answers: list[Answer], label: str) -> Score:
    """The figures of `label` over the answers of one detector."""
    gold = [a for a in answers if a.row.label == label]
    given = [a for a in answers if a.label == label]
    return Score(
        gold=len(gold),
        found=sum(a.right for a in gold),
        answered=len(given),
        abstained=sum(a.label is None for a in gold),
    )


def by_detector(part: str) -> dict[tuple[str, str], list[Answer]]:
    """(language, function) → the answers of one part."""
    found: dict[tuple[str, str], list[Answer]] = {}
    for row in rows(part):
        found.setdefault((row.language, row.function), []).append(answer(row))
    return dict(sorted(found.items()))


def _table(part: str) -> str:
    head = "| language | function | label | sentences | precision | recall | abstained | neutral: abstained |"
    lines = [head, "|" + " --- |" * 8]
    for (language, function), answers in by_detector(part).items():
        neutral = [a for a in answers if a.row.label is None]
        kept = sum(a.label is None for a in neutral)
        for label in detector(language, function).labels:
            s = score(answers, label)
            cells = (
                language, function, label, str(s.gold), _share(s.found, s.answered), _share(s.found, s.gold),
                f"{s.abstained}", _share(kept, len(neutral)),
            )  # fmt: skip
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f} ({part}/{whole})" if whole else "–"


def mistakes(part: str) -> Iterator[str]:
    """One line for each wrong answer."""
    for answers in by_detector(part).values():
        for a in answers:
            if not a.right:
                said = detector(a.row.language, a.row.function).detect(a.row.text)
                seen = "; ".join(f"{e.quote}={e.value}" for e in said.evidence)
                gold = ",".join(sorted(a.row.values)) or a.row.label
                yield f"{a.row.language} {a.row.function}: {a.row.text} | gold {gold} | said {a.label} [{seen}]"


def main() -> None:
    """Score both parts and write docs/bench/detectors.md; `--mistakes` prints development's instead."""
    if "--mistakes" in sys.argv:
        print("\n".join(mistakes("development")))
        return
    parts = [f"## {part.capitalize()} sentences\n\n{_table(part)}" for part in PARTS]
    intro = (
        f"Detectors, version {VERSION}. Counts in brackets; *sentences* are those with the label, *abstained* the "
        "number of them answered with don't know, *neutral* the sentences that settle nothing. A number, time or "
        "name is right only with exactly the values said. See [the detectors](../detectors.md)."
    )
    write("detectors", "Detectors", "python -m tests.bench.detectors", "\n\n".join([intro, *parts]))


if __name__ == "__main__":
    main()
