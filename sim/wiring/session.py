"""One conversation, wired: bus, control, seats, cast and record."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sim.analysis.scores import pooled
from sim.core.bus import Bus
from sim.core.control import Control
from sim.core.conversation import Conversation
from sim.core.identity import ConversationKey
from sim.core.plan import Cast, Plan
from sim.core.ports import Seat
from sim.core.record import fold
from sim.core.values import Scenario, Speaker, StrictGate
from sim.runs.holding import hold
from sim.runs.store import Writer
from sim.wiring.worth import worth

OpenStore = Callable[[], Writer]


class HeldSession:
    """Fills the `Session` port."""

    def __init__(
        self,
        plan: Plan,
        cast: Cast,
        *,
        bus: Bus,
        seats: Mapping[Speaker, Seat],
        notices: tuple[str, ...],
        unseen: tuple[str, ...] = (),
        labels: tuple[str, ...],
        strict: StrictGate | None,
        store: OpenStore | None,
        folder: Path | None = None,
    ) -> None:
        self.plan = plan
        self.cast = cast
        self.bus = bus
        self.control = Control(bus)
        self.seats = seats
        self.notices = (*notices, *unseen)
        self.unseen = unseen
        """The notices that hold wherever it is held: what will not be seen or judged."""
        self.labels = labels
        self._strict = strict
        self._store = store
        self.folder = folder
        """Where the record lies once the conversation is held; None where none is kept."""

    @property
    def scenario(self) -> Scenario:
        """The scenario as it is held."""
        return self.plan.scenario

    @property
    def key(self) -> ConversationKey:
        """What makes this conversation the one it is."""
        return self.plan.key

    async def run(self) -> dict[str, Any]:
        """Hold the conversation to its end and record it; the document of `--json`.

        Raises UsageProblem where the record cannot be written.
        """
        conversation = Conversation(self.plan, self.cast, self.bus, self.control)
        writer = self._store() if self._store else None
        journal = writer.journal(self.key.hash, self.plan.attempt) if writer else None
        try:
            await hold(conversation, self.bus, journal, writer.run.folder if writer else None)
        finally:
            record = fold(self.bus.journal)
            if writer is not None and record["end_reason"] is not None:
                writer.finish(record, self.plan.attempt)
        return self.document(record)

    def document(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The document of `--json` for a record of this session."""
        return document(record, self.plan.signature, strict=self._strict)


def document(
    record: Mapping[str, Any], signature: Mapping[str, Any], *, strict: StrictGate | None = None
) -> dict[str, Any]:
    """Record, scores and signature together, and the floor of scores by `rules`."""
    # a journal that signs less, of an earlier state, is still played
    signed = {"scenario", "judge", "procedure"} <= set(signature) and "scenario" in record["key"]
    found = worth(signature, {record["key"]["scenario"]: signature["scenario"]}) if signed else None
    return {
        "schema": 1,
        "conversation": record,
        "scores": pooled([record], strict=strict).document(),
        "floor": found.document() if found else None,
        "signature": dict(signature),
    }
