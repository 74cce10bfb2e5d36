"""The plain chat: lines in, lines out, over a terminal or a pipe.

It shows what the persons in the seats may see and nothing else: their own words, what was delivered
to them, and faults. The other side appears only by `/peek`, which is recorded.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, TextIO

from sim.core import events as ev
from sim.core.ports import Seat
from sim.core.studio import Session
from sim.core.text import visible
from sim.core.values import Speaker, other
from ui import words
from ui.line_reader import LineReader
from ui.plain import Printer, follow, printer_for
from ui.state import ConversationState
from ui.turn import TurnState, heard_by

HELP = (
    "/end TEXT   say TEXT and end the conversation",
    "/quit       leave without a word (end of input does the same)",
    "/peek       show the other side so far; this is recorded",
    "/help       these lines",
    "//TEXT      say /TEXT",
)


async def chat_plain(session: Session, stdin: TextIO, out: TextIO) -> dict[str, Any]:
    """Hold the conversation with the persons in `session.seats` at `stdin`; its document.

    Text typed ahead is kept for the next turn. Raises what `session.run()` raises.
    """
    face = ChatFace(session, printer_for(session, out))
    face.opening()
    typing = asyncio.create_task(face.listen(LineReader(stdin)), name="typing")
    try:
        document = await follow(session, face.show)
    finally:
        typing.cancel()
        await asyncio.gather(typing, return_exceptions=True)
    face.closing(document)
    return document


class ChatFace:
    """What persons in their seats read and type."""

    def __init__(self, session: Session, printer: Printer) -> None:
        self._session = session
        self._seats: Mapping[Speaker, Seat] = session.seats
        self._printer = printer
        self._state = ConversationState(session.scenario)
        self._called = asyncio.Event()
        """Set while somebody at this keyboard is asked for words or for a decision."""

    def opening(self) -> None:
        """Print notices and labels before the first line."""
        line = self._printer.line
        for notice in self._session.notices:
            line(f"Notice: {visible(notice)}", "note")
        for label in self._session.labels:
            line(f"Label: {visible(label)}", "note")
        for seat in self._seats:
            who = words.side(seat, self._state.role(seat))
            line(f"You are {who} and write {self._language(seat)}.")
        line("/help lists the commands.")

    def closing(self, document: Mapping[str, Any]) -> None:
        """Print the scores: counts only, no word of the other side."""
        if document.get("scores"):
            for row in words.score_table(document, self._state.counted()):
                self._printer.line(f"  {row}")

    def _language(self, speaker: Speaker) -> str:
        return words.language_name(self._session.scenario.language_of(speaker))

    # ---- what happens

    def show(self, event: ev.Event) -> None:
        """Print one event as far as the seats may see it."""
        self._state.take(event)
        match event:
            case ev.TurnRequested() if event.speaker in self._seats:
                self._ask(event.speaker)
            case ev.UtteranceSpoken() if event.speaker in self._seats:
                self._called.clear()
                if not self._printer.terminal:
                    self._printer.line(f"{event.speaker}: {visible(event.text)}")
            case ev.UtteranceHeld() if self._speaks(event.turn):
                self._held(event)
            case ev.UtteranceDelivered():
                self._delivered(event)
            case ev.FaultRaised():
                self._printer.line(f"  {words.fault(event)}", "bad")
            case ev.Waiting():
                self._printer.line(f"  {words.waiting(event)}", "dim")
            case ev.PeekUsed():
                self._printer.line(f"  seat {event.seat} looked at the other side; recorded", "note")
            case ev.SeatEnded():
                self._printer.line(f"  seat {event.seat} was left")
            case ev.ConversationEnded():
                self._printer.line(f"Ended: {words.end(event.reason)}", "strong")

    def _speaks(self, index: int | None) -> bool:
        return index is not None and self._state.turn(index).speaker in self._seats

    def _held(self, event: ev.UtteranceHeld) -> None:
        self._arrival(self._state.turn(event.turn or 0))
        self._printer.line(f"  held: {words.flags(event.flags)}", "note")
        self._printer.line("  r to retry, d to deliver anyway:")
        self._called.set()

    def _delivered(self, event: ev.UtteranceDelivered) -> None:
        turn = self._state.turn(event.turn or 0)
        source, arrived = heard_by(self._seats, turn)
        self._arrival(turn)
        if event.flags and (source or arrived):
            self._printer.line(f"  flagged: {words.flags(event.flags)}", "note")

    def _arrival(self, turn: TurnState) -> None:
        _, arrived = heard_by(self._seats, turn)
        if arrived is not None:
            who = words.side(turn.speaker, self._state.role(turn.speaker))
            self._printer.text(f"{who} in {words.language_name(turn.target_language)}", arrived)

    def _ask(self, speaker: Speaker) -> None:
        prompt = f"{speaker} ({self._language(speaker)}): "
        if self._printer.terminal:
            self._printer.write(self._printer.styled(prompt, "strong"))
        else:
            self._printer.line(f"Your turn, {prompt.rstrip(': ')}")
        self._called.set()

    # ---- what is typed

    async def listen(self, lines: LineReader) -> None:
        """Take typed lines in order until they end, then leave."""
        async for line in lines:
            word, _, rest = line.strip().partition(" ")
            match word:
                case "/quit":
                    break
                case "/help":
                    self._help()
                case "/peek":
                    self._peek()
                case "/end":
                    await self._answer(rest.strip(), end=True)
                case _ if word.startswith("/") and not word.startswith("//"):
                    self._printer.line(f"  no command {visible(word)}; nothing was said", "note")
                    self._help()
                case _:
                    await self._answer(line.strip().removeprefix("/") if word.startswith("//") else line)
        for seat in self._seats.values():
            seat.leave()

    async def _answer(self, text: str, *, end: bool = False) -> None:
        """Give a line to whoever is asked, once somebody is: as a decision or as words."""
        if not text.strip():
            self._printer.line("  an empty line says nothing; write some words, or /quit")
            self._ask_again()
            return
        await self._called.wait()
        if self._state.held is not None:
            self._decide(self._state.turn(self._state.held).speaker, text)
        elif self._state.asked is not None:
            self._called.clear()
            seat = self._seats[self._state.asked.speaker]
            self._state.asked = None  # answered, whenever its event comes
            seat.say(text, end=end)

    def _decide(self, speaker: Speaker, text: str) -> None:
        match text.strip().casefold():
            case "r" | "retry":
                self._called.clear()
                self._seats[speaker].decide("retry")
            case "d" | "deliver":
                self._called.clear()
                self._seats[speaker].decide("deliver")
            case _:
                self._printer.line("  r to retry, d to deliver anyway; your line was not said:")

    def _help(self) -> None:
        for line in HELP:
            self._printer.line(f"  {line}")
        self._ask_again()

    def _peek(self) -> None:
        hidden = [seat for seat in self._seats if other(seat) not in self._seats]
        if not hidden:
            self._printer.line("  both seats are yours: nothing is hidden")
        for seat in hidden if self._state.ended is None else ():
            self._seats[seat].peek()
            for _, turn in sorted(self._state.turns.items()):
                self._reveal(turn)
        self._ask_again()

    def _reveal(self, turn: TurnState) -> None:
        if turn.source is None:
            return
        if turn.speaker in self._seats:
            if turn.delivered is not None:
                self._printer.text(f"turn {turn.index}, your words as they arrived", turn.delivered)
        else:
            self._printer.text(f"turn {turn.index}, what {turn.speaker} said", turn.source)

    def _ask_again(self) -> None:
        if self._state.asked is not None and self._state.asked.speaker in self._seats:
            self._ask(self._state.asked.speaker)
