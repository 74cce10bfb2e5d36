"""The keys of a screen, over it."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from ui.paint import LinesView
from ui.render import Line, Page, Span, prose

Help = Sequence[tuple[str, str]]
"""(key, what it does)."""


class HelpScreen(ModalScreen[None]):
    """A list of keys; any of the usual keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1,enter", "dismiss", "close")]

    def __init__(self, keys: Help) -> None:
        super().__init__()
        self._keys = keys

    def compose(self) -> ComposeResult:
        """One box."""
        box = LinesView(id="help")
        box.border_title = "Keys"
        yield box

    def on_mount(self) -> None:
        """Fill the box, and make it as high as its lines."""
        box = self.query_one(LinesView)
        box.styles.height = sum(len(part) for part in self._rows(58)) + 4
        box.show(lambda width: [line for part in self._rows(width) for line in part])
        box.focus()

    def _rows(self, width: int) -> list[list[Line]]:
        page = Page(width)
        return [prose(what, page, lead=Span(f"{key:<12}", "strong")) for key, what in self._keys]

    async def action_dismiss(self, result: None = None) -> None:
        """Close."""
        self.dismiss(result)
