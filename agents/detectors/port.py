"""The port of the detectors: a question about a text, asked of one language, with three answers.

Values and one protocol only. A detector answers with one of its labels or with None, *don't know*;
it never guesses, never changes a text, and knows nothing of criteria, judges or scenarios.

Detectors read the first 4,000 characters of a text, and of a word its first 100: their patterns go back and
forth in it, and a hostile text must not hold a thread.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

YES, NO = "yes", "no"
"""The labels of a detector that asks whether something is there."""
MOST_TEXT, LONGEST_WORD = 4_000, 100
"""Characters that are read of a text, and of one word or one gap in it."""
_TOO_LONG = re.compile(rf"(\S{{{LONGEST_WORD}}})\S+|(\s{{{LONGEST_WORD}}})\s+")


def bounded(text: str) -> str:
    """As much of `text` as a detector reads: all of what people say in one turn."""
    return _TOO_LONG.sub(r"\1\2", text[:MOST_TEXT])


@dataclass(frozen=True, slots=True)
class Evidence:
    """What in the text speaks for an answer."""

    quote: str
    """The words; folded (`sim.core.text.fold`) where the detector reads folded text."""
    value: Decimal | str | None = None
    """What they say: a number, a time as `h:mm` on the twelve-hour dial, a name, a label; else None."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One answer: a label, or None for *don't know*."""

    label: str | None
    evidence: tuple[Evidence, ...] = ()
    """Empty where absence is the evidence."""

    def says(self, label: str) -> bool | None:
        """Whether the answer is `label`: True, False (another label), None (don't know)."""
        return None if self.label is None else self.label == label


UNKNOWN = Finding(None)
"""Don't know, for want of any evidence."""


class Detector(Protocol):
    """One function of one language."""

    @property
    def name(self) -> str:
        """Function name, as in the registry."""
        ...

    @property
    def language(self) -> str:
        """ISO 639-3 code of the texts it reads."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """Every answer it can give; exactly one holds of a text, or it is not known which."""
        ...

    def detect(self, text: str) -> Finding:
        """The answer for any string. Raises nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Rule:
    """A `Detector` made of a pure function."""

    name: str
    language: str
    labels: tuple[str, ...]
    find: Callable[[str], Finding]

    def detect(self, text: str) -> Finding:
        """See `Detector.detect`; of a long text see `bounded`."""
        return self.find(bounded(text))
