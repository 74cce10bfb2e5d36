"""The home screen as an app of its own: it is over before the conversation begins."""

from collections.abc import Sequence

from sim.core.studio import Session, Setup, Studio
from ui.screens.home import HomeScreen
from ui.themed import Themed


class HomeApp(Themed[None]):
    """Nothing but the home screen."""

    def __init__(self, studio: Studio, setup: Setup, recent: Sequence[str] = ()) -> None:
        super().__init__()
        self.home = HomeScreen(studio, setup, recent)

    def on_mount(self) -> None:
        """Open it."""
        self.push_screen(self.home)


async def choose(studio: Studio, setup: Setup, recent: Sequence[str] = ()) -> Session | None:
    """Let a person choose, beginning from `setup`; the session to hold, None for somebody who left.

    `recent` are the names of recent runs, newest first. Raises what the screen died of.
    """
    app = HomeApp(studio, setup, recent)
    await app.run_async()
    if app.failure is not None:
        raise app.failure
    return app.home.prepared
