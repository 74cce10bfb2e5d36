"""The document of a scripted model, `fake:FILE`: its schema and its reader.

YAML 1.2 or JSON, at most 256 KB, no aliases, no unknown keys; every problem is reported at once, with its
line. `docs/fakes.md` describes it for its writers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from sim.core import files
from sim.core.errors import Problem, UsageProblem
from sim.core.events import Role

FaultName = Literal[
    "rate_limit",
    "server_error",
    "authentication",
    "quota",
    "timeout",
    "context_length",
    "empty_choices",
    "null_content",
    "empty_content",
    "truncated",
    "blocked",
    "broken_json",
    "cut_stream",
    "leak",
    "leak_unopened",
]
_LARGEST = 256_000
"""YAML is read at about 130 KB a second, three times over."""
_DEEPEST = 24
_TITLE = "Scripted model"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Match(_Part):
    """When a rule applies; what is left out matches everything."""

    role: Role | None = None
    scenario: str | None = None
    turn: int | None = None
    trial: int | None = None
    attempt: int | None = None
    """Attempt of the conversation, from 0: not of the call."""
    contains: str | None = None
    """Text that the prompt or one of the messages must hold, code point for code point."""


class Rule(_Part):
    """One scripted reply."""

    match: Match = Match()
    reply: str | dict[str, Any] | list[Any] = ""
    """Text, or a document that is sent as JSON."""
    latency: float = Field(default=0.0, ge=0, le=600)
    """Seconds before the answer."""
    pause: float = Field(default=0.0, ge=0, le=60)
    """Seconds between the pieces of a streamed answer."""
    fault: FaultName | None = None
    times: int | None = Field(default=None, ge=1)
    """How many attempts of a call have the fault; None means all of them."""
    retry_after: int | float | Literal["date"] | None = None
    """With rate_limit or server_error: seconds, or a date 3 seconds ahead."""
    status: int = Field(default=503, ge=500, le=599)
    """With server_error."""
    tokens: tuple[int, int] | None = None
    """Input and output tokens it reports."""
    cost: float | Literal["unknown"] | None = None
    """US dollars it reports; None means free."""

    @model_validator(mode="before")
    @classmethod
    def _tuples(cls, value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("tokens"), list):
            return value | {"tokens": tuple(value["tokens"])}
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Rule:
        if self.fault is None and self.times is not None:
            raise ValueError("times needs a fault")
        if self.retry_after is not None and self.fault not in ("rate_limit", "server_error"):
            raise ValueError("retry_after needs the fault rate_limit or server_error")
        return self


class Script(_Part):
    """The whole document."""

    fake: Literal[1]
    """Version of the format."""
    rules: list[Rule] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class ScriptFile:
    """A script and where it came from."""

    path: Path
    sha256: str
    script: Script


def read(path: Path) -> ScriptFile:
    """The script in `path`. Raises UsageProblem with every problem found."""
    try:
        data = files.read(path, _LARGEST)
    except OSError as error:
        raise UsageProblem(
            Problem(
                _TITLE, f"The script {str(path)!r} cannot be read.", error.strerror or "", where=str(path)
            )
        ) from error
    document, lines = _parse(path, data)
    try:
        script = Script.model_validate(document)
    except ValidationError as error:
        raise UsageProblem(*(_problem(path, dict(e), lines) for e in error.errors())) from error
    return ScriptFile(path, hashlib.sha256(data).hexdigest(), script)


Lines = dict[tuple[str | int, ...], int]


def _parse(path: Path, data: bytes) -> tuple[Any, Lines]:
    """The plain document, and the line of each of its parts."""
    from ruamel.yaml.error import YAMLError

    try:
        text = data.decode("utf-8-sig")
        return (json.loads(text), {}) if path.suffix.lower() == ".json" else _yaml(text)
    except RecursionError as error:
        raise UsageProblem(
            Problem(
                _TITLE, f"The script {str(path)!r} cannot be parsed.", "Nested too deeply.", where=str(path)
            )
        ) from error
    except (ValueError, YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else getattr(error, "lineno", None)
        why = getattr(error, "problem", None) or str(error)
        raise UsageProblem(
            Problem(_TITLE, f"The script {str(path)!r} cannot be parsed.", why, where=_where(path, line))
        ) from error


def _yaml(text: str) -> tuple[Any, Lines]:
    from ruamel.yaml import YAML

    def loader() -> Any:
        return YAML(typ="safe", pure=True)

    _refuse_tangled(loader().parse(text))
    return loader().load(text), dict(_lines(loader().compose(text), ()))


def _refuse_tangled(events: Iterable[Any]) -> None:
    """Raise ValueError for aliases and for nesting, whose time grows with the square of its depth."""
    from ruamel.yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent

    depth = 0
    for event in events:
        if isinstance(event, AliasEvent):
            raise ValueError("aliases are not allowed")
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
        if depth > _DEEPEST:
            raise ValueError("nested too deeply")


def _lines(node: Any, place: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], int]]:
    found = [(place, node.start_mark.line + 1)] if node is not None else []
    value = getattr(node, "value", None)
    for number, part in enumerate(value if isinstance(value, list) else []):
        name, child = (part[0].value, part[1]) if isinstance(part, tuple) else (number, part)
        found += _lines(child, (*place, name))
    return found


def _problem(path: Path, error: dict[str, Any], lines: Lines) -> Problem:
    place = tuple(error["loc"])
    name = ".".join(str(part) for part in place) or "the document"
    choices: tuple[str, ...] = ()
    if error["type"] == "literal_error":
        choices = tuple(
            part.strip(" '") for part in error["ctx"]["expected"].replace(" or ", ", ").split(",")
        )
    while place and place not in lines:
        place = place[:-1]
    return Problem(_TITLE, f"{name}: {error['msg']}.", "", choices, _where(path, lines.get(place)))


def _where(path: Path, line: int | None) -> str:
    return f"{path}:{line}" if line else str(path)
