"""The home screen as an app of its own: it is over before the conversation begins."""

import os
from collections.abc import Sequence

from sim.core.studio import Session, Setup, Studio
from ui.screens.home import HomeScreen
from ui.settings import Settings
from ui.themed import Themed


class HomeApp(Themed[None]):
    """Nothing but the home screen."""

    def __init__(
        self, studio: Studio, setup: Setup, recent: Sequence[str] = (), settings: Settings | None = None
    ) -> None:
        super().__init__()
        bidi = (settings or Settings()).bidi.active(os.environ)
        self.home = HomeScreen(studio, setup, recent, bidi=bidi)

    def on_mount(self) -> None:
        """Open it."""
        self.push_screen(self.home)


async def choose(
    studio: Studio, setup: Setup, recent: Sequence[str] = (), settings: Settings | None = None
) -> Session | None:
    """Let a person choose, beginning from `setup`; the session to hold, None for somebody who left.

    `recent` are the names of recent runs, newest first. Raises what the screen died of.
    """
    app = HomeApp(studio, setup, recent, settings)
    await app.run_async()
    if app.failure is not None:
        raise app.failure
    return app.home.prepared
