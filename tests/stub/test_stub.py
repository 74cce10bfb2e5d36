from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from agents.models import gateway
from sim.core.ports import Message, Request
from tests.agents.models.helpers import Ear, hosted
from tests.stub.app import Stub

SCHEMA = {
    "type": "object",
    "properties": {
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "met": {"type": "boolean"}},
            },
        }
    },
}


@pytest_asyncio.fixture(autouse=True)
async def closed() -> AsyncIterator[None]:
    yield
    await gateway.close()


@pytest.mark.parametrize(
    "text",
    [
        'Criteria: [{"id": "t0.l1.dose", "ask": "…"}, {"id": "t0.l2.tone", "ask": "…"}]',
        "- t0.l1.dose: Does the translation keep the dose?\n- t0.l2.tone: Is it polite?",
    ],
)
async def test_it_judges_every_id_it_finds(stub: Stub, text: str) -> None:
    stub.play({"do": "judge", "met": "alternate"})
    request = Request(messages=(Message("user", text),), schema=SCHEMA)
    completion = await hosted().complete(request, Ear().scope())
    verdicts = json.loads(completion.text)["verdicts"]
    assert [(v["id"], v["met"]) for v in verdicts] == [("t0.l1.dose", True), ("t0.l2.tone", False)]


async def test_ids_of_the_schema_come_first(stub: Stub) -> None:
    stub.play({"do": "judge", "met": False})
    schema = json.loads(json.dumps(SCHEMA))
    schema["properties"]["verdicts"]["items"]["properties"]["id"]["enum"] = ["c7"]
    request = Request(messages=(Message("user", "id: other"),), schema=schema)
    completion = await hosted().complete(request, Ear().scope())
    assert json.loads(completion.text)["verdicts"] == [{"id": "c7", "met": False, "reason": "Stub."}]


def asked(base: str, key: str) -> str | int:
    """The text of one answer, the status of one error."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    call = urllib.request.Request(f"{base}/chat/completions", b'{"messages": []}', headers)
    try:
        with urllib.request.urlopen(call, timeout=10) as response:
            return str(json.load(response)["choices"][0]["message"]["content"])
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_it_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('[{"do": "reply", "text": "one"}, {"do": "reply", "text": "two"}]')
    command = [sys.executable, "-m", "tests.stub", "--script", str(script), "--key", "k"]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        base = f"http://127.0.0.1:{json.loads(child.stdout.readline())['port']}/v1"
        texts = [asked(base, key) for key in ("k", "k", "wrong")]
        child.stdin.close()
        assert child.wait(5) == 0
    assert texts == ["one", "two", 401]
