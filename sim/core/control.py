"""How somebody outside stops, pauses and steps a conversation; each act leaves its event.

It acts between turns only: a turn under way is never cut in two.
"""

import asyncio

from sim.core.bus import Bus
from sim.core.events import Paused, Resumed
from sim.core.values import EndReason


class Control:
    """The handle of one conversation."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._open = asyncio.Event()
        self._open.set()
        self._steps = 0
        self._stop: EndReason | None = None

    @property
    def paused(self) -> bool:
        """Whether the loop waits, or will before its next turn."""
        return not self._open.is_set()

    def pause(self) -> None:
        """Wait before the next turn."""
        if not self.paused:
            self._open.clear()
            self._bus.publish(Paused())

    def resume(self) -> None:
        """Go on."""
        if self.paused:
            self._steps = 0
            self._bus.publish(Resumed())
            self._open.set()

    def step(self) -> None:
        """Let one turn pass, then wait again."""
        if not self.paused:
            self.pause()
        self._steps += 1
        self._open.set()

    def stop(self, reason: EndReason = EndReason.INTERRUPTED) -> None:
        """End before the next turn; verdicts under way still come in."""
        self._stop = self._stop or reason
        self._open.set()

    async def gate(self) -> EndReason | None:
        """Wait while paused; the reason to stop, or None to go on with one turn."""
        await self._open.wait()
        if self._steps:
            self._steps -= 1
            if not self._steps and self._stop is None:
                self._open.clear()
        return self._stop
