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

    @property
    def indices(self) -> range:
        """The interpreted turns."""
        return range(self.first, self.first + self.count)

    def shortened(self, scenario: Scenario) -> bool:
        """Whether turns of the scenario are left out: then its conversation criteria ask for too much."""
        return self.count < len(scenario.turns)

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
    guided = mode is Mode.DYNAMIC_GUIDED
    procedure: Procedure = "outline" if guided else "turn"
    return Course(mode, 0, turns or length, procedure, EndReason.COMPLETED, not guided, guided)


def _single(scenario: Scenario, turn: int, turns: int | None) -> Course:
    if turns is not None:
        raise _usage("--turns", "--turns does not go with single-turn mode.", "--turn K")
    if not 0 <= turn < len(scenario.turns):
        raise _usage("--turn", f"{scenario.id!r} has no turn {turn}.", f"0 to {len(scenario.turns) - 1}")
    return Course(Mode.SINGLE_TURN, turn, 1, "single", EndReason.COMPLETED, False, False)


def _usage(option: str, what: str, *choices: str) -> UsageProblem:
    return UsageProblem(Problem(f"Unusable {option}", what, choices=choices))
