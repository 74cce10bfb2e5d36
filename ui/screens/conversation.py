"""What the live and the chat screen share: cards from the state, header, status, guarded drawing."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from textual.screen import Screen

from sim.core import events as ev
from sim.core.studio import Session
from ui import mishaps
from ui.bridge import CaughtUp, Finished, Happened
from ui.render import Line, Page, closing_lines, opening_lines, turn_lines
from ui.settings import Settings
from ui.state import ConversationState
from ui.steady import Steady
from ui.turn import TurnState
from ui.wanted import ALL
from ui.widgets.transcript import Transcript


class TurnCards:
    """The cards of a conversation: the opening, each turn as it comes, and once it is over the end."""

    def __init__(self, session: Session, state: ConversationState, *, bidi: bool) -> None:
        self.session = session
        self.state = state
        self.bidi = bidi
        self.wanted = ALL
        self.document: Mapping[str, Any] | None = None
        self._order: list[int] = []
        self._position: dict[int, int] = {}

    def __len__(self) -> int:
        return 1 + len(self._order) + (self.state.ended is not None)

    def note_all(self) -> None:
        """Take up every wanted turn the state holds, in the order they began."""
        turns = self.state.turns
        keep = self.wanted.turn
        self._order = (
            list(turns) if self.wanted.everything else [n for n, turn in turns.items() if keep(turn)]
        )
        self._position = {index: position for position, index in enumerate(self._order, 1)}

    def note(self, events: Sequence[ev.Event]) -> set[int] | None:
        """Take up turns that are new; the positions of all cards these events change.

        None where a turn came in between others: every position may be another.
        """
        indexes = dict.fromkeys(event.turn for event in events if event.turn is not None)
        for index in indexes:
            if index not in self._position and self.wanted.turn(self.state.turns[index]):
                if self._order and index < self._order[-1]:
                    self.note_all()
                    return None
                self._order.append(index)
                self._position[index] = len(self._order)
        changed = {self._position[index] for index in indexes if index in self._position}
        changed |= {0} if any(isinstance(event, ev.ConversationStarted) for event in events) else set()
        return changed | ({len(self) - 2, len(self) - 1} if self.state.ended is not None else set())

    def turn_at(self, position: int) -> TurnState | None:
        """The turn of a card; None for the opening and the end."""
        inside = 1 <= position <= len(self._order)
        return self.state.turns[self._order[position - 1]] if inside else None

    def position_of(self, index: int) -> int | None:
        """Where a turn stands."""
        return self._position.get(index)

    @property
    def turn_positions(self) -> range:
        """The positions of the turns."""
        return range(1, 1 + len(self._order))

    def page(self, width: int) -> Page:
        """How to lay out for a width."""
        return Page(width, self.bidi)

    def lines(self, position: int, width: int) -> list[Line]:
        """The lines of a card."""
        page = self.page(width)
        if position == 0:
            return opening_lines(self.state, self.session.notices, page)
        turn = self.turn_at(position)
        return closing_lines(self.state, self.document, page) if turn is None else self.draw(turn, page)

    def draw(self, turn: TurnState, page: Page) -> list[Line]:
        """One turn, both sides."""
        return turn_lines(turn, page)

    def estimate(self, position: int, width: int) -> int:
        """About how high a card is: a heading, its texts, a blank line."""
        turn = self.turn_at(position)
        if turn is None or not width:
            return 4
        source = turn.source or ""
        arrived = turn.delivered or turn.translation or turn.arriving
        return 4 + len(source) // width + len(arrived) // width


class ConversationScreen(Steady, Screen[None]):
    """A screen over one conversation. It looks on: nothing of the conversation is its own."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012

    def __init__(self, session: Session, state: ConversationState, settings: Settings) -> None:
        super().__init__()
        self.session = session
        self.state = state
        self.settings = settings
        self.cards = self.make_cards()

    def make_cards(self) -> TurnCards:
        """The cards of this screen."""
        return TurnCards(self.session, self.state, bidi=self.settings.bidi.active(os.environ))

    @property
    def transcript(self) -> Transcript:
        """The transcript."""
        return self.query_one(Transcript)

    def on_happened(self, message: Happened) -> None:
        """Draw what is new."""
        with self.guarded():
            changed = self.cards.note(message.batch)
            if changed is None:
                self.rearranged()
            else:
                self.transcript.cards_changed(changed)
            self.after(message.batch)

    def on_caught_up(self, _: CaughtUp) -> None:
        """Draw what was left out at first."""
        with self.guarded():
            self.cards.note_all()
            self.rearranged()
            self.after(())

    def rearranged(self) -> None:
        """Draw everything anew: cards stand at other positions."""
        self.transcript.reset()

    def after(self, batch: tuple[ev.Event, ...]) -> None:
        """Draw what depends on the new state beside the transcript."""

    def on_resize(self) -> None:
        """What depends on the width beside the transcript."""
        with self.guarded():
            self.after(())

    def on_mount(self) -> None:
        """Show what is already known: the screen may have come late."""
        with self.guarded():
            self.cards.note_all()
            self.transcript.cards_changed()
            self.after(())

    def on_finished(self, message: Finished) -> None:
        """Show the scores."""
        with self.guarded():
            self.cards.document = message.document
            if self.state.ended is not None:
                self.transcript.cards_changed({len(self.cards) - 1})

    def action_bidi(self) -> None:
        """Right-to-left lines: as the terminal needs them, always or never reordered. Remembered."""
        self.settings.remember(self.settings.bidi.following(os.environ))
        self.cards.bidi = self.settings.bidi.active(os.environ)
        self.transcript.reset()
        self.after(())
        shown = "visual" if self.cards.bidi else "stored"
        said = f"Right-to-left lines in {shown} order ({self.settings.bidi})"
        self.notify(said, markup=False, timeout=2)

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """What fails in here is shown and logged; the screen and the conversation go on."""
        try:
            yield
        except Exception as error:
            mishaps.tell(self.notify, error)
