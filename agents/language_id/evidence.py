"""What speaks for and against the expected language in one text, and the rule that decides on it.

A value and a pure rule: no model is asked here and no text is read. *Wrong* needs a rival: another
script, the source language, English, a neighbour, letters the language does not have, or a detector
that is sure of a long text. A doubt without a rival abstains.
"""

from dataclasses import dataclass

from agents.language_id.tables import Steps, Values
from sim.core.values import Abstained, LanguageCheck

UNTRANSLATED = 0.9
"""Least accepted mass for `ok` of a text that is its source word for word: it was said in both languages."""
IMPOSSIBLE = 2.0
"""A probability that no language reaches."""
SURER = 1.5
"""So many times the accepted mass a language must have that only the detector speaks for."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for and against the expected language in one text."""

    label: str
    """Best accepted label; empty where the detector does not know the language."""
    mass: float
    """Summed probability of the accepted labels, given the script."""
    other: str | None
    """Best label of another language, None where no other is possible."""
    strength: float
    """Its probability, given the script."""
    rival: str | None
    """Best label of those that are believed: of the source language, English, a neighbour."""
    rivalry: float
    """Its probability, given the script."""
    elsewhere: bool
    """Whether the script alone settles that the text is elsewhere."""
    mixed: bool
    """Whether most of it is in another script, by letters and by words."""
    alien: bool
    """Whether a neighbour shows: letters the language is not written with, or a name not given by mistake."""
    letters: int
    """Letters of the expected script."""
    part: float = 0.0
    """Where English is a rival, the most accepted mass that a word or two of it have alone."""
    copied: bool = False
    """Whether it is word for word what should have been translated."""

    def decide(self, values: Values) -> LanguageCheck:
        """The result under these values."""
        if self.elsewhere:
            return LanguageCheck(result="wrong", label=self.other, mass=self.mass)
        if not self.label:
            return abstained("unknown")
        if self.mixed:
            return abstained("mixed")
        best = self.mass >= self.strength
        if best and self.mass >= (UNTRANSLATED if self.copied else values.threshold):
            return LanguageCheck(result="ok", label=self.label, mass=self.mass)
        against = self._against(values) if self.copied or not best else None
        if against is not None:
            return LanguageCheck(result="wrong", label=against, mass=self.mass)
        if self.letters < values.letters:
            return abstained("short")
        if best:
            return LanguageCheck(result="low", label=self.label, mass=self.mass)
        return abstained("unsure")

    def _against(self, values: Values) -> str | None:
        """The label that the text is in instead, if one is to be believed."""
        if self.copied:
            return self.rival or self.other
        outweighed = self.rivalry >= max(self._least(values.believed), values.outweighs * self.mass)
        if outweighed and self.part < values.part:
            return self.rival
        if self.alien and self.strength >= values.alien:
            return self.other
        if self.part < values.part and self.strength >= max(self._least(values.sure), SURER * self.mass):
            return self.other
        return None

    def _least(self, steps: Steps) -> float:
        """Least probability for a text of this length; more than there is where it is too short."""
        return min((least for letters, least in steps if self.letters >= letters), default=IMPOSSIBLE)


def abstained(why: Abstained) -> LanguageCheck:
    """An abstention and its reason."""
    return LanguageCheck(result="abstain", label=None, mass=None, why=why)
