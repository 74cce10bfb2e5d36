"""What a translation must bring over as it is: a number, a time, a token."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Value:
    """One thing that must arrive."""

    value: str
    """As a detector gives it, or as it stands in the source."""
    words: str
    """As the source says it; empty where that adds nothing."""
