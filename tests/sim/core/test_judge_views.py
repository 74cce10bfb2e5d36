"""What a judge is shown: who speaks to whom, failed turns as what they were, and the same when asked later."""

import pytest

from sim.core.errors import FaultKind
from sim.core.values import Basis, Mode
from sim.runs.judging import cases
from tests.sim.core.people import BLOCKED, EMPTY, FakeInterpreter, FakeJudge, Stage


@pytest.mark.parametrize("mode", list(Mode))
async def test_a_judge_knows_who_speaks_and_whether_the_source_could_have_left_something_out(
    mode: Mode,
) -> None:
    judge = FakeJudge()
    await Stage(mode, judge=judge).held()
    assert all(view.roles == {"A": "a", "B": "b"} for view in judge.seen)
    assert {view.live for view in judge.seen} <= {mode is Mode.DYNAMIC_GUIDED}


async def test_failed_turns_stand_in_the_transcript_as_what_they_were() -> None:
    judge = FakeJudge()
    await Stage(interpreter=FakeInterpreter({0: [EMPTY], 1: [BLOCKED]}), judge=judge).held()
    whole = judge.seen[-1]
    assert whole.level == "conversation"
    assert [(turn.index, turn.failed) for turn in whole.turns] == [
        (0, FaultKind.EMPTY),
        (1, FaultKind.BLOCKED),
        (2, None),
    ]
    assert [turn.source for turn in whole.turns] == ["said 0", "said 1", "said 2"]
    assert [view.turns[0].index for view in judge.seen[:-1]] == [2]


async def test_where_every_turn_failed_no_judge_is_asked() -> None:
    judge = FakeJudge()
    record = await Stage(interpreter=FakeInterpreter({n: [EMPTY] for n in range(3)}), judge=judge).held()
    assert judge.seen == []
    assert {verdict["basis"] for verdict in record["verdicts"]} == {"system_failure"}


@pytest.mark.parametrize("mode", [Mode.SCRIPTED, Mode.DYNAMIC_GUIDED])
async def test_a_judge_that_is_asked_later_is_shown_the_same(mode: Mode) -> None:
    judge = FakeJudge()
    stage = Stage(mode, interpreter=FakeInterpreter({1: [BLOCKED]}), judge=judge)
    record = await stage.held()
    line = {"key": record["key"], "conversation": record}
    later = list(cases(line, stage.play, judge, set()))
    asked = [case.view for case in later if case.lost is None]
    assert asked == judge.seen
    lost = {case.turn: case.lost for case in later if case.lost is not None}
    cut = {2: Basis.NOT_REACHED} if mode.dynamic else {}
    assert lost == {1: Basis.SYSTEM_FAILURE, **cut}
