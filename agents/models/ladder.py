"""The ladder of ways to ask for JSON: json_schema, json_object, plain text.

What each rung sends. Which one a model is asked on is decided in `forms`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from sim.core.ports import Message

Rung = Literal["json_schema", "json_object", "text"]
RUNGS: tuple[Rung, ...] = ("json_schema", "json_object", "text")


def response_format(rung: Rung, schema: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """OpenAI's `response_format` for a rung; None asks for plain text."""
    if schema is None or rung == "text":
        return None
    if rung == "json_object":
        return {"type": "json_object"}
    name = str(schema.get("title", "answer"))
    return {"type": "json_schema", "json_schema": {"name": name, "schema": dict(schema), "strict": True}}


def described(
    rung: Rung, schema: Mapping[str, Any] | None, messages: tuple[Message, ...]
) -> tuple[Message, ...]:
    """`messages`, with the schema in words where the rung does not carry it."""
    if schema is None or rung == "json_schema" or not messages:
        return messages
    last = messages[-1]
    return (*messages[:-1], Message(last.role, f"{last.content}\n\n{in_words(schema)}"))


def in_words(schema: Mapping[str, Any]) -> str:
    """The demand a schema makes, for a model that must be told."""
    text = json.dumps(schema, ensure_ascii=False, sort_keys=True)
    return f"Answer with one JSON document and nothing else. It must follow this JSON Schema:\n{text}"
