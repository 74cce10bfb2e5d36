"""What a face knows of one turn, and counts of verdicts and calls; `ui.state` fills them in.

Values for showing, never written anywhere; they must not know how they are drawn.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sim.analysis.scores import outcome
from sim.core import events as ev
from sim.core.values import Criterion, Gloss, LanguageCheck, LayerName, MeaningCheck, Speaker, Verdict, other


@dataclass(frozen=True, slots=True)
class Tally:
    """Verdicts counted."""

    met: int = 0
    judged: int = 0
    criteria: int = 0
    """Without those the source gave no occasion for."""
    not_claimed: int = 0
    not_said: int = 0

    @property
    def claimed(self) -> int:
        """Criteria that the judge has an answer to."""
        return self.criteria - self.not_claimed

    @property
    def apart(self) -> str:
        """What is open or counted apart, in words; empty where nothing is."""
        counts = (
            (self.claimed - self.judged, "unjudged"),
            (self.not_claimed, "not claimed"),
            (self.not_said, "not said"),
        )
        return ", ".join(f"{number} {what}" for number, what in counts if number)


def counted(given: Iterable[Verdict], open_: int = 0) -> Tally:
    """The counts of verdicts, and of `open_` criteria that have none yet."""
    came = [outcome(verdict.met, verdict.basis) for verdict in given]
    return Tally(
        met=came.count("met"),
        judged=came.count("met") + came.count("not_met"),
        criteria=len(came) - came.count("not_said") + open_,
        not_claimed=came.count("not_claimed"),
        not_said=came.count("not_said"),
    )


def tally(criteria: Iterable[Criterion], verdicts: dict[str, Verdict], layer: LayerName | None) -> Tally:
    """The counts of one layer, or of all of them for None."""
    wanted = [c for c in criteria if layer in (None, c.layer)]
    given = [verdicts[c.id] for c in wanted if c.id in verdicts]
    return counted(given, len(wanted) - len(given))


@dataclass(slots=True)
class TurnState:
    """One turn as far as it has come."""

    index: int
    speaker: Speaker
    source_language: str
    target_language: str
    source: str | None = None
    intent: str | None = None
    """What the turn is for, in English, where the scenario says so."""
    reference: str | None = None
    """How the scenario would render these very words."""
    gloss: Gloss | None = None
    arriving: str = ""
    """A translation while it is streamed."""
    raw: str | None = None
    """What the interpreter's system sent, before anything was taken off."""
    translation: str | None = None
    """What the interpreter gave, delivered or not."""
    delivered: str | None = None
    flags: tuple[ev.Flag, ...] = ()
    held: bool = False
    retries: int = 0
    """How often its speaker had the interpreter asked again."""
    utterance_check: LanguageCheck | None = None
    translation_check: LanguageCheck | None = None
    meaning: MeaningCheck | None = None
    """What the meaning gate said of the translation; None where it was not asked."""
    criteria: tuple[Criterion, ...] = ()
    provisional: bool = False
    """Whether its criteria are surface checks: written live, in no score."""
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    judged: bool = False
    faults: list[ev.FaultRaised] = field(default_factory=list)
    calls: tuple[ev.CallFinished, ...] = ()
    """The model calls made for it."""
    attempts: list[ev.CallAttempted] = field(default_factory=list)
    """What was sent for it and what came back; nothing where it is seen from a record."""
    carried: bool = False
    """Whether it is to be interpreted; a mere response in single-turn mode is not."""
    over: bool = False
    """Whether the conversation has ended: what is missing will not come."""

    def tally(self, layer: LayerName | None = None) -> Tally:
        """Counts of one layer, or of the whole turn."""
        return tally(self.criteria, self.verdicts, layer)

    @property
    def failed(self) -> bool:
        """Whether something in it is not met or went wrong."""
        return bool(self.faults) or any(v.met is False for v in self.verdicts.values())


@dataclass(slots=True)
class Ledger:
    """What the calls of a conversation took; unknown tokens and prices are counted, never summed as 0."""

    calls: int = 0
    tokens: int = 0
    untold: int = 0
    """Calls that did not say how many tokens they took."""
    cost: float = 0.0
    unpriced: int = 0

    def add(self, call: ev.CallFinished) -> None:
        """Count one call."""
        self.calls += 1
        self.tokens += (call.input_tokens or 0) + (call.output_tokens or 0)
        self.untold += call.input_tokens is None or call.output_tokens is None
        self.cost += call.cost or 0.0
        self.unpriced += call.cost_status == "unknown"


def heard_by(seats: Iterable[Speaker], turn: TurnState) -> tuple[str | None, str | None]:
    """Source and translation of `turn` as far as persons in `seats` may see them.

    A seat sees its own words and what was delivered to it, nothing else; who holds both seats also
    sees a translation that waits for their decision.
    """
    held = set(seats)
    source = turn.source if turn.speaker in held else None
    if other(turn.speaker) not in held:
        return source, None
    waits = turn.translation if turn.held and turn.speaker in held else None
    return source, turn.delivered if turn.delivered is not None else waits
