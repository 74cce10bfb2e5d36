"""Header and status: a few lines, never scrolled."""

from collections.abc import Sequence

from textual.strip import Strip

from ui.paint import Painted
from ui.render import Line


class Bar(Painted):
    """As high as its lines, each cut at the edge."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lines: Sequence[Line] = ()

    def show(self, lines: Sequence[Line]) -> None:
        """Draw these lines, if they differ."""
        if tuple(lines) != tuple(self.lines):
            self.lines = tuple(lines)
            self.styles.height = len(self.lines)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of cells."""
        width = self.size.width
        return self.painted(lambda: self.lines[y] if y < len(self.lines) else Line(), width)
