"""Detector and threshold of the language check: from words to the signature and the record."""

from contextlib import aclosing
from pathlib import Path

import pytest

from sim.core.errors import UsageProblem
from sim.core.studio import Setup
from sim.runs.places import Places
from sim.wiring.studio import House

SCENARIO = "kor-ind-clinic-fasting"


def places(tmp_path: Path) -> Places:
    return Places(data=tmp_path / "data", cache=tmp_path / "cache")


async def test_the_threshold_is_signed_and_the_first_label_recorded(tmp_path: Path) -> None:
    async with aclosing(House(places(tmp_path))) as house:
        setup = Setup(SCENARIO, interpreter="reference", language_check="lid176:0.97", record=False)
        held = await house.start(setup).run()
    assert held["signature"]["language_check"]["threshold"] == 0.97
    checks = [turn["language_check"]["translation"] for turn in held["conversation"]["turns"]]
    assert all(check["top"]["accepted"] and 0 < check["top"]["probability"] <= 1 for check in checks)


async def test_an_untranslated_conversation_is_wrong_in_every_turn(tmp_path: Path) -> None:
    async with aclosing(House(places(tmp_path))) as house:
        held = await house.start(Setup(SCENARIO, interpreter="copy", record=False)).run()
    assert {turn["language_check"]["translation"]["result"] for turn in held["conversation"]["turns"]} == {
        "wrong"
    }
    assert held["scores"]["overall"] == 0.0


async def test_an_unknown_detector_is_refused_with_the_valid_names(tmp_path: Path) -> None:
    async with aclosing(House(places(tmp_path))) as house:
        with pytest.raises(UsageProblem) as caught:
            house.start(Setup(SCENARIO, interpreter="copy", language_check="cld3"))
    assert caught.value.problems[0].choices == ("lid176", "glotlid")
