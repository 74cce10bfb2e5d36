"""A recipient of the study in its seat: a GGUF file, loaded by llama.cpp, in single-turn mode."""

import json
from pathlib import Path
from typing import Any

import pytest

from scenarios import loader
from sim.core.studio import Setup
from sim.core.values import Mode
from sim.runs.places import Places
from sim.wiring.studio import House
from tests.agents.models.tiny import write_tiny

pytestmark = pytest.mark.slow

SCENARIO = next(s for s in loader.shipped() if s.pair == ("ind", "kor"))
ANSWER = "네, 알겠습니다. 감사합니다."
REFUSAL = "죄송합니다. 저는 그 언어를 이해하지 못합니다."
WRONG = "I am very sorry that we arrive only now, we spent seven hours in the traffic on the road."


async def held(folder: Path, answer: str, delivered: str) -> dict[str, Any]:
    model = write_tiny(
        folder / "m.gguf", answer=answer, name="EXAONE 3.5 7.8B Instruct", architecture="exaone"
    )
    fake = folder / "fake.json"
    fake.write_text(json.dumps({"fake": 1, "rules": [{"reply": delivered}]}), encoding="utf-8")
    house = House(Places(folder / "data", folder / "cache"), cache=False)
    setup = Setup(
        scenario=SCENARIO.id,
        mode=Mode.SINGLE_TURN,
        interpreter=f"fake:{fake}",
        user_b=f"gguf:{model}",
        record=False,
    )
    document = await house.start(setup).run()
    await house.aclose()
    conversation: dict[str, Any] = document["conversation"]
    return conversation


async def test_it_answers_a_translation_in_its_language(tmp_path: Path) -> None:
    conversation = await held(tmp_path, ANSWER, SCENARIO.turns[0].reference)
    (turn,) = conversation["turns"]
    assert conversation["end_reason"] == "completed"
    assert turn["response"] == ANSWER
    assert turn["language_check"]["response"]["result"] == "ok"
    assert turn["shortened"] is None


async def test_its_refusal_of_a_message_in_another_language_is_judged(tmp_path: Path) -> None:
    conversation = await held(tmp_path, REFUSAL, WRONG)
    (turn,) = conversation["turns"]
    assert conversation["end_reason"] == "completed"
    assert turn["response"] == REFUSAL
    assert {verdict["met"] for verdict in turn["verdicts"]} == {False}


async def test_its_refusal_of_a_message_in_its_own_language_is_kept_and_marked(tmp_path: Path) -> None:
    conversation = await held(tmp_path, REFUSAL, SCENARIO.turns[0].reference)
    (turn,) = conversation["turns"]
    assert (conversation["end_reason"], turn["response"]) == ("completed", REFUSAL)
    assert turn["response_fault"]["kind"] == "refused"
