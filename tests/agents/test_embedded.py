"""The embedded model in every role, for real: no quality is claimed, only that it can be asked."""

from pathlib import Path

import pytest

from agents.judges.model import ModelJudge
from agents.models.registry import ModelPool
from sim.core.judging import complete
from sim.core.studio import Setup
from sim.core.values import Mode
from sim.runs.places import Places
from sim.wiring.studio import House
from tests.agents.clients import judge_view, scope

CLINIC = "kor-ind-clinic-fasting"


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_a_grammar_makes_its_verdicts_parseable(local_pool: ModelPool) -> None:
    view = judge_view("a", "b", "c")
    judge = ModelJudge(local_pool.open_client("local"), parameters={"max_tokens": 800})
    verdicts = complete(view.criteria, await judge.judge(view, scope()), judge.name, "")
    assert [type(verdict.met) for verdict in verdicts] == [bool, bool, bool]


@pytest.mark.slow
async def test_it_takes_every_part_of_one_conversation(models_dir: Path, tmp_path: Path) -> None:
    house = House(Places(tmp_path / "data", models_dir.parent), cache=False)
    setup = Setup(
        scenario=CLINIC, mode=Mode.DYNAMIC_GUIDED, user_a="local", user_b="local", turns=1, record=False
    )
    session = house.start(setup)
    document = await session.run()
    await house.aclose()
    assert document["conversation"]["end_reason"] in ("completed", "user_fault", "interpreter_failed")
    assert any("weak" in label or "very small" in label for label in session.labels)
