"""How fast a recorded conversation is played: the person sets it, the player waits by it.

It knows gaps between events and where turns begin; not what is played, nor how it is shown.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, float("inf"))
_LONGEST = 3.0
"""Seconds of the recording a silence lasts at most: nobody wants to wait for a rate limit again."""


class Pace:
    """The handle on one playback. For one event loop."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._speed = SPEEDS.index(1.0)
        self._changed = asyncio.Event()
        self._one_turn = False
        self.paused = False
        """Whether nothing more is played until somebody says so."""

    @property
    def speed(self) -> float:
        """Seconds of the recording a second; infinite for all at once."""
        return SPEEDS[self._speed]

    def change(self, step: int) -> None:
        """Faster or slower, so many steps."""
        self._speed = min(max(self._speed + step, 0), len(SPEEDS) - 1)
        self._changed.set()

    def pause(self) -> None:
        """Stop here, or go on."""
        self.paused, self._one_turn = not self.paused, False
        self._changed.set()

    def step(self) -> None:
        """Play up to the next turn, then stop."""
        self.paused, self._one_turn = False, True
        self._changed.set()

    def finish(self) -> None:
        """Nobody looks on any more: hold nothing up."""
        self.paused, self._one_turn, self._speed = False, False, len(SPEEDS) - 1
        self._changed.set()

    async def wait(self, seconds: float, *, turn: bool) -> None:
        """Let so many seconds of the recording pass; `turn` says that a turn begins after them."""
        left = min(seconds, _LONGEST)
        while self.paused or left > 0:
            if self.paused:
                await self._change(None)
            elif self.speed == SPEEDS[-1]:
                left = 0
            else:
                begun, speed = self._clock(), self.speed
                await self._change(left / speed)
                left -= (self._clock() - begun) * speed
        if turn and self._one_turn:
            self.paused, self._one_turn = True, False
            await self.wait(0, turn=False)

    async def _change(self, seconds: float | None) -> None:
        """Wait until somebody changes something, at most so many seconds."""
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()
