"""How a conversation ends before its time, and what keeps one participant's failure inside it.

A failure, foreseen or not, becomes a fault and an end reason of the conversation it happened in. Cancellation
passes, and so does a problem of the user's input, which is for the whole command to tell.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sim.core.errors import CallFailed, Fault, FaultKind, Layer, UsageProblem
from sim.core.plan import Line
from sim.core.values import EndReason

_log = logging.getLogger(__name__)


class Over(Exception):
    """The conversation ends here."""

    def __init__(self, reason: EndReason) -> None:
        super().__init__(reason)
        self.reason = reason


@contextmanager
def guarded(line: Line, who: str, turn: int) -> Iterator[None]:
    """Tell what a participant's failure was, and raise Over for it."""
    try:
        yield
    except (Over, UsageProblem):
        raise
    except CallFailed as failure:
        line.fault(Fault(Layer.INFRASTRUCTURE, failure.kind, failure.what, failure.detail), who, turn)
        budget = failure.kind is FaultKind.BUDGET
        raise Over(EndReason.BUDGET if budget else EndReason.INFRASTRUCTURE) from failure
    except Exception as bug:
        _log.exception("%s failed", who)
        line.surprise(bug, Layer.INFRASTRUCTURE, who, turn)
        raise Over(EndReason.INFRASTRUCTURE) from bug
