"""The four modes as data: which turns are held, whose checklist counts, what a failure does.

The loop in `conversation` asks a `Course`; nothing else in the core knows one mode from another.
"""

from dataclasses import dataclass

from sim.core.errors import Problem, UsageProblem
from sim.core.values import Criterion, EndReason, Mode, Procedure, Scenario


@dataclass(frozen=True, slots=True)
class Course:
    """How one conversation runs."""

    mode: Mode
    first: int
    """Index of the first interpreted turn."""
    count: int
    """How many turns are interpreted at most."""
    procedure: Procedure
    """Which checklists count."""
    full: EndReason
    """How it ends when all turns were held."""
    goes_on_after_failure: bool
    """Whether a failed interpretation leaves the next source standing (scripted sources do)."""
    counts_unreached: bool
    """Whether turns cut off by a failed interpreter count as not met."""
    user_end: EndReason = EndReason.USER_ENDED
    """How it ends when a user ends it before all turns were held."""
    keeps_faulty_reply: bool = False
    """Whether words by which a user failed are still a reply: judged, and marked as what they are."""

    @property
    def indices(self) -> range:
        """The interpreted turns."""
        return range(self.first, self.first + self.count)

    @property
    def length_stands(self) -> bool:
        """Whether a user who wants to end early is asked once to go on: the outline is the same for all."""
        return self.user_end is EndReason.USER_ENDED_EARLY

    def whole(self, scenario: Scenario) -> tuple[Criterion, ...]:
        """The conversation criteria under this course's procedure; empty where there are none.

        A script's own fit neither free talk, which never had that script, nor a conversation that leaves
        turns of it out.
        """
        if self.procedure == "post-hoc" or self.count < len(scenario.turns):
            return ()
        return scenario.criteria

    def criteria(self, scenario: Scenario, index: int) -> tuple[Criterion, ...]:
        """The checklist of one turn under this course's procedure; empty where there is none."""
        if index >= len(scenario.turns):
            return ()
        lists = scenario.turns[index].checklists
        match self.procedure:
            case "single":
                found = lists.single if lists.single is not None else lists.turn
            case "turn":
                found = lists.turn
            case "outline":
                found = lists.outline
            case _:
                found = None
        return found or ()


def has_past(mode: Mode, turn: int | None) -> bool:
    """Whether an interpreter has any turn to look back on: at turn 0 of single-turn mode it has none.

    There every history shows nothing, so that all of them are one system.
    """
    return mode is not Mode.SINGLE_TURN or bool(turn)


def course(mode: Mode, scenario: Scenario, *, turn: int | None = None, turns: int | None = None) -> Course:
    """The course of `mode` over `scenario`.

    `turn` picks the turn of single-turn mode (default 0); `turns` shortens a multi-turn conversation
    or sets the length of a free one. Raises UsageProblem where a number does not fit the scenario.
    """
    length = len(scenario.turns)
    if mode is Mode.SINGLE_TURN:
        return _single(scenario, turn or 0, turns)
    if turn is not None:
        raise _usage("--turn", f"--turn {turn} goes with single-turn mode only.", "single-turn")
    if turns is not None and turns < 1:
        raise _usage("--turns", f"--turns {turns} is not a number of turns.", f"1 to {length}")
    if mode is Mode.DYNAMIC_FREE:
        return Course(mode, 0, turns or length, "post-hoc", EndReason.TURN_LIMIT, False, False)
    if turns is not None and turns > length:
        raise _usage(
            "--turns",
            f"--turns {turns} is more than the {length} turns of {scenario.id!r}.",
            f"1 to {length}",
        )
    count = turns or length
    if mode is Mode.DYNAMIC_GUIDED:
        early = EndReason.USER_ENDED_EARLY
        return Course(mode, 0, count, "outline", EndReason.COMPLETED, False, True, user_end=early)
    return Course(mode, 0, count, "turn", EndReason.COMPLETED, True, False)


def _single(scenario: Scenario, turn: int, turns: int | None) -> Course:
    if turns is not None:
        raise _usage("--turns", "--turns does not go with single-turn mode.", "--turn K")
    if not 0 <= turn < len(scenario.turns):
        raise _usage("--turn", f"{scenario.id!r} has no turn {turn}.", f"0 to {len(scenario.turns) - 1}")
    return Course(
        Mode.SINGLE_TURN, turn, 1, "single", EndReason.COMPLETED, False, False, keeps_faulty_reply=True
    )


def _usage(option: str, what: str, *choices: str) -> UsageProblem:
    return UsageProblem(Problem(f"Unusable {option}", what, choices=choices))
