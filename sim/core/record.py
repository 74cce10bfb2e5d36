"""The record of a conversation: a pure fold of its events into the `conversation` object.

The same events always give the same record, live or replayed from a journal. Scores are not part of
it: they are computed from it by `sim/analysis`.
"""

from collections.abc import Iterable
from typing import Any

from sim.core import events as ev
from sim.core.errors import Layer
from sim.core.values import Criterion, Procedure, Value


def fold(events: Iterable[ev.Event]) -> dict[str, Any]:
    """The `conversation` object of the events, complete or cut off (then `end_reason` is null)."""
    state = _Fold()
    for event in events:
        state.take(event)
    return state.document()


class _Turn:
    def __init__(self, index: int) -> None:
        self.index = index
        self.speaker: str | None = None
        self.source: str | None = None
        self.direction: list[str] | None = None
        self.raw: str | None = None
        self.translation: str | None = None
        self.flags: list[str] = []
        self.checks: dict[str, Any] = {}
        self.meaning: dict[str, Any] | None = None
        self.intent: str | None = None
        self.reference: str | None = None
        self.gloss: dict[str, Any] | None = None
        self.criteria: list[dict[str, Any]] | None = None
        self.verdicts: list[dict[str, Any]] = []
        self.faults: list[dict[str, Any]] = []
        self.spoke_after: float | None = None
        self.interpreted_after: float | None = None
        self.calls: list[ev.CallFinished] = []
        self.trimmed: dict[str, int] = {}
        self.shortened: int | None = None

    @property
    def held(self) -> bool:
        return self.criteria is not None and (self.source is not None or bool(self.verdicts))


class _Fold:
    def __init__(self) -> None:
        self.head: dict[str, Any] = {}
        self.pair: tuple[str, str] = ("", "")
        self.turns: dict[int, _Turn] = {}
        self.criteria: list[dict[str, Any]] = []
        self.verdicts: list[dict[str, Any]] = []
        self.fault: dict[str, Any] | None = None
        self.end_reason: str | None = None
        self.peeked: list[str] = []

    def turn(self, event: ev.Event) -> _Turn:
        assert event.turn is not None
        return self.turns.setdefault(event.turn, _Turn(event.turn))

    def take(self, event: ev.Event) -> None:
        match event:
            case ev.ConversationStarted():
                self._start(event)
            case ev.TurnRequested():
                self.turn(event).speaker = event.speaker
            case ev.UtteranceSpoken():
                turn = self.turn(event)
                turn.source, turn.spoke_after = event.text, event.seconds
                turn.intent, turn.reference = event.intent, event.reference
                turn.gloss = _plain(event.gloss) if event.gloss else None
            case ev.UtteranceInterpreted():
                turn = self.turn(event)
                turn.raw, turn.direction = event.raw, [event.source, event.target]
                turn.interpreted_after = event.seconds
            case ev.LanguageChecked():
                self.turn(event).checks[event.subject] = _plain(event.check)
            case ev.MeaningChecked():
                self.turn(event).meaning = _plain(event.check)
            case ev.UtteranceDelivered():
                turn = self.turn(event)
                turn.translation, turn.flags = event.text, list(event.flags)
            case ev.ChecklistReady():
                self._checklist(event)
            case ev.CriterionJudged():
                verdicts = self.verdicts if event.turn is None else self.turn(event).verdicts
                verdicts.append(_plain(event.verdict))
            case ev.FaultRaised():
                self._take_fault(event)
            case ev.CallFinished() if event.turn is not None:
                self.turn(event).calls.append(event)
            case ev.ContextTrimmed() if event.turn is not None:
                self.turn(event).trimmed[event.role] = event.dropped
                self.turn(event).shortened = event.context or self.turn(event).shortened
            case ev.PeekUsed():
                self.peeked.append(event.seat)
            case ev.ConversationEnded():
                self.end_reason = str(event.reason)

    def _start(self, event: ev.ConversationStarted) -> None:
        self.pair = event.pair
        self.head = {
            "key": event.key,
            "scenario": event.scenario,
            "pair": list(event.pair),
            "mode": str(event.mode),
            "system": event.system,
            "users": event.users,
            "judge": event.judge,
            "seed": event.seed,
        }

    def _checklist(self, event: ev.ChecklistReady) -> None:
        rows = [_criterion(criterion, event.procedure) for criterion in event.criteria]
        if event.turn is None:
            self.criteria = rows
        else:
            self.turn(event).criteria = rows

    def _take_fault(self, event: ev.FaultRaised) -> None:
        fault = {"layer": str(event.layer), "who": event.who, "kind": str(event.kind), "what": event.what}
        if event.detail:
            fault["detail"] = event.detail
        if event.turn is None:
            self.fault = fault
        else:
            self.turn(event).faults.append(fault)

    def document(self) -> dict[str, Any]:
        rows = [self._row(turn) for _, turn in sorted(self.turns.items()) if turn.held]
        return {
            **self.head,
            "end_reason": self.end_reason,
            "peeked": self.peeked,
            "turns": rows,
            "criteria": self.criteria if self.verdicts else [],
            "verdicts": self.verdicts,
            "fault": self.fault or self._fault_out_of_turn(),
        }

    def _fault_out_of_turn(self) -> dict[str, Any] | None:
        """The fault of a turn that was asked for and brought no words."""
        silent = (turn for _, turn in sorted(self.turns.items()) if not turn.held and turn.source is None)
        faults = [fault for turn in silent for fault in turn.faults]
        return faults[0] if faults else None

    def _row(self, turn: _Turn) -> dict[str, Any]:
        after = self.turns.get(turn.index + 1)
        judged = bool(turn.verdicts)
        return {
            "index": turn.index,
            "speaker": turn.speaker or self._speaker(turn.index),
            "direction": turn.direction or self._direction(turn),
            "source": turn.source,
            "raw": turn.raw,
            "translation": turn.translation,
            "flags": turn.flags,
            "language_check": {
                "source": turn.checks.get("utterance"),
                "translation": turn.checks.get("translation"),
                "response": after.checks.get("utterance") if after else None,
            },
            "meaning": turn.meaning,
            "intent": turn.intent,
            "reference": turn.reference,
            "gloss": turn.gloss,
            "response": after.source if after else None,
            "response_fault": next((f for f in after.faults if f["layer"] == Layer.USER), None)
            if after
            else None,
            "criteria": turn.criteria if judged else [],
            "verdicts": turn.verdicts,
            "fault": turn.faults[0] if turn.faults else None,
            "timing": {"spoken": turn.spoke_after, "interpreted": turn.interpreted_after},
            "cost": _cost(turn.calls),
            "trimmed": turn.trimmed,
            "shortened": after.shortened if after else None,
        }

    def _speaker(self, index: int) -> str | None:
        """Of a turn nobody was asked for: the sides alternate."""
        first = min((t for t in self.turns.values() if t.speaker), key=lambda t: t.index, default=None)
        if first is None:
            return None
        same = (index - first.index) % 2 == 0
        return first.speaker if same else ("B" if first.speaker == "A" else "A")

    def _direction(self, turn: _Turn) -> list[str]:
        speaker = turn.speaker or self._speaker(turn.index)
        return list(self.pair if speaker == "A" else self.pair[::-1])


def _plain(value: Value) -> dict[str, Any]:
    return value.model_dump(mode="json", by_alias=True)


def _criterion(criterion: Criterion, procedure: Procedure) -> dict[str, Any]:
    return {
        "id": criterion.id,
        "layer": criterion.layer,
        "ask": criterion.ask,
        "function": criterion.function,
        "needs": criterion.needs,
        "check": criterion.check.model_dump(mode="json", exclude_defaults=True) if criterion.check else None,
        "procedure": procedure,
    }


def _cost(calls: list[ev.CallFinished]) -> dict[str, Any]:
    """What is known to have been paid, and how many calls have no known price; never summed as 0."""
    known = [call.cost for call in calls if call.cost_status == "known" and call.cost is not None]
    return {
        "known": round(sum(known), 10),
        "unknown_calls": sum(call.cost_status == "unknown" for call in calls),
        "currency": "USD",
    }
