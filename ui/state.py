"""What a face knows of a conversation so far: a fold of its events, made for showing.

Not the record (`sim/core/record` is) and never written anywhere. It must not draw, and it must take
any order of events without raising: a screen that started late still shows what it has.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sim.core import events as ev
from sim.core.values import (
    LAYERS,
    Criterion,
    EndReason,
    LanguageCheck,
    LayerName,
    Scenario,
    Speaker,
    Verdict,
    other,
)


@dataclass(frozen=True, slots=True)
class Tally:
    """Verdicts counted."""

    met: int = 0
    judged: int = 0
    criteria: int = 0

    def __add__(self, more: "Tally") -> "Tally":
        return Tally(self.met + more.met, self.judged + more.judged, self.criteria + more.criteria)

    def __sub__(self, less: "Tally") -> "Tally":
        return Tally(self.met - less.met, self.judged - less.judged, self.criteria - less.criteria)


def _single(verdict: Verdict) -> Tally:
    return Tally(int(verdict.met is True), int(verdict.met is not None), 1)


def tally(criteria: Iterable[Criterion], verdicts: dict[str, Verdict], layer: LayerName | None) -> Tally:
    """The counts of one layer, or of all of them for None."""
    wanted = [c for c in criteria if layer in (None, c.layer)]
    given = [verdicts[c.id].met for c in wanted if c.id in verdicts]
    return Tally(given.count(True), len(given) - given.count(None), len(wanted))


@dataclass(slots=True)
class TurnState:
    """One turn as far as it has come."""

    index: int
    speaker: Speaker
    source_language: str
    target_language: str
    source: str | None = None
    arriving: str = ""
    """A translation while it is streamed."""
    translation: str | None = None
    """What the interpreter gave, delivered or not."""
    delivered: str | None = None
    flags: tuple[ev.Flag, ...] = ()
    held: bool = False
    utterance_check: LanguageCheck | None = None
    translation_check: LanguageCheck | None = None
    criteria: tuple[Criterion, ...] = ()
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    judged: bool = False
    faults: list[ev.FaultRaised] = field(default_factory=list)
    carried: bool = False
    """Whether it is to be interpreted; a mere response in single-turn mode is not."""
    over: bool = False
    """Whether the conversation has ended: what is missing will not come."""

    def tally(self, layer: LayerName | None = None) -> Tally:
        """Counts of one layer, or of the whole turn."""
        return tally(self.criteria, self.verdicts, layer)

    @property
    def failed(self) -> bool:
        """Whether something in it is not met or went wrong."""
        return bool(self.faults) or any(v.met is False for v in self.verdicts.values())


@dataclass(slots=True)
class Ledger:
    """What the calls of a conversation took; an unknown price is counted, never summed as 0."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0

    def add(self, call: ev.CallFinished) -> None:
        """Count one call."""
        self.calls += 1
        self.tokens += (call.input_tokens or 0) + (call.output_tokens or 0)
        self.cost += call.cost or 0.0
        self.unpriced += call.cost_status == "unknown"


class ConversationState:
    """The whole conversation as far as it has come."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.started: ev.ConversationStarted | None = None
        self.turns: dict[int, TurnState] = {}
        self.criteria: tuple[Criterion, ...] = ()
        """Conversation-level criteria."""
        self.verdicts: dict[str, Verdict] = {}
        self.judged = False
        self.faults: list[ev.FaultRaised] = []
        self.waiting: ev.Waiting | None = None
        self.asked: ev.TurnRequested | None = None
        """The user who is asked to speak and has not yet."""
        self.held: int | None = None
        """The turn whose translation waits for a decision."""
        self.paused = False
        self.peeks: list[Speaker] = []
        self.left: list[Speaker] = []
        self.ended: EndReason | None = None
        self.ledger = Ledger()
        self.rates: dict[LayerName, Tally] = {layer: Tally() for layer in LAYERS}
        """Running counts by layer over all turns, of verdicts that are in."""
        self.provisional = False
        """Whether any verdict shown is provisional."""
        self.delivered = 0
        """How many turns were delivered."""
        self.latest: TurnState | None = None
        """The turn with the highest index that was begun."""
        self.judging: dict[int, None] = {}
        """Turns delivered and not fully judged, in order."""
        self.elapsed = 0.0
        """Seconds from the start to the last event."""

    def turn(self, index: int) -> TurnState:
        """The turn with this index, begun where it was not yet known."""
        if index not in self.turns:
            source, target = self.scenario.direction(index)
            turn = TurnState(index, self.scenario.speaker_of(index), source, target)
            self.turns[index] = turn
            if self.latest is None or index > self.latest.index:
                self.latest = turn
        return self.turns[index]

    def role(self, speaker: Speaker) -> str:
        """Who `speaker` is to the other, empty where the scenario says nothing."""
        relation = self.scenario.relation
        return relation.A if speaker == "A" else relation.B

    def counted(self) -> dict[LayerName, tuple[int, int]]:
        """(judged, all) verdicts by layer that count for scores: provisional ones do not."""
        given = [v for turn in self.turns.values() for v in turn.verdicts.values() if not v.provisional]
        return {
            layer: (
                sum(v.layer == layer and v.met is not None for v in given),
                sum(v.layer == layer for v in given),
            )
            for layer in LAYERS
        }

    def take(self, event: ev.Event) -> None:
        """Fold one event in."""
        if event.turn is None:
            self._take_whole(event)
        else:
            self._take_turn(self.turn(event.turn), event)
        self.elapsed = max(self.elapsed, event.t)
        if self.waiting is not None and self.waiting is not event and event.turn == self.waiting.turn:
            self.waiting = None

    def _take_whole(self, event: ev.Event) -> None:
        match event:
            case ev.ConversationStarted():
                self.started = event
            case ev.ChecklistReady():
                self.criteria = event.criteria
            case ev.CriterionJudged():
                self.verdicts[event.verdict.criterion] = event.verdict
            case ev.ConversationJudged():
                self.judged = True
            case ev.FaultRaised():
                self.faults.append(event)
            case ev.ConversationEnded():
                self.ended, self.asked, self.held, self.paused = event.reason, None, None, False
                for turn in self.turns.values():
                    turn.over = True
            case _:
                self._take_act(event)

    def _take_turn(self, turn: TurnState, event: ev.Event) -> None:
        match event:
            case ev.TurnRequested():
                self.asked = event
            case ev.UtteranceSpoken():
                turn.source, self.asked = event.text, None
            case ev.TranslationDelta():
                turn.arriving += event.text
            case ev.UtteranceInterpreted():
                turn.translation, turn.arriving = event.text, ""
            case ev.LanguageChecked(subject="utterance"):
                turn.utterance_check = event.check
            case ev.LanguageChecked():
                turn.translation_check = event.check
            case ev.UtteranceHeld():
                turn.flags, turn.held, self.held = event.flags, True, turn.index
            case ev.HoldDecided():
                turn.held, self.held = False, None
                if event.decision == "retry":
                    turn.translation, turn.translation_check, turn.flags = None, None, ()
            case ev.UtteranceDelivered():
                turn.delivered, turn.flags = event.text, event.flags
                self.delivered += 1
                if turn.criteria:
                    self.judging[turn.index] = None
            case ev.ChecklistReady():
                turn.criteria, turn.carried = event.criteria, True
            case ev.CriterionJudged():
                self._count(turn, event.verdict)
            case ev.TurnJudged():
                turn.judged = True
                self.judging.pop(turn.index, None)
            case ev.FaultRaised():
                turn.faults.append(event)
            case _:
                self._take_act(event)

    def _count(self, turn: TurnState, verdict: Verdict) -> None:
        before = turn.verdicts.get(verdict.criterion)
        turn.verdicts[verdict.criterion] = verdict
        counts = self.rates[verdict.layer] + _single(verdict)
        self.rates[verdict.layer] = counts if before is None else counts - _single(before)
        self.provisional = self.provisional or verdict.provisional

    def _take_act(self, event: ev.Event) -> None:
        match event:
            case ev.Waiting():
                self.waiting = event
            case ev.CallFinished():
                self.ledger.add(event)
            case ev.Paused():
                self.paused = True
            case ev.Resumed():
                self.paused = False
            case ev.PeekUsed():
                self.peeks.append(event.seat)
            case ev.SeatEnded():
                self.left.append(event.seat)
                self.asked = self.held = None


def heard_by(seats: Iterable[Speaker], turn: TurnState) -> tuple[str | None, str | None]:
    """Source and translation of `turn` as far as persons in `seats` may see them.

    A seat sees its own words and what was delivered to it, nothing else; who holds both seats also
    sees a translation that waits for their decision.
    """
    held = set(seats)
    source = turn.source if turn.speaker in held else None
    if other(turn.speaker) not in held:
        return source, None
    waits = turn.translation if turn.held and turn.speaker in held else None
    return source, turn.delivered if turn.delivered is not None else waits
