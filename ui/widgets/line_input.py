"""A line to write on, edited by whole graphemes; it may hold line feeds, drawn as symbols.

Textual's input moves by code point; here the cursor never stands inside a character and nothing cuts
one in two. What is typed is kept as it is; control characters are only drawn as symbols.
"""

from itertools import accumulate

from rich.text import Text
from textual import events
from textual.widgets import Input
from textual.widgets.input import Selection

from sim.core.text import visible
from ui.text import graphemes

_BREAKS = frozenset({"ctrl+j", "alt+enter", "shift+enter"})


def borders(text: str) -> list[int]:
    """Offsets between the graphemes of `text`, both ends included."""
    return [0, *accumulate(len(cluster) for cluster in graphemes(text))]


class LineInput(Input):
    """An input that never splits a grapheme."""

    many_lines = False
    """Whether a key begins a new line."""

    def validate_selection(self, selection: Selection) -> Selection:
        """Both ends at borders, each pushed on in the direction it moves."""
        start, end = super().validate_selection(selection)
        return Selection(self._snap(start, self.selection.start), self._snap(end, self.selection.end))

    def _snap(self, offset: int, before: int) -> int:
        marks = borders(self.value)
        if offset in marks:
            return offset
        if offset < before:
            return max(mark for mark in marks if mark < offset)
        return min((mark for mark in marks if mark > offset), default=len(self.value))

    def delete(self, start: int, end: int) -> None:
        """Delete the graphemes between two offsets, those at the ends as a whole."""
        first, last = sorted((start, end))
        marks = borders(self.value)
        first = max((mark for mark in marks if mark <= first), default=0)
        last = min((mark for mark in marks if mark >= last), default=len(self.value))
        super().delete(first, last)

    async def _on_key(self, event: events.Key) -> None:
        # here and not by a binding of the screen, which would come after keys typed later
        if self.many_lines and event.key in _BREAKS:
            event.prevent_default()
            event.stop()
            self.replace("\n", *self.selection)

    def write(self, text: str) -> None:
        """Put `text` in place of everything, the cursor behind it."""
        self.value = text
        self.cursor_position = len(text)

    def _on_paste(self, event: events.Paste) -> None:
        # Textual's own keeps the first line only
        event.prevent_default()
        event.stop()
        self.replace(event.text.replace("\r\n", "\n").replace("\r", "\n"), *self.selection)

    @property
    def _value(self) -> Text:
        """What is drawn: one symbol for each control character, so that offsets stay true."""
        shown = (visible(c) for c in self.value)
        drawn = "".join(s if len(s) == 1 else "\ufffd" for s in shown)
        return Text(drawn, no_wrap=True, overflow="ignore", end="")
