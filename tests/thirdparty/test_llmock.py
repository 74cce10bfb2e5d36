"""llmock's verdict on the client is PASS, whatever it breaks.

It keeps every attempt with its time, and says whether the client waited as long as it was asked, asked
again what passes, never what does not, and took no broken stream for an answer. Its answers are made up:
only the way they are asked for counts here. The providers are tried side by side: the waits are real.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sim.core.studio import Setup
from sim.runs.places import Places
from sim.wiring.studio import House
from tests.agents.providers.uses import SCENARIO, Run

testing = pytest.importorskip("llmock.testing", reason="llmock is a development dependency: run `make setup`")
scenarios = pytest.importorskip("llmock.scenarios")
verdict = pytest.importorskip("llmock.verdict")

MODELS = {
    "openai": "openai/gpt-4o",
    "anthropic": "anthropic/claude-sonnet-4-5",
    "gemini": "gemini/gemini-2.5-flash",
    "cohere": "cohere/command-r-plus",
    "mistral": "mistral/mistral-large-latest",
    "groq": "groq/llama-3.3-70b-versatile",
    "xai": "xai/grok-4",
    "together": "together_ai/meta-llama/Llama-3.3-70B-Instruct-Turbo",
}
_ADDRESSES = {
    "OPENAI_BASE_URL": ("openai", ""),
    "ANTHROPIC_API_BASE": ("anthropic", ""),
    "GEMINI_API_BASE": ("gemini", "/v1beta"),
    "COHERE_API_BASE": ("cohere", "/v2/chat"),
    "MISTRAL_API_BASE": ("mistral", ""),
    "MISTRAL_AZURE_API_BASE": ("mistral", ""),
    "GROQ_API_BASE": ("groq", ""),
    "XAI_API_BASE": ("xai", ""),
    "TOGETHERAI_API_BASE": ("together", ""),
    "TOGETHER_AI_API_BASE": ("together", ""),
}
_KEYED = ("OPENAI", "ANTHROPIC", "GEMINI", "COHERE", "MISTRAL", "GROQ", "XAI", "TOGETHERAI", "TOGETHER_AI")
TURNS = 2
STATUSES = (429, 503, 529, 500)
STREAMS = ("truncate", "malformed", "disconnect")


def break_(server: Any, statuses: tuple[int, ...], streams: tuple[str, ...] = ()) -> int:
    """Have each fault happen once to each provider, one after the other; how many each will meet."""
    for provider in MODELS:
        one = scenarios.Match(provider=provider)
        for status in statuses:
            wait = 1.0 if status == 429 else None
            server.state.scenarios.add(scenarios.Fail(status, retry_after=wait, match=one))
        for kind in streams:
            server.state.scenarios.add(scenarios.StreamFault(kind, after_chunks=1, match=one))
    return len(statuses) + len(streams)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A real server in a thread, named in the environment."""
    with testing.LLMockServer() as server:
        for name, (provider, path) in _ADDRESSES.items():
            monkeypatch.setenv(name, f"{server.base_url(provider)}{path}")
        for name in _KEYED:
            monkeypatch.setenv(f"{name}_API_KEY", "llmock-test-key")
        yield server


async def _watched(folder: Path) -> list[str]:
    """The end reasons of live conversations, as `watch` holds them, one a provider."""
    house = House(Places(folder / "data", folder / "cache"), cache=False)
    setup = Setup(SCENARIO.id, judge="none", turns=TURNS, record=False, stream=True)
    try:
        sessions = [house.start(replace(setup, interpreter=model)) for model in MODELS.values()]
        documents = await asyncio.gather(*(session.run() for session in sessions))
    finally:
        await house.aclose()
    return [document["conversation"]["end_reason"] for document in documents]


def test_live_conversations_outlive_every_fault(told: Any, tmp_path: Path) -> None:
    faults = break_(told, STATUSES[:1], STREAMS)
    ends = asyncio.run(_watched(tmp_path))
    assert dict(zip(MODELS, ends, strict=True)) == dict.fromkeys(MODELS, "completed")
    passed(told, faults)


def test_a_batch_outlives_every_fault(told: Any, run: Run, tmp_path: Path) -> None:
    faults = break_(told, STATUSES)
    words = ["run", "--scenarios", SCENARIO.id, "--turns", str(TURNS), "--judge", "none", "--no-cache"]
    words += ["--concurrency", str(len(MODELS)), "--out", str(tmp_path / "run")]
    done = run(*words, "--interpreters", ",".join(MODELS.values()))
    assert (done.code, "Traceback" in done.err) == (0, False), done.err[-3000:]
    passed(told, faults)


def test_the_command_outlives_every_fault(told: Any, run: Run) -> None:
    faults = break_(told, STATUSES[2:3], STREAMS)
    words = ["watch", SCENARIO.id, "--turns", str(TURNS), "--judge", "none", "--json", "--no-cache"]
    done = run(*words, "--interpreter", MODELS["openai"])
    assert (done.code, "Traceback" in done.err) == (0, False), done.err[-3000:]
    passed(told, faults, {"openai"})


def passed(server: Any, faults: int, providers: set[str] | None = None) -> None:
    """The verdict is PASS; every provider met its faults, and no broken answer was taken for one.

    After each fault comes one more request, so that every call ends with a whole answer. A warning of
    llmock's says the same, but takes a request in another form for another call.
    """
    records = server.state.journal.records(wait=2.0)
    found = verdict.judge(records)
    for provider in providers or MODELS:
        asked = [record for record in records if record.provider == provider]
        assert sum(1 for record in asked if record.fault) == faults, (provider, found.render())
        assert len(asked) == faults + TURNS, (provider, found.render())
    assert found.passed, found.render()
