"""Ten languages without a row in any table, end to end: a scenario file each, checked, watched, left untranslated."""

import json
from pathlib import Path

import pytest

from sim.commands.main import main

SOURCE = "Please take this medicine twice a day, after you have eaten something."
REFERENCES = {
    "jpn": "このお薬は、何か召し上がってから一日二回飲んでください。",
    "deu": "Bitte nehmen Sie dieses Medikament zweimal am Tag, nachdem Sie etwas gegessen haben.",
    "spa": "Por favor, tome esta medicina dos veces al día, después de haber comido algo.",
    "fra": "Prenez ce médicament deux fois par jour, après avoir mangé quelque chose, s'il vous plaît.",
    "rus": "Пожалуйста, принимайте это лекарство два раза в день, после того как поедите.",
    "tur": "Lütfen bu ilacı günde iki kez, bir şeyler yedikten sonra alın.",
    "vie": "Xin hãy uống thuốc này hai lần một ngày, sau khi đã ăn gì đó.",
    "tha": "กรุณากินยานี้วันละสองครั้ง หลังจากรับประทานอาหารแล้ว",
    "hin": "कृपया यह दवा दिन में दो बार, कुछ खाने के बाद लीजिए।",
    "swh": "Tafadhali tumia dawa hii mara mbili kwa siku, baada ya kula chakula kidogo.",
}


def scenario(folder: Path, code: str) -> Path:
    path = folder / f"eng-{code}-medicine.yaml"
    document = {
        "schema": 1,
        "id": f"eng-{code}-medicine",
        "pair": ["eng", code],
        "opens": "A",
        "setting": "clinic",
        "relation": {"A": "nurse", "B": "patient"},
        "conversation_context": "A nurse tells a patient how to take a medicine.",
        "contexts": {},
        "turns": [
            {
                "index": 0,
                "speaker": "A",
                "source": SOURCE,
                "reference": REFERENCES[code],
                "checklists": {
                    "turn": [
                        {
                            "id": "t0.l1.twice",
                            "layer": "L1",
                            "ask": "Does the translation say twice?",
                            "check": {"number": 2},
                        }
                    ]
                },
            }
        ],
        "provenance": {"source": "written", "licence": "CC0-1.0"},
    }
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return path


def watched(path: Path, interpreter: str, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    assert main(["watch", str(path), "--interpreter", interpreter, "--judge", "none", "--json"]) == 0
    (turn,) = json.loads(capsys.readouterr().out)["conversation"]["turns"]
    check: dict[str, str] = turn["language_check"]["translation"]
    return check


@pytest.mark.parametrize("code", REFERENCES)
def test_a_language_without_a_row_is_checked_end_to_end(
    code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = scenario(tmp_path, code)
    assert watched(path, "reference", capsys)["result"] == "ok"
    left = watched(path, "copy", capsys)
    assert (left["result"], left["label"]) == ("wrong", "en")
