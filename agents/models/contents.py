"""What a message says, in whatever form its provider puts it: text, parts, an object, nothing.

Thinking is never said: parts and fields that carry it are kept apart. It must not interpret the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

_Kind = Literal["text", "thought", "refusal"]
_THOUGHTS = frozenset(
    {"thinking", "redacted_thinking", "reasoning", "reasoning_content", "reasoning_text", "thought"}
)
_TEXTS = ("text", "output_text")
_BESIDE = ("reasoning_content", "reasoning", "thinking")
_INNER = ("text", "output_text", "content", "parts", "value")
_DEEPEST = 8


class Unreadable(Exception):
    """Content of a form nobody foresaw."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one message, or one piece of it, says."""

    text: str | None
    """None where it says nothing at all."""
    thought: str = ""
    """Thinking, from parts or from a field beside the content."""
    refused: bool = False
    """Whether the provider marked it as a refusal; `text` then holds its words."""


NOTHING = Said(None)


def said(message: Mapping[str, Any]) -> Said:
    """What an assistant's message or delta says. Raises Unreadable."""
    found = list(_beside(message))
    content = message.get("content", message.get("parts"))
    if content is not None:
        found += _texts(content, 0, "text")
    if message.get("refusal"):
        found.append(("refusal", _words(message["refusal"])))
    spoken = [text for kind, text in found if kind != "thought"]
    thought = "".join(text for kind, text in found if kind == "thought")
    refused = any(kind == "refusal" for kind, _ in found)
    return Said("".join(spoken) if spoken else None, thought, refused)


def _beside(message: Mapping[str, Any]) -> Iterator[tuple[_Kind, str]]:
    """Thinking in a field beside the content; gateways send the same under two names."""
    for name in _BESIDE:
        value = message.get(name)
        if isinstance(value, str) and value:
            yield "thought", value
            return


def _texts(content: object, depth: int, kind: _Kind) -> Iterator[tuple[_Kind, str]]:
    """The texts of content, in order, each with what it is. Raises Unreadable."""
    if depth > _DEEPEST:
        raise Unreadable("content nested too deep")
    if isinstance(content, str):
        yield kind, content
    elif isinstance(content, list):
        for part in content:
            if part is not None:
                yield from _texts(part, depth + 1, kind)
    elif isinstance(content, dict):
        yield from _part(content, depth, kind)
    else:
        raise Unreadable(f"content of type {type(content).__name__}")


def _part(part: dict[str, Any], depth: int, kind: _Kind) -> Iterator[tuple[_Kind, str]]:
    named = part.get("type")
    if named == "refusal" or part.get("refusal"):
        yield "refusal", _words(part.get("refusal")) or _words(part.get("text"))
        return
    thinks = (isinstance(named, str) and named in _THOUGHTS) or part.get("thought") is True
    inner = next((part[name] for name in _INNER if part.get(name) is not None), None)
    if inner is None:
        inner = next((part[name] for name in _BESIDE if part.get(name) is not None), None)
        thinks = thinks or inner is not None
    if inner is not None:
        yield from _texts(inner, depth + 1, "thought" if thinks else kind)
    elif depth == 0 and named not in _TEXTS:
        raise Unreadable("content is an object without text")


def _words(value: object) -> str:
    return value if isinstance(value, str) else ""
