"""Which turns and criteria a reader wants to see: a layer, a kind of verdict, or all.

Looks at values only; hides nothing from a record or a count.
"""

from dataclasses import dataclass, replace
from typing import Literal

from sim.analysis.scores import outcome
from sim.core.values import LAYERS, Criterion, LayerName, Verdict
from ui.turn import TurnState

Result = Literal["met", "not met", "unjudged"]
_RESULTS: tuple[Result | None, ...] = (None, "not met", "unjudged", "met")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is shown; all of it where nothing is asked."""

    layer: LayerName | None = None
    result: Result | None = None

    @property
    def everything(self) -> bool:
        """Whether nothing is left out."""
        return self.layer is None and self.result is None

    def criterion(self, criterion: Criterion, verdict: Verdict | None) -> bool:
        """Whether to show a criterion and what was said of it."""
        if self.layer not in (None, criterion.layer):
            return False
        if self.result is None or verdict is None:
            return self.result is None
        return outcome(verdict.met, verdict.basis).replace("_", " ") == self.result

    def turn(self, turn: TurnState) -> bool:
        """Whether to show a turn: it has such a criterion, or failed where failures are wanted."""
        if self.everything or (self.result == "not met" and turn.faults):
            return True
        return any(self.criterion(c, turn.verdicts.get(c.id)) for c in turn.criteria)

    def next_layer(self) -> "Wanted":
        """All layers, then each."""
        choices = (None, *LAYERS)
        return replace(self, layer=choices[(choices.index(self.layer) + 1) % len(choices)])

    def next_result(self) -> "Wanted":
        """All verdicts, then each kind."""
        return replace(self, result=_RESULTS[(_RESULTS.index(self.result) + 1) % len(_RESULTS)])

    def said(self) -> str:
        """`only L2, not met`; empty where nothing is left out."""
        parts = [part for part in (self.layer, self.result) if part]
        return f"only {', '.join(parts)}" if parts else ""


ALL = Wanted()
"""Nothing is left out."""
