"""Live checklists: written from the actual words, provisional, in no score."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import pytest

from sim.analysis.scores import pooled
from sim.core.record import fold
from sim.core.values import Criterion, MeaningCheck, Mode
from tests.sim.core.people import Stage


@dataclass
class FakeWriter:
    """Asks one question of each turn; fails on request."""

    fails: bool = False
    identity: Mapping[str, Any] = ()  # type: ignore[assignment]

    async def live(self, index: int, source: str, languages: tuple[str, str]) -> tuple[Criterion, ...]:
        if self.fails:
            raise ZeroDivisionError
        return (Criterion(id=f"live.{index}", layer="L2", ask=f"Does it say {source}?"),)


async def held(mode: Mode, writer: FakeWriter) -> tuple[Stage, dict[str, Any]]:
    stage = Stage(mode)
    conversation = stage.conversation()
    cast = replace(conversation._cast, writer=writer)
    async with stage.bus:
        await type(conversation)(conversation._plan, cast, stage.bus, stage.control).run()
    return stage, fold(stage.bus.journal)


async def test_free_turns_are_judged_by_provisional_criteria_that_count_nowhere() -> None:
    stage, record = await held(Mode.DYNAMIC_FREE, FakeWriter())
    verdicts = [turn["verdicts"] for turn in record["turns"]]
    assert [[v["provisional"] for v in row] for row in verdicts] == [[True], [True], [True]]
    assert [turn["criteria"][0]["procedure"] for turn in record["turns"]] == ["live"] * 3
    scores = pooled([record])
    assert (scores.overall, scores.criteria) == (None, 0)
    assert stage.of("ChecklistReady", 1)[-1].model_dump()["provisional"] is True


async def test_other_modes_have_their_own_checklists() -> None:
    _, record = await held(Mode.SCRIPTED, FakeWriter())
    assert record["turns"][0]["criteria"][0]["procedure"] == "turn"


async def test_a_failed_writer_leaves_its_turn_without_a_checklist() -> None:
    _, record = await held(Mode.DYNAMIC_FREE, FakeWriter(fails=True))
    assert record["end_reason"] == "turn_limit"
    assert [turn["criteria"] for turn in record["turns"]] == [[], [], []]
    assert {turn["fault"]["layer"] for turn in record["turns"]} == {"writer"}


@dataclass
class FakeGate:
    """Says the same of every translation."""

    result: Literal["carried", "else"]
    identity: Mapping[str, Any] = ()  # type: ignore[assignment]

    async def check(self, *_: Any, **__: Any) -> MeaningCheck:
        return MeaningCheck(result=self.result, cosine=0.1)


@pytest.mark.parametrize("result", ["carried", "else"])
async def test_what_says_something_else_meets_no_surface_check_whoever_judges(
    result: Literal["carried", "else"],
) -> None:
    stage = Stage(Mode.DYNAMIC_FREE)
    conversation = stage.conversation()
    cast = replace(conversation._cast, writer=FakeWriter(), meaning=FakeGate(result))
    async with stage.bus:
        await type(conversation)(conversation._plan, cast, stage.bus, stage.control).run()
    verdicts = [v for turn in fold(stage.bus.journal)["turns"] for v in turn["verdicts"]]
    shut = result == "else"
    assert [v["met"] for v in verdicts] == [not shut] * 3
    assert {v["basis"] for v in verdicts} == {"meaning_gate" if shut else "judged"}
    assert all(v["provisional"] for v in verdicts)
