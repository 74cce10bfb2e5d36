"""How a speaker stands to the listener, as far as words or a scenario's register show: polite or familiar.

A reading of registers across languages, for deciding which forms may be asked of a translation. Neutral
is what nothing tells; it never means that anything goes. The tables are `courtesy.toml`.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from agents.detectors.port import Finding
from agents.detectors.registry import detector
from sim.core.text import fold

Courtesy = Literal["polite", "familiar", "neutral"]


def heard_courtesy(text: str, language: str) -> Courtesy:
    """What the words of `text` show, by the first detector of its language that knows."""
    table = _table()
    for function, meanings in table["detected"].get(language, {}).items():
        found = detector(language, function).detect(text)
        for courtesy in ("polite", "familiar"):
            if found.label in meanings.get(courtesy, ()):
                return courtesy
        if found.label == "kin":
            return _by_kin(found, table["seniors"])
    return "neutral"


def named_courtesy(register: str | None) -> Courtesy:
    """What a register name of a scenario means."""
    table = _table()["named"]
    for courtesy in ("polite", "familiar"):
        if register in table[courtesy]:
            return courtesy
    return "neutral"


def _by_kin(found: Finding, seniors: list[str]) -> Courtesy:
    """Polite where a kin term for elders addresses; one for juniors may be either."""
    words = {word for item in found.evidence for word in fold(item.quote).split()}
    return "polite" if words & set(seniors) else "neutral"


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("agents.checklists").joinpath("courtesy.toml").read_text(encoding="utf-8"))
