"""aimock, a mock of providers that its authors hold against the real ones: started, told a scenario, ended.

It is installed from npm by `make node`, beside the Python environment; nothing here installs it.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.agents.providers.uses import SCENARIO, TURNS, delivered
from tests.stub.providers.brain import verdicts

_ROOT = Path(__file__).parents[2]
_PROGRAM = _ROOT / ".venv" / "node" / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"
_LISTENING = re.compile(r"listening on (http://127\.0\.0\.1:\d+)")
_MOST_CRITERIA = 30
KEY = "sk-aimock-0123456789"


def installed() -> Path:
    """Its program; skips the test where it is not there."""
    if not _PROGRAM.exists():
        pytest.skip("aimock is not installed: `make node` does it, with node and npm")
    return _PROGRAM


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Its address, as long as the block lasts."""
    fixtures = folder / "fixtures.json"
    fixtures.write_text(json.dumps({"fixtures": _fixtures()}), encoding="utf-8")
    command = ["node", str(installed()), "-p", "0", "-h", "127.0.0.1", "-f", str(fixtures)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as child:
        try:
            yield _address(child)
        finally:
            child.terminate()
            child.communicate(timeout=20)


def _address(child: subprocess.Popen[str]) -> str:
    said = ""
    for line in child.stdout or ():
        said += line
        found = _LISTENING.search(line)
        if found:
            return found.group(1)
    raise RuntimeError(f"aimock did not start: {said}")


def _fixtures() -> list[dict[str, Any]]:
    """What it answers, first match first: verdicts by the number of criteria, then the newest line's translation."""
    rows = []
    for number in range(_MOST_CRITERIA, 0, -1):
        ids = [f"c{place}" for place in range(1, number + 1)]
        rows.append((f"in this order: {', '.join(ids)}", verdicts(ids)))
    lines = list(zip(SCENARIO.turns[:TURNS], delivered("live"), strict=True))
    rows += [(turn.source, translation) for turn, translation in reversed(lines)]
    return [{"match": {"userMessage": said}, "response": {"content": text}} for said, text in rows]


def environment(base: str) -> dict[str, str]:
    """Addresses and keys for every provider tried."""
    addresses = {
        "OPENAI_BASE_URL": f"{base}/v1",
        "ANTHROPIC_API_BASE": base,
        "GEMINI_API_BASE": f"{base}/v1beta",
        "DEEPSEEK_API_BASE": f"{base}/v1",
        "DASHSCOPE_API_BASE": f"{base}/compatible-mode/v1",
        "XAI_API_BASE": f"{base}/v1",
        "OPENROUTER_API_BASE": f"{base}/api/v1",
        "OLLAMA_API_BASE": base,
        "COHERE_API_BASE": f"{base}/v2/chat",
        "HOSTED_VLLM_API_BASE": f"{base}/v1",
    }
    keyed = ("OPENAI", "ANTHROPIC", "GEMINI", "DEEPSEEK", "DASHSCOPE", "XAI", "OPENROUTER", "COHERE")
    return addresses | {f"{name}_API_KEY": KEY for name in keyed}
