"""The one conversation loop: whose turn it is, what is asked of whom, and when it ends.

It speaks to participants through ports only and tells everything else through the bus. It never
writes, prints, retries a call or knows a model. A judge may work on turn n while turn n+1 is spoken.
"""

import asyncio
import time
from functools import partial

from sim.core import events as ev
from sim.core.beside import beside
from sim.core.bus import Bus
from sim.core.control import Control
from sim.core.ends import Over, guarded
from sim.core.errors import Fault, FaultKind, Layer
from sim.core.judging import Judging
from sim.core.plan import Cast, Line, Plan
from sim.core.ports import (
    CallScope,
    Interpretation,
    InterpreterView,
    SpokenLine,
    UserLeft,
)
from sim.core.speaking import Speaking
from sim.core.values import EndReason, LanguageCheck, MeaningCheck, other
from sim.core.view import Carried, Spoken, interpreter_view


class Conversation:
    """One conversation, held once."""

    def __init__(self, plan: Plan, cast: Cast, bus: Bus, control: Control) -> None:
        self._plan = plan
        self._cast = cast
        self._bus = bus
        self._control = control
        self._carried: list[Carried] = []
        self._line = Line(plan, bus)
        self._speaking = Speaking(plan, cast, bus, self._line)
        self._judging = Judging(plan, cast.judge, cast.writer, bus, self._line)

    async def run(self) -> EndReason:
        """Hold the conversation; every verdict is in and ConversationEnded published on return.

        A cancelled conversation publishes ConversationEnded(interrupted) and lets the cancellation
        through. A bug in a participant is a fault of this conversation alone.
        """
        self._start()
        try:
            async with asyncio.TaskGroup() as judging:
                reason = await self._turns(judging)
            # what somebody broke off was not held whole
            if reason.recorded and reason not in (EndReason.USER_LEFT, EndReason.USER_ENDED_EARLY):
                await self._judging.whole()
        except BaseException:
            self._bus.publish(ev.ConversationEnded(reason=EndReason.INTERRUPTED))
            raise
        self._bus.publish(ev.ConversationEnded(reason=reason))
        return reason

    # ---- the loop

    def _start(self) -> None:
        plan, cast = self._plan, self._cast
        self._bus.publish(
            ev.ConversationStarted(
                key=plan.key.document(),
                scenario=plan.scenario.id,
                pair=plan.scenario.pair,
                mode=plan.course.mode,
                system=dict(cast.interpreter.identity),
                users={side: user.name for side, user in cast.users.items()},
                judge=cast.judge.name if cast.judge else "none",
                procedure=plan.course.procedure,
                signature=dict(plan.signature),
                seed=plan.seed,
            )
        )

    async def _turns(self, judging: asyncio.TaskGroup) -> EndReason:
        course = self._plan.course
        try:
            spoken = await self._speak(course.first)
            for index in course.indices:
                carried = await self._carry(index, spoken)
                reason = self._reason_to_end(carried, spoken)
                response = None
                if reason is None or self._answers_after_last(index, carried):
                    try:
                        response = await self._speak(index + 1)
                    except Over as over:
                        reason = over.reason
                self._judging.turn(judging, carried, response)
                if reason is not None or response is None:
                    return reason or course.full
                spoken = response
        except Over as over:
            return over.reason
        raise AssertionError("a course always ends by a reason")

    def _reason_to_end(self, carried: Carried, spoken: Spoken) -> EndReason | None:
        course = self._plan.course
        if carried.translation is None and not course.goes_on_after_failure:
            return EndReason.INTERPRETER_FAILED
        if carried.index == course.indices[-1]:
            return course.full
        return course.user_end if spoken.end else None

    def _answers_after_last(self, index: int, carried: Carried) -> bool:
        """In single-turn mode the recipient answers the one turn there is, if there is a recipient."""
        course, scenario = self._plan.course, self._plan.scenario
        recipient = other(scenario.speaker_of(index))
        return (
            course.procedure == "single" and carried.translation is not None and recipient in self._cast.users
        )

    # ---- speaking

    async def _speak(self, index: int) -> Spoken:
        stop = await self._control.gate()
        if stop is not None:
            raise Over(stop)
        scenario = self._plan.scenario
        speaker = scenario.speaker_of(index)
        language = scenario.language_of(speaker)
        self._bus.publish(ev.TurnRequested(turn=index, speaker=speaker, language=language))
        self._judging.publish_checklist(index)
        return await self._speaking.spoken(index, tuple(self._carried))

    # ---- interpreting

    async def _carry(self, index: int, spoken: Spoken) -> Carried:
        view = interpreter_view(
            self._plan.scenario,
            self._plan.course,
            tuple(self._carried),
            index,
            spoken.text,
            with_reference=self._cast.interpreter.sees_reference,
        )
        with guarded(self._line, "interpreter", index):
            carried = await self._delivered(view)
        self._carried.append(carried)
        return carried

    async def _delivered(self, view: InterpreterView) -> Carried:
        """The turn as it reached the other side, if it did."""
        while isinstance(interpretation := await self._interpret(view), Interpretation):
            check = await self._checked(view, interpretation.text)
            self._bus.publish(
                ev.LanguageChecked(
                    turn=view.turn, subject="translation", expected=view.target_language, check=check
                )
            )
            meaning = await self._meaning(view, interpretation.text)
            flags = await self._flags(view, interpretation, check)
            if not await self._retry_wanted(view, flags):
                self._bus.publish(
                    ev.UtteranceDelivered(turn=view.turn, text=interpretation.text, flags=flags)
                )
                return Carried(
                    view.turn, view.speaker, view.message, interpretation.text, check, flags, meaning
                )
        return Carried(view.turn, view.speaker, view.message, None, None, (), failed=interpretation)

    async def _checked(self, view: InterpreterView, text: str) -> LanguageCheck:
        check = partial(
            self._cast.detector.check, text, view.target_language, view.source_language, view.message
        )
        return await beside(len(text) + len(view.message), check)

    async def _meaning(self, view: InterpreterView, translation: str) -> MeaningCheck | None:
        gate = self._cast.meaning
        if gate is None:
            return None
        source = SpokenLine(view.speaker, view.source_language, view.message)
        language_of = self._plan.scenario.language_of
        earlier = [SpokenLine(t.speaker, language_of(t.speaker), t.source) for t in view.past]
        check = await gate.check(source, translation, view.target_language, earlier)
        self._bus.publish(ev.MeaningChecked(turn=view.turn, check=check))
        return check

    async def _flags(
        self, view: InterpreterView, interpretation: Interpretation, check: LanguageCheck
    ) -> tuple[ev.Flag, ...]:
        look = partial(self._cast.delivery.flags, view, interpretation, check)
        found = await beside(len(interpretation.text) + len(view.message), look)
        return (*found, *(flag for flag in interpretation.flags if flag not in found))

    async def _interpret(self, view: InterpreterView) -> Interpretation | FaultKind:
        """The interpretation, or why the system produced nothing to deliver."""
        started = time.monotonic()
        result = await self._cast.interpreter.interpret(view, self._interpreter_scope(view.turn))
        failed = result.outcome in ("empty", "blocked") or not result.text.strip()
        self._bus.publish(
            ev.UtteranceInterpreted(
                turn=view.turn,
                source=view.source_language,
                target=view.target_language,
                raw=result.raw,
                text=None if failed else result.text,
                outcome="empty" if failed and result.outcome != "blocked" else result.outcome,
                seconds=round(time.monotonic() - started, 4),
            )
        )
        if not failed:
            return result
        fault = result.fault or _failure(result)
        self._line.fault(fault, "interpreter", view.turn)
        return fault.kind

    def _interpreter_scope(self, turn: int) -> CallScope:
        part = 0

        def on_delta(text: str) -> None:
            nonlocal part
            self._bus.publish(ev.TranslationDelta(turn=turn, part=part, text=text))
            part += 1

        return self._line.scope("interpreter", turn, on_delta if self._plan.stream else None)

    async def _retry_wanted(self, view: InterpreterView, flags: tuple[ev.Flag, ...]) -> bool:
        if not (flags and self._plan.ask_on_flag):
            return False
        self._bus.publish(ev.UtteranceHeld(turn=view.turn, flags=flags))
        try:
            decision = await self._cast.users[view.speaker].decide(flags)
        except UserLeft:
            self._bus.publish(ev.SeatEnded(turn=view.turn, seat=view.speaker))
            raise Over(EndReason.USER_LEFT) from None
        self._bus.publish(ev.HoldDecided(turn=view.turn, decision=decision))
        return decision == "retry"


def _failure(result: Interpretation) -> Fault:
    kind = FaultKind.BLOCKED if result.outcome == "blocked" else FaultKind.EMPTY
    what = "blocked by its provider" if kind is FaultKind.BLOCKED else "empty"
    return Fault(Layer.SYSTEM, kind, f"The interpretation came back {what}.")
