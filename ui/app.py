"""The Textual application: it looks at a conversation and passes on what a person does.

No screen owns the conversation: it runs in a task of its own, begun once the screen has painted, and
goes on whatever becomes of the screen.
"""

import asyncio
from typing import Any

from sim.core.studio import Session
from ui.bridge import Bridge, Finished
from ui.screens.chat import ChatScreen
from ui.screens.conversation import ConversationScreen
from ui.screens.live import LiveScreen
from ui.settings import Settings
from ui.state import ConversationState
from ui.themed import Themed

_GRACE = 2.0
"""Seconds a conversation may take to finish its turn after the person left."""


class SkoposApp(Themed[None]):
    """One conversation on the screen."""

    def __init__(self, session: Session, *, chat: bool = False, settings: Settings | None = None) -> None:
        super().__init__()
        self.session = session
        self.state = ConversationState(session.scenario)
        self.painted = asyncio.Event()
        """Set once the first screen has painted."""
        kind: type[ConversationScreen] = ChatScreen if chat else LiveScreen
        self.view = kind(session, self.state, settings or Settings())

    def on_mount(self) -> None:
        """Connect to the bus, open the screen."""
        Bridge(self.session.bus, self.state, self.view.post_message)
        self.push_screen(self.view)
        self.call_after_refresh(self.painted.set)


async def run_app(
    session: Session, *, chat: bool = False, settings: Settings | None = None
) -> dict[str, Any] | None:
    """Show `session` on the screen and hold it; its document, None if it had to be cut off.

    Leaving stops the conversation: it may finish the turn under way for two seconds, then it is
    cancelled, which completes its record as interrupted. A screen that fails leaves the conversation
    running. Raises what `session.run()` raises.
    """
    app = SkoposApp(session, chat=chat, settings=settings)
    holding = asyncio.create_task(_hold(session, app), name="conversation")
    try:
        await app.run_async()
        return await _after(session, app, holding)
    finally:
        if not holding.done():
            holding.cancel()
            await asyncio.gather(holding, return_exceptions=True)


async def _hold(session: Session, app: SkoposApp) -> dict[str, Any]:
    await app.painted.wait()
    try:
        document = await session.run()
    except BaseException:
        app.exit()
        raise
    app.view.post_message(Finished(document))
    return document


async def _after(
    session: Session, app: SkoposApp, holding: asyncio.Task[dict[str, Any]]
) -> dict[str, Any] | None:
    if app.failure is not None and not session.seats:
        return await holding
    if not holding.done():
        session.control.stop()
        for seat in session.seats.values():
            seat.leave()
    done, _ = await asyncio.wait({holding}, timeout=_GRACE)
    return holding.result() if done else None
