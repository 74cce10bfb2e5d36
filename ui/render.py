"""What is drawn of a conversation: turns and checklists as lines of spans.

A span is plain text with the name of a kind; colours are the theme's, cells the widgets'. Nothing
here parses markup, and marks and counts always stand before free text, so that no wide or combining
character can displace them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sim.core.languages import language
from sim.core.text import visible
from sim.core.values import LAYERS, Criterion, LayerName, Speaker, Verdict
from ui import words
from ui.state import ConversationState
from ui.text import reorder, wrap
from ui.turn import Tally, TurnState, heard_by, tally
from ui.wanted import ALL, Wanted

Kind = Literal["text", "dim", "strong", "side-a", "side-b", "met", "not-met", "unjudged", "flag", "fault"]
KINDS: tuple[Kind, ...] = (
    "text", "dim", "strong", "side-a", "side-b", "met", "not-met", "unjudged", "flag", "fault",
)  # fmt: skip

_TITLES: Mapping[LayerName, str] = {"L1": "L1 semantic", "L2": "L2 pragmatic", "L3": "L3 cultural-social"}
_INDENT = "   "
_NEUTRAL: tuple[str, Kind] = ("•", "dim")
"""A surface check that found nothing wrong: no word on whether the meaning arrived."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a line, ready to be drawn."""

    text: str
    kind: Kind = "text"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of cells."""

    spans: tuple[Span, ...] = ()
    right: bool = False
    """Whether it stands at the right edge."""

    @property
    def text(self) -> str:
        """All of it as one string."""
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True)
class Page:
    """How lines are laid out."""

    width: int
    """Cells a line may take."""
    bidi: bool = True
    """Whether lines are put into visual order."""


def prose(
    text: str, page: Page, kind: Kind = "text", *, code: str | None = None, lead: Span | None = None
) -> list[Line]:
    """Free text wrapped under `lead`; in the language `code`, right-aligned where that runs so."""
    mark = lead or Span(_INDENT)
    hang = Span(" " * len(mark.text))
    right_to_left = code is not None and language(code).right_to_left
    safe = visible(text, keep_newlines=True)
    lines = []
    margins = len(mark.text) + (len(_INDENT) if right_to_left else 0)
    for number, part in enumerate(wrap(safe, page.width - margins)):
        shown = reorder(part, right_to_left=right_to_left) if page.bidi else part
        edge, body = (mark if number == 0 else hang), Span(shown, kind)
        lines.append(Line((body, _mirrored(edge)), right=True) if right_to_left else Line((edge, body)))
    return lines


def _mirrored(span: Span) -> Span:
    return Span(span.text[::-1].translate(str.maketrans("→←", "←→")), span.kind)


# ---- one turn


def side_kind(speaker: Speaker) -> Kind:
    """The kind a speaker is drawn in."""
    return "side-a" if speaker == "A" else "side-b"


def turn_lines(turn: TurnState, page: Page) -> list[Line]:
    """A turn with both sides, flags, faults and the counts of its layers."""
    lines = [*_heading(turn, page), *_source(turn, page)]
    lines += _translation(turn, page) + _remarks(turn, page)
    return [*lines, Line()]


def _heading(turn: TurnState, page: Page) -> list[Line]:
    way = words.direction(turn.source_language, turn.target_language)
    title = (Span(f"{turn.index:<3}"), Span(f"{turn.speaker}  ", side_kind(turn.speaker)), Span(way, "dim"))
    chips = tuple(_chips(turn))
    if not chips:
        return [Line(title)]
    length = sum(len(span.text) for span in (*title, *chips))
    if length + 3 > page.width:
        return [Line(title), Line((Span(_INDENT), *chips))]
    return [Line((*title, Span("   "), *chips))]


def _chips(turn: TurnState) -> Iterable[Span]:
    for layer in LAYERS:
        counts = turn.tally(layer)
        if not counts.criteria:
            continue
        done = all(c.id in turn.verdicts for c in turn.criteria if c.layer == layer)
        mark, kind = _sum_mark(counts, done, provisional=turn.provisional)
        met = str(counts.met) if done and counts.claimed else "–"
        yield Span(f"{mark} {layer} {met}/{counts.claimed or counts.criteria}  ", kind)
    if turn.provisional and turn.criteria:
        yield Span(f"{words.SURFACE}s", "dim")


def _sum_mark(counts: Tally, done: bool, *, provisional: bool) -> tuple[str, Kind]:
    if not done or not counts.claimed:
        return "·", "dim"
    if counts.met < counts.judged:
        return "✗", "not-met"
    if counts.judged < counts.claimed:
        return "?", "unjudged"
    return _NEUTRAL if provisional else ("✓", "met")


def _source(turn: TurnState, page: Page) -> list[Line]:
    if turn.source is None:
        return [] if turn.over or turn.verdicts else [Line((Span(_INDENT), Span("… speaking", "dim")))]
    return prose(turn.source, page, code=turn.source_language)


def _translation(turn: TurnState, page: Page) -> list[Line]:
    arrow = Span("→  ", side_kind(turn.speaker))
    text = turn.delivered if turn.delivered is not None else turn.translation
    if text is not None:
        return prose(text, page, "strong", code=turn.target_language, lead=arrow)
    if turn.arriving:
        return prose(f"{turn.arriving} …", page, "strong", code=turn.target_language, lead=arrow)
    if turn.source is None or turn.faults or turn.over or not turn.carried:
        return []
    return [Line((arrow, Span("… interpreting", "dim")))]


def _remarks(turn: TurnState, page: Page) -> list[Line]:
    lines = []
    if turn.held:
        lines += prose("held until the speaker decides", page, "flag", lead=Span("‖  ", "flag"))
    if turn.flags:
        lines += prose(f"flagged: {words.flags(turn.flags)}", page, "flag", lead=Span("!  ", "flag"))
    for check, expected, what in (
        (turn.utterance_check, turn.source_language, "utterance"),
        (turn.translation_check, turn.target_language, "translation"),
    ):
        if check is not None and check.result in ("wrong", "low"):
            said = f"{what}: {words.check(check, expected)}"
            lines += prose(said, page, "flag", lead=Span("!  ", "flag"))
    if meaning := words.meaning(turn.meaning):
        lines += prose(f"meaning: {meaning}", page, "flag", lead=Span("!  ", "flag"))
    for fault in turn.faults:
        lines += prose(words.fault(fault), page, "fault", lead=Span("✗  ", "fault"))
    return lines


def seat_lines(state: ConversationState, seats: Sequence[Speaker], turn: TurnState, page: Page) -> list[Line]:
    """A turn as persons in `seats` may see it; empty where nothing has reached them and nothing failed."""
    source, arrived = heard_by(seats, turn)
    if source is None and arrived is None and not turn.faults:
        return []
    lines = [_name(state, turn.speaker)]
    if source is not None:
        lines += prose(source, page, code=turn.source_language)
    if arrived is not None:
        arrow = Span("→  ", side_kind(turn.speaker))
        lines += prose(arrived, page, "strong", code=turn.target_language, lead=arrow)
    if turn.flags:
        lines += prose(f"flagged: {words.flags(turn.flags)}", page, "flag", lead=Span("!  ", "flag"))
    for fault in turn.faults:
        lines += prose(words.fault(fault), page, "fault", lead=Span("✗  ", "fault"))
    return [*lines, Line()]


def _name(state: ConversationState, speaker: Speaker) -> Line:
    return Line((Span(words.side(speaker, state.role(speaker)), side_kind(speaker)),))


# ---- around the turns


def opening_lines(state: ConversationState, notices: Sequence[str], page: Page) -> list[Line]:
    """What stands above the first turn: what a person is told, who they are, the situation."""
    scenario, started = state.scenario, state.started
    lines = [line for n in notices for line in prose(n, page, "flag", lead=Span("!  ", "flag"))]
    for speaker, code, role in (
        ("A", scenario.pair[0], scenario.relation.A),
        ("B", scenario.pair[1], scenario.relation.B),
    ):
        said = f"{role + ', ' if role else ''}speaks {words.language_name(code)}"
        lines += prose(said, page, lead=Span(f"{speaker}  ", "side-a" if speaker == "A" else "side-b"))
    lines += prose(scenario.conversation_context, page, "dim") if scenario.conversation_context else []
    if started is not None:
        lines += prose(words.setting(started), page, "dim")
    return [*lines, Line()]


def closing_lines(state: ConversationState, document: Mapping[str, Any] | None, page: Page) -> list[Line]:
    """What stands below the last turn: faults of the whole, why it ended, scores."""
    lines = []
    for fault in state.faults:
        lines += prose(words.fault(fault), page, "fault", lead=Span("✗  ", "fault"))
    if state.ended is None:
        return lines
    lines += prose(f"Ended: {words.end(state.ended)}.", page, "strong", lead=Span("■  ", "strong"))
    if state.criteria:
        whole = tally(state.criteria, state.verdicts, None)
        lines += prose(
            f"Conversation criteria met: {whole.met}/{whole.claimed}{f' ({whole.apart})' if whole.apart else ''}",
            page,
        )
    if document and document.get("scores"):
        rows = words.score_table(document, state.counted())
        lines += [line for row in rows for line in prose(row, page)]
    if document and document.get("signature"):
        lines += prose(words.signature(document["signature"]), page, "dim")
    return lines


# ---- checklist


def checklist_lines(turn: TurnState, page: Page, wanted: Wanted = ALL) -> list[Line]:
    """The criteria of a turn by layer, each with its verdict in a mark and in words, reason and judge."""
    way = words.direction(turn.source_language, turn.target_language)
    lines = [Line((Span(f"Turn {turn.index} · {turn.speaker} ", side_kind(turn.speaker)), Span(way, "dim")))]
    if turn.translation_check is not None:
        said = f"language: {words.check(turn.translation_check, turn.target_language)}"
        lines += prose(said, page, "dim", lead=Span(""))
    if doubt := words.meaning(turn.meaning):
        lines += prose(f"meaning: {doubt}", page, "flag", lead=Span(""))
    if turn.provisional:
        lines += prose(f"{words.SURFACE.capitalize()}s: provisional, in no score", page, "dim", lead=Span(""))
    return lines + _by_layer(turn.criteria, turn.verdicts, page, wanted)


def whole_lines(state: ConversationState, page: Page) -> list[Line]:
    """The conversation-level criteria, in the same form."""
    return [Line((Span("Conversation", "strong"),)), *_by_layer(state.criteria, state.verdicts, page, ALL)]


def _by_layer(
    criteria: Sequence[Criterion], verdicts: Mapping[str, Verdict], page: Page, asked: Wanted
) -> list[Line]:
    if not criteria:
        return [Line(), *prose("No criteria.", page, "dim", lead=Span(""))]
    judges = {v.judge for v in verdicts.values() if v.judge}
    lines: list[Line] = []
    if len(judges) == 1:
        lines += prose(f"judge: {next(iter(judges))}", page, "dim", lead=Span(""))
    for layer in LAYERS:
        wanted = [c for c in criteria if c.layer == layer]
        if wanted and asked.layer in (None, layer):
            counts = tally(wanted, dict(verdicts), layer)
            apart = f" ({counts.apart})" if counts.apart and len(verdicts) == len(criteria) else ""
            title = f"{_TITLES[layer]}  {counts.met}/{counts.claimed} met{apart}"
            lines += [Line(), Line((Span(title, "strong"),))]
        for criterion in (c for c in wanted if asked.criterion(c, verdicts.get(c.id))):
            lines += _criterion(criterion, verdicts.get(criterion.id), page, name_judge=len(judges) > 1)
    return lines


def _criterion(criterion: Criterion, verdict: Verdict | None, page: Page, *, name_judge: bool) -> list[Line]:
    mark, kind = _mark(verdict)
    said = f"{words.verdict(verdict)}: "
    first, *more = prose(said + criterion.ask, page, lead=Span(f"{mark}  ", kind))
    edge, body = first.spans
    lines = [Line((edge, Span(body.text[: len(said)], kind), Span(body.text[len(said) :]))), *more]
    reason = "" if verdict is None else verdict.reason
    if verdict is not None and name_judge and verdict.judge:
        reason = f"{reason} [{verdict.judge}]".strip()
    return lines + (prose(reason, page, "dim") if reason else [])


def _mark(verdict: Verdict | None) -> tuple[str, Kind]:
    if verdict is None:
        return "·", "dim"
    if verdict.basis.apart:
        return "–", "dim"
    if verdict.met is None:
        return "?", "unjudged"
    if not verdict.met:
        return "✗", "not-met"
    return _NEUTRAL if verdict.provisional else ("✓", "met")
