"""Who may see what: the only place where a participant's view is cut from the whole.

No user sees both sides, the interpreter sees no role context, a judge sees the reference only where
it says so. A new piece of information reaches a participant here or not at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sim.core.errors import FaultKind
from sim.core.events import Flag
from sim.core.modes import Course
from sim.core.ports import Heard, InterpreterView, JudgedTurn, JudgeView, PastTurn, UserView
from sim.core.values import Criterion, Gloss, LanguageCheck, MeaningCheck, Mode, Scenario, Speaker, other

UNTOLD = LanguageCheck(result="abstain", label=None, mass=None)
"""The language check of what was never delivered."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """An utterance with its language check."""

    text: str
    check: LanguageCheck
    end: bool


@dataclass(frozen=True, slots=True)
class Carried:
    """One turn after the interpreter had it."""

    index: int
    speaker: Speaker
    source: str
    translation: str | None
    """As delivered; None where the interpretation failed."""
    check: LanguageCheck | None
    flags: tuple[Flag, ...]
    meaning: MeaningCheck | None = None
    """What the meaning gate said; None where it was not asked."""
    failed: FaultKind | None = None
    """Why there is no translation; None where there is one."""


def user_view(scenario: Scenario, course: Course, carried: tuple[Carried, ...], index: int) -> UserView:
    """What the speaker of turn `index` may know."""
    speaker = scenario.speaker_of(index)
    free = course.mode is Mode.DYNAMIC_FREE
    guided = course.mode is Mode.DYNAMIC_GUIDED and index < len(scenario.turns)
    context = scenario.contexts.A if speaker == "A" else scenario.contexts.B
    received = carried[-1] if carried and carried[-1].speaker == other(speaker) else None
    return UserView(
        speaker=speaker,
        language=scenario.language_of(speaker),
        role_context=None if free else context,
        intent=scenario.turns[index].intent if guided else None,
        lines=tuple(_heard(turn, speaker) for turn in carried if _reaches(turn, speaker)),
        received=received.check if received else None,
        turn=index,
        last=index >= course.indices[-1],
    )


def _reaches(turn: Carried, speaker: Speaker) -> bool:
    return turn.speaker == speaker or turn.translation is not None


def _heard(turn: Carried, speaker: Speaker) -> Heard:
    if turn.speaker == speaker:
        return Heard(mine=True, text=turn.source)
    return Heard(mine=False, text=turn.translation or "")


def interpreter_view(
    scenario: Scenario,
    course: Course,
    carried: tuple[Carried, ...],
    index: int,
    message: str,
    *,
    with_reference: bool,
) -> InterpreterView:
    """What the interpreter of turn `index` may know.

    In single-turn mode what the script has before that turn is its history, in its references' words.
    """
    source, target = scenario.direction(index)
    if course.mode is Mode.SINGLE_TURN:
        past = tuple(PastTurn(t.index, t.speaker, t.source, t.reference) for t in scenario.turns[:index])
    else:
        past = tuple(PastTurn(t.index, t.speaker, t.source, t.translation) for t in carried)
    return InterpreterView(
        source_language=source,
        target_language=target,
        conversation_context=scenario.conversation_context,
        message=message,
        speaker=scenario.speaker_of(index),
        turn=index,
        past=past,
        multi_turn=course.mode is not Mode.SINGLE_TURN or bool(past),
        reference=_reference(scenario, index, message) if with_reference else None,
    )


@dataclass(frozen=True, slots=True)
class Outlined:
    """What a scenario knows of a turn, for whoever watches: never a participant's view."""

    intent: str | None
    reference: str | None
    gloss: Gloss | None


def outlined(scenario: Scenario, course: Course, index: int, said: str) -> Outlined:
    """What the scenario knows of what was just said in turn `index`.

    The intent belongs to the outline, whoever found the words; reference and gloss to these very words.
    """
    if index >= len(scenario.turns):
        return Outlined(None, None, None)
    turn = scenario.turns[index]
    own = turn.source == said
    follows = own or course.mode is Mode.DYNAMIC_GUIDED
    return Outlined(
        intent=(turn.intent or None) if follows else None,
        reference=turn.reference if own else None,
        gloss=turn.gloss if own else None,
    )


def _reference(scenario: Scenario, index: int, source: str) -> str | None:
    """The reference of these words; None for words a live user said: it translates other ones."""
    fixed = index < len(scenario.turns) and scenario.turns[index].source == source
    return scenario.turns[index].reference if fixed else None


def judged_turn(
    scenario: Scenario, turn: Carried, response: Spoken | None, *, with_reference: bool
) -> JudgedTurn:
    """One turn as a judge sees it, also one that failed."""
    source, target = scenario.direction(turn.index)
    return JudgedTurn(
        index=turn.index,
        speaker=turn.speaker,
        source_language=source,
        target_language=target,
        source=turn.source,
        translation=turn.translation or "",
        translation_check=turn.check or UNTOLD,
        flags=turn.flags,
        response=response.text if response else None,
        response_check=response.check if response else None,
        reference=_reference(scenario, turn.index, turn.source) if with_reference else None,
        meaning=turn.meaning,
        failed=turn.failed,
    )


def judge_view(scenario: Scenario, mode: Mode, turn: JudgedTurn, criteria: Sequence[Criterion]) -> JudgeView:
    """What a judge may know to judge one turn."""
    return _judge_view(scenario, mode, (turn,), criteria, "turn")


def conversation_view(
    scenario: Scenario, mode: Mode, turns: Sequence[JudgedTurn], criteria: Sequence[Criterion]
) -> JudgeView:
    """What a judge may know to judge the conversation as a whole; failed turns are among `turns`."""
    return _judge_view(scenario, mode, turns, criteria, "conversation")


def _judge_view(
    scenario: Scenario,
    mode: Mode,
    turns: Sequence[JudgedTurn],
    criteria: Sequence[Criterion],
    level: Literal["turn", "conversation"],
) -> JudgeView:
    return JudgeView(
        conversation_context=scenario.conversation_context,
        turns=tuple(turns),
        criteria=tuple(criteria),
        level=level,
        roles={"A": scenario.relation.A, "B": scenario.relation.B},
        # only a guided user speaks what the criteria were written before
        live=mode is Mode.DYNAMIC_GUIDED,
    )
