"""The speaking side of the loop: asking a user for its words, and telling what it said.

Whose turn it is, and what follows from the words, is the loop's; what a user may know is `view`'s.
"""

import time
from dataclasses import replace
from functools import partial

from sim.core import events as ev
from sim.core.beside import beside
from sim.core.bus import Bus
from sim.core.ends import Over, guarded
from sim.core.errors import ConversationFault, Fault, FaultKind, Layer
from sim.core.plan import Cast, Line, Plan
from sim.core.ports import Reply, UserLeft, UserView
from sim.core.values import EndReason, Speaker, other
from sim.core.view import Carried, Spoken, outlined, user_view

_REPLIES = (FaultKind.REFUSED, FaultKind.BROKE_CHARACTER)
"""Failures of a user that still answer what was said."""
_ROLES: dict[Speaker, ev.Role] = {"A": "user-a", "B": "user-b"}


class Speaking:
    """The utterances of one conversation."""

    def __init__(self, plan: Plan, cast: Cast, bus: Bus, line: Line) -> None:
        self._plan = plan
        self._cast = cast
        self._bus = bus
        self._line = line

    async def spoken(self, index: int, carried: tuple[Carried, ...]) -> Spoken:
        """What the speaker of turn `index` says, published and checked. Raises Over."""
        started = time.monotonic()
        view = user_view(self._plan.scenario, self._plan.course, carried, index)
        with guarded(self._line, f"user {view.speaker}", index):
            reply = await self._utterance(view)
            theirs = self._plan.scenario.language_of(other(view.speaker))
            look = partial(self._cast.detector.check, reply.text, view.language, theirs)
            check = await beside(len(reply.text), look)
        known = outlined(self._plan.scenario, self._plan.course, index, reply.text)
        self._bus.publish(
            ev.UtteranceSpoken(
                turn=index,
                speaker=view.speaker,
                language=view.language,
                text=reply.text,
                end=reply.end,
                seconds=round(time.monotonic() - started, 4),
                intent=known.intent,
                reference=known.reference,
                gloss=known.gloss,
            )
        )
        self._bus.publish(
            ev.LanguageChecked(turn=index, subject="utterance", expected=view.language, check=check)
        )
        if reply.fault is not None:
            self._line.fault(reply.fault, f"user {view.speaker}", index)
            if not (self._plan.course.keeps_faulty_reply and reply.fault.kind in _REPLIES):
                raise Over(EndReason.USER_FAULT)
        return Spoken(reply.text, check, reply.end)

    async def _utterance(self, view: UserView) -> Reply:
        """The speaker's words; who wants to end before the outline is done is asked once to go on."""
        try:
            reply = await self._reply(view)
            if reply.end and not view.last and reply.fault is None and self._plan.course.length_stands:
                reply = await self._reply(replace(view, parting=reply.text))
            return reply
        except ConversationFault as failure:
            self._line.fault(failure.fault, f"user {view.speaker}", view.turn)
            raise Over(EndReason.USER_FAULT) from failure
        except UserLeft:
            self._bus.publish(ev.SeatEnded(turn=view.turn, seat=view.speaker))
            raise Over(EndReason.USER_LEFT) from None

    async def _reply(self, view: UserView) -> Reply:
        """What a user says; an empty turn is asked for once more. Raises ConversationFault if it stays so."""
        user = self._cast.users[view.speaker]
        scope = self._line.scope(_ROLES[view.speaker], view.turn)
        for again in (False, True):
            reply = await user.speak(replace(view, again=again), scope)
            if reply.text.strip():
                return reply
        what = f"User {view.speaker} gave an empty turn twice."
        raise ConversationFault(Fault(Layer.USER, FaultKind.EMPTY, what))
