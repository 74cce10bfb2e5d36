"""Verdicts out of a judge's answer: the schema that makes it easy, and whom to believe where it is not.

Every object of the answer that fits the schema is considered, but for those that repeat the text that was
judged. What cannot be read, or is said in two ways, is left open. Nothing is guessed: a word that is
neither yes nor no is no verdict.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agents.judges.quoted import Judged
from agents.judges.rows import Answer, Given, Row, given
from sim.core.ports import JudgeView
from sim.core.values import Basis, Criterion, Verdict

_REASON_LENGTH = 600
_MET: Mapping[Answer, bool | None] = {"met": True, "not_met": False, "not_said": None}


def schema(view: JudgeView) -> Mapping[str, Any]:
    """The JSON Schema of an answer: one verdict for each criterion of the view.

    `met` is a boolean, or one of three words where a third answer is offered: models and the schema
    subsets of providers cope with an enum of strings better than with a value of two types.
    """
    ids = [criterion.id for criterion in view.criteria]
    verdict = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "enum": ids},
            "met": {"type": "string", "enum": ["yes", "no", "not_said"]}
            if view.live
            else {"type": "boolean"},
            "reason": {"type": "string"},
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
    """The verdicts that an answer gives on criteria of the view, in their order; none that is open.

    An object is *complete* if it answers every criterion of the view in one way. Where two objects differ
    on one, the last complete one decides, and without one it is open. It is open too where that last one
    answers just as the judged text does and another one does not: a quotation in other words is not
    believed against the judge's own.
    """
    asked = {criterion.id.casefold(): criterion.id for criterion in view.criteria}
    held = [_asked(one, asked, live=view.live) for one in given(text)]
    judged = Judged(_texts(view))
    held = [one for one in (_own(one, judged) for one in held) if one.rows]
    whole = [one for one in held if all(one.row(name) for name in asked.values())]
    found = (_settled(criterion.id, held, whole, judged) for criterion in view.criteria)
    return tuple(_verdict(c, row, judge) for c, row in zip(view.criteria, found, strict=True) if row)


def missing(view: JudgeView, verdicts: tuple[Verdict, ...]) -> tuple[str, ...]:
    """Ids of criteria without a verdict."""
    said = {verdict.criterion for verdict in verdicts}
    return tuple(c.id for c in view.criteria if c.id not in said)


def _texts(view: JudgeView) -> Iterator[str]:
    """Whatever the prompt holds that is not ours."""
    yield view.conversation_context
    yield from view.roles.values()
    yield from (criterion.ask for criterion in view.criteria)
    for turn in view.turns:
        yield from (turn.source, turn.translation, turn.response or "")


def _asked(one: Given, asked: Mapping[str, str], *, live: bool) -> Given:
    """The rows of an object that answer what was asked, in an answer that was offered."""
    rows = (replace(row, id=asked[row.id]) for row in one.rows if row.id in asked)
    return replace(one, rows=tuple(row for row in rows if live or row.answer != "not_said"))


def _own(one: Given, judged: Judged) -> Given:
    """What an object says that the judged text does not: all of it or nothing, lone rows one by one."""
    if one.span:
        return replace(one, rows=()) if judged.quoted(one) else one
    return replace(one, rows=tuple(row for row in one.rows if not judged.quoted_row(row)))


def _settled(name: str, held: Sequence[Given], whole: Sequence[Given], judged: Judged) -> Row | None:
    """The row that decides one criterion; None where it is open."""
    said = [row for one in held for row in one.rows if row.id == name]
    if not said:
        return None
    if len({row.answer for row in said}) == 1:
        return (whole[-1].row(name) if whole else None) or said[-1]
    last = whole[-1].row(name) if whole else None
    if last is None or not judged.suspect(whole[-1]):
        return last
    others = [one for one in held if any(r.id == name and r.answer != last.answer for r in one.rows)]
    return last if all(map(judged.suspect, others)) else None


def _verdict(criterion: Criterion, row: Row, judge: str) -> Verdict:
    return Verdict(
        criterion=criterion.id,
        layer=criterion.layer,
        met=_MET[row.answer],
        basis=Basis.NOT_SAID if row.answer == "not_said" else Basis.JUDGED,
        reason=row.reason[:_REASON_LENGTH],
        judge=judge,
    )
