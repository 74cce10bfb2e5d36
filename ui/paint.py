"""Lines of spans as strips of cells.

A terminal may take more cells for free text than Rich counts. So after such text the cursor is put
where it belongs: everything to the right of a line stands in its place whatever the terminal thinks.
"""

import logging
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import ControlType, Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.color import Color
from textual.filter import LineFilter
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from ui.render import Kind, Line, Span
from ui.steady import Steady
from ui.text import graphemes, most_cells, room, slack
from ui.theme import CLASSES

_log = logging.getLogger(__name__)

_SIGHT = 8
"""Code points a cell that are looked at where a text is cut off; a letter with all its marks has fewer."""
_KEPT = 512
"""Painted lines a widget keeps; more than any terminal shows."""


def paint(line: Line, width: int, style_of: Callable[[Kind], Style], base: Style) -> Strip:
    """`line` on exactly `width` cells. Spans must fit (`ui.text.wrap` sees to it) or they are cut."""
    spans = _cut(line.spans, width)
    text = "".join(span.text for span in spans)
    extra, most = slack(text), most_cells(text)
    lead = max(width - most - extra, 0) if line.right else 0
    rest = max(width - lead - cell_len(text) - extra, 0)
    body = [Segment(" " * lead, base)] if lead else []
    body += [Segment(span.text, style_of(span.kind)) for span in spans if span.text]
    if not extra:
        return Strip([*body, Segment(" " * rest, base)], width)
    place = min(lead + most, width)
    # the blanks of `extra` wipe what a narrower terminal leaves between the text and `place`
    return Strip(
        [
            _control("\x1b7"),
            *body,
            Segment(" " * extra, base),
            _control(f"\x1b8\x1b[{place}C"),
            Segment(" " * rest, base),
        ],
        width,
    )


def _control(sequence: str) -> Segment:
    return Segment(sequence, None, [(ControlType.CURSOR_FORWARD, 0)])


def _cut(spans: Sequence[Span], width: int) -> list[Span]:
    """The spans that fit; the first that does not is shortened, character by character as readers count."""
    kept, left = [], width
    for span in spans:
        size = room(span.text)
        if size <= left:
            kept.append(span)
            left -= size
            continue
        kept.append(Span(f"{_beginning(span.text, left - 1)}…" if left else "", span.kind))
        break
    return kept


def _beginning(text: str, width: int) -> str:
    """As much of `text` as fits."""
    clusters = graphemes(text[: _SIGHT * max(width, 0)])
    rooms = accumulate(room(cluster) for cluster in clusters)
    return "".join(cluster for cluster, used in zip(clusters, rooms, strict=True) if used <= width)


class _BesideControls(LineFilter):
    """A filter that leaves cursor movements alone; Textual's own drop what marks them as such."""

    def __init__(self, inner: LineFilter) -> None:
        super().__init__()
        self._inner = inner

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment if segment.control else self._inner.apply([segment], background)[0]
            for segment in segments
        ]


class Painted(Steady, Widget):
    """A widget that draws lines of spans, and survives lines that cannot be drawn.

    What was painted is kept, so that a repaint costs next to nothing for lines that stay.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = set(CLASSES.values())

    def __init__(self, *, id: str | None = None) -> None:
        self._strips: LRUCache[tuple[Line, int, Span | None], Strip] = LRUCache(_KEPT)
        self._filters: dict[LineFilter, LineFilter] = {}
        super().__init__(id=id)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """The app's filters, kept off cursor movements."""
        known = self._filters
        return [known.setdefault(inner, _BesideControls(inner)) for inner in super().get_line_filters()]

    def notify_style_update(self) -> None:
        """Paint everything anew: a colour may have changed."""
        self._strips.clear()
        super().notify_style_update()

    def style_of(self, kind: Kind) -> Style:
        """The style of a kind on this widget's own background."""
        return self.get_component_rich_style(CLASSES[kind])

    def painted(self, make: Callable[[], Line], width: int, *, edge: Span | None = None) -> Strip:
        """The line `make` gives, after `edge` where there is one; where it raises, that is said instead."""
        try:
            key = (make(), width, edge)
            strip = self._strips.get(key)
            if strip is None:
                strip = self._strips[key] = self._paint(*key)
            return strip
        except Exception as error:
            _log.exception("a line could not be drawn")
            what = f"! could not be drawn: {type(error).__name__}"
            return Strip([Segment(what, self.style_of("fault"))]).adjust_cell_length(width, self.rich_style)

    def _paint(self, line: Line, width: int, edge: Span | None) -> Strip:
        base = self.rich_style
        if edge is None:
            return paint(line, width, self.style_of, base)
        room = cell_len(edge.text)
        parts = (
            paint(Line((edge,)), room, self.style_of, base),
            paint(line, width - room, self.style_of, base),
        )
        return Strip.join(parts)


class Scrolled(Painted, ScrollView, can_focus=True):
    """Painted lines that may be more than fit; the arrows and pages scroll them."""

    DEFAULT_CSS = "Scrolled { overflow-y: auto; overflow-x: hidden; }"
    # said again because styles are inherited from the first base alone

    def holds(self, width: int, lines: int) -> None:
        """So large is the whole."""
        size = Size(width, lines)
        if size != self.virtual_size:
            self.virtual_size = size
            # Textual looks at the scroll bars, without which no key scrolls, only when the view is resized
            self._scroll_update(size)


class LinesView(Scrolled):
    """A scrolling view of lines that are made anew for each width."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._make: Callable[[int], list[Line]] = lambda _: []
        self._lines: list[Line] = []
        self._width = 0

    def show(self, make: Callable[[int], list[Line]]) -> None:
        """Draw what `make` gives for a width."""
        self._make = make
        self._lay_out()

    def on_resize(self) -> None:
        """Wrap again."""
        if self._width != self.scrollable_content_region.width:
            self._lay_out()

    def _lay_out(self) -> None:
        self._width = self.scrollable_content_region.width
        self._lines = self._make(self._width - 1) if self._width else []  # clear of the scroll bar
        self.holds(self._width, len(self._lines))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of cells."""
        index = y + self.scroll_offset.y
        return self.painted(lambda: self._lines[index] if index < len(self._lines) else Line(), self._width)
