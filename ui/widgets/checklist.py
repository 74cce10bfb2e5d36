"""The criteria of the selected turn, by layer."""

from collections.abc import Callable

from ui.paint import LinesView
from ui.render import Line


class Checklist(LinesView):
    """A scrolling panel; goes back to its top when another turn is shown."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._subject: int | None = -1

    def show_subject(self, subject: int | None, make: Callable[[int], list[Line]]) -> None:
        """Show the criteria of turn `subject`, None for the conversation's own."""
        if subject != self._subject:
            self._subject = subject
            self.scroll_home(animate=False)
        self.show(make)
