"""Taking a seat: what may be seen from it, and a line to write on.

What the other side says in its own language, and how one's own words arrive, are not shown unless
the person peeks, which is recorded.
"""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Input

from sim.core import events as ev
from sim.core.languages import language
from sim.core.studio import Session
from sim.core.values import Speaker, other
from ui import words
from ui.render import Line, Page, Span, prose, seat_lines, side_kind, turn_lines
from ui.screens.conversation import ConversationScreen, TurnCards
from ui.screens.help import HelpScreen
from ui.settings import Settings
from ui.state import ConversationState
from ui.status import label_lines, status_words
from ui.turn import TurnState
from ui.widgets.bars import Bar
from ui.widgets.line_input import LineInput
from ui.widgets.transcript import Transcript

KEYS = (
    ("enter", "say the line; while the other side works it stays where it is"),
    ("ctrl+j", "a new line in what is written (alt+enter, where the terminal passes it on)"),
    ("up down", "what was said before from this keyboard, and back to what was being written"),
    ("f4", "say the line and end the conversation; twice on an empty line: end without a word"),
    ("f2", "look at the other side; recorded"),
    ("r d", "while a translation is held: retry, or deliver anyway"),
    ("pgup pgdn", "scroll the transcript"),
    ("f3", "right-to-left lines: auto, visual or stored order; remembered"),
    ("f6", "dark, light, high contrast"),
    ("escape", "leave, back to the choice of a conversation, where there was one"),
    ("ctrl+q", "leave"),
)


_DRAFT = 6
"""Lines of a draft that are shown, the last ones."""


class Past:
    """What was said from one keyboard, and where a person is in it."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._at = 0
        self._unsaid = ""

    def add(self, text: str) -> None:
        """Something was said."""
        self._lines.append(text)
        self._at = len(self._lines)

    def recall(self, step: int, now: str) -> str:
        """The line `step` away; `now` is kept while it was not yet said."""
        if self._at == len(self._lines):
            self._unsaid = now
        self._at = min(max(self._at + step, 0), len(self._lines))
        return self._unsaid if self._at == len(self._lines) else self._lines[self._at]


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
        Binding("f6", "app.theme", "Theme", show=False),
        Binding("up", "recall(-1)", "Earlier", show=False),
        Binding("down", "recall(1)", "Later", show=False),
        Binding("pageup", "scroll(-1)", "Scroll", show=False),
        Binding("pagedown", "scroll(1)", "Scroll", show=False),
        Binding("escape", "app.back", "Back"),
        Binding("ctrl+q", "app.leave", "Leave", priority=True),
    ]

    _draft = ""
    """What was being written when a translation was held."""
    _deciding = False
    _leaving = False
    """Whether the person asked to end without a word, and was asked back."""

    def __init__(self, session: Session, state: ConversationState, settings: Settings) -> None:
        super().__init__(session, state, settings)
        self._past = Past()

    def make_cards(self) -> TurnCards:
        """Cards cut to the seats."""
        return SeatCards(self.session, self.state, bidi=super().make_cards().bidi)

    def compose(self) -> ComposeResult:
        """Header, transcript, status, the line to write on."""
        yield Bar(id="header")
        yield Transcript(self.cards, id="transcript")
        yield Bar(id="status")
        yield Bar(id="draft")
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
        self.query_one("#status", Bar).show([*label_lines(self.session.labels), *self._status()])
        self._switch_line()
        self._show_draft()
        if any(isinstance(event, ev.ConversationEnded) for event in batch):
            self.refresh_bindings()

    def _header(self) -> Line:
        seats = [
            f"{words.side(s, self.state.role(s))} in {words.language_name(self.state.scenario.language_of(s))}"
            for s in self.session.seats
        ]
        return Line((Span("You are ", "dim"), Span(" and ".join(seats), "strong")))

    def _status(self) -> list[Line]:
        held = self._held_seat()
        if held is not None and self.state.held is not None:
            flags = words.flags(self.state.turn(self.state.held).flags) or "it looks odd"
            page = Page(self.size.width - 2)
            again = "asked again and held again" if self.state.turn(self.state.held).retries else "held"
            what = prose(f"{again}, not delivered yet: {flags}", page, "flag", lead=Span("‖  ", "flag"))
            return [*what, Line((Span("r retry · d deliver anyway", "strong"),))]
        asked = self._asked_seat()
        if asked is None:
            return [Line((Span(status_words(self.state)),))]
        name = words.language_name(self.state.scenario.language_of(asked))
        return [Line((Span("your turn: ", "dim"), Span(f"{asked} writes {name}", side_kind(asked))))]

    def _show_draft(self) -> None:
        """Above the line, what is written as it will stand, where it has several lines."""
        text, code = self.query_one(LineInput).value, self._writes()
        page = self.cards.page(self.size.width - 2)
        lines: list[Line] = []
        if "\n" in text:
            lines = prose(text, page, "dim", code=code, lead=Span("…  ", "dim"))[-_DRAFT:]
        self.query_one("#draft", Bar).show(lines)

    def _writes(self) -> str:
        """The language of what is on the line: of the seat that is asked, else of the first one held."""
        asked = self._asked_seat()
        writer = next(iter(self.session.seats)) if asked is None else asked
        return self.state.scenario.language_of(writer)

    def _switch_line(self) -> None:
        line = self.query_one(LineInput)
        deciding = self._held_seat() is not None
        if deciding and not self._deciding:
            self._draft, line.value = line.value, ""
        elif self._deciding and not deciding:
            line.write(self._draft)
            self._draft = ""
        self._deciding = deciding
        line.many_lines = not deciding
        line.draw(visual=self.cards.bidi, right_to_left=language(self._writes()).right_to_left)
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
        """Show the draft; while a translation is held, a letter decides."""
        with self.guarded():
            self._show_draft()
            self._leaving = False
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
        if self._deciding or self.state.ended is not None:
            return
        if seat is None:
            if line.value.strip():
                self._tell("It is not your turn yet: the line stays until it is")
            return
        if not line.value.strip():
            self._leave(seat) if end else None
            return
        text, line.value = line.value, ""
        self._past.add(text)
        self.state.asked = None
        self.session.seats[seat].say(text, end=end)

    def _leave(self, seat: Speaker) -> None:
        """End without a word, if that is what is meant."""
        if self._leaving:
            self.state.asked = None
            self.session.seats[seat].leave()
        else:
            self._leaving = True
            self._tell("Nothing is written: F4 once more ends the conversation without a word")

    def _tell(self, what: str) -> None:
        self.notify(what, markup=False, timeout=4)

    @property
    def _hidden(self) -> list[Speaker]:
        """The seats that see one side only."""
        return [seat for seat in self.session.seats if other(seat) not in self.session.seats]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer no look at the other side where nothing is hidden, and no last words after the end."""
        if action == "peek":
            return bool(self._hidden)
        return action != "end" or self.state.ended is None

    def action_peek(self) -> None:
        """Show the other side from here on, or hide it again; each look is recorded."""
        hidden = self._hidden
        if not isinstance(self.cards, SeatCards):
            return
        if self.state.ended is not None and not self.cards.revealed:
            self._tell("It is over: a look could not be recorded any more")
            return
        with self.guarded():
            if not self.cards.revealed:
                for seat in hidden:
                    self.session.seats[seat].peek()
            self.cards.revealed = not self.cards.revealed
            self.transcript.reset()

    def action_recall(self, step: int) -> None:
        """An earlier line from this keyboard, or a later one, at last what was being written."""
        line = self.query_one(LineInput)
        if not self._deciding:
            line.write(self._past.recall(step, line.value))

    def action_scroll(self, step: int) -> None:
        """Scroll the transcript; the cursor stays on the line."""
        self.transcript.action_page_up() if step < 0 else self.transcript.action_page_down()

    def action_help(self) -> None:
        """The keys."""
        self.app.push_screen(HelpScreen([row for row in KEYS if row[0] != "f2" or self._hidden]))
