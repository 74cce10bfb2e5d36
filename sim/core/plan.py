"""What one conversation is: who takes part, what is held, and on whose behalf models are called."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from typing import Any

from sim.core import events as ev
from sim.core.bus import Bus
from sim.core.errors import Fault, FaultKind, Layer
from sim.core.identity import SEEDS, ConversationKey
from sim.core.modes import Course
from sim.core.ports import (
    CallScope,
    ChecklistWriter,
    DeliveryCheck,
    Interpreter,
    Judge,
    LanguageDetector,
    MeaningGate,
    User,
)
from sim.core.values import Scenario, Speaker

_DEEPEST = 12
"""Places of an unforeseen error that are recorded."""


@dataclass(frozen=True, slots=True)
class Cast:
    """Who takes part."""

    users: Mapping[Speaker, User]
    """A missing recipient in single-turn mode means: no response."""
    interpreter: Interpreter
    judge: Judge | None
    """None: nothing is judged and every criterion stays unjudged."""
    detector: LanguageDetector
    delivery: DeliveryCheck
    writer: ChecklistWriter | None = None
    """Writes provisional checklists where the course has none; None: such turns have no checklist."""
    meaning: MeaningGate | None = None
    """Asked for judges and writers that heed it; None: nobody does."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is held."""

    key: ConversationKey
    scenario: Scenario
    course: Course
    signature: Mapping[str, Any]
    seed: int | None = None
    """Of all that is random in the conversation."""
    ask_on_flag: bool = False
    """Hold a flagged translation until its speaker decides."""
    stream: bool = True
    """Ask the interpreter for deltas; without a watcher they cost and say nothing."""
    attempt: int = 0


class Line:
    """The way from a participant's call to the bus: scopes, and faults as events."""

    def __init__(self, plan: Plan, bus: Bus) -> None:
        self._plan = plan
        self._bus = bus
        self._seen: Counter[str] = Counter()
        self._asked: Counter[tuple[ev.Role, int | None]] = Counter()

    def scope(
        self, role: ev.Role, turn: int | None, on_delta: Callable[[str], None] | None = None
    ) -> CallScope:
        """The scope of one participant's calls in one turn."""

        def publish(event: ev.Event) -> object:
            return self._bus.publish(event.model_copy(update={"turn": turn}))

        return CallScope(
            role=role,
            scenario=self._plan.scenario.id,
            turn=turn,
            trial=self._plan.key.trial,
            attempt=self._plan.attempt,
            publish=publish,
            on_delta=on_delta,
            occurrence=self._occurrence,
            seed=self._seed(role, turn),
        )

    def fault(self, fault: Fault, who: str, turn: int | None) -> None:
        """Publish a failure."""
        self._bus.publish(
            ev.FaultRaised(
                turn=turn, layer=fault.layer, who=who, kind=fault.kind, what=fault.what, detail=fault.detail
            )
        )

    def surprise(self, bug: Exception, layer: Layer, who: str, turn: int | None) -> None:
        """Publish a failure that nobody foresaw: its type and where it was raised, never what it says.

        What an unforeseen error says may hold anything, a key as well.
        """
        places = [f"{Path(f.filename).name}:{f.lineno} in {f.name}" for f in extract_tb(bug.__traceback__)]
        what = f"{who[:1].upper()}{who[1:]} failed: {type(bug).__name__}."
        detail = "\n".join(places[-_DEEPEST:])
        self.fault(Fault(layer, FaultKind.INTERNAL, what, detail), who, turn)

    def _seed(self, role: ev.Role, turn: int | None) -> int | None:
        """The conversation's; another one for who is asked again, since the same brings the same answer."""
        again = self._asked[role, turn]
        self._asked[role, turn] += 1
        return None if self._plan.seed is None else (self._plan.seed + again) % SEEDS

    def _occurrence(self, fingerprint: str) -> int:
        self._seen[fingerprint] += 1
        return self._seen[fingerprint] - 1
