"""Watching a conversation: transcript, the marked turn's checklist, running rates, status."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widgets import Footer

from sim.core import events as ev
from ui.details import clipboard_text, details_lines, whole_details_lines
from ui.render import Line, Span, checklist_lines, whole_lines
from ui.screens.conversation import ConversationScreen
from ui.screens.help import BoxScreen, HelpScreen
from ui.status import header_lines, status_lines
from ui.turn import TurnState
from ui.wanted import ALL, Wanted
from ui.widgets.bars import Bar
from ui.widgets.checklist import Checklist
from ui.widgets.transcript import Transcript

KEYS = (
    ("up down", "previous, next turn; past the last one the view follows the conversation"),
    ("f", "next turn with something not met or failed"),
    ("l v", "only one layer; only one kind of verdict; escape shows all again"),
    ("i", "what stands behind the turn: language checks, calls, prompts as sent, raw replies"),
    ("y", "copy source and translation as they are stored"),
    ("c", "show or hide the checklist"),
    ("tab", "move between transcript and checklist; page up, page down scroll"),
    ("p", "pause before the next turn, or go on"),
    ("space n", "hold one turn, then wait"),
    ("b", "right-to-left lines: auto, visual or stored order; remembered"),
    ("t", "dark, light, high contrast"),
    ("q", "quit, or back to the choice; a conversation under way is stopped and its record completed"),
    ("ctrl+q", "quit"),
)


class LiveScreen(ConversationScreen):
    """A conversation as it happens."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "pause", "Pause"),
        Binding("space,n", "step", "Step"),
        Binding("f", "failure", "Failure"),
        Binding("c", "checklist", "Checklist", show=False),
        Binding("l", "layer", "Layer"),
        Binding("v", "verdict", "Verdict"),
        Binding("i", "inspect", "Inspect"),
        Binding("y", "copy", "Copy", show=False),
        Binding("escape", "everything", "All", show=False),
        Binding("b", "bidi", "Bidi", show=False),
        Binding("t", "app.theme", "Theme", show=False),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "app.back", "Back"),
        Binding("q", "app.close", "Quit"),
        Binding("ctrl+q", "app.leave", "Quit", show=False, priority=True),
    ]

    _marked: int | None = None
    """Position the reader chose; None follows the conversation."""

    _marked_turn: int | None = None
    """The turn at that position."""

    _began = 0.0
    """Monotonic time of the start, for the clock."""

    def on_mount(self) -> None:
        """Let the clock go: a long wait should not look like a hang."""
        super().on_mount()
        self._began = time.monotonic() - self.state.elapsed
        self.set_interval(1, self.show_status)

    def compose(self) -> ComposeResult:
        """Header, transcript and checklist, status, keys."""
        yield Bar(id="header")
        with Container(id="body"):
            yield Transcript(self.cards, id="transcript")
            yield Checklist(id="checklist")
        yield Bar(id="status")
        yield Footer(show_command_palette=False)

    def after(self, batch: tuple[ev.Event, ...]) -> None:
        """Header, status, and the checklist of the marked turn."""
        self.query_one("#header", Bar).show(header_lines(self.state, self.size.width - 2, self.cards.wanted))
        self.show_status()
        self._show_marked()
        if any(isinstance(event, ev.ConversationEnded) for event in batch):
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer no pause and no step once it is over."""
        return action not in ("pause", "step") or self.state.ended is None

    def show_status(self) -> None:
        """Clock, what is waited for, calls and cost."""
        with self.guarded():
            lines = status_lines(self.state, self.session.labels, self.seconds(), self.lead(), self.said())
            self.query_one("#status", Bar).show(lines)

    def seconds(self) -> float:
        """What the clock shows."""
        if self.state.started is None:
            self._began = time.monotonic()
        return self.state.elapsed if self.state.ended is not None else time.monotonic() - self._began

    def lead(self) -> Sequence[Span]:
        """What stands before the clock."""
        return ()

    def said(self) -> str | None:
        """What stands in the place of what is waited for, if anything does."""
        return None

    # ---- the marked turn

    def _position(self) -> int | None:
        """The chosen card, else the latest turn with a verdict, else the latest turn."""
        if self._marked is not None:
            return self._marked
        turns = self.cards.turn_positions
        seen = (p for p in reversed(turns) if (t := self.cards.turn_at(p)) is not None and t.verdicts)
        return next(seen, turns[-1] if turns else None)

    def _show_marked(self) -> None:
        position = self._position()
        self.transcript.mark(position)
        turn = None if position is None else self.cards.turn_at(position)
        checklist = self.query_one(Checklist)
        if turn is None and not self.state.criteria:
            checklist.show_subject(None, lambda _: [])
        else:
            checklist.show_subject(turn.index if turn else None, lambda width: self._criteria(turn, width))

    def _criteria(self, turn: TurnState | None, width: int) -> list[Line]:
        page = self.cards.page(width)
        if turn is None:
            return whole_lines(self.state, page)
        whole = [Line(), Line(), *whole_lines(self.state, page)] if self.state.criteria else []
        return [*checklist_lines(turn, page, self.cards.wanted), *whole]

    def on_transcript_marked(self, message: Transcript.Marked) -> None:
        """Mark another card; going past the last turn follows the conversation again."""
        with self.guarded():
            if message.position is not None:
                wanted = message.position
            else:
                wanted = (self._position() or 0) + message.step
            self._choose(max(wanted, 0))

    def _choose(self, position: int) -> None:
        last = len(self.cards) - 1
        self._marked = position if position <= last else None
        turn = self.cards.turn_at(position)
        self._marked_turn = None if turn is None else turn.index
        self._show_marked()
        self.transcript.reveal(min(position, last))

    def action_failure(self) -> None:
        """Mark the next turn with something not met or failed, from the top again after the last."""
        here = (self._marked or 0) + 1
        turns = self.cards.turn_positions
        in_order = chain(range(here, turns.stop), range(turns.start, here))
        found = next((p for p in in_order if (t := self.cards.turn_at(p)) and t.failed), None)
        if found is None:
            self.notify("Nothing has failed so far", markup=False, timeout=2)
        else:
            self._choose(found)

    def action_layer(self) -> None:
        """Only one layer, or all."""
        self._want(self.cards.wanted.next_layer())

    def action_verdict(self) -> None:
        """Only one kind of verdict, or all."""
        self._want(self.cards.wanted.next_result())

    def action_everything(self) -> None:
        """Leave nothing out."""
        self._want(ALL)

    def _want(self, wanted: Wanted) -> None:
        with self.guarded():
            self.cards.wanted = wanted
            self.cards.note_all()
            self.rearranged()
            self.after(())
            if not self.cards.turn_positions and self.state.turns:
                said = f"No turn to show: {wanted.said()}; escape shows all"
                self.notify(said, markup=False, timeout=3)

    def rearranged(self) -> None:
        """Keep the mark on its turn, as far as that is still shown."""
        if self._marked_turn is not None:
            self._marked = self.cards.position_of(self._marked_turn)
        elif self._marked:
            self._marked = None
        super().rearranged()
        if self._marked is not None:
            self.transcript.reveal(self._marked)

    def _turn(self) -> TurnState | None:
        position = self._position()
        return None if position is None else self.cards.turn_at(position)

    def action_inspect(self) -> None:
        """What stands behind the marked turn."""
        turn, bidi = self._turn(), self.cards.bidi
        if turn is not None:
            title = f"Turn {turn.index}"
            self.app.push_screen(BoxScreen(title, lambda page: details_lines(self.state, turn, page), bidi))
        elif self.state.started is not None:
            make = partial(whole_details_lines, self.state)
            self.app.push_screen(BoxScreen("The conversation", make, bidi))

    def action_copy(self) -> None:
        """Source and translation of the marked turn to the clipboard, as they are stored."""
        turn = self._turn()
        if turn is None:
            return
        with self.guarded():
            self.app.copy_to_clipboard(clipboard_text(turn))
            said = f"Turn {turn.index} was sent to the terminal's clipboard"
            self.notify(said, markup=False, timeout=2)

    # ---- the conversation

    def action_pause(self) -> None:
        """Pause, or go on."""
        control = self.session.control
        self._act(control.resume if control.paused else control.pause)

    def action_step(self) -> None:
        """Hold one turn."""
        self._act(self.session.control.step)

    def _act(self, act: Callable[[], None]) -> None:
        if self.state.started is None:
            return  # nothing to pause yet
        with self.guarded():
            act()

    # ---- the view

    def action_checklist(self) -> None:
        """Show or hide the checklist."""
        checklist = self.query_one(Checklist)
        checklist.display = not checklist.display

    def action_help(self) -> None:
        """The keys."""
        self.app.push_screen(HelpScreen(KEYS))
