"""The only crossing between the bus and Textual.

It is an observer: it can neither delay nor break a turn. Events are folded at once and handed to the
screen in batches, so that a fast stream costs at most a few repaints a second.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from textual.message import Message

from sim.core import events as ev
from sim.core.bus import Bus
from ui.state import ConversationState

_INTERVAL = 1 / 25
"""Seconds between two batches."""
_AT_ONCE = 4_000
"""Known events that are folded before the screen first paints; of more, the last ones come first."""
_SLICE = 8_000
"""Events folded between two looks at keys and repaints."""
_BREATH = 0.002
"""Seconds between two slices: a key passes through several queues before it is answered."""


class Happened(Message):
    """Some events, in order; the state already holds them."""

    bubble = False

    def __init__(self, batch: tuple[ev.Event, ...]) -> None:
        super().__init__()
        self.batch = batch


class CaughtUp(Message):
    """The state now goes back to the beginning of a long conversation."""

    bubble = False


class Finished(Message):
    """The conversation was held to its end; its document."""

    bubble = False

    def __init__(self, document: Mapping[str, Any]) -> None:
        super().__init__()
        self.document = document


class Bridge:
    """Folds the events of one bus into `state` and passes them on."""

    def __init__(self, bus: Bus, state: ConversationState, deliver: Callable[[Message], object]) -> None:
        self._bus = bus
        self._state = state
        self._deliver = deliver
        self._pending: list[ev.Event] = []
        self._flush: asyncio.TimerHandle | None = None
        self._next = 0
        known = bus.journal  # a screen draws what is already known when it is mounted
        if len(known) <= _AT_ONCE:
            state.take(*known)
        else:
            state.take_last(known, _AT_ONCE // 2)
        self._next = len(known)
        bus.observe("screen", self._take)

    async def catch_up(self) -> None:
        """Fold what the first painting left out, a slice at a time."""
        if not self._state.counting:
            return
        whole, done = ConversationState(self._state.scenario), 0
        while known := self._bus.since(done):
            for first in range(0, len(known), _SLICE):
                await asyncio.sleep(_BREATH)
                whole.take(*known[first : first + _SLICE])
            done += len(known)
        # nothing was awaited since the journal was found to hold no more: all that happened is in
        self._state.become(whole)
        self._next = done
        self._deliver(CaughtUp())

    async def _take(self, event: ev.Event) -> None:
        if isinstance(event, ev.Gap):
            for missed in self._bus.since(self._next):
                self._fold(missed)
        elif event.seq is None or event.seq >= self._next:
            self._fold(event)
        if self._flush is None:
            self._flush = asyncio.get_running_loop().call_later(_INTERVAL, self._send)

    def _fold(self, event: ev.Event) -> None:
        if event.seq is not None:
            self._next = event.seq + 1
        self._state.take(event)
        self._pending.append(event)

    def _send(self) -> None:
        self._flush = None
        batch, self._pending = tuple(self._pending), []
        if batch:
            self._deliver(Happened(batch))
