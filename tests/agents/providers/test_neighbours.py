"""A fault stays in its conversation: the others of the run are held, and `resume` comes to its end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.agents.providers import faulty, leaks
from tests.agents.providers.cases import CASES, slug
from tests.agents.providers.uses import SCENARIO, Run
from tests.stub.providers.server import Sent, Server


@pytest.mark.parametrize("name", ["bad request", "unknown model"])
def test_others_are_held_and_resume_ends(name: str, providers: Server, run: Run, tmp_path: Path) -> None:
    case = CASES[name]
    faulty.install(providers, [case])
    words = ["run", "--scenarios", SCENARIO.id, "--turns", "2", "--judge", "none", "--no-cache"]
    first = run(
        *words, "--interpreters", f"{faulty.model(case)},{faulty.GOOD}", "--out", str(tmp_path / "run")
    )
    before = providers["openai"].asked_of("gpt-4o")
    again = run("resume", str(tmp_path / "run"), "--no-cache")
    assert (first.code, again.code) == (1, 1), again.err[-2000:]
    assert "Traceback" not in first.err + again.err
    lines = (tmp_path / "run" / "conversations.jsonl").read_text("utf-8").splitlines()
    (good,) = [json.loads(line)["conversation"] for line in lines]
    assert [turn["translation"] for turn in good["turns"]] == [turn.reference for turn in SCENARIO.turns[:2]]
    assert providers["openai"].asked_of("gpt-4o") == before
    assert providers["openai"].asked_of(slug(name)) > 0


@pytest.mark.parametrize(
    ("use", "said"),
    [
        ("judge", SCENARIO.turns[0].reference),
        ("judge", "Layer L2"),
        ("live", SCENARIO.contexts.A),
        ("live", SCENARIO.turns[0].reference),
        ("user", SCENARIO.conversation_context),
    ],
)
def test_a_leak_is_found(use: str, said: str) -> None:
    sent = Sent("openai", "POST", "/", {}, {"messages": [{"role": "user", "content": f"It is: {said}"}]})
    assert leaks.found(use, [sent])
