"""Which systems belong together by what they are made of: a judge's own family, one system with and without history.

Read off names and the parts of a system id. It guesses nothing beyond the name: what it does not recognise
belongs to no family.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from sim.analysis.systems import zero

Record = Mapping[str, Any]
_NO_MODEL = frozenset({"rules", "none", "local", "reference", "copy", "script", ""})


def family(model: str) -> str | None:
    """The first word of a model's name, without its provider: `gemini` of `gemini/gemini-3.1-pro-preview`.

    None for what is no single model: rules, baselines, a panel, a scripted fake.
    """
    if model in _NO_MODEL or "," in model or model.startswith("fake:"):
        return None
    word = re.match(r"[^\W\d_]+", model.removeprefix("gguf:").rpartition("/")[2].casefold())
    return word[0] if word else None


def of_family(records: Iterable[Record], judge: str) -> tuple[str, ...]:
    """The ids of systems whose model is of the family of `judge`, in order of appearance."""
    wanted = family(judge)
    return tuple(
        name
        for name, system in _systems(records).items()
        if wanted is not None and family(str(system.get("model", ""))) == wanted
    )


def histories(records: Iterable[Record]) -> list[tuple[str, str]]:
    """(with history, without) of systems alike in model, brief and parameters."""
    return [
        (name, ladder["none"])
        for ladder in alike(records, "history")
        if "none" in ladder
        for history, name in ladder.items()
        if history != "none"
    ]


def alike(records: Iterable[Record], part: str) -> list[dict[str, str]]:
    """Systems alike in all parts but one: value of that part → system id, a mapping a group.

    Systems without the part are in no group; systems and groups stand in order of appearance.
    """
    groups: dict[str, dict[str, str]] = {}
    for name, system in _systems(records).items():
        value = system.get(part)
        if value is not None:
            groups.setdefault(_others(system, part), {})[str(value)] = name
    return list(groups.values())


def _others(system: Record, part: str) -> str:
    """All that a system is made of but one part; prompts follow from the rest."""
    made = {name: value for name, value in system.items() if name not in (part, "id", "prompts")}
    return repr(sorted((name, repr(value)) for name, value in made.items()))


def _systems(records: Iterable[Record]) -> dict[str, Record]:
    return {record["system"]["id"]: record["system"] for record in records if not zero(record)}
