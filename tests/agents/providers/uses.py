"""The four ways a model is used, each as a person would: one command, held to its end on the stubs.

Every other seat is taken by what asks no model, so that all a stub is asked comes from the one role.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scenarios import loader

SCENARIO = loader.find("kor-ind-clinic-fasting")
TURNS = 2
USES = ("live", "batch", "user", "judge")
Run = Callable[..., "Done"]


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str


def words(use: str, model: str, folder: Path) -> list[str]:
    """The command."""
    length = ["--turns", str(TURNS), "--no-cache"]
    watch = ["watch", SCENARIO.id, "--json", *length]
    match use:
        case "live":
            return [*watch, "--interpreter", model, "--judge", "none"]
        case "user":
            dynamic = ["--mode", "dynamic-guided", "--interpreter", "reference", "--judge", "none"]
            return [*watch, *dynamic, "--user-a", model, "--user-b", model]
        case "judge":
            return [*watch, "--interpreter", _alternatives(folder), "--judge", model]
    batch = ["run", "--scenarios", SCENARIO.id, "--interpreters", model, "--mode", "scripted"]
    return [*batch, "--judge", "none", "--out", str(folder / "run"), *length]


def held(use: str, model: str, run: Run, folder: Path) -> dict[str, Any]:
    """The conversation of one use, which must end well."""
    done = run(*words(use, model, folder))
    assert (done.code, "Traceback" in done.err) == (0, False), done.err[-3000:]
    if use != "batch":
        document: dict[str, Any] = json.loads(done.out)
        return {**document["conversation"], "scores": document["scores"]}
    lines = (folder / "run" / "conversations.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 1, done.err[-3000:]
    conversation: dict[str, Any] = json.loads(lines[0])["conversation"]
    return conversation


def delivered(use: str) -> list[str]:
    """The translations of the conversation: of a judged one not the references, which a judge may not see."""
    turns = SCENARIO.turns[:TURNS]
    return [turn.alternatives[0] if use == "judge" else turn.reference for turn in turns]


def _alternatives(folder: Path) -> str:
    """The name of an interpreter that gives other good renderings than the reference."""
    rules = [
        {"match": {"role": "interpreter", "turn": turn.index}, "reply": turn.alternatives[0]}
        for turn in SCENARIO.turns[:TURNS]
    ]
    path = folder / "alternatives.json"
    path.write_text(json.dumps({"fake": 1, "rules": rules}), encoding="utf-8")
    return f"fake:{path}"
