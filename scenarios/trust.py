"""The measured worth of a `rules` score, as it ships: figures that `tests/bench/floor.py` writes.

Data only. Whether they are about the scores in hand, and how that is said, is for those who show scores.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "trust.json"


@cache
def figures() -> Mapping[str, Any]:
    """The judge and the scenarios they were measured on, floor, share claimed and errors caught."""
    found: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return found
