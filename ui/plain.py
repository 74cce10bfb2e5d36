"""The plain face: a conversation as lines, for pipes and screen readers.

Each event is a line or a short block, in reading order; the cursor never moves back, and colour is
only ever beside words. It must import no screen library.
"""

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping
from typing import Any, TextIO

from sim.core import events as ev
from sim.core.events import event_document
from sim.core.studio import Session
from sim.core.text import dumps, visible
from sim.core.values import LAYERS, Basis, Criterion, Verdict
from ui import words
from ui.state import ConversationState
from ui.turn import tally

_SGR = {"strong": "1", "dim": "2", "bad": "31", "note": "33"}


class Printer:
    """Writes lines; once the reader is gone it stays silent and says so to `on_closed`."""

    def __init__(
        self, out: TextIO, environ: Mapping[str, str], on_closed: Callable[[], None] = lambda: None
    ) -> None:
        self._out = out
        self._on_closed = on_closed
        self._open = True
        self.terminal = out.isatty()
        self._colour = self.terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"

    def line(self, text: str = "", kind: str = "") -> None:
        """Write one line."""
        self.write(f"{self.styled(text, kind)}\n")

    def styled(self, text: str, kind: str) -> str:
        """`text` in the colour of `kind`, where there are colours."""
        return f"\x1b[{_SGR[kind]}m{text}\x1b[0m" if kind and text and self._colour else text

    def text(self, label: str, text: str, kind: str = "") -> None:
        """Write free text after a label; further lines of it are indented."""
        first, *more = visible(text, keep_newlines=True).split("\n")
        self.line(f"  {label}: {first}", kind)
        for line in more:
            self.line(f"    {line}", kind)

    def write(self, text: str) -> None:
        """Write as it is, and flush. What the encoding cannot write is shown as an escape."""
        if not self._open:
            return
        try:
            try:
                self._out.write(text)
            except UnicodeEncodeError as error:
                self._out.write(text.encode(error.encoding, "backslashreplace").decode(error.encoding))
            self._out.flush()
        except (BrokenPipeError, ValueError):
            self._close()

    def _close(self) -> None:
        self._open = False
        # what is still buffered goes nowhere, so that the interpreter's last flush cannot complain
        with contextlib.suppress(OSError, ValueError):
            descriptor = os.open(os.devnull, os.O_WRONLY)
            os.dup2(descriptor, self._out.fileno())
            os.close(descriptor)
        self._on_closed()


def printer_for(session: Session, out: TextIO) -> Printer:
    """A printer that stops the conversation, and leaves its seats, when nobody reads any more."""

    def stop() -> None:
        session.control.stop()
        for seat in session.seats.values():
            seat.leave()

    return Printer(out, os.environ, stop)


async def follow(session: Session, show: Callable[[ev.Event], None]) -> dict[str, Any]:
    """Hold the conversation and show every lossless event; the document of `session.run()`.

    Raises what `session.run()` raises, after the events before it were shown.
    """
    events = session.bus.subscribe()
    holding = asyncio.create_task(session.run(), name="conversation")
    holding.add_done_callback(lambda _: events.put(None))
    try:
        async for event in events:
            show(event)
        return await holding
    finally:
        if not holding.done():
            holding.cancel()
            await asyncio.gather(holding, return_exceptions=True)


async def json_face(session: Session, out: TextIO) -> dict[str, Any]:
    """Hold the conversation and print its document as one line of JSON."""
    document = await session.run()
    printer_for(session, out).line(dumps(document))
    return document


async def events_face(session: Session, out: TextIO) -> dict[str, Any]:
    """Hold the conversation and print each lossless event as a line of JSON."""
    printer = printer_for(session, out)
    return await follow(session, lambda event: printer.line(dumps(event_document(event))))


async def watch_plain(session: Session, out: TextIO) -> dict[str, Any]:
    """Hold the conversation and print it as it happens, then scores and signature."""
    face = WatchFace(session, printer_for(session, out))
    face.opening()
    document = await follow(session, face.show)
    face.closing(document)
    return document


class WatchFace:
    """What somebody who watches reads: both sides, and every verdict."""

    def __init__(self, session: Session, printer: Printer) -> None:
        self._session = session
        self._printer = printer
        self.state = ConversationState(session.scenario)

    def opening(self) -> None:
        """Print what is known before anything happens."""
        scenario, line = self._session.scenario, self._printer.line
        line(f"Scenario {visible(scenario.id)}", "strong")
        for speaker, code in zip("AB", scenario.pair, strict=True):
            who = words.side(speaker, scenario.relation.A if speaker == "A" else scenario.relation.B)
            line(f"{who} speaks {words.language_name(code)}")
        for label in self._session.labels:
            line(f"Label: {visible(label)}", "note")
        for notice in self._session.notices:
            line(f"Notice: {visible(notice)}", "note")

    def show(self, event: ev.Event) -> None:
        """Print one event, if it is worth a line."""
        self.state.take(event)
        shown = _SHOWN.get(type(event))
        if shown is not None:
            shown(self, event)

    def closing(self, document: Mapping[str, Any]) -> None:
        """Print conversation-level verdicts, scores and signature."""
        line = self._printer.line
        if self.state.ended is None:
            line(f"Not ended: {words.UNFINISHED}", "note")
        ledger = self.state.ledger
        if ledger.calls:
            line(f"Models: {words.calls(ledger.calls, ledger.cost, ledger.unpriced)}")
        if document.get("scores"):
            line()
            line("Scores", "strong")
            for row in words.score_table(document, self.state.counted()):
                line(f"  {row}")
        if signature := document.get("signature"):
            line(f"Signature: {words.signature(signature)}", "dim")

    # ---- one method an event

    def started(self, event: ev.ConversationStarted) -> None:
        """The setting."""
        self._printer.line(f"Mode {words.setting(event)}")

    def spoken(self, event: ev.UtteranceSpoken) -> None:
        """A new turn, with the source."""
        turn = self.state.turn(event.turn or 0)
        who = words.side(event.speaker, self.state.role(event.speaker))
        way = words.direction(turn.source_language, turn.target_language)
        self._printer.line()
        self._printer.line(f"Turn {turn.index}, {who}, {way}", "strong")
        self._printer.text("said", event.text)
        if event.end:
            self._printer.line("  these are the last words")

    def interpreted(self, event: ev.UtteranceInterpreted) -> None:
        """The translation."""
        if event.text is not None:
            self._printer.text("translated", event.text)

    def checked(self, event: ev.LanguageChecked) -> None:
        """The language, in words; of an utterance only where it is odd."""
        odd = event.check.result in ("wrong", "low")
        if event.subject == "translation" or odd:
            said = words.check(event.check, event.expected)
            self._printer.line(f"  language of the {event.subject}: {said}", "note" if odd else "dim")

    def meant(self, event: ev.MeaningChecked) -> None:
        """What the meaning gate has against a translation."""
        if said := words.meaning(event.check):
            self._printer.line(f"  meaning: {said}", "note")

    def held(self, event: ev.UtteranceHeld) -> None:
        """A translation that waits."""
        self._printer.line(f"  held: {words.flags(event.flags)}", "note")

    def decided(self, event: ev.HoldDecided) -> None:
        """What the speaker decided."""
        self._printer.line(f"  decided: {event.decision}")

    def delivered(self, event: ev.UtteranceDelivered) -> None:
        """Flags of what was delivered."""
        if event.flags:
            self._printer.line(f"  delivered, flagged: {words.flags(event.flags)}", "note")

    def turn_judged(self, event: ev.TurnJudged) -> None:
        """The verdicts of a turn by layer; where one was not met, also how it should have arrived."""
        turn = self.state.turn(event.turn or 0)
        what = f"{words.SURFACE}s (provisional)" if turn.provisional else "judged"
        self.verdicts(f"Turn {turn.index} {what}", turn.criteria, turn.verdicts)
        if any(verdict.met is False for verdict in turn.verdicts.values()):
            for label, text in words.should_have(turn.intent, turn.reference, turn.gloss):
                self._printer.text(label, text, "dim")

    def whole_judged(self, _: ev.ConversationJudged) -> None:
        """The conversation-level verdicts."""
        self._printer.line()
        self.verdicts("Conversation judged", self.state.criteria, self.state.verdicts)

    def verdicts(self, title: str, criteria: tuple[Criterion, ...], verdicts: Mapping[str, Verdict]) -> None:
        """Counts by layer, then what was not met, not judged or not said, with reasons."""
        self._printer.line(f"{title}: {layer_counts(criteria, verdicts)}", "strong")
        for criterion in criteria:
            verdict = verdicts.get(criterion.id)
            # what the judge has no check for is many, and counted above
            if verdict is None or (verdict.met is not True and verdict.basis is not Basis.NOT_CLAIMED):
                self._unmet(criterion, verdict)

    def _unmet(self, criterion: Criterion, verdict: Verdict | None) -> None:
        missed = verdict is not None and verdict.met is False
        said = f"  {words.verdict(verdict)}, {criterion.layer}: {visible(criterion.ask)}"
        self._printer.line(said, "bad" if missed else "note")
        if verdict is not None and verdict.reason:
            judge = f" [{visible(verdict.judge)}]" if verdict.judge else ""
            self._printer.line(f"    reason: {visible(verdict.reason)}{judge}")

    def fault(self, event: ev.FaultRaised) -> None:
        """What failed, in plain words."""
        where = "" if event.turn is None else f" in turn {event.turn}"
        self._printer.line(f"  Fault{where}: {words.fault(event)}", "bad")

    def waiting(self, event: ev.Waiting) -> None:
        """What is waited for."""
        self._printer.line(f"  {words.waiting(event)}", "dim")

    def act(self, event: ev.Event) -> None:
        """What somebody did."""
        match event:
            case ev.Paused():
                self._printer.line("  paused")
            case ev.Resumed():
                self._printer.line("  going on")
            case ev.PeekUsed(seat=seat):
                self._printer.line(f"  seat {seat} looked at the other side; recorded")
            case ev.SeatEnded(seat=seat):
                self._printer.line(f"  seat {seat} was left")

    def ended(self, event: ev.ConversationEnded) -> None:
        """Why it ended."""
        self._printer.line()
        self._printer.line(f"Ended: {words.end(event.reason)}", "strong")


def layer_counts(criteria: tuple[Criterion, ...], verdicts: Mapping[str, Verdict]) -> str:
    """`L1 2/2 · L2 1/2 (1 unjudged) · L3 3/4`: met of all claimed, layers without criteria left out."""
    counts = {layer: tally(criteria, dict(verdicts), layer) for layer in LAYERS}
    parts = []
    for layer, count in counts.items():
        if count.criteria or count.not_said:
            parts.append(f"{layer} {count.met}/{count.claimed}" + (f" ({count.apart})" * bool(count.apart)))
    return " · ".join(parts) or "no criteria"


_SHOWN: Mapping[type[ev.Event], Callable[[WatchFace, Any], None]] = {
    ev.ConversationStarted: WatchFace.started,
    ev.UtteranceSpoken: WatchFace.spoken,
    ev.UtteranceInterpreted: WatchFace.interpreted,
    ev.LanguageChecked: WatchFace.checked,
    ev.MeaningChecked: WatchFace.meant,
    ev.UtteranceHeld: WatchFace.held,
    ev.HoldDecided: WatchFace.decided,
    ev.UtteranceDelivered: WatchFace.delivered,
    ev.TurnJudged: WatchFace.turn_judged,
    ev.ConversationJudged: WatchFace.whole_judged,
    ev.Waiting: WatchFace.waiting,
    ev.FaultRaised: WatchFace.fault,
    ev.Paused: WatchFace.act,
    ev.Resumed: WatchFace.act,
    ev.PeekUsed: WatchFace.act,
    ev.SeatEnded: WatchFace.act,
    ev.ConversationEnded: WatchFace.ended,
}
"""How each event is told; the others are told by a later one or are no news to a reader."""
