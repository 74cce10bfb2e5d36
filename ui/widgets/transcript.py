"""The transcript: one line-rendering view over any number of cards.

Never a widget a turn. Only the cards in view are laid out; the others have an estimated height until
they come into view, so that ten thousand turns open as fast as ten.
"""

import logging
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable
from itertools import accumulate, islice
from typing import ClassVar, Protocol

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from ui.paint import Scrolled
from ui.render import Line, Span

_log = logging.getLogger(__name__)

_MARK, _NO_MARK = Span("▌", "side-a"), Span(" ", "side-a")
_CLEAR = 1
"""Columns kept clear before the scroll bar."""
_KEPT = 256
"""Cards whose lines are kept; more than fit on any screen."""


class Cards(Protocol):
    """What is shown, as a sequence of cards."""

    def __len__(self) -> int:
        """How many cards there are."""
        ...

    def lines(self, position: int, width: int) -> list[Line]:
        """The lines of a card."""
        ...

    def estimate(self, position: int, width: int) -> int:
        """About how many lines it will have; cheap."""
        ...


class Transcript(Scrolled):
    """Cards in order, one of them marked; follows the end until the reader scrolls away."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "mark(-1)", "previous turn", show=False),
        Binding("down", "mark(1)", "next turn", show=False),
    ]

    class Marked(Message):
        """The reader moved the mark by `step` cards, or onto card `position`."""

        def __init__(self, *, step: int = 0, position: int | None = None) -> None:
            super().__init__()
            self.step = step
            self.position = position

    def __init__(self, cards: Cards, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._cards = cards
        self._width = 0
        self._heights: list[int] = []
        self._tops: list[int] = [0]
        self._stale = 0
        """The first card whose height changed since `_tops` was computed."""
        self._lines: OrderedDict[int, list[Line]] = OrderedDict()
        self.marked: int | None = None
        self._following = True

    # ---- what changed

    def cards_changed(self, positions: Iterable[int] = ()) -> None:
        """Cards were added, or those at `positions` are not what they were."""
        for position in positions:
            self._lines.pop(position, None)
            if position < len(self._heights):
                self._set_height(position, self._cards.estimate(position, self._width))
        self._extend()
        self._settle()

    def reset(self) -> None:
        """Everything is drawn differently from now on."""
        self._lines.clear()
        self._heights.clear()
        self._stale = 0
        self._add_up()
        self._extend()
        self._settle()

    def mark(self, position: int | None) -> None:
        """Mark a card; nothing scrolls."""
        if position != self.marked:
            self.marked = position
            self.refresh()

    def reveal(self, position: int) -> None:
        """Bring a card into view; the last one lets the view follow the end again."""
        self._following = position >= len(self._cards) - 1
        self._extend()  # the mark may be on a card nobody has told of yet
        if position >= len(self._heights):
            return  # there is no room to show anything
        if self._following:
            self._settle()
            return
        self._lay_out(position)
        self._place()
        top, bottom = self._tops[position], self._tops[position + 1]
        height = self._view_height
        first = round(self.scroll_y)
        if top < first or bottom - top >= height:
            first = top
        elif bottom > first + height:
            first = bottom - height
        self._show_from(first)

    # ---- layout

    @property
    def _view_height(self) -> int:
        return self.scrollable_content_region.height

    def on_resize(self) -> None:
        """Lay out anew for another width; keep the end in view for another height."""
        if self._width != self.scrollable_content_region.width:
            self._width = self.scrollable_content_region.width
            self.reset()
        else:
            self._settle()

    def _extend(self) -> None:
        if not self._width:
            return
        first = len(self._heights)
        estimate, width = self._cards.estimate, self._width
        self._heights += [estimate(position, width) for position in range(first, len(self._cards))]
        self._stale = min(self._stale, first)
        self._add_up()

    def _set_height(self, position: int, height: int) -> None:
        if self._heights[position] != height:
            self._heights[position] = height
            self._stale = min(self._stale, position)

    def _add_up(self) -> None:
        """Bring `_tops` up to date, from the first card that changed on."""
        del self._tops[self._stale + 1 :]
        tail = islice(self._heights, self._stale, None)
        self._tops += islice(accumulate(tail, initial=self._tops[-1]), 1, None)
        self._stale = len(self._heights)

    def _settle(self) -> None:
        """Lay out what is in view, then set the size of the whole and the scroll position."""
        if not self._width or not self._heights:
            return
        if self._following:
            self._lay_out_end()
        else:
            self._lay_out_view(round(self.scroll_y))
        self._place()
        self._show_from(self._tops[-1] - self._view_height if self._following else round(self.scroll_y))

    def _lay_out_end(self) -> None:
        missing = self._view_height
        for position in range(len(self._heights) - 1, -1, -1):
            if missing <= 0:
                break
            self._lay_out(position)
            missing -= self._heights[position]
        self._add_up()

    def _lay_out_view(self, first: int) -> None:
        position = self._card_at(first)
        y = self._tops[position]
        while y < first + self._view_height and position < len(self._heights):
            self._lay_out(position)
            y += self._heights[position]
            position += 1
        self._add_up()

    def _lay_out(self, position: int) -> list[Line]:
        found = self._lines.get(position)
        if found is not None:
            self._lines.move_to_end(position)
            return found
        lines = self._card_lines(position)
        self._lines[position] = lines
        if len(self._lines) > _KEPT:
            self._lines.popitem(last=False)
        self._set_height(position, len(lines))
        return lines

    def _card_lines(self, position: int) -> list[Line]:
        try:
            return self._cards.lines(position, self._width - len(_MARK.text) - _CLEAR)
        except Exception as error:
            _log.exception("a card could not be laid out")
            return [Line((Span(f"! turn could not be drawn: {type(error).__name__}", "fault"),)), Line()]

    def _place(self) -> None:
        self._add_up()
        self.holds(self._width, self._tops[-1])

    def _show_from(self, first: int) -> None:
        self.scroll_to(y=max(first, 0), animate=False, force=True, immediate=True)
        self.refresh()

    def _card_at(self, y: int) -> int:
        return max(min(bisect_right(self._tops, y) - 1, len(self._heights) - 1), 0)

    # ---- reading

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Lay out what comes into view."""
        super().watch_scroll_y(old_value, new_value)
        if self._width and self._heights and round(old_value) != round(new_value):
            self._lay_out_view(round(new_value))
            self.holds(self._width, self._tops[-1])

    def on_mouse_scroll_up(self) -> None:
        """The reader left the end."""
        self._following = False

    def on_mouse_scroll_down(self) -> None:
        """The reader may come back to the end."""
        self.call_after_refresh(self._follow_from_the_end)

    def _follow_from_the_end(self) -> None:
        self._following = self._following or round(self.scroll_target_y) >= self.max_scroll_y

    def on_click(self, event: events.Click) -> None:
        """Mark the card under the pointer."""
        offset = event.get_content_offset(self)
        if self._heights and offset is not None:
            self.post_message(self.Marked(position=self._card_at(offset.y + self.scroll_offset.y)))

    def action_mark(self, step: int) -> None:
        """Move the mark."""
        self.post_message(self.Marked(step=step))

    def action_page_up(self) -> None:
        """One view up."""
        self._following = False
        self._show_from(round(self.scroll_y) - self._view_height)

    def action_page_down(self) -> None:
        """One view down; at the end, follow it."""
        self._show_from(round(self.scroll_y) + self._view_height)
        self._follow_from_the_end()

    def action_scroll_home(self) -> None:
        """To the beginning."""
        self._following = False
        self._show_from(0)

    def action_scroll_end(self) -> None:
        """To the end, and follow it."""
        self._following = True
        self._settle()

    def render_line(self, y: int) -> Strip:
        """One line of cells; the marked card has a bar at its left."""
        at = y + self.scroll_offset.y
        position = self._card_at(at)

        def line() -> Line:
            if at >= self._tops[-1]:
                return Line()
            lines, offset = self._lay_out(position), at - self._tops[position]
            return lines[offset] if offset < len(lines) else Line()

        marked = position == self.marked and at < self._tops[-1] and at < self._tops[position + 1] - 1
        return self.painted(line, self._width - _CLEAR, edge=_MARK if marked else _NO_MARK)
