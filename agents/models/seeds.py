"""Whether a model takes a seed, and what is sent accordingly.

A provider that refuses one is asked again without it, from then on. Where a seed comes from is the
conversation's affair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agents.models.wire import Attempt, AttemptFailed


@dataclass(slots=True)
class SeedTaking:
    """What is known of one model."""

    taken: bool

    def parameters(self, attempt: Attempt) -> dict[str, Any]:
        """The parameters of the attempt, with its seed where the model takes one."""
        if attempt.seed is None or not self.taken:
            return dict(attempt.parameters)
        return {"seed": attempt.seed, **attempt.parameters}

    def look_at(self, failure: AttemptFailed) -> AttemptFailed:
        """`failure`, to be tried again without a seed where it was about that."""
        if self.taken and failure.rejected and "seed" in failure.detail:
            self.taken, failure.retryable = False, True
        return failure
