"""Verdicts out of a judge's answer: a tolerant reader, and the schema that makes it easy.

What cannot be read is said to be missing. Nothing is guessed: a word that is neither yes nor no is no
verdict.
"""

from collections.abc import Mapping
from typing import Any

from agents.json_answer import first_object
from sim.core.ports import JudgeView
from sim.core.values import Basis, Verdict

_YES = frozenset({"true", "yes", "met"})
_NO = frozenset({"false", "no", "not met", "not_met"})
_REASON_LENGTH = 600


def schema(view: JudgeView) -> Mapping[str, Any]:
    """The JSON Schema of an answer: one verdict for each criterion of the view."""
    ids = [criterion.id for criterion in view.criteria]
    verdict = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "enum": ids},
            "met": {"type": "boolean"},
            "reason": {"type": "string", "maxLength": _REASON_LENGTH},
        },
        "required": ["id", "met", "reason"],
        "additionalProperties": False,
    }
    return {
        "title": "verdicts",
        "type": "object",
        "properties": {
            "verdicts": {"type": "array", "items": verdict, "minItems": len(ids), "maxItems": len(ids)}
        },
        "required": ["verdicts"],
        "additionalProperties": False,
    }


def read(text: str, view: JudgeView, judge: str) -> tuple[Verdict, ...]:
    """The verdicts in `text` on criteria of the view, in the order they were given.

    A criterion said twice appears twice: whether that is a contradiction is for the reader of verdicts.
    """
    layers = {criterion.id: criterion.layer for criterion in view.criteria}
    found = first_object(text) or {}
    rows = found.get("verdicts", found)
    if isinstance(rows, dict):
        rows = [row | {"id": name} for name, row in rows.items() if isinstance(row, dict)]
    verdicts = []
    for row in rows if isinstance(rows, list) else []:
        if not isinstance(row, dict) or row.get("id") not in layers:
            continue
        met = _met(row.get("met"))
        if met is not None:
            reason = row.get("reason")
            verdicts.append(
                Verdict(
                    criterion=row["id"],
                    layer=layers[row["id"]],
                    met=met,
                    basis=Basis.JUDGED,
                    reason=reason.strip()[:_REASON_LENGTH] if isinstance(reason, str) else "",
                    judge=judge,
                )
            )
    return tuple(verdicts)


def _met(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    word = value.strip().casefold() if isinstance(value, str) else ""
    if word in _YES:
        return True
    return False if word in _NO else None


def missing(view: JudgeView, verdicts: tuple[Verdict, ...]) -> tuple[str, ...]:
    """Ids of criteria without a verdict, or with two that differ."""
    said: dict[str, set[bool | None]] = {}
    for verdict in verdicts:
        said.setdefault(verdict.criterion, set()).add(verdict.met)
    return tuple(c.id for c in view.criteria if len(said.get(c.id, ())) != 1)
