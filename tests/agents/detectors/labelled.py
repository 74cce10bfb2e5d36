"""Labelled sentences and how the detectors answer them.

Precision is over the answers given, recall over the sentences with the label, abstention over those that
settle nothing. A number, time or name is right only with exactly the values said. A label that a detector
never gives ("no" for names in scripts without capitals) is one it should not answer.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import regex

from agents.detectors.port import Finding
from agents.detectors.registry import detector
from sim.core.text import fold
from tests.agents.detectors.romanised import same_name

DATA = Path(__file__).parent / "data"
PARTS = (
    "development", "held-out", "independent", "others-development", "others-sealed", "others-second",
    "others-third-development", "others-third", "others-fourth", "others-fifth", "others-sixth-development", "others-practice", "others-sixth", "others-seventh",
)  # fmt: skip
VALUED = ("number", "time", "name")
_TITLE = r"^(?:dr|mr) "
UNSETTLED = ("?", "unclear", "none")
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
    name = NAMES.get(function, function)
    label: str | None = said
    values: frozenset[str] = frozenset()
    if said in UNSETTLED:
        label = None
    elif function in VALUED and said != "no":
        values = frozenset(_canonical(v.replace("_", " ")) for v in said.split(","))
        label = "yes"
    elif said not in detector(language, name).labels:
        label = None
    return Row(language, name, text, label, values)


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
        right = _named(row, finding) if row.function == "name" else _said(finding) == row.values
    return Answer(row, finding.label, right)


def _said(finding: Finding) -> frozenset[str]:
    return frozenset(_canonical(e.value) for e in finding.evidence)


def _named(row: Row, finding: Finding) -> bool:
    """Whether the names found are those of the row, without titles and each once."""
    found = {(e.quote, str(e.value or e.quote)) for e in finding.evidence}
    return len(found) == len(row.values) and all(
        any(same_name(form, regex.sub(_TITLE, "", name)) for forms in found for form in forms)
        for name in row.values
    )


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
