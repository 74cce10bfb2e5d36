"""A recorded conversation on the live screen: the same cards, but time is the reader's."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from sim.core.studio import Session
from ui import words
from ui.bridge import Finished
from ui.pace import SPEEDS, Pace
from ui.render import Span
from ui.screens.help import HelpScreen
from ui.screens.live import KEYS as LIVE_KEYS
from ui.screens.live import LiveScreen
from ui.settings import Settings
from ui.state import ConversationState

_OTHER = ("p", "space n", "q")
"""Keys of the live screen that mean something else here."""
KEYS = (
    ("p", "pause, or go on"),
    ("space n", "play up to the next turn, then wait"),
    ("+ -", "faster, slower: from a quarter of the speed to all at once"),
    ("[ ]", "the previous, the next conversation of a run"),
    *(row for row in LIVE_KEYS if row[0] not in _OTHER),
    ("q", "quit"),
)


class ReplayScreen(LiveScreen):
    """A conversation as it happened."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("plus,equals_sign", "speed(1)", "Speed", key_display="+ -"),
        Binding("minus", "speed(-1)", "Slower", show=False),
        Binding("left_square_bracket,left", "onward(-1)", "Previous", show=False),
        Binding("right_square_bracket,right", "onward(1)", "Next", key_display="]"),
        Binding("l", "layer", "Layer", show=False),
        Binding("v", "verdict", "Verdict", show=False),
    ]

    def __init__(
        self,
        session: Session,
        state: ConversationState,
        settings: Settings,
        pace: Pace,
        place: tuple[int, int] = (0, 1),
    ) -> None:
        """`place` is the number of the conversation among those of the run, from 0, and their number."""
        super().__init__(session, state, settings)
        self._pace = pace
        self._place = place
        self.onward = 0
        """By how many conversations the person went on when they left; 0 for somebody who is done."""

    def on_unmount(self) -> None:
        """Let the recording end."""
        self._pace.finish()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer no speed once it is over, and other conversations only where there are some."""
        if action == "speed":
            return self.state.ended is None
        if action == "onward":
            step = parameters[0] if parameters and isinstance(parameters[0], int) else 0
            return 0 <= self._place[0] + step < self._place[1]
        return super().check_action(action, parameters)

    def seconds(self) -> float:
        """The clock of the recording."""
        return self.state.elapsed

    def lead(self) -> Sequence[Span]:
        """How it is played."""
        speed, (number, of) = self._pace.speed, self._place
        said = "all at once" if speed == SPEEDS[-1] else f"×{speed:g}"
        place = f" {number + 1} of {of}" if of > 1 else ""
        spans = [Span(f"replay{place} {said}   ", "strong")]
        if self._pace.paused:
            spans.append(Span("‖ paused   ", "flag"))
        return spans

    def said(self) -> str | None:
        """That nothing more comes of a record nobody finished."""
        played = self.cards.document is not None
        return words.UNFINISHED if played and self.state.ended is None else None

    def on_finished(self, message: Finished) -> None:
        """Show the scores, and that all was played."""
        super().on_finished(message)
        if self.state.ended is None:
            self.show_status()

    def action_pause(self) -> None:
        """Pause, or go on."""
        self._pace.pause()
        self.show_status()

    def action_step(self) -> None:
        """Play one turn."""
        self._pace.step()
        self.show_status()

    def action_speed(self, step: int) -> None:
        """Faster or slower."""
        self._pace.change(step)
        self.show_status()

    def action_onward(self, step: int) -> None:
        """Leave for another conversation of the run."""
        self.onward = step
        self.app.exit()

    def action_help(self) -> None:
        """The keys."""
        self.app.push_screen(HelpScreen(KEYS))
