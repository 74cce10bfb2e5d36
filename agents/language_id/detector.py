"""The language check: is this text in the language it should be in?

Script first, then a fastText detector; the decision is on the summed probability of every code that
counts as the language, never on the top label's confidence. It says nothing of how well the language
is written, and it never changes a text. Of a long text it reads the beginning: a language shows there, and
the time it takes is bounded.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Protocol

from agents.language_id.evidence import Evidence, abstained
from agents.language_id.scripts import Weight, clean, letters_outside, pieces, same_words, weigh
from agents.language_id.tables import Table, Values
from agents.language_id.writing import scripts_of
from sim.core.values import LanguageCheck, TopLabel

ENGLISH = "eng"
"""What models fall back to, whatever they translate from."""
MOST_TEXT = 20_000
"""Characters that are read of a text: many times what people say in one turn."""


class Model(Protocol):
    """What the check needs of a detector's model."""

    @property
    def labels(self) -> frozenset[str]:
        """Every label it can give."""
        ...

    @property
    def fingerprint(self) -> str:
        """What tells this model file from another."""
        ...

    def probabilities(self, line: str) -> Mapping[str, float]:
        """Label → probability of one clean line."""
        ...


class FastTextDetector:
    """A `LanguageDetector` over one fastText model and its code table."""

    def __init__(self, name: str, model: Model, table: Table) -> None:
        self._name = name
        self._model = model
        self._table = table
        self._accepted: dict[str, frozenset[str]] = {}
        self._believed: dict[tuple[str, str | None], tuple[frozenset[str], ...]] = {}
        self._written: dict[tuple[str, ...], frozenset[str]] = {}
        self._spoken = lru_cache(maxsize=1024)(self._checked)
        """Scripted lines are spoken in every trial of every system."""

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """Detector, model file, code table version and thresholds."""
        table = self._table
        return {
            "detector": self._name,
            "model": self._model.fingerprint,
            "table": table.version,
            "threshold": table.threshold,
        }

    @property
    def labels(self) -> frozenset[str]:
        """Every label its model can give; loads it."""
        return self._model.labels

    def check(
        self, text: str, expected: str, source: str | None = None, original: str | None = None
    ) -> LanguageCheck:
        """The check of any string against an ISO 639-3 code. Raises UsageProblem for another code.

        `source` is the language it was translated from, the likeliest one it was left in, and `original`
        what was said in it.
        """
        text = text[:MOST_TEXT]
        return (
            self._spoken(text, expected, source)
            if original is None
            else self._checked(text, expected, source, original)
        )

    def _checked(
        self, text: str, expected: str, source: str | None, original: str | None = None
    ) -> LanguageCheck:
        line = clean(text)
        found = self._model.probabilities(line) if line else {}
        evidence = self._weighed(line, found, expected, source, original)
        told = abstained("wordless") if evidence is None else evidence.decide(self.values(expected))
        top = next(iter(found), None)
        if top is None:
            return told
        said = TopLabel(label=top, probability=found[top], accepted=top in self._codes(expected))
        return told.model_copy(update={"top": said})

    def values(self, expected: str) -> Values:
        """What a decision about `expected` rests on."""
        return self._table.values(scripts_of(expected))

    def evidence(
        self, text: str, expected: str, source: str | None = None, original: str | None = None
    ) -> Evidence | None:
        """What speaks for and against `expected`; None for a text that has no words to go by."""
        line = clean(text[:MOST_TEXT])
        return self._weighed(line, self._model.probabilities(line), expected, source, original)

    def _weighed(
        self, line: str, found: Mapping[str, float], expected: str, source: str | None, original: str | None
    ) -> Evidence | None:
        accepted = self._codes(expected)
        scripts = scripts_of(expected)
        weight = weigh(line, scripts)
        copied = original is not None and same_words(line, original[:MOST_TEXT])
        if weight.wordless and not (copied and weight.varied):
            return None
        left = weight.elsewhere or (copied and weight.own == 0)
        elsewhere = left and not self._also_written(found, accepted, weight)
        if not elsewhere:
            found = self._given_script(found, scripts if weight.own else ())
        other = _best(found, lambda label: label not in accepted)
        rival, rivalry = _strongest(found, self._rivals(expected, source))
        mass = min(_mass(found, accepted), 1.0)
        strength = found[other] if other else 0.0
        english = other in self._codes(ENGLISH) and strength > mass
        return Evidence(
            label=_best(found, accepted.__contains__) or min(accepted, default=""),
            mass=mass,
            other=other,
            strength=strength,
            rival=rival,
            rivalry=rivalry,
            elsewhere=elsewhere,
            mixed=weight.mixed,
            alien=self._alien(line, expected, other, weight.own),
            letters=weight.own,
            part=self._part(line, accepted, scripts) if english else 0.0,
            copied=copied,
        )

    def _alien(self, line: str, expected: str, other: str | None, letters: int) -> bool:
        """Whether a neighbour of `expected` shows, by letters or by name."""
        alphabet = self._table.alphabets.get(expected)
        if alphabet and letters_outside(line, alphabet):
            return True
        return other in self._table.near(expected, self._model.labels) and (
            letters >= self.values(expected).letters
        )

    def _part(self, line: str, accepted: frozenset[str], scripts: tuple[str, ...]) -> float:
        """The most accepted mass that a word of `line` or two together have alone."""
        found = (self._given_script(self._model.probabilities(piece), scripts) for piece in pieces(line))
        return max((_mass(one, accepted) for one in found), default=0.0)

    def _also_written(self, found: Mapping[str, float], accepted: frozenset[str], weight: Weight) -> bool:
        """Whether the detector knows the language in a script that is not its usual one."""
        return weight.own == 0 and _mass(found, accepted) >= self._table.threshold

    def _given_script(self, found: Mapping[str, float], scripts: tuple[str, ...]) -> Mapping[str, float]:
        """The probabilities among the labels that are written in `scripts`, summing to 1."""
        plausible = self._plausible(scripts)
        if len(plausible) == 1:
            return dict.fromkeys(plausible, 1.0)
        kept = {label: p for label, p in found.items() if label in plausible}
        total = sum(kept.values())
        return {label: p / total for label, p in kept.items()} if kept else found

    def _plausible(self, scripts: tuple[str, ...]) -> frozenset[str]:
        if scripts not in self._written:
            self._written[scripts] = self._table.plausible(scripts, self._model.labels)
        return self._written[scripts]

    def _codes(self, expected: str) -> frozenset[str]:
        if expected not in self._accepted:
            self._accepted[expected] = self._table.accepted(expected, self._model.labels)
        return self._accepted[expected]

    def _rivals(self, expected: str, source: str | None) -> tuple[frozenset[str], ...]:
        """The labels of each language that is believed against `expected`."""
        if (expected, source) not in self._believed:
            spoken = self._codes(source) if source else frozenset()
            own = self._codes(expected)
            self._believed[expected, source] = (spoken - own, self._codes(ENGLISH) - own)
        return self._believed[expected, source]


def _best(found: Mapping[str, float], wanted: Callable[[str], bool]) -> str | None:
    """The likeliest label that is wanted; `found` goes from the best down."""
    return next((label for label in found if wanted(label)), None)


def _strongest(found: Mapping[str, float], rivals: Sequence[frozenset[str]]) -> tuple[str | None, float]:
    """Of languages given by their labels, the best label of the likeliest, and its summed probability."""
    strongest = max(rivals, key=lambda labels: _mass(found, labels))
    return _best(found, strongest.__contains__), min(_mass(found, strongest), 1.0)


def _mass(found: Mapping[str, float], labels: frozenset[str]) -> float:
    return sum(p for label, p in found.items() if label in labels)
