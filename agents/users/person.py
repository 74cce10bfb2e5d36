"""A person at a keyboard: a seat that a face writes to, a user that the loop listens to."""

import asyncio
from typing import Literal

from sim.core.bus import Bus
from sim.core.events import Flag, PeekUsed
from sim.core.ports import CallScope, Reply, UserLeft, UserView
from sim.core.values import Speaker


class Person:
    """One seat: `Seat` for a face; the loop listens through `PersonUser`."""

    def __init__(self, side: Speaker, bus: Bus) -> None:
        self._side = side
        self._bus = bus
        self._words: asyncio.Queue[Reply | None] = asyncio.Queue()
        self._decisions: asyncio.Queue[Literal["deliver", "retry"] | None] = asyncio.Queue()

    # ---- the face's end

    def say(self, text: str, *, end: bool = False) -> None:
        """Speak; words typed while the other side works wait for their turn."""
        self._words.put_nowait(Reply(text, end))

    def leave(self) -> None:
        """Go without a word, also out of a decision."""
        self._words.put_nowait(None)
        self._decisions.put_nowait(None)

    def decide(self, decision: Literal["deliver", "retry"]) -> None:
        """Settle a held translation."""
        self._decisions.put_nowait(decision)

    def peek(self) -> None:
        """Look at the other side; recorded."""
        self._bus.publish(PeekUsed(seat=self._side))

    # ---- the loop's end

    async def words(self) -> Reply:
        """The next words. Raises UserLeft."""
        reply = await self._words.get()
        if reply is None:
            raise UserLeft
        return reply

    async def decision(self) -> Literal["deliver", "retry"]:
        """The next decision. Raises UserLeft."""
        decision = await self._decisions.get()
        if decision is None:
            raise UserLeft
        return decision


class PersonUser:
    """The loop's end of a seat."""

    name = "person"

    def __init__(self, person: Person) -> None:
        self._person = person

    async def speak(self, view: UserView, scope: CallScope) -> Reply:
        """What the person says next. Raises UserLeft."""
        return await self._person.words()

    async def decide(self, flags: tuple[Flag, ...]) -> Literal["deliver", "retry"]:
        """What the person decides. Raises UserLeft."""
        return await self._person.decision()
