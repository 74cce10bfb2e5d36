"""What the detectors answer: `python -m tests.bench.detectors DATA`.

Scored on the labelled sentences, and counted on text that nobody wrote for them: DATA is a folder with
`ntrex128` (parallel news) and `xpersona` (dialogue); nothing of it is kept. Precision is over the answers given, recall over the sentences with the label, abstention over those that
settle nothing. A number, time or name is right only with exactly the values said.
"""

import argparse
import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from agents.detectors.number import read
from agents.detectors.port import Finding
from agents.detectors.registry import LANGUAGES, VERSION, detector
from sim.core.text import fold
from tests.bench.calibrate_language import xpersona
from tests.bench.machine import write

DATA = Path(__file__).parents[1] / "agents" / "detectors" / "data"
HEADINGS = {
    "development": "Development sentences",
    "held-out": "Held-out sentences",
    "independent": "Independent, first contact",
}
PARTS = tuple(HEADINGS)
VALUED = ("number", "time", "name")
_ACTS = ("greeting", "thanks", "apology", "refusal")
_NEWS = (
    ("arb", "variety"), ("arb", "gender"), ("arb", "count"), ("ben", "address"), ("ind", "address"),
    ("ind", "formality"), ("kor", "level"), ("kor", "honorific"),
)  # fmt: skip
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


def _parallel(data: Path, code: str) -> list[str]:
    part = "src" if code == "eng" else "ref"
    path = data / "ntrex128" / "NTREX-128" / f"newstest2019-{part}.{code}.txt"
    return [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]


def _number_words(data: Path, language: str) -> str:
    """How many numbers said in words are also numbers of the English line."""
    found = said = 0
    for line, english in zip(_parallel(data, language), _parallel(data, "eng"), strict=True):
        meant = {e.value for e in detector("eng", "number").detect(english).evidence}
        values = [s.value for s in read(language, line).said if s.value > 2]
        found, said = found + sum(v in meant for v in values), said + len(values)
    return _share(found, said)


def _unmarked(data: Path, language: str) -> list[str]:
    """Answers to dialogue lines: questions without their mark (yes, don't know, no), statements (yes)."""
    asked: Counter[str | None] = Counter()
    stated: Counter[str | None] = Counter()
    for line in xpersona(data, language)[:2500]:
        single = len(re.findall(r"[.!?]", line)) == 1
        if single and line.rstrip().endswith("?"):
            asked[detector(language, "question").detect(line.rstrip("? ")).label] += 1
        elif single and line.rstrip().endswith("."):
            stated[detector(language, "question").detect(line).label] += 1
    return [str(asked["yes"]), str(asked[None]), str(asked["no"]), _share(stated["yes"], stated.total())]


def _labels(data: Path, language: str, function: str) -> str:
    counts = Counter(
        detector(language, function).detect(line).label or "don't know" for line in _parallel(data, language)
    )
    return ", ".join(f"{label} {n}" for label, n in counts.most_common())


def _natural(data: Path) -> str:
    """The section on parallel news and dialogue."""
    words = [f"| {code} | {_number_words(data, code)} |" for code in ("arb", "ben", "ind", "kor")]
    asked = [f"| {code} | {' | '.join(_unmarked(data, code))} |" for code in ("eng", "ind", "kor")]
    register = [f"| {c} | {f} | {_labels(data, c, f)} |" for c, f in _NEWS]
    acts = [f"| {c} | {' | '.join(str(_said(data, c, act)) for act in _ACTS)} |" for c in LANGUAGES]
    return "\n".join(
        [
            "Numbers said in words (above two) in translated news, found among the numbers of the English line:\n",
            "| language | found |\n| --- | --- |", *words,
            "\nDialogue questions with their mark taken away, and statements:\n",
            "| language | question: yes | don't know | no | statement: yes |\n|" + " --- |" * 5, *asked,
            "\nNews is written Standard, formal or neutral, and addresses its reader rarely:\n",
            "| language | function | answers to 1997 lines |\n| --- | --- | --- |", *register,
            "\nNews greets, thanks, apologises and refuses only in quotations; yes among 1997 lines:\n",
            f"| language | {' | '.join(_ACTS)} |\n|" + " --- |" * 5, *acts,
        ]
    )  # fmt: skip


def _said(data: Path, language: str, act: str) -> int:
    return sum(detector(language, act).detect(line).label == "yes" for line in _parallel(data, language))


def main() -> None:
    """Score, count and write docs/bench/detectors.md; `--mistakes` prints development's instead."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--mistakes", action="store_true")
    options = parser.parse_args()
    data: Path = options.data
    if options.mistakes:
        print("\n".join(mistakes("development")))
        return
    parts = [f"## {HEADINGS[part]}\n\n{_table(part)}" for part in PARTS]
    natural = f"## Text written for other ends (NTREX-128 news, XPersona dialogue)\n\n{_natural(data)}"
    intro = (
        f"Detectors, version {VERSION}. Counts in brackets; *sentences* are those with the label, *abstained* the "
        "number of them answered with don't know, *neutral* the sentences that settle nothing. A number, time or "
        "name is right only with exactly the values said. See [the detectors](../detectors.md)."
    )
    body = "\n\n".join([intro, *parts, natural])
    write("detectors", "Detectors", "python -m tests.bench.detectors DATA", body)


if __name__ == "__main__":
    main()
