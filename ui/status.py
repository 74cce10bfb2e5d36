"""What stands above and below a transcript: the header with running rates, and the status.

Everything in the header fits the width it is made for: what has no room goes to a line below, and only
long names are shortened.
"""

from collections.abc import Callable, Iterator, Sequence

from sim.core.text import visible
from ui import words
from ui.render import Line, Span
from ui.state import ConversationState
from ui.text import graphemes, room
from ui.wanted import ALL, Wanted

_BARS = "▁▂▃▄▅▆▇█"
_WIDE = 100
"""Columns from which the header has room for everything."""
_NARROW = 60
"""Columns under which interpreter and judge have a line each."""
_GAP = Span("   ")

Piece = tuple[Span, ...]
"""Spans that stay together."""


def header_lines(state: ConversationState, width: int, wanted: Wanted = ALL) -> list[Line]:
    """What is held by whom, and how it stands by layer, with a small trend over the last turns."""
    return [*_packed(_what(state, width), width), *_packed(_rates(state, width, wanted), width)]


def _what(state: ConversationState, width: int) -> Iterator[Piece]:
    scenario, started = state.scenario, state.started
    first, second = (words.language_name(code) for code in scenario.pair)
    yield (Span(visible(scenario.id), "strong"),)
    if started is None:
        yield (Span(f"{first} ⇄ {second}", "dim"),)
        return
    yield (Span(f"{first} ⇄ {second}, {started.mode}", "dim"),)
    judge = f"judge {visible(started.judge)}"
    system = f"interpreter {words.system(started.system)}"
    left = width - len(_GAP.text)
    if width < _NARROW:
        judge, system = shortened(judge, width), shortened(system, width)
    elif room(judge) + room(system) > left:
        judge = shortened(judge, max(left // 2, left - room(system)))
        system = shortened(system, left - room(judge))
    yield (Span(system, "dim"),)
    yield (Span(judge, "dim"),)


def shortened(text: str, width: int) -> str:
    """`text` on at most `width` cells, its middle left out where it is longer: both ends of a name tell."""
    if room(text) <= width:
        return text
    clusters = graphemes(text)
    head, tail = clusters[: len(clusters) // 2], clusters[len(clusters) // 2 :]
    while (head or tail) and room("".join([*head, "…", *tail])) > width:
        if len(head) > len(tail):
            head.pop()
        else:
            tail.pop(0)
    return "".join([*head, "…", *tail])


def _rates(state: ConversationState, width: int, wanted: Wanted) -> Iterator[Piece]:
    if state.counting:
        yield (Span("counting …", "dim"),)
        return
    for layer, counts in state.rates.items():
        share = f"{counts.met / counts.judged:.0%}" if counts.judged else "–"
        trend = _trend(state.recent(layer, 8 if width >= _WIDE else 4))
        yield (
            Span(f"{layer} ", "strong"),
            Span(f"{share} ({counts.met}/{counts.judged})"),
            Span(trend, "dim"),
        )
    yield (Span(f"turns {state.delivered}", "dim"),)
    if state.provisional:
        yield (Span(f"{words.SURFACE}s", "flag"),)
    if not wanted.everything:
        yield (Span(f"{wanted.said()} (esc: all)", "flag"),)


def _trend(shares: Sequence[float]) -> str:
    """A bar a turn, from none met to all met; empty before there is anything to compare."""
    bars = (_BARS[round(share * (len(_BARS) - 1))] for share in shares)
    return f" {''.join(bars)}" if len(shares) > 1 else ""


def _packed(pieces: Iterator[Piece], width: int) -> Iterator[Line]:
    """The pieces side by side, on as many lines as they need."""
    line: Piece = ()
    used = 0
    for piece in pieces:
        size = sum(room(span.text) for span in piece)
        if line and used + len(_GAP.text) + size > width:
            yield Line(line)
            line, used = (), 0
        if line:
            line, used = (*line, _GAP), used + len(_GAP.text)
        line, used = (*line, *piece), used + size
    yield Line(line)


# ---- status


StatusRule = Callable[[ConversationState], str | None]


def _ended(state: ConversationState) -> str | None:
    return f"ended: {words.end(state.ended)}" if state.ended else None


def _waiting(state: ConversationState) -> str | None:
    return words.waiting(state.waiting) if state.waiting else None


def _held(state: ConversationState) -> str | None:
    return None if state.held is None else "held: a flagged translation waits for its speaker's decision"


def _asked(state: ConversationState) -> str | None:
    if state.asked is None:
        return None
    paused = "paused; " if state.paused else ""
    return f"{paused}{state.asked.speaker} is speaking (turn {state.asked.turn})"


def _interpreting(state: ConversationState) -> str | None:
    turn = state.latest
    if turn is None or turn.source is None or not turn.carried or turn.delivered is not None or turn.faults:
        return None
    if turn.retries:
        return f"asked again: the interpreter translates turn {turn.index} once more"
    return f"interpreting turn {turn.index}"


def _paused(state: ConversationState) -> str | None:
    return "paused: p goes on, space holds one turn" if state.paused else None


def _judging(state: ConversationState) -> str | None:
    first = next(iter(state.judging), None)
    return None if first is None else f"judging turn {first}"


STATUS: tuple[StatusRule, ...] = (_ended, _waiting, _held, _asked, _interpreting, _paused, _judging)
"""What is waited for, the most telling first."""


def status_words(state: ConversationState) -> str:
    """What is waited for, in words."""
    found = (rule(state) for rule in STATUS)
    nothing = "starting" if state.started is None else "going on"
    return next((said for said in found if said), nothing)


def status_lines(
    state: ConversationState,
    labels: Sequence[str],
    seconds: float,
    lead: Sequence[Span] = (),
    said: str | None = None,
) -> list[Line]:
    """Labels that stay, on a line of their own; then `lead`, the clock, what is waited for, calls and cost.

    `said` stands in the place of what is waited for.
    """
    clock = Span(f"{int(seconds) // 60}:{int(seconds) % 60:02}  ", "dim")
    spans = [*lead, clock, Span(said or status_words(state))]
    ledger = state.ledger
    if ledger.calls:
        spent = words.calls(ledger.calls, ledger.cost, ledger.unpriced)
        at_least = "≥ " if ledger.untold else ""
        tokens = f", {at_least}{ledger.tokens:,} tokens" if ledger.tokens or not ledger.untold else ""
        spans.append(Span(f"   {spent}{tokens}", "dim"))
    return [*label_lines(labels), Line(tuple(spans))]


def label_lines(labels: Sequence[str]) -> list[Line]:
    """One line with all labels, none where there are none."""
    said = " · ".join(visible(label) for label in labels)
    return [Line((Span(f"! {said}", "flag"),))] if said else []
