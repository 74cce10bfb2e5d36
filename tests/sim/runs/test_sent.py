"""What was sent is read from the ledger; two sets for one model in one role are said, seeds aside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sim.core.events import CallFinished, Role, event_line
from sim.runs.sent import differing, sent
from sim.runs.store import Run


def call(sent: dict[str, Any], role: Role = "judge", *, cached: bool = False) -> str:
    event = CallFinished(role=role, model='openai/"x"', outcome="ok", sent=sent, cached=cached, host="h")
    return event_line(event)


def run_of(folder: Path, *lines: str) -> Run:
    (folder / "journal").mkdir()
    (folder / "run.json").write_text(json.dumps({"schema": 1}))
    (folder / "journal" / "aa-0.jsonl").write_text("".join(f"{line}\n" for line in lines[:-1]))
    (folder / "calls.jsonl").write_text(f'{lines[-1]}\n{{"type":"CallFinished","ro')
    return Run(folder)


def test_two_sets_of_one_model_in_one_role_are_said_with_their_calls(tmp_path: Path) -> None:
    refused = {"seed": 3, "response_format": "json_object"}
    asked = {"seed": 1, "response_format": "json_schema"}
    run = run_of(
        tmp_path,
        call(asked),
        call(asked | {"seed": 2}),
        call({}, cached=True),
        call({}, "interpreter"),
        call(refused),
    )
    found = sent(run)
    assert [(one.role, one.parameters.get("response_format"), one.calls) for one in found] == [
        ("interpreter", None, 1),
        ("judge", "json_object", 1),
        ("judge", "json_schema", 2),
    ]
    (said,) = differing(found)
    assert said.startswith('openai/"x" was sent 2 sets of parameters as judge: ')
    assert '"json_object", "seed": "of the conversation"} in 1 calls' in said


def test_seeds_and_roles_alone_are_no_difference(tmp_path: Path) -> None:
    run = run_of(tmp_path, call({"seed": 1}), call({"seed": 2}), call({"temperature": 0.5}, "interpreter"))
    assert differing(sent(run)) == []
    assert len(sent(run)) == 2
