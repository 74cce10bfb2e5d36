"""A line to write on, edited by whole graphemes; it may hold line feeds, drawn as symbols.

Textual's input moves by code point; here the cursor never stands inside a character and nothing cuts
one in two. What is typed is kept as it is; control characters are only drawn as symbols, and a line
that runs from right to left is only drawn in visual order, with the cursor where it belongs.
"""

import unicodedata
from dataclasses import dataclass
from itertools import accumulate, pairwise

from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text
from textual import events
from textual.strip import Strip
from textual.widgets import Input
from textual.widgets.input import Selection

from sim.core.text import visible
from ui.steady import Steady
from ui.text import graphemes, has_right_to_left, visual_order

_BREAKS = frozenset({"ctrl+j", "alt+enter", "shift+enter"})


def _unseen(character: str | None) -> bool:
    """Whether a key types what Textual's own input drops: joiners, marks of direction, odd spaces."""
    return (
        character is not None
        and len(character) == 1
        and not character.isprintable()
        and unicodedata.category(character) != "Cc"
    )


def borders(text: str) -> list[int]:
    """Offsets between the graphemes of `text`, both ends included."""
    return [0, *accumulate(len(cluster) for cluster in graphemes(text))]


@dataclass(frozen=True, slots=True)
class Cell:
    """A grapheme where it is drawn."""

    start: int
    """Its offset in the text; the length of the text for the place after the last one."""
    text: str
    x: int
    """The column it begins in."""


class LineInput(Steady, Input):
    """An input that never splits a grapheme."""

    many_lines = False
    """Whether a key begins a new line."""
    _visual = _right_to_left = False

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

    def watch_scroll_x(self, old_value: float, new_value: float) -> None:
        """Keep the terminal's cursor, where an input method opens, at ours on a line that scrolls."""
        super().watch_scroll_x(old_value, new_value)
        if self.has_focus:
            self.app.cursor_position = self.cursor_screen_offset

    async def _on_key(self, event: events.Key) -> None:
        # here and not by a binding of the screen, which would come after keys typed later
        if self.many_lines and event.key in _BREAKS:
            event.prevent_default()
            event.stop()
            self.replace("\n", *self.selection)
        elif _unseen(event.character):
            event.prevent_default()
            event.stop()
            self.replace(event.character or "", *self.selection)

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

    # ---- right-to-left lines

    def draw(self, *, visual: bool, right_to_left: bool) -> None:
        """Whether to put right-to-left characters into visual order, and whether the language runs so.

        A line in such a language begins at the right edge.
        """
        if (visual, right_to_left) != (self._visual, self._right_to_left):
            self._visual, self._right_to_left = visual, right_to_left
            self.refresh()

    @property
    def _reordered(self) -> bool:
        return self._visual and has_right_to_left(self.value)

    def _cells(self) -> list[Cell]:
        """The graphemes from left to right, and the place for the next one."""
        drawn = self._value.plain
        marks = borders(self.value)
        clusters = [drawn[start:end] for start, end in pairwise(marks)]
        order = visual_order(clusters, right_to_left=self._right_to_left)
        placed = [(marks[position], text) for position, text in order]
        end = (len(self.value), " ")
        placed = [end, *placed] if self._right_to_left else [*placed, end]
        taken = sum(cell_len(text) for _, text in placed)
        x = max(self.scrollable_content_region.width - taken, 0) if self._right_to_left else 0
        cells = []
        for start, text in placed:
            cells.append(Cell(start, text, x))
            x += cell_len(text)
        return cells

    def render_line(self, y: int) -> Strip:
        """The line of cells; in visual order where it runs from right to left."""
        if y != 0 or not self._reordered:
            return super().render_line(y)
        width, cells = self.scrollable_content_region.width, self._cells()
        first, last = sorted(self.selection)
        plain = self.rich_style
        cursor = self.get_component_rich_style("input--cursor")
        chosen = self.get_component_rich_style("input--selection")
        segments = [Segment(" " * cells[0].x, plain)]
        for cell in cells:
            style = plain
            if self.has_focus and first <= cell.start < last:
                style = style + chosen
            if self.has_focus and self._cursor_visible and cell.start == self.cursor_position:
                style = style + cursor
            segments.append(Segment(cell.text, style))
        begin = round(self.scroll_x)
        return Strip(segments).crop(begin, begin + width).extend_cell_length(width, plain)

    @property
    def _cursor_offset(self) -> int:
        if not self._reordered:
            return super()._cursor_offset
        return next(cell.x for cell in self._cells() if cell.start == self.cursor_position)

    def _cell_offset_to_index(self, offset: int) -> int:
        if not self._reordered:
            return super()._cell_offset_to_index(offset)
        column = offset + round(self.scroll_x)
        return min(self._cells(), key=lambda cell: abs(cell.x - column)).start

    def action_cursor_left(self, select: bool = False) -> None:
        """One grapheme to the left, as it is seen."""
        if self._reordered and self._right_to_left:
            super().action_cursor_right(select)
        else:
            super().action_cursor_left(select)

    def action_cursor_right(self, select: bool = False) -> None:
        """One grapheme to the right, as it is seen."""
        if self._reordered and self._right_to_left:
            super().action_cursor_left(select)
        else:
            super().action_cursor_right(select)
