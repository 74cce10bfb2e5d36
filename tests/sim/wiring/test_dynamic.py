"""Dynamic modes on fakes in all twelve directions of the study languages: who writes which checklist."""

from pathlib import Path
from typing import Any

import pytest

from scenarios import loader
from sim.core.languages import STUDY
from sim.core.studio import Setup
from sim.core.values import LAYERS, Mode, Scenario
from sim.runs.places import Places
from sim.wiring.studio import House
from tests.sim.wiring.made import fake_of, without_checklists

SCENARIOS = {s.pair: s for s in loader.shipped() if set(s.pair) <= set(STUDY)}
EACH = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=lambda s: "-".join(s.pair))


async def held(folder: Path, **settings: Any) -> dict[str, Any]:
    house = House(Places(folder / "data", folder / "cache"), cache=False)
    session = house.start(Setup(record=False, **settings))
    document = await session.run()
    await house.aclose()
    return document | {"notices": session.notices}


async def played(scene: Scenario, folder: Path, mode: Mode, **settings: Any) -> dict[str, Any]:
    fake = fake_of(scene, folder)
    seats = {"interpreter": fake, "user_a": fake, "user_b": fake}
    return await held(folder, **{"scenario": scene.id, "mode": mode, **seats, **settings})


def test_there_are_twelve_directions() -> None:
    assert len(SCENARIOS) == 12


def check_layers(turn: dict[str, Any]) -> None:
    one, two, three = (sum(c["layer"] == layer for c in turn["criteria"]) for layer in LAYERS)
    assert three >= two >= one >= 1
    target = turn["direction"][1]
    assert all(c["function"].startswith(f"{target}/") for c in turn["criteria"])


def carried_turns(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The turns whose reference the meaning gate lets through: all but one at most."""
    carried = [turn for turn in turns if turn["meaning"]["result"] != "else"]
    assert len(carried) >= len(turns) - 1
    return carried


@EACH
async def test_free_turns_get_live_criteria_that_good_translations_meet(
    scenario: Scenario, tmp_path: Path
) -> None:
    document = await played(scenario, tmp_path, Mode.DYNAMIC_FREE)
    turns = document["conversation"]["turns"]
    assert len(turns) == 6
    for turn in turns:
        assert turn["criteria"]
        assert all(c["function"].startswith(f"{turn['direction'][1]}/") for c in turn["criteria"])
        assert {c["procedure"] for c in turn["criteria"]} == {"live"}
        assert all(v["provisional"] for v in turn["verdicts"])
    carried = carried_turns(turns)
    verdicts = [v["met"] for turn in carried for v in turn["verdicts"] if v["met"] is not None]
    assert sum(verdicts) >= 0.9 * len(verdicts)
    assert document["scores"]["criteria"] == 0


@EACH
async def test_guided_turns_get_the_outline_that_ships(scenario: Scenario, tmp_path: Path) -> None:
    document = await played(scenario, tmp_path, Mode.DYNAMIC_GUIDED)
    for turn, written in zip(document["conversation"]["turns"], scenario.turns, strict=True):
        assert [c["id"] for c in turn["criteria"]] == [c.id for c in written.checklists.outline or ()]
    assert document["signature"]["writer"] is None


@EACH
async def test_guided_turns_without_one_are_written_for_before_the_run(
    scenario: Scenario, tmp_path: Path
) -> None:
    path = without_checklists(scenario, tmp_path, id="own")
    document = await played(scenario, tmp_path, Mode.DYNAMIC_GUIDED, scenario=path)
    verdicts = [v for turn in document["conversation"]["turns"] for v in turn["verdicts"]]
    for turn in document["conversation"]["turns"]:
        check_layers(turn)
        assert {c["procedure"] for c in turn["criteria"]} == {"outline"}
    assert not any(v["provisional"] for v in verdicts)
    assert document["scores"]["criteria"] == len(verdicts)
    turns = carried_turns(document["conversation"]["turns"])
    given = [v["met"] for turn in turns for v in turn["verdicts"] if v["met"] is not None]
    assert sum(given) >= 0.9 * len(given)
    unclaimed = {v["basis"] for v in verdicts if v["met"] is None}
    assert unclaimed <= {"not_claimed", "unjudged"}
    assert document["signature"]["writer"]["writer"] == "rules"


async def test_the_same_outline_is_written_for_every_system(tmp_path: Path) -> None:
    scenario = SCENARIOS["kor", "ind"]
    path = without_checklists(scenario, tmp_path, id="own")
    written = []
    for interpreter in ("copy", fake_of(scenario, tmp_path)):
        document = await played(
            scenario, tmp_path, Mode.DYNAMIC_GUIDED, scenario=path, interpreter=interpreter
        )
        written.append([turn["criteria"] for turn in document["conversation"]["turns"]])
    assert written[0] == written[1]


@pytest.mark.parametrize("mode", [Mode.DYNAMIC_GUIDED, Mode.DYNAMIC_FREE])
async def test_a_language_nothing_is_known_of_is_said_so_and_not_judged(mode: Mode, tmp_path: Path) -> None:
    scenario = SCENARIOS["kor", "ind"]
    path = without_checklists(scenario, tmp_path, id="own", pair=("kor", "swh"))
    document = await played(scenario, tmp_path, mode, scenario=path)
    turns = document["conversation"]["turns"]
    assert [len(turn["criteria"]) > 0 for turn in turns] == [False, True] * 3
    assert [n for n in document["notices"] if "talk into Swahili" in n]


async def test_without_a_judge_nothing_is_written(tmp_path: Path) -> None:
    document = await played(SCENARIOS["kor", "ind"], tmp_path, Mode.DYNAMIC_FREE, judge="none")
    assert not any(turn["criteria"] for turn in document["conversation"]["turns"])
