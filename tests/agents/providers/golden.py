"""Requests as they were sent and answered, kept as files to be read and compared.

Keys are masked, what changes from call to call is taken out, and a long text stands once, in a file of
its own under `texts/`, named by its digest. `SKOPOS_RENEW_GOLDEN=1 python -m pytest
tests/agents/providers/test_matrix.py` writes them again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.stub.providers.server import KEY, Sent

DATA = Path(__file__).parent / "data"
RENEW = "SKOPOS_RENEW_GOLDEN"
_SAID = (
    "authorization",
    "x-api-key",
    "x-goog-api-key",
    "anthropic-version",
    "anthropic-beta",
    "content-type",
)
_FENCE = re.compile(r"(?<=\[)[0-9a-f]{12}(?= (?:begin|end))|(?<=marked )[0-9a-f]{12}\b")
_SEEDS = ("seed", "random_seed")
_LONG = 200


def requests(sent: Iterable[Sent]) -> list[dict[str, Any]]:
    """What a file holds of each request."""
    return [
        {
            "method": one.method,
            "path": _masked(one.path),
            "headers": {name: _masked(one.headers[name]) for name in _SAID if name in one.headers},
            "body": _shortened(one.body),
        }
        for one in sent
    ]


def texts(value: Any) -> list[str]:
    """Every text in a request's body, fences masked."""
    if isinstance(value, str):
        return [_FENCE.sub("FENCE", value)]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in inner for text in texts(part)]


def check(name: str, sent: Iterable[Sent]) -> None:
    """Compare with the file called `name`, or write it."""
    sent = [one for one in sent if not one.refused]
    # turns are judged side by side, in no order
    found = sorted(requests(sent), key=lambda one: json.dumps(one, sort_keys=True))
    told = json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    path = DATA / f"{name}.json"
    if os.environ.get(RENEW):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(told, encoding="utf-8")
        _keep_texts(sent)
        return
    kept = path.read_text("utf-8") if path.exists() else ""
    assert told == kept, (
        f"what is sent has changed: read it, then renew {path.name} by "
        f"`{RENEW}=1 .venv/bin/python -m pytest tests/agents/providers/test_matrix.py`"
    )


def _keep_texts(sent: Iterable[Sent]) -> None:
    folder = DATA / "texts"
    folder.mkdir(parents=True, exist_ok=True)
    for one in sent:
        for text in texts(one.body):
            if len(text) > _LONG:
                (folder / f"{_digest(text)}.txt").write_text(text, encoding="utf-8")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:10]


def _masked(text: str) -> str:
    return text.replace(KEY, "KEY")


def _shortened(value: Any) -> Any:
    if isinstance(value, str):
        masked = _FENCE.sub("FENCE", value)
        return f"texts/{_digest(masked)}.txt" if len(masked) > _LONG else masked
    if isinstance(value, dict):
        return {name: "SEED" if name in _SEEDS else _shortened(part) for name, part in value.items()}
    return [_shortened(part) for part in value] if isinstance(value, list) else value
