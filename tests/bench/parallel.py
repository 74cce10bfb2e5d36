"""Aligned text of several kinds for the meaning gate's means and figures; nothing of it is kept here.

A *row* is one sentence in several languages, by ISO 639-3 code. News is NTREX-128, health TICO-19, talk
XPersona; the pack's own lines come with each scenario. Samples are drawn with a fixed seed.
"""

import csv
import json
import random
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree

from tests.bench.language_texts import ntrex

Row = Mapping[str, str]
FIVE = ("arb", "ben", "eng", "ind", "kor")
NEWS, HEALTH, TALK = 1000, 500, 160
"""Sentences of the first two, dialogues of the third."""
_SEED = 7
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_TICO = {"ar": "arb", "bn": "ben", "en": "eng", "id": "ind"}
"""Its `kr` is Kanuri, not Korean: there is no Korean in it."""
_XPERSONA = {"eng": "En", "ind": "Id", "kor": "Ko"}


def news(data: Path) -> list[Row]:
    """A sample of NTREX-128."""
    texts = {code: ntrex(data, code) for code in FIVE}
    lines = random.Random(_SEED).sample(range(len(texts["eng"])), NEWS)
    return [{code: texts[code][line] for code in FIVE} for line in lines]


def health(data: Path) -> list[Row]:
    """A sample of what TICO-19 has in Arabic, Bengali and Indonesian."""
    memories = [_memory(data, f"en-{code}") for code in ("ar", "bn", "id")]
    ids = [name for name in memories[0] if all(name in memory for memory in memories)]
    drawn = random.Random(_SEED).sample(ids, HEALTH)
    return [{_TICO[code]: text for memory in memories for code, text in memory[i].items()} for i in drawn]


def talk(data: Path) -> list[list[Row]]:
    """A sample of the dialogues XPersona has in English, Indonesian and Korean, utterance by utterance."""
    dialogues = sorted(_dialogues(data / "xpersona"), key=lambda pair: -pair[0])
    return [dialogues[n][1] for n in random.Random(_SEED).sample(range(len(dialogues)), TALK)]


def _memory(data: Path, name: str) -> dict[str, dict[str, str]]:
    """Unit id → texts by the code TICO-19 gives the language."""
    found = {}
    with zipfile.ZipFile(data / "tico19" / "data" / "TM" / f"all.{name}.tmx.zip") as folder:
        for file in folder.namelist():
            if file.endswith(".tmx") and not file.startswith("__"):
                for unit in ElementTree.fromstring(folder.read(file)).iter("tu"):
                    found[unit.get("tuid", "")] = dict(_sides(unit))
    return found


def _sides(unit: ElementTree.Element) -> Iterator[tuple[str, str]]:
    for side in unit.iter("tuv"):
        segment = side.find("seg")
        if segment is not None:
            yield side.get(_XML_LANG, ""), "".join(segment.itertext())


def _dialogues(folder: Path) -> Iterator[tuple[float, list[Row]]]:
    """Dialogues of one length in all three languages, each with how surely they are the same one."""
    read = {
        (code, split): _read(
            folder / "dataset" / f"{_XPERSONA[code]}_persona_split_{split}_human_annotated.json"
        )
        for code in ("ind", "kor")
        for split in ("test", "valid")
    }
    english = _read(folder / "dataset" / "En_persona_test.json")
    map_file = folder / "derived" / "xpersona_en_id_ko_map.tsv"
    for place in csv.DictReader(map_file.read_text(encoding="utf-8").splitlines(), delimiter="\t"):
        if not (place["id_index"] and place["ko_index"]):
            continue
        sides = {
            "eng": english[int(place["en_test_index"])],
            "ind": read["ind", place["id_split"]][int(place["id_index"])],
            "kor": read["kor", place["ko_split"]][int(place["ko_index"])],
        }
        if len({len(side) for side in sides.values()}) == 1:
            yield min(float(place["id_score"]), float(place["ko_score"])), _rows(sides)


def _rows(sides: Mapping[str, list[list[str]]]) -> list[Row]:
    return [
        {code: exchange[half] for code, exchange in zip(sides, exchanges, strict=True)}
        for exchanges in zip(*sides.values(), strict=True)
        for half in (0, 1)
        if all(len(exchange) > half for exchange in exchanges)
    ]


def _read(file: Path) -> list[list[list[str]]]:
    return [dialogue["dialogue"] for dialogue in json.loads(file.read_text(encoding="utf-8"))]
