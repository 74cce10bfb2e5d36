"""What every app of ours shares: the style sheet, the two themes, and a failure without a traceback.

No screen and no conversation in here.
"""

import logging
import os
from typing import TypeVar

from textual.app import App

from ui.theme import DARK, LIGHT, first_theme

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
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = first_theme(os.environ).name

    def action_leave(self) -> None:
        """Close the screen."""
        self.exit()

    def action_help_quit(self) -> None:
        """Ctrl-C, where no text is selected: leave, as everywhere in a terminal."""
        self.action_leave()

    def action_theme(self) -> None:
        """Light or dark."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def _handle_exception(self, error: Exception) -> None:
        # Textual would print a traceback over the conversation and end the program
        _log.error("the screen failed", exc_info=error)
        self.failure = self.failure or error
        self.exit(return_code=1)
