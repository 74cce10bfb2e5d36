"""What every app of ours shares: the style sheet, the themes, and a failure without a traceback.

No screen and no conversation in here.
"""

import logging
import os
from typing import TypeVar

from textual.app import App

from ui.theme import THEMES, first_theme

_log = logging.getLogger(__name__)
R = TypeVar("R")


class Themed(App[R]):
    """An app in our colours."""

    CSS_PATH = "app.tcss"
    TITLE = "Skopos"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self) -> None:
        super().__init__()
        self.failure: Exception | None = None
        """What the screen died of, if it did."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = first_theme(os.environ).name

    def action_leave(self) -> None:
        """Close the screen."""
        self.exit()

    def action_close(self) -> None:
        """Leave, where there is no way back to another screen."""
        self.action_leave()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer no way back: there is only one screen."""
        return action != "back" and super().check_action(action, parameters)

    def action_help_quit(self) -> None:
        """Ctrl-C, where no text is selected: leave, as everywhere in a terminal."""
        self.action_leave()

    def action_theme(self) -> None:
        """Dark, light, high contrast."""
        names = [theme.name for theme in THEMES]
        self.theme = names[(names.index(self.theme) + 1) % len(names)]

    def _handle_exception(self, error: Exception) -> None:
        # Textual would print a traceback over the conversation and end the program
        _log.error("the screen failed", exc_info=error)
        self.failure = self.failure or error
        self.exit(return_code=1)
