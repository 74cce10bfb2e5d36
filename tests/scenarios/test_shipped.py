from pathlib import Path

import pytest

from agents.judges.rules import RulesJudge
from scenarios.checker import check
from scenarios.evidence import Evidence
from scenarios.loader import load, shipped_files
from sim.core.values import Scenario
from tests.scenarios.parts import ScriptDetector


def untranslated(scenario: Scenario) -> Scenario:
    turns = tuple(
        turn.model_copy(update={"reference": turn.source, "alternatives": ()}) for turn in scenario.turns
    )
    return scenario.model_copy(update={"turns": turns})


@pytest.mark.parametrize("path", shipped_files(), ids=lambda path: path.stem)
async def test_a_shipped_scenario_passes_its_check(path: Path) -> None:
    found = await check([path], RulesJudge(), ScriptDetector())
    assert [problem.what for problem in found.problems] == []


@pytest.mark.parametrize("path", shipped_files(), ids=lambda path: path.stem)
async def test_untranslated_sources_meet_nothing(path: Path) -> None:
    evidence = Evidence(untranslated(load(path)), RulesJudge(), ScriptDetector())
    assert [remark async for remark in evidence.remarks()]
    assert evidence.references.met == 0
    assert evidence.references.not_met > 0
