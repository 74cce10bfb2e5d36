"""pydantic's errors in a scenario author's words, at the place in the document they are about.

One remark a place: an error of each branch of a union is one thing to mend, not three.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from scenarios.document import Place, Step
from scenarios.structure import Remark
from sim.core.values import Scenario


def remarks(error: ValidationError, data: Any) -> list[Remark]:
    """One remark for each place of `data` that `error` is about, in document order of pydantic."""
    by_place: dict[Place, list[ErrorDetails]] = {}
    for detail in error.errors(include_url=False, include_context=True):
        by_place.setdefault(_place(detail, data), []).append(detail)
    inner = list(by_place)
    return [_remark(at, details) for at, details in by_place.items() if not _is_shadowed(details, at, inner)]


def _is_shadowed(details: list[ErrorDetails], at: Place, places: list[Place]) -> bool:
    """Whether these only say "not a string" of a mapping whose inside has its own remark."""
    inside = any(len(place) > len(at) and place[: len(at)] == at for place in places)
    return inside and all(detail["type"] in ("string_type", "model_type") for detail in details)


def _place(detail: ErrorDetails, data: Any) -> Place:
    """Where in the document: steps that name a branch of a union or a wrapped item are left out."""
    at: list[Step] = []
    here = data
    steps = detail["loc"]
    for step in steps:
        if _has(here, step):
            here = here[step]
            at.append(step)
    if detail["type"] == "missing":
        at.append(steps[-1])
    return tuple(at)


def _has(here: Any, step: Step) -> bool:
    if isinstance(here, dict):
        return step in here
    return isinstance(here, list) and isinstance(step, int) and step < len(here)


def _remark(at: Place, details: list[ErrorDetails]) -> Remark:
    detail = details[0]
    kind = detail["type"]
    name = _name(at)
    if kind == "missing":
        return Remark(at, f"The key {name} is missing.")
    if kind == "extra_forbidden":
        keys = _keys(at[:-1])
        near = difflib.get_close_matches(str(at[-1]), keys, n=3)
        return Remark(at, f"The key {name} is unknown.", choices=tuple(dict.fromkeys([*near, *keys])))
    if any(item["type"] == "model_type" for item in details) and len(details) > 1:
        return Remark(at, f"{name} must be a text in quotes, or a pattern with the keys re, yes and no.")
    return Remark(at, f"{name}: {_said(detail)}")


def _said(detail: ErrorDetails) -> str:
    context: Mapping[str, Any] = detail.get("ctx", {})
    kind = detail["type"]
    if kind == "literal_error":
        return f"must be {context['expected']}, not {_short(detail['input'])}."
    if kind == "string_type":
        return f"must be a text, not {_short(detail['input'])}; put quotes around it."
    if kind in ("model_type", "dict_type"):
        return f"must be a mapping (keys with values), not {_short(detail['input'])}."
    if kind == "tuple_type":
        return f"must be a list, not {_short(detail['input'])}."
    if kind == "string_pattern_mismatch":
        return f"{_short(detail['input'])} does not match {context['pattern']}."
    return f"{detail['msg'].removeprefix('Input ')} ({_short(detail['input'])})."


def _short(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "a mapping" if isinstance(value, dict) else "a list"
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _name(at: Place) -> str:
    """`turns[0].source` for a person."""
    parts = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in at)
    return "".join(parts).removeprefix(".") or "The document"


@cache
def _schema() -> dict[str, Any]:
    return Scenario.model_json_schema(by_alias=True)


def _keys(at: Place) -> tuple[str, ...]:
    """The keys a mapping at `at` may have."""
    nodes = [_schema()]
    for step in at:
        nodes = [inner for node in nodes for inner in _inside(node, step)]
    return tuple(dict.fromkeys(key for node in nodes for key in _resolved_keys(node)))


def _resolved_keys(node: dict[str, Any]) -> Iterator[str]:
    for branch in _branches(node):
        yield from branch.get("properties", {})
        if "items" in branch:
            yield from _resolved_keys(branch["items"])


def _inside(node: dict[str, Any], step: Step) -> Iterator[dict[str, Any]]:
    for branch in _branches(node):
        if isinstance(step, str) and step in branch.get("properties", {}):
            yield branch["properties"][step]
        elif isinstance(step, int) and "items" in branch:
            yield branch["items"]


def _branches(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schemas behind references and unions."""
    if "$ref" in node:
        yield from _branches(_schema()["$defs"][node["$ref"].rsplit("/", 1)[-1]])
    elif "anyOf" in node:
        for branch in node["anyOf"]:
            yield from _branches(branch)
    else:
        yield node
