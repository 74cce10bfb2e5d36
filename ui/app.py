"""The Textual application over one conversation: it looks on and passes on what a person does."""

import asyncio
import sys
from typing import Any

from sim.core.studio import Session
from ui import mishaps
from ui.screens.chat import ChatScreen
from ui.screens.conversation import ConversationScreen
from ui.screens.live import LiveScreen
from ui.settings import Settings
from ui.showing import Kind, Showing, ended
from ui.state import ConversationState
from ui.themed import Themed


class SkoposApp(Themed[None]):
    """One conversation on the screen."""

    def __init__(
        self,
        session: Session,
        *,
        chat: bool = False,
        settings: Settings | None = None,
        kind: Kind | None = None,
    ) -> None:
        """`kind` makes another screen than the live one, or with `chat` the chat."""
        super().__init__()
        self.session = session
        self.showing = Showing(session, kind or screen_of(settings or Settings(), chat=chat))
        self.state = self.showing.state
        self.view = self.showing.view
        self.painted = self.showing.painted

    def on_mount(self) -> None:
        """Connect to the bus, open the screen."""
        self.showing.connect()
        self.push_screen(self.view)
        self.call_after_refresh(self.showing.begin)


def screen_of(settings: Settings, *, chat: bool) -> Kind:
    """The live screen, or with `chat` the one of a person in a seat."""
    kind: type[ConversationScreen] = ChatScreen if chat else LiveScreen

    def make(session: Session, state: ConversationState) -> ConversationScreen:
        return kind(session, state, settings)

    return make


async def run_app(
    session: Session, *, chat: bool = False, settings: Settings | None = None, kind: Kind | None = None
) -> dict[str, Any] | None:
    """Show `session` on the screen and hold it; its document, None if it had to be cut off.

    Leaving stops the conversation (`Showing.left`). A screen that fails leaves it running. Raises what
    `session.run()` raises.
    """
    app = SkoposApp(session, chat=chat, settings=settings, kind=kind)
    holding = asyncio.create_task(app.showing.hold(app.exit), name="conversation")
    try:
        await app.run_async()
        if app.failure is not None:
            sys.stderr.write(mishaps.screen_failed(app.failure, goes_on=not session.seats))
        if app.failure is not None and not session.seats:
            return await holding
        return await app.showing.left(holding)
    finally:
        await ended(holding)
