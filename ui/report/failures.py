"""The data block of a page: the failures a reader can open, down to turn, criterion and reason.

A turn's texts are held once for all its failed criteria. All text is made visible here; the page's script
only ever sets it as text.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sim.analysis.failures import Failure, Sample
from sim.core.text import dumps, visible
from sim.core.values import Gloss
from ui.words import should_have

_LONGEST = 4_000
"""Characters of one text on the page; JSON has all."""
_TAGS = {"arb": "ar", "ben": "bn", "ind": "id", "kor": "ko", "eng": "en"}
"""BCP 47 tags browsers know, where they differ from ISO 639-3."""
Row = dict[str, Any]


def block(judges: Iterable[tuple[str, Iterable[Sample]]]) -> str:
    """The JSON of all judges' samples, safe inside a script element: `<` is `\\u003c`."""
    document = [
        {"judge": visible(judge), "systems": [_system(sample) for sample in samples]}
        for judge, samples in judges
    ]
    return dumps(document).replace("<", "\\u003c")


def tag_of(code: str) -> str:
    """The `lang` attribute of a language."""
    return _TAGS.get(code, code)


def _system(sample: Sample) -> Row:
    turns: dict[tuple[int, int | None], Row] = {}
    for failure in sample.shown:
        place = (id(failure.record), None if failure.turn is None else failure.turn["index"])
        held = turns.setdefault(place, _place(failure))
        held["failed"].append(_criterion(failure))
    return {
        "system": visible(sample.system),
        "mode": sample.mode,
        "shown": len(sample.shown),
        "total": sample.total,
        "turns": list(turns.values()),
    }


def _place(failure: Failure) -> Row:
    record, turn = failure.record, failure.turn
    key = record["key"]
    row: Row = {"scenario": visible(record["scenario"]), "trial": key["trial"], "turn": None, "failed": []}
    if turn is None:
        return row | {"direction": list(record["pair"])}
    source, target = turn["direction"]
    texts = [
        _text("source", turn["source"], source),
        _text("translation", turn["translation"], target),
        _text("response", turn["response"], target),
        *_meant(turn, target),
    ]
    return row | {
        "turn": turn["index"],
        "direction": [source, target],
        "texts": [text for text in texts if text],
        "notes": _notes(turn),
    }


def _meant(turn: Mapping[str, Any], target: str) -> Iterator[Row | None]:
    """What the turn was for and how it should have arrived, as far as the record says."""
    gloss = turn.get("gloss")
    known = should_have(turn.get("intent"), turn.get("reference"), Gloss(**gloss) if gloss else None)
    for label, said in known:
        yield _text(label, said, target if label == "should be" else "eng")


def _text(what: str, said: str | None, code: str) -> Row | None:
    if said is None:
        return {"what": what, "lang": "en", "none": True} if what == "translation" else None
    return {"what": what, "lang": tag_of(code), "text": _short(said)}


def _notes(turn: Mapping[str, Any]) -> list[str]:
    notes = [f"flagged: {', '.join(turn['flags'])}"] if turn["flags"] else []
    check = turn["language_check"]["translation"]
    if check is not None and check["result"] in ("wrong", "low"):
        notes.append(f"language check: {check['result']} ({check['label']})")
    if turn["fault"] is not None:
        notes.append(f"{turn['fault']['kind']}: {turn['fault']['what']}")
    return [_short(note) for note in notes]


def _criterion(failure: Failure) -> Row:
    criterion, verdict = failure.criterion, failure.verdict
    return {
        "id": visible(criterion["id"]),
        "layer": verdict["layer"],
        "ask": _short(criterion.get("ask", "")),
        "function": visible(criterion.get("function") or ""),
        "basis": "fallback_judge" if verdict.get("fallback") else verdict["basis"],
        "reason": _short(verdict.get("reason", "")),
    }


def _short(said: str) -> str:
    cut = said if len(said) <= _LONGEST else f"{said[:_LONGEST]} … ({len(said) - _LONGEST:,} more characters)"
    return visible(cut, keep_newlines=True)
