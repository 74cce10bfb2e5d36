"""Readers of the texts that benches measure on, and how they print; nothing of the texts is kept."""

import gettext
import html
import json
import random
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

MOST = 2000
"""Texts taken of each set, drawn with a fixed seed."""
WRITTEN = Path(__file__).parents[1] / "agents" / "language_lines"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A Markdown table."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    yield from ("| " + " | ".join(row) + " |" for row in rows)
    yield ""


def percent(value: float) -> str:
    """A share as printed."""
    return f"{100 * value:.1f}"


def ntrex(data: Path, code: str) -> list[str]:
    """News sentences."""
    part = "src" if code == "eng" else "ref"
    path = data / "ntrex128" / "NTREX-128" / f"newstest2019-{part}.{code}.txt"
    return [line for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip()]


def xpersona(data: Path, code: str) -> list[str]:
    """Casual dialogue lines."""
    names = {"ind": "Id_persona_split_test_human_annotated", "kor": "Ko_persona_split_test_human_annotated"}
    path = data / "xpersona" / "dataset" / f"{names.get(code, 'En_persona_test')}.json"
    dialogues = json.loads(path.read_text(encoding="utf-8"))
    return [line for d in dialogues for exchange in d["dialogue"] for line in exchange if line.strip()]


def tico(data: Path, file: str, side: int) -> list[str]:
    """Pandemic texts, one side of a translation memory."""
    with zipfile.ZipFile(data / "tico19" / "data" / "TM" / f"all.{file}.tmx.zip") as archive:
        root = ElementTree.fromstring(archive.read(archive.namelist()[0]))
    segments = ([seg.text or "" for seg in unit.iter("seg")] for unit in root.iter("tu"))
    return [pair[side] for pair in segments if len(pair) == 2 and pair[side].strip()]


def rights(folder: Path, name: str) -> list[str]:
    """Headings and paragraphs of one translation of the Universal Declaration of Human Rights."""
    page = (folder / f"{name}.html").read_text(encoding="utf-8")
    found = re.findall(r"<(?:p|h\d)[^>]*>(.*?)</(?:p|h\d)>", page, re.DOTALL)
    return [html.unescape(re.sub("<[^>]+>", "", text)).strip() for text in found]


def catalogues(folder: Path, code: str) -> list[str]:
    """Messages of programs, from the gettext catalogues of a language, without names and gaps to fill."""
    found: set[str] = set()
    for path in sorted((folder / code / "LC_MESSAGES").glob("*.mo")):
        if path.name.startswith("iso_"):
            continue
        with path.open("rb") as file:
            messages = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        found |= {
            text.strip()
            for key, text in messages.items()
            if key and isinstance(text, str) and text != key and "%" not in text and len(text) >= 12
        }
    return sorted(found)


def written(name: str) -> list[str]:
    """Lines written for this project (see the card beside them)."""
    return (WRITTEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def drawn(texts: list[str]) -> list[str]:
    """At most `MOST` of them."""
    return random.Random(0).sample(texts, min(MOST, len(texts)))
