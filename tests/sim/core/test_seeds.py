"""Every conversation has a seed of its own, and nothing but plan and key decides on it."""

from dataclasses import replace

from sim.core.events import Role
from sim.core.identity import SEEDS, ConversationKey
from sim.core.modes import course
from sim.core.plan import Line, Plan
from sim.core.values import Mode
from tests.sim.core.people import Stage

KEY = ConversationKey("s", "copy", "script|script", Mode.SCRIPTED, None, 0)


def test_each_part_of_the_key_and_the_plan_changes_the_seed() -> None:
    others = [
        replace(KEY, scenario="t"),
        replace(KEY, system="reference"),
        replace(KEY, users="m|script"),
        replace(KEY, mode=Mode.DYNAMIC_FREE),
        replace(KEY, turn=1),
        replace(KEY, trial=1),
    ]
    seeds = {KEY.seed(0), KEY.seed(1), *(key.seed(0) for key in others)}
    assert len(seeds) == 8
    assert all(0 <= seed < SEEDS for seed in seeds)
    assert KEY.seed(0) == replace(KEY).seed(0) == 1689807329


def test_seeds_are_spread_over_their_range() -> None:
    seeds = [replace(KEY, trial=trial).seed(0) for trial in range(2000)]
    assert len(set(seeds)) == 2000
    assert 0.45 < sum(seeds) / len(seeds) / SEEDS < 0.55


def test_every_call_gets_the_seed_and_who_is_asked_again_another() -> None:
    stage = Stage()
    plan = Plan(KEY, stage.play, course(Mode.SCRIPTED, stage.play), {}, seed=SEEDS - 1)
    line = Line(plan, stage.bus)
    seeds = [line.scope(role, turn).seed for role, turn in ASKED]
    assert seeds == [SEEDS - 1, SEEDS - 1, 0, SEEDS - 1, SEEDS - 1]


ASKED: list[tuple[Role, int | None]] = [
    ("interpreter", 0),
    ("judge", 0),
    ("interpreter", 0),
    ("interpreter", 1),
    ("judge", None),
]
