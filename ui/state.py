"""What a face knows of a conversation so far: a fold of its events, made for showing.

Not the record (`sim/core/record` is) and never written anywhere. It must not draw, and it must take
any order of events without raising: a screen that started late still shows what it has.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from sim.analysis.scores import Outcome, outcome
from sim.core import events as ev
from sim.core.values import (
    LAYERS,
    Criterion,
    EndReason,
    LayerName,
    Scenario,
    Speaker,
    Verdict,
)
from ui.turn import Ledger, Tally, TurnState, counted

_ATTEMPTS = 500
"""Attempts of calls that are kept with their prompts, the last ones: with full history each is longer."""


class ConversationState:
    """The whole conversation as far as it has come."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self._sides = tuple((scenario.speaker_of(n), *scenario.direction(n)) for n in (0, 1))
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
        self.attempts: list[ev.CallAttempted] = []
        """What was sent for the conversation as a whole, and what came back."""
        self._kept: deque[list[ev.CallAttempted]] = deque()
        self.given: dict[LayerName, Counter[Outcome]] = {layer: Counter() for layer in LAYERS}
        """How the verdicts on turns came out, by layer."""
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
        self.counting = False
        """Whether only the last turns are here so far, of a long conversation that goes back further."""

    def turn(self, index: int) -> TurnState:
        """The turn with this index, begun where it was not yet known."""
        if index not in self.turns:
            turn = TurnState(index, *self._sides[index % 2])
            self.turns[index] = turn
            if self.latest is None or index > self.latest.index:
                self.latest = turn
        return self.turns[index]

    def keep(self, attempt: ev.CallAttempted, among: list[ev.CallAttempted]) -> None:
        """Keep an attempt, and let go of the oldest one of all where there are too many."""
        among.append(attempt)
        self._kept.append(among)
        if len(self._kept) > _ATTEMPTS:
            self._kept.popleft().pop(0)

    def take_last(self, events: Sequence[ev.Event], most: int) -> None:
        """Fold the start and the last `most` of many events in, from the beginning of a turn on.

        Enough to show the end of a long conversation at once; `become` brings the rest.
        """
        tail = events[max(len(events) - most, 1) :]
        begun = next((event for event in tail if isinstance(event, ev.TurnRequested)), None)
        first = 0 if begun is None or begun.turn is None else begun.turn
        self.take(events[0], *(event for event in tail if event.turn is None or event.turn >= first))
        self.counting = True

    def become(self, whole: "ConversationState") -> None:
        """Know what `whole` knows, which was folded from every event; keep what only observers get."""
        for index, turn in self.turns.items():
            known = whole.turns.get(index)
            if known is not None:
                known.attempts = turn.attempts
                known.arriving = turn.arriving if known.raw is None else ""
        whole.attempts, whole._kept = self.attempts, self._kept
        self.__dict__.update(whole.__dict__)

    def role(self, speaker: Speaker) -> str:
        """Who `speaker` is to the other, empty where the scenario says nothing."""
        relation = self.scenario.relation
        return relation.A if speaker == "A" else relation.B

    @property
    def rates(self) -> dict[LayerName, Tally]:
        """Running counts by layer over all turns, of verdicts that are in."""
        return {
            layer: Tally(
                met=came["met"],
                judged=came["met"] + came["not_met"],
                criteria=came.total() - came["not_said"],
                not_claimed=came["not_claimed"],
                not_said=came["not_said"],
            )
            for layer, came in self.given.items()
        }

    def recent(self, layer: LayerName, most: int = 8) -> list[float]:
        """Met of judged in the last turns that are judged in `layer`, oldest first."""
        shares: list[float] = []
        for turn in islice(reversed(self.turns.values()), 4 * most):
            counts = turn.tally(layer)
            if turn.judged and counts.judged and len(shares) < most:
                shares.append(counts.met / counts.judged)
        return shares[::-1]

    def counted(self) -> dict[LayerName, tuple[int, int]]:
        """(judged, all) verdicts by layer that count for scores: provisional ones do not."""
        if not self.provisional:
            return {layer: (counts.judged, counts.criteria) for layer, counts in self.rates.items()}
        given = [v for turn in self.turns.values() for v in turn.verdicts.values() if not v.provisional]
        counts = {layer: counted(v for v in given if v.layer == layer) for layer in LAYERS}
        return {layer: (found.judged, found.criteria) for layer, found in counts.items()}

    def take(self, *events: ev.Event) -> None:
        """Fold events in, in order; quick enough for a journal of a hundred thousand."""
        turns = self.turns
        for event in events:
            index = event.turn
            turn: TurnState | None = None
            if index is None:
                act = _OF_THE_WHOLE.get(type(event))
            else:
                act = _OF_A_TURN.get(type(event))
                turn = turns.get(index) or self.turn(index)
            if act is not None:
                act(self, turn, event)
            waiting = self.waiting
            if waiting is not None and waiting is not event and index == waiting.turn:
                self.waiting = None
        if events:
            self.elapsed = max(self.elapsed, events[-1].t)


# ---- what each event means


def _started(state: ConversationState, _: object, event: ev.ConversationStarted) -> None:
    state.started = event


def _requested(state: ConversationState, _: object, event: ev.TurnRequested) -> None:
    state.asked = event


def _spoken(state: ConversationState, turn: TurnState, event: ev.UtteranceSpoken) -> None:
    turn.source, turn.intent = event.text, event.intent
    turn.reference, turn.gloss = event.reference, event.gloss
    state.asked = None


def _arriving(state: ConversationState, turn: TurnState, event: ev.TranslationDelta) -> None:
    turn.arriving += event.text


def _interpreted(state: ConversationState, turn: TurnState, event: ev.UtteranceInterpreted) -> None:
    turn.raw, turn.translation, turn.arriving = event.raw, event.text, ""


def _checked(state: ConversationState, turn: TurnState, event: ev.LanguageChecked) -> None:
    if event.subject == "utterance":
        turn.utterance_check = event.check
    else:
        turn.translation_check = event.check


def _meant(state: ConversationState, turn: TurnState, event: ev.MeaningChecked) -> None:
    turn.meaning = event.check


def _held(state: ConversationState, turn: TurnState, event: ev.UtteranceHeld) -> None:
    turn.flags, turn.held, state.held = event.flags, True, turn.index


def _decided(state: ConversationState, turn: TurnState, event: ev.HoldDecided) -> None:
    turn.held, state.held = False, None
    if event.decision == "retry":
        turn.retries += 1
        turn.translation, turn.translation_check, turn.meaning, turn.flags = None, None, None, ()


def _delivered(state: ConversationState, turn: TurnState, event: ev.UtteranceDelivered) -> None:
    turn.delivered, turn.flags = event.text, event.flags
    state.delivered += 1
    if turn.criteria:
        state.judging[turn.index] = None


def _checklist(state: ConversationState, turn: TurnState, event: ev.ChecklistReady) -> None:
    turn.criteria, turn.carried, turn.provisional = event.criteria, True, event.provisional


def _whole_checklist(state: ConversationState, _: object, event: ev.ChecklistReady) -> None:
    state.criteria = event.criteria


def _judged(state: ConversationState, turn: TurnState, event: ev.CriterionJudged) -> None:
    verdict = event.verdict
    before = turn.verdicts.get(verdict.criterion)
    if before is not None:
        state.given[before.layer][outcome(before.met, before.basis)] -= 1
    turn.verdicts[verdict.criterion] = verdict
    state.given[verdict.layer][outcome(verdict.met, verdict.basis)] += 1
    if verdict.provisional:
        state.provisional = True


def _whole_verdict(state: ConversationState, _: object, event: ev.CriterionJudged) -> None:
    state.verdicts[event.verdict.criterion] = event.verdict


def _turn_judged(state: ConversationState, turn: TurnState, event: ev.TurnJudged) -> None:
    turn.judged = True
    state.judging.pop(turn.index, None)


def _whole_judged(state: ConversationState, *_: object) -> None:
    state.judged = True


def _fault(state: ConversationState, turn: TurnState, event: ev.FaultRaised) -> None:
    turn.faults.append(event)


def _whole_fault(state: ConversationState, _: object, event: ev.FaultRaised) -> None:
    state.faults.append(event)


def _ended(state: ConversationState, _: object, event: ev.ConversationEnded) -> None:
    state.ended, state.asked, state.held, state.paused = event.reason, None, None, False
    for turn in state.turns.values():
        turn.over = True


def _waiting(state: ConversationState, _: object, event: ev.Waiting) -> None:
    state.waiting = event


def _called(state: ConversationState, turn: TurnState | None, event: ev.CallFinished) -> None:
    state.ledger.add(event)
    if turn is not None:
        turn.calls = (*turn.calls, event)


def _attempted(state: ConversationState, turn: TurnState | None, event: ev.CallAttempted) -> None:
    state.keep(event, state.attempts if turn is None else turn.attempts)


def _paused(state: ConversationState, *_: object) -> None:
    state.paused = True


def _resumed(state: ConversationState, *_: object) -> None:
    state.paused = False


def _peeked(state: ConversationState, _: object, event: ev.PeekUsed) -> None:
    state.peeks.append(event.seat)


def _left(state: ConversationState, _: object, event: ev.SeatEnded) -> None:
    state.left.append(event.seat)
    state.asked = state.held = None


_Act = Callable[[ConversationState, Any, Any], None]
_OF_ANY: Mapping[type[ev.Event], _Act] = {
    ev.Waiting: _waiting,
    ev.CallFinished: _called,
    ev.CallAttempted: _attempted,
    ev.Paused: _paused,
    ev.Resumed: _resumed,
    ev.PeekUsed: _peeked,
    ev.SeatEnded: _left,
}
_OF_THE_WHOLE: Mapping[type[ev.Event], _Act] = {
    **_OF_ANY,
    ev.ConversationStarted: _started,
    ev.ChecklistReady: _whole_checklist,
    ev.CriterionJudged: _whole_verdict,
    ev.ConversationJudged: _whole_judged,
    ev.FaultRaised: _whole_fault,
    ev.ConversationEnded: _ended,
}
_OF_A_TURN: Mapping[type[ev.Event], _Act] = {
    **_OF_ANY,
    ev.TurnRequested: _requested,
    ev.UtteranceSpoken: _spoken,
    ev.TranslationDelta: _arriving,
    ev.UtteranceInterpreted: _interpreted,
    ev.LanguageChecked: _checked,
    ev.MeaningChecked: _meant,
    ev.UtteranceHeld: _held,
    ev.HoldDecided: _decided,
    ev.UtteranceDelivered: _delivered,
    ev.ChecklistReady: _checklist,
    ev.CriterionJudged: _judged,
    ev.TurnJudged: _turn_judged,
    ev.FaultRaised: _fault,
}
