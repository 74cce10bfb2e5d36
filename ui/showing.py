"""One conversation with the screen that looks at it.

The screen does not own it: the conversation runs in a task of its own, begun once the screen has
painted, and goes on whatever becomes of the screen.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from sim.core.studio import Session
from ui.bridge import Bridge, Finished
from ui.screens.conversation import ConversationScreen
from ui.state import ConversationState

_GRACE = 1.0
"""Seconds a conversation may take to finish its turn after the person left."""

Kind = Callable[[Session, ConversationState], ConversationScreen]
"""Makes the screen."""


class Showing:
    """A session, what is known of it, and its screen."""

    def __init__(self, session: Session, kind: Kind) -> None:
        self.session = session
        self.state = ConversationState(session.scenario)
        self.view = kind(session, self.state)
        self.painted = asyncio.Event()
        """Set once the screen has painted: then the conversation begins."""

    def connect(self) -> None:
        """Let the screen hear of the conversation. Needs a running loop."""
        self._bridge = Bridge(self.session.bus, self.state, self.view.post_message)

    def begin(self) -> None:
        """The screen has painted: let the conversation begin, and show what was left for later."""
        self.painted.set()
        self._catching_up = asyncio.create_task(self._bridge.catch_up(), name="catching up")

    async def hold(self, failed: Callable[[], object]) -> dict[str, Any]:
        """Hold the conversation to its end; its document.

        Raises what `session.run()` raises, after it called `failed`.
        """
        await self.painted.wait()
        try:
            document = await self.session.run()
        except BaseException:
            failed()
            raise
        self.view.post_message(Finished(document))
        return document

    async def left(self, holding: "asyncio.Task[dict[str, Any]]") -> dict[str, Any] | None:
        """Stop the conversation, for the person left; its document, None where it had to be cut off.

        It may finish the turn under way for a second, then it is cancelled, which completes its
        record as interrupted. Raises what `session.run()` raised.
        """
        if not holding.done():
            self.session.control.stop()
            for seat in self.session.seats.values():
                seat.leave()
        try:
            done, _ = await asyncio.wait({holding}, timeout=_GRACE)
            return holding.result() if done else None
        finally:
            await ended(holding)


async def ended(holding: "asyncio.Task[dict[str, Any]]") -> None:
    """Cut off a conversation that is still held."""
    if not holding.done():
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)
