"""Fakes that play a scenario: users who say its sources, an interpreter that gives its references."""

import json
from pathlib import Path
from typing import Any

from sim.core.values import Checklists, Scenario


def fake_of(scenario: Scenario, folder: Path) -> str:
    """The name of a fake that takes every seat of `scenario`."""
    rules: list[dict[str, Any]] = []
    for turn in scenario.turns:
        user = {"role": f"user-{turn.speaker.lower()}", "turn": turn.index}
        rules.append({"match": user, "reply": {"text": turn.source, "end": False}})
        rules.append({"match": {"role": "interpreter", "turn": turn.index}, "reply": turn.reference})
    path = folder / f"{scenario.id}.json"
    path.write_text(json.dumps({"fake": 1, "rules": rules}), encoding="utf-8")
    return f"fake:{path}"


def without_checklists(scenario: Scenario, folder: Path, **changes: Any) -> str:
    """The path of a copy of `scenario` whose author wrote no checklist."""
    turns = tuple(
        turn.model_copy(update={"checklists": Checklists(), "contrasts": ()}) for turn in scenario.turns
    )
    bare = scenario.model_copy(update={"turns": turns, "criteria": (), **changes})
    path = folder / f"{bare.id}.yaml"
    path.write_text(json.dumps(bare.model_dump(mode="json", by_alias=True)), encoding="utf-8")
    return str(path)
