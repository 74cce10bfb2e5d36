"""The home screen as an app: conversations are chosen there, held, and left for another choice."""

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from sim.core.errors import UsageProblem
from sim.core.studio import Session, Setup, Studio
from ui import mishaps
from ui.app import screen_of
from ui.screens.home import HomeScreen
from ui.settings import Settings
from ui.showing import Showing, ended
from ui.themed import Themed


class HomeApp(Themed[None]):
    """The home screen, and over it the conversation that was chosen."""

    def __init__(
        self,
        studio: Studio,
        setup: Setup,
        recent: Callable[[], Sequence[str]] = tuple,
        settings: Settings | None = None,
    ) -> None:
        """`recent` gives the names of recent runs, newest first."""
        super().__init__()
        self._settings = settings or Settings()
        self.home = HomeScreen(studio, setup, recent, bidi=lambda: self._settings.bidi.active(os.environ))
        self.showing: Showing | None = None
        """The conversation over the home screen."""
        self.last: tuple[Session, dict[str, Any] | None] | None = None
        """The last conversation that was left, with its document."""
        self._holding: asyncio.Task[dict[str, Any]] | None = None

    def on_mount(self) -> None:
        """Open it."""
        self.push_screen(self.home)

    def on_home_screen_chosen(self, message: HomeScreen.Chosen) -> None:
        """Hold what was chosen."""
        session = message.session
        showing = Showing(session, screen_of(self._settings, chat=bool(session.seats)))
        showing.connect()
        self.showing = showing
        self._holding = asyncio.create_task(showing.hold(self._failed), name="conversation")
        self.push_screen(showing.view)
        self.call_after_refresh(showing.begin)

    def _failed(self) -> None:
        """Go back and say why: what is wrong may only show when it starts."""
        if self.showing is not None:
            self.call_later(self.action_back)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the way back only where there is one, and then no other."""
        if action in ("back", "close"):
            return (action == "back") is (self.showing is not None)
        return super().check_action(action, parameters)

    async def action_back(self) -> None:
        """Leave the conversation for the home screen."""
        if self.showing is None:
            return
        try:
            await self.leave_conversation()
        except UsageProblem as refusal:
            self.home.refused(refusal)
        finally:
            while self.screen is not self.home:
                await self.pop_screen()

    async def leave_conversation(self) -> None:
        """Stop the conversation that is shown, if there is one. Raises what it raised."""
        showing, holding = self.showing, self._holding
        if showing is None or holding is None:
            return
        self.showing = self._holding = None
        self.last = showing.session, None
        if self.failure is not None and not showing.session.seats:
            self.last = showing.session, await holding
        else:
            self.last = showing.session, await showing.left(holding)

    async def cut_off(self) -> None:
        """Cut off a conversation that is still held."""
        if self._holding is not None:
            await ended(self._holding)


async def run_home(
    studio: Studio,
    setup: Setup,
    recent: Callable[[], Sequence[str]] = tuple,
    settings: Settings | None = None,
) -> tuple[Session, dict[str, Any] | None] | None:
    """Let a person choose and hold conversations, beginning from `setup`, until they leave.

    The last one and its document (None where it had to be cut off), None where none was held. Raises
    what a conversation or the screen died of.
    """
    app = HomeApp(studio, setup, recent, settings)
    try:
        await app.run_async()
        if app.failure is not None and app.showing is not None:
            goes_on = not app.showing.session.seats
            sys.stderr.write(mishaps.screen_failed(app.failure, goes_on=goes_on))
        await app.leave_conversation()
    finally:
        await app.cut_off()
    if app.failure is not None and app.last is None:
        raise app.failure
    return app.last
