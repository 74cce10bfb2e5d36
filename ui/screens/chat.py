"""Taking a seat: what may be seen from it, and a line to write on.

What the other side says in its own language, and how one's own words arrive, are not shown unless
the person peeks, which is recorded.
"""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Input

from sim.core import events as ev
from sim.core.values import Speaker, other
from ui import words
from ui.render import Line, Page, Span, label_lines, seat_lines, side_kind, status_words, turn_lines
from ui.screens.conversation import ConversationScreen, TurnCards
from ui.screens.help import HelpScreen
from ui.state import TurnState
from ui.widgets.bars import Bar
from ui.widgets.line_input import LineInput
from ui.widgets.transcript import Transcript

KEYS = (
    ("enter", "say the line; while the other side works it stays where it is"),
    ("f4", "say the line and end the conversation"),
    ("f2", "look at the other side; recorded"),
    ("r d", "while a translation is held: retry, or deliver anyway"),
    ("pgup pgdn", "scroll the transcript"),
    ("f3", "right-to-left lines in visual or in stored order"),
    ("f6", "light or dark"),
    ("ctrl+q", "leave"),
)


class SeatCards(TurnCards):
    """Turns as the persons in the seats may see them."""

    revealed = False

    def draw(self, turn: TurnState, page: Page) -> list[Line]:
        """What has reached the seats of one turn, or all of it after a peek."""
        if self.revealed:
            return turn_lines(turn, page)
        return seat_lines(self.state, tuple(self.session.seats), turn, page)


class ChatScreen(ConversationScreen):
    """A conversation held by the person at this keyboard."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help"),
        Binding("f2", "peek", "Peek"),
        Binding("f3", "bidi", "Bidi", show=False),
        Binding("f4", "end", "Say and end"),
        Binding("f6", "theme", "Theme", show=False),
        Binding("pageup", "scroll(-1)", "Scroll", show=False),
        Binding("pagedown", "scroll(1)", "Scroll", show=False),
        Binding("ctrl+q", "app.leave", "Leave", priority=True),
    ]

    _draft = ""
    """What was being written when a translation was held."""
    _deciding = False

    def make_cards(self) -> TurnCards:
        """Cards cut to the seats."""
        return SeatCards(self.session, self.state, bidi=super().make_cards().bidi)

    def compose(self) -> ComposeResult:
        """Header, transcript, status, the line to write on."""
        yield Bar(id="header")
        yield Transcript(self.cards, id="transcript")
        yield Bar(id="status")
        yield LineInput(id="line", select_on_focus=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The cursor stays on the line."""
        super().on_mount()
        self.transcript.can_focus = False
        self.query_one(LineInput).focus()

    # ---- what is shown

    def after(self, batch: tuple[ev.Event, ...]) -> None:
        """Header, status, and what the line is for."""
        self.query_one("#header", Bar).show([self._header()])
        self.query_one("#status", Bar).show([*label_lines(self.session.labels), self._status()])
        self._switch_line()

    def _header(self) -> Line:
        seats = [
            f"{words.side(s, self.state.role(s))} in {words.language_name(self.state.scenario.language_of(s))}"
            for s in self.session.seats
        ]
        return Line((Span("You are ", "dim"), Span(" and ".join(seats), "strong")))

    def _status(self) -> Line:
        held = self._held_seat()
        if held is not None and self.state.held is not None:
            flags = words.flags(self.state.turn(self.state.held).flags)
            return Line((Span(f"r retry · d deliver anyway   held: {flags}", "strong"),))
        asked = self._asked_seat()
        if asked is None:
            return Line((Span(status_words(self.state)),))
        name = words.language_name(self.state.scenario.language_of(asked))
        return Line((Span("your turn: ", "dim"), Span(f"{asked} writes {name}", side_kind(asked))))

    def _switch_line(self) -> None:
        line = self.query_one(LineInput)
        deciding = self._held_seat() is not None
        if deciding and not self._deciding:
            self._draft, line.value = line.value, ""
        elif self._deciding and not deciding:
            line.value, self._draft = self._draft, ""
            line.cursor_position = len(line.value)
        self._deciding = deciding
        line.disabled = self.state.ended is not None

    def _asked_seat(self) -> Speaker | None:
        asked = self.state.asked
        return asked.speaker if asked is not None and asked.speaker in self.session.seats else None

    def _held_seat(self) -> Speaker | None:
        if self.state.held is None:
            return None
        speaker = self.state.turn(self.state.held).speaker
        return speaker if speaker in self.session.seats else None

    # ---- what the person does

    def on_input_changed(self, message: Input.Changed) -> None:
        """While a translation is held, a letter decides."""
        decision = {"r": "retry", "d": "deliver"}.get(message.value.strip().casefold())
        seat = self._held_seat()
        if not self._deciding or seat is None or decision is None:
            return
        message.input.value = ""
        self.session.seats[seat].decide("retry" if decision == "retry" else "deliver")

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """Say the line."""
        self._say(end=False)

    def action_end(self) -> None:
        """Say the line, and end the conversation with it."""
        self._say(end=True)

    def _say(self, *, end: bool) -> None:
        line, seat = self.query_one(LineInput), self._asked_seat()
        if seat is None or self._deciding or not line.value.strip():
            return
        text, line.value = line.value, ""
        self.state.asked = None
        self.session.seats[seat].say(text, end=end)

    def action_peek(self) -> None:
        """Show the other side from here on, or hide it again; each look is recorded."""
        hidden = [seat for seat in self.session.seats if other(seat) not in self.session.seats]
        if not hidden or not isinstance(self.cards, SeatCards):
            self.notify("Both seats are yours: nothing is hidden", markup=False, timeout=3)
            return
        if self.state.ended is not None and not self.cards.revealed:
            self.notify("It is over: a look could not be recorded any more", markup=False, timeout=3)
            return
        with self.guarded():
            if not self.cards.revealed:
                for seat in hidden:
                    self.session.seats[seat].peek()
            self.cards.revealed = not self.cards.revealed
            self.transcript.reset()

    def action_scroll(self, step: int) -> None:
        """Scroll the transcript; the cursor stays on the line."""
        self.transcript.action_page_up() if step < 0 else self.transcript.action_page_down()

    def action_help(self) -> None:
        """The keys."""
        self.app.push_screen(HelpScreen(KEYS))
