"""A box of text over a screen: the keys, what is available, the replies of a turn."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from ui.paint import LinesView
from ui.render import Line, Page, Span, prose
from ui.steady import Steady

Help = Sequence[tuple[str, str]]
"""(key, what it does)."""


class BoxScreen(Steady, ModalScreen[None]):
    """A titled box of lines; any of the usual keys closes it, the arrows scroll it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,i,question_mark,f1,enter", "dismiss", "close")]

    def __init__(self, title: str, make: Callable[[Page], list[Line]], bidi: bool = True) -> None:
        super().__init__()
        self._title = title
        self._lines = make
        self._bidi = bidi

    def compose(self) -> ComposeResult:
        """One box."""
        box = LinesView(id="box")
        box.border_title = self._title
        yield box

    def on_mount(self) -> None:
        """Fill the box."""
        box = self.query_one(LinesView)
        box.show(lambda width: self._lines(Page(width, self._bidi)))
        box.focus()

    def on_resize(self) -> None:
        """As high as its lines, as far as there is room."""
        box = self.query_one(LinesView)
        box.styles.height = len(self._lines(Page(min(self.size.width * 9 // 10, 90) - 6))) + 4

    async def action_dismiss(self, result: None = None) -> None:
        """Close."""
        self.dismiss(result)


class HelpScreen(BoxScreen):
    """A list of keys."""

    def __init__(self, keys: Help) -> None:
        super().__init__("Keys", lambda page: _rows(keys, page))


def _rows(keys: Help, page: Page) -> list[Line]:
    parts = (prose(what, page, lead=Span(f"{key:<12}", "strong")) for key, what in keys)
    return [line for part in parts for line in part]
