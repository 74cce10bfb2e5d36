"""What the detectors answer: `python -m tests.bench.detectors DATA`.

Scored on the labelled sentences, and counted on text that nobody wrote for them: DATA is a folder with
`ntrex128` (parallel news) and `xpersona` (dialogue); nothing of it is kept. How answers are
scored: `tests.agents.detectors.labelled`. Sentences labelled by others are scored at first contact, those that
were sealed once, when opened: all kept as they were in `data/figures`; the first again today.
"""

import argparse
import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

from agents.detectors.number import read
from agents.detectors.registry import LANGUAGES, VERSION, detector
from tests.agents.detectors.labelled import DATA, by_detector, score
from tests.bench.language_texts import xpersona
from tests.bench.machine import write

HEADINGS = {
    "development": "Development sentences",
    "held-out": "Held-out sentences",
    "independent": "Independent sentences, learned from since",
}
PRECISION, RECALL, ABSTAINED = 0.95, 0.85, 0.9
"""The bounds: right among answers, found among the sentences of a label, don't know among the neutral."""
_ACTS = ("greeting", "thanks", "apology", "refusal")
_NEWS = (
    ("arb", "variety"), ("arb", "gender"), ("arb", "count"), ("ben", "address"), ("ind", "address"),
    ("ind", "formality"), ("kor", "level"), ("kor", "honorific"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figures:
    """The counts of one label: those of `Score`, and of the sentences that settle nothing."""

    sentences: int
    answered: int
    right: int
    abstained: int
    neutral: int
    neutral_abstained: int


Scoring = Mapping[tuple[str, str, str], Figures]
"""(language, function, label) → its figures."""
_BOUNDS = (
    f"Of a detector's answers {PRECISION} are to be right, of the sentences with a label {RECALL} are to be found, of "
    f"those that settle nothing {ABSTAINED} are to be answered with don't know. Within *both* are labels whose own "
    f"answers, too, are right in {PRECISION}."
)
_LATEST = "the last of each detector"
_SHORT = "Short in the last scoring of each detector:"
_COLUMNS = tuple(field.name for field in fields(Figures))


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


def kept(name: str) -> Scoring:
    """(language, function, label) → the figures of a scoring that is not repeated."""
    with (DATA / "figures" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        found = {}
        for line in csv.DictReader(file, delimiter="\t"):
            key = (line["language"], line["function"], line["label"])
            found[key] = Figures(*(int(line[column]) for column in _COLUMNS))
    return found


def today(part: str) -> Scoring:
    """(language, function, label) → the figures of one part as the detectors answer now."""
    found = {}
    for (language, function), answers in by_detector(part).items():
        neutral = [a for a in answers if a.row.label is None]
        kept_back = sum(a.label is None for a in neutral)
        for label in detector(language, function).labels:
            s = score(answers, label)
            found[language, function, label] = Figures(
                s.gold, s.answered, s.found, s.abstained, len(neutral), kept_back
            )
    return found


@cache
def _scorings() -> dict[str, Scoring]:
    """Each scoring of the sentences of others by its name, in the order of time."""
    return {
        "first": kept("others-development-first-contact"),
        "after": today("others-development"),
        "sealed": kept("others-sealed"),
        "second": kept("others-second"),
        "third": kept("others-third"),
        "fifth": kept("others-fifth"),
        "sixth": kept("others-sixth"),
        "seventh": kept("others-seventh"),
    }


def _latest() -> Scoring:
    """The figures of every detector in the last sealed set that asks it."""
    return {**_scorings()["sixth"], **_scorings()["seventh"]}


def _within_bounds() -> str:
    """How many detectors, labels and functions of each scoring are within the bounds."""
    head = (
        f"| scoring | detectors right in {PRECISION} of their answers | labels found in {RECALL} | labels within both "
        f"| don't know in {ABSTAINED} | all answers right | all labels answered rightly | all neutral: don't know |"
    )
    lines = [head, "|" + " --- |" * 8]
    for name, figures in (*_scorings().items(), (_LATEST, _latest())):
        asked = [f for f in figures.values() if f.sentences]
        detectors, neutral = _answers(figures), _neutral(figures)
        right, answered = sum(f.right for f in asked), sum(f.answered for f in asked)
        kept_back, left_open = (sum(counts) for counts in zip(*neutral.values(), strict=True))
        cells = (
            name,
            f"{sum(map(_precise, detectors.values()))} of {len(detectors)}",
            f"{sum(map(_recalled, asked))} of {len(asked)}",
            f"{sum(map(_met, asked))} of {len(asked)}",
            f"{sum(map(_reticent, neutral.values()))} of {len(neutral)}",
            _share(right, answered),
            _share(right, sum(f.sentences for f in asked)),
            _share(kept_back, left_open),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


_Detector = tuple[str, str]
"""Language and function."""


def _answers(figures: Scoring) -> dict[_Detector, tuple[int, int]]:
    """Detector → right answers, answers; of the labels that some sentence has."""
    found: dict[_Detector, tuple[int, int]] = {}
    for (language, function, _), f in figures.items():
        if f.sentences:
            right, answered = found.get((language, function), (0, 0))
            found[language, function] = right + f.right, answered + f.answered
    return found


def _neutral(figures: Scoring) -> dict[_Detector, tuple[int, int]]:
    """Detector → sentences that settle nothing answered with don't know, all of these; where there are any."""
    return {key[:2]: (f.neutral_abstained, f.neutral) for key, f in figures.items() if f.neutral}


def _precise(counts: tuple[int, int]) -> bool:
    return counts[0] >= PRECISION * counts[1]


def _reticent(counts: tuple[int, int]) -> bool:
    return counts[0] >= ABSTAINED * counts[1]


def _recalled(figures: Figures) -> bool:
    return figures.right >= RECALL * figures.sentences


def _met(figures: Figures) -> bool:
    return _precise((figures.right, figures.answered)) and _recalled(figures)


def _short() -> str:
    """What of the latest figures is not within the bounds: answers of detectors, labels, don't knows."""
    figures = _latest()
    answers = _listed(_answers(figures), _precise)
    neutral = _listed(_neutral(figures), _reticent)
    lines = ["| function | language | label | precision | recall |", "|" + " --- |" * 5]
    for (language, function, label), f in sorted(figures.items(), key=lambda item: item[0][1]):
        if f.sentences and not _met(f):
            shares = f"{_share(f.right, f.answered)} | {_share(f.right, f.sentences)}"
            lines.append(f"| {function} | {language} | {label} | {shares} |")
    labels = "\n".join(lines)
    return (
        f"Detectors by their answers: {answers}.\n\nBy their don't knows: {neutral}.\n\nLabels:\n\n{labels}"
    )


def _listed(counts: Mapping[_Detector, tuple[int, int]], within: Callable[[tuple[int, int]], bool]) -> str:
    short = sorted((function, language, c) for (language, function), c in counts.items() if not within(c))
    return "; ".join(f"{function} {language} {_share(*c)}" for function, language, c in short) or "none"


def _every() -> str:
    """The scorings of the sentences of others, the last one first."""
    return "\n\n".join(
        f"### {name.capitalize()}\n\n{_by_detector(figures)}"
        for name, figures in reversed(_scorings().items())
    )


def _by_detector(figures: Scoring) -> str:
    """One scoring: of each label right of answers, and right of sentences."""
    head = "| function | language | label: right of answers, right of sentences | don't know where nothing is settled |"
    lines, neutral = [head, "|" + " --- |" * 4], _neutral(figures)
    for language, function in sorted(_answers(figures), key=lambda key: (key[1], key[0])):
        told = " · ".join(
            f"{key[2]} {f.right}/{f.answered}, {f.right}/{f.sentences}"
            for key, f in figures.items()
            if key[:2] == (language, function) and f.sentences
        )
        kept_back = _share(*neutral.get((language, function), (0, 0)))
        lines.append(f"| {function} | {language} | {told} | {kept_back} |")
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
    parser.add_argument("--others", action="store_true", help="the tables of docs/detectors.md")
    options = parser.parse_args()
    data: Path = options.data
    if options.mistakes:
        print("\n".join(mistakes("development")))
        return
    if options.others:
        print(f"{_within_bounds()}\n\n{_short()}\n\n{_by_detector(_latest())}")
        return
    bounds = f"## Sentences of others: within the bounds\n\n{_BOUNDS}\n\n{_within_bounds()}\n\n{_SHORT}\n\n{_short()}"
    others = f"## Sentences of others: every scoring\n\n{_every()}"
    parts = [f"## {HEADINGS[part]}\n\n{_table(part)}" for part in HEADINGS]
    natural = f"## Text written for other ends (NTREX-128 news, XPersona dialogue)\n\n{_natural(data)}"
    intro = (
        f"Detectors, version {VERSION}. Counts in brackets; *sentences* are those with the label, *abstained* the "
        "number of them answered with don't know, *neutral* the sentences that settle nothing. A number, time or "
        "name is right only with exactly the values said. See [the detectors](../detectors.md)."
    )
    body = "\n\n".join([intro, bounds, others, *parts, natural])
    write("detectors", "Detectors", "python -m tests.bench.detectors DATA", body)


if __name__ == "__main__":
    main()
