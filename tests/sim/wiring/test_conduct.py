"""Users that refuse or fall out of their role, in every mode with live users."""

import json
from pathlib import Path
from typing import Any

import pytest

from scenarios import loader
from sim.core.studio import Setup
from sim.core.values import Mode
from sim.runs.places import Places
from sim.wiring.studio import House

SCENARIO = loader.find("kor-ind-clinic-fasting")
REFUSAL = {"ind": "Maaf, saya hanya bisa berbicara bahasa Indonesia.", "kor": "저는 한국어만 할 수 있습니다."}
BROKEN = {
    "ind": "Sebagai model bahasa, saya tidak makan.",
    "kor": "저는 AI 언어 모델이라서 밥을 먹지 않아요.",
}
WRONG = "The examination is the day after tomorrow at eleven in the morning, please do not eat before."
DYNAMIC = [Mode.DYNAMIC_GUIDED, Mode.DYNAMIC_FREE]
LIVE = [Mode.SINGLE_TURN, *DYNAMIC]


async def held(folder: Path, mode: Mode, said: dict[int, str], delivered: dict[int, str]) -> dict[str, Any]:
    """A conversation of two turns on fakes: `said` and `delivered` where they differ from the scenario's."""
    rules: list[dict[str, Any]] = []
    for turn in SCENARIO.turns:
        user = {"role": f"user-{turn.speaker.lower()}", "turn": turn.index}
        rules.append(
            {"match": user, "reply": {"text": said.get(turn.index, turn.source), "end": False}},
        )
        heard = delivered.get(turn.index, turn.reference)
        rules.append({"match": {"role": "interpreter", "turn": turn.index}, "reply": heard})
    path = folder / "fake.json"
    path.write_text(json.dumps({"fake": 1, "rules": rules}), encoding="utf-8")
    single = mode is Mode.SINGLE_TURN
    house = House(Places(folder / "data", folder / "cache"), cache=False)
    setup = Setup(
        scenario=SCENARIO.id,
        mode=mode,
        interpreter=f"fake:{path}",
        user_a=None if single else f"fake:{path}",
        user_b=f"fake:{path}",
        turns=None if single else 2,
        record=False,
    )
    document = await house.start(setup).run()
    await house.aclose()
    conversation: dict[str, Any] = document["conversation"]
    return conversation


@pytest.mark.parametrize("mode", DYNAMIC)
@pytest.mark.parametrize("words", [REFUSAL["ind"], BROKEN["ind"]], ids=["refusal", "character"])
async def test_it_ends_by_the_users_fault_and_its_words_are_kept(
    mode: Mode, words: str, tmp_path: Path
) -> None:
    conversation = await held(tmp_path, mode, {1: words}, {})
    assert conversation["end_reason"] == "user_fault"
    assert conversation["turns"][0]["response"] == words


@pytest.mark.parametrize("words", [REFUSAL["ind"], BROKEN["ind"]], ids=["refusal", "character"])
async def test_in_single_turn_mode_it_is_kept_judged_and_marked(words: str, tmp_path: Path) -> None:
    conversation = await held(tmp_path, Mode.SINGLE_TURN, {1: words}, {})
    (turn,) = conversation["turns"]
    assert (conversation["end_reason"], turn["response"]) == ("completed", words)
    assert turn["response_fault"]["kind"] in ("refused", "broke_character")
    assert True in [verdict["met"] for verdict in turn["verdicts"]]


@pytest.mark.parametrize("mode", LIVE)
async def test_refusing_a_message_in_a_wrong_language_is_a_normal_answer(mode: Mode, tmp_path: Path) -> None:
    conversation = await held(tmp_path, mode, {1: REFUSAL["ind"]}, {0: WRONG})
    assert conversation["end_reason"] in ("completed", "turn_limit")
    first = conversation["turns"][0]
    assert first["response"] == REFUSAL["ind"]
    assert first["language_check"]["translation"]["result"] == "wrong"
    assert {v["met"] for v in first["verdicts"]} == {False}
    assert first["response_fault"] is None


@pytest.mark.parametrize("mode", DYNAMIC)
async def test_falling_out_of_its_role_is_a_fault_whatever_it_heard(mode: Mode, tmp_path: Path) -> None:
    conversation = await held(tmp_path, mode, {1: BROKEN["ind"]}, {0: WRONG})
    assert conversation["end_reason"] == "user_fault"


@pytest.mark.parametrize("words", [REFUSAL["kor"], BROKEN["kor"]], ids=["refusal", "character"])
async def test_first_words_of_a_guided_conversation_are_looked_at_too(words: str, tmp_path: Path) -> None:
    conversation = await held(tmp_path, Mode.DYNAMIC_GUIDED, {0: words}, {})
    assert conversation["end_reason"] == "user_fault"
    assert not [verdict for turn in conversation["turns"] for verdict in turn["verdicts"]]
