"""The words faces use for values: flags, language checks, faults, verdicts, scores.

One place, so that the plain face and the screen say the same thing. Words only: no layout, no
colour, no import beyond the core; the plain face must not pull in a screen library.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sim.analysis.scores import outcome
from sim.analysis.worth import floor_line
from sim.core import events as ev
from sim.core.errors import FaultKind, Layer
from sim.core.languages import language, name_of
from sim.core.text import visible
from sim.core.values import Basis, EndReason, Gloss, LanguageCheck, LayerName, MeaningCheck, Verdict
from sim.runs.signature import short

FLAGS: Mapping[ev.Flag, str] = {
    "echo": "repeats the source",
    "wrong_language": "answered in the wrong language",
    "annotated": "carries headings or notes",
    "refusal_words": "reads like a refusal",
    "repetition": "repeats itself",
    "length_ratio": "unusually long or short",
    "truncated": "cut off",
}

ENDS: Mapping[EndReason, str] = {
    EndReason.COMPLETED: "all turns were held",
    EndReason.TURN_LIMIT: "the turn limit was reached",
    EndReason.USER_ENDED: "a user ended it",
    EndReason.USER_ENDED_EARLY: "a user ended it before its outline was done; not scored",
    EndReason.USER_LEFT: "a person left",
    EndReason.USER_FAULT: "a user failed; aborted, not scored",
    EndReason.INTERPRETER_FAILED: "the interpreter failed",
    EndReason.INFRASTRUCTURE: "something it depends on failed; not scored",
    EndReason.BUDGET: "the budget is used up; not scored",
    EndReason.INTERRUPTED: "interrupted; not scored",
}

SURFACE = "surface check"
"""A criterion written live from what was said: provisional, in no score, and no word on the meaning."""

ROLES: Mapping[ev.Role, str] = {
    "user-a": "user A",
    "user-b": "user B",
    "interpreter": "interpreter",
    "judge": "judge",
    "writer": "checklist writer",
}

_ABSTAINED: Mapping[str, str] = {
    "wordless": "no words to tell a language by",
    "short": "too short to tell the language",
    "mixed": "two scripts mixed: the language cannot be told",
    "unsure": "the detector is not sure of the language",
    "unknown": "the detector does not know this language",
}

_LAYERS: Mapping[Layer, str] = {
    Layer.SYSTEM: "the interpreter failed",
    Layer.INFRASTRUCTURE: "something it depends on failed",
    Layer.JUDGE: "the judge failed",
    Layer.WRITER: "the checklist writer failed",
    Layer.USER: "a user failed",
}

_KINDS: Mapping[FaultKind, str] = {
    FaultKind.EMPTY: "it gave no text",
    FaultKind.BLOCKED: "the provider blocked it",
    FaultKind.REFUSED: "it refused",
    FaultKind.BROKE_CHARACTER: "it broke character",
    FaultKind.NEVER_ENDED: "it never ended",
    FaultKind.UNPARSEABLE: "its answer could not be read",
    FaultKind.AUTHENTICATION: "the key was not accepted",
    FaultKind.RATE_LIMIT: "rate limit",
    FaultKind.QUOTA: "quota used up",
    FaultKind.UNAVAILABLE: "not reachable",
    FaultKind.TIMEOUT: "no answer in time",
    FaultKind.BAD_REQUEST: "the request was refused",
    FaultKind.CONTEXT_LENGTH: "too long for the model",
    FaultKind.CRASHED: "it crashed",
    FaultKind.BUDGET: "the budget is used up",
}


UNFINISHED = "the record ends here: it was never finished"
"""Of a record that was cut off, by a crash or a loss of power."""


def language_name(code: str) -> str:
    """The English name of an ISO 639-3 code."""
    return language(code).name


def direction(source: str, target: str) -> str:
    """`Korean → Indonesian`."""
    return f"{language_name(source)} → {language_name(target)}"


def flags(items: Iterable[ev.Flag]) -> str:
    """The flags of a translation, in words."""
    return ", ".join(FLAGS[flag] for flag in items)


def check(value: LanguageCheck, expected: str) -> str:
    """A language check as a sentence fragment."""
    name = language_name(expected)
    share = "" if value.mass is None else f", {value.mass:.0%} {name}"
    match value.result:
        case "ok":
            return f"{name}, as expected"
        case "low":
            return f"probably {name}, with low confidence{share}"
        case "wrong":
            label = f"; looks like {visible(name_of(value.label))}" if value.label else ""
            return f"not {name}{label}{share}"
        case "abstain":
            return _ABSTAINED.get(value.why or "", "the language cannot be told")


def meaning(value: MeaningCheck | None) -> str | None:
    """What the meaning gate doubts or denies, as a sentence fragment; None where it has nothing against it."""
    if value is None or value.result not in ("doubtful", "else"):
        return None
    cosine = "" if value.cosine is None else f" (cosine {value.cosine:.2f})"
    if value.result == "doubtful":
        return f"doubtful whether it is about what was said{cosine}"
    return f"something else than was said{cosine}"


def fault(event: ev.FaultRaised) -> str:
    """A fault in plain words: which layer, how, who, what."""
    what = f" — {visible(event.what)}" if event.what else ""
    return f"{_LAYERS[event.layer]}: {_KINDS[event.kind]} ({visible(event.who)}){what}"


def waiting(event: ev.Waiting) -> str:
    """Who is waited for, how long and why."""
    why = f" ({visible(event.why)})" if event.why else ""
    if event.until is None:
        return f"waiting for {visible(event.who)}{why}"
    return f"{visible(event.who)}: waiting {max(event.until, 0):.0f} s{why}, then asking again"


def verdict(value: Verdict | None) -> str:
    """`met`, `not met`, `unjudged` …, or `to be judged`, with the basis where it is not the judge's word."""
    if value is None:
        return "to be judged"
    said = outcome(value.met, value.basis).replace("_", " ")
    why = {
        Basis.SYSTEM_FAILURE: "the interpretation failed",
        Basis.NOT_REACHED: "turn not reached",
        Basis.LANGUAGE_GATE: "wrong language",
        Basis.MEANING_GATE: "something else was said",
    }.get(value.basis)
    notes = [note for note in (why, SURFACE if value.provisional else None) if note]
    return f"{said} ({', '.join(notes)})" if notes else said


def should_have(intent: str | None, reference: str | None, gloss: Gloss | None) -> Iterator[tuple[str, str]]:
    """What a turn was meant to bring across, for someone who reads neither language: labels and texts."""
    if intent:
        yield "meant", intent
    if reference:
        yield "should be", reference
    if gloss:
        yield "gloss", gloss.source
        if gloss.reference != gloss.source:
            yield "gloss of what it should be", gloss.reference


def end(reason: EndReason) -> str:
    """Why it ended."""
    return ENDS[reason]


def side(speaker: str, role: str) -> str:
    """`A (doctor)`, or `A` where the role says nothing more."""
    told = role and role.casefold() != f"user {speaker}".casefold()
    return f"{speaker} ({visible(role)})" if told else speaker


def system(document: Mapping[str, Any]) -> str:
    """The interpreter by model, brief and history."""
    model = str(document.get("model") or document.get("id") or "unknown")
    parts = [f"{key} {document[key]}" for key in ("brief", "history") if document.get(key)]
    return visible(", ".join([model, *parts]))


def setting(event: ev.ConversationStarted) -> str:
    """Mode, interpreter and judge."""
    return f"{event.mode} · interpreter {system(event.system)} · judge {visible(event.judge)}"


def number(value: object) -> str:
    """A score with three decimals; what is missing is said, never 0."""
    return f"{value:.3f}" if isinstance(value, int | float) else "undefined"


def signature(document: Mapping[str, Any]) -> str:
    """The signature on one line; the whole of it is in the record."""
    return visible(short(document))


def calls(count: int, cost: float, unpriced: int) -> str:
    """Calls and what they cost; an unknown price is said, never summed as 0."""
    many = f"{count} call{'s' if count != 1 else ''}"
    if not unpriced:
        return f"{many}, ${cost:.4f}" if cost else f"{many}, free"
    return f"{many}, ≥ ${cost:.4f} ({unpriced} unpriced)"


def score_table(document: Mapping[str, Any], counts: Mapping[LayerName, tuple[int, int]]) -> list[str]:
    """The `scores` of a document as rows of words, each with its denominators (judged, criteria).

    Under those of `rules` stands their floor.
    """
    scores = document["scores"]
    if not any(scores.get(name) for name in ("criteria", "not_said", "conversation_criteria")):
        return ["no criteria, so no score"]
    overall = _score(scores.get("overall"), scores.get("judged"), scores.get("criteria"))
    rows = [f"overall {overall}{_apart(scores)}"]
    rows += [f"{layer} {_score(scores.get(layer), *of)}" for layer, of in counts.items()]
    whole = (scores.get("conversation_judged"), scores.get("conversation_criteria"))
    if whole[1]:
        rows.append(f"conversation {_score(scores.get('conversation'), *whole)}, never mixed into overall")
    bounds = scores.get("bounds")
    if bounds:
        low, high = bounds
        open_ = "the unjudged and not claimed" if scores.get("not_claimed") else "the unjudged"
        rows.append(f"bounds {number(low)} to {number(high)}, {open_} taken as none and as all met")
    if (floor := document.get("floor")) and scores.get("criteria"):
        rows.append(floor_line(floor, scores["criteria"] - scores["not_claimed"], scores["criteria"]))
    return rows


def _apart(scores: Mapping[str, Any]) -> str:
    """What is counted beside the score."""
    counts = ((scores.get("not_claimed"), "not claimed by the judge"), (scores.get("not_said"), "not said"))
    return "".join(f", {number} {what}" for number, what in counts if number)


def _score(value: object, judged: object, criteria: object) -> str:
    return f"{number(value)}, judged {judged}/{criteria}"
