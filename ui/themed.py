"""What every app of ours shares: the style sheet, the themes, and a failure without a traceback.

No screen and no conversation in here.
"""

import logging
import os
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from textual.app import App
from textual.dom import DOMNode
from textual.driver import Driver
from textual.notifications import SeverityLevel

from ui import mishaps
from ui.hangup import Lasting
from ui.steady import Steady
from ui.theme import THEMES, first_theme

if TYPE_CHECKING:
    from textual.actions import ActionParseResult

_log = logging.getLogger(__name__)
R = TypeVar("R")


class Themed(Steady, App[R]):
    """An app in our colours."""

    CSS_PATH = "app.tcss"
    TITLE = "Skopos"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self) -> None:
        super().__init__()
        self.failure: Exception | None = None
        """What the screen died of, if it did."""
        self._noticed: dict[str, float] = {}
        """Until when each notice stands, in monotonic seconds."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = first_theme(os.environ).name

    def get_driver_class(self) -> type[Driver]:
        """The platform's, made to outlive a terminal that goes away."""
        base = super().get_driver_class()
        return type(base.__name__, (Lasting, base), {})

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

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a notice, unless the same one still stands: what repeats must not cover the screen."""
        stands = self.NOTIFICATION_TIMEOUT if timeout is None else timeout
        now = time.monotonic()
        if self._noticed.get(message, now) > now:
            return
        self._noticed[message] = now + stands
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    async def run_action(
        self,
        action: "str | ActionParseResult",
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Do what a key stands for; a mistake in it is shown and logged, and is not the end of the screen."""
        try:
            return await super().run_action(action, default_namespace, namespaces)
        except Exception as error:
            mishaps.tell(self.notify, error)
            return True

    def _handle_exception(self, error: Exception) -> None:
        # Textual would print a traceback over the conversation and end the program
        _log.error("the screen failed", exc_info=error)
        self.failure = self.failure or error
        self.exit(return_code=1)
