"""Reading the JSON in a model's answer, whatever stands around it."""

import json
from typing import Any


def first_object(text: str) -> dict[str, Any] | None:
    """The first JSON object that can be read in `text`, None where there is none.

    Fences, headings and words around it do not matter; a broken object before it is passed over.
    """
    decoder = json.JSONDecoder()
    start = text.find("{")
    tries = 0
    while start >= 0 and tries < 64:
        try:
            value, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return value
        tries += 1
        start = text.find("{", start + 1)
    return None
