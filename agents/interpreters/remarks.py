"""Words about a translation instead of a translation: headings, notes, prefaces, choices, refusals.

Phrases of five languages, in `delivery.toml`. A remark that the source makes as well is part of the
message and no remark. Bracketed words in the target language are allowed to an interpreter.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import regex

from agents.language_id.scripts import clean, weigh
from agents.language_id.writing import scripts_of
from agents.phrases import pattern, plain_words

_BRACKETS = regex.compile(r"[(\[（【]([^()\[\]（）【】\n]+)[)\]）】]")
_LEADING_MARKS = " \t*_#>~`\"'“”-•"
_SENTENCE = regex.compile(r"\n+|(?<=[.!?؟।])\s+")
_COLON = regex.compile(r"[:：]")
_ITEM = regex.compile(r"^[^\S\n]*+(?:\p{Nd}{1,2}[.)]|[-*•])[^\S\n]+\S", regex.MULTILINE)
_MARKS = ("```", "**", "\n#", "\n---")
_LONGEST_HEADING = 60
"""Characters before a colon; more is a sentence of the message."""
_BEGINNING = 200
"""Characters a preface is looked for in."""


def annotated(source: str, text: str, target: str) -> bool:
    """Whether `text` says something about the translation besides it. `target` is an ISO 639-3 code."""
    bare = _BRACKETS.sub(" ", text)
    return (
        any(mark in f"\n{text}" and mark not in f"\n{source}" for mark in _MARKS)
        or (_headed(bare) and not _headed(source))
        or (_announced(bare, target) and not _announced(source, ""))
        or (_offers_choices(bare) and not _offers_choices(source))
        or any(_is_remark(inside, target) for inside in _BRACKETS.findall(text))
    )


def refusal_words(source: str, text: str) -> bool:
    """Whether `text` has the words of a model's refusal that `source` has not."""
    return _found("refusal", text) and not _found("refusal", source)


def _headed(text: str) -> bool:
    for part in _SENTENCE.split(text):
        before, *after = _COLON.split(part, maxsplit=1)
        label = before.strip(_LEADING_MARKS)
        if after and len(label) <= _LONGEST_HEADING and (_found("heading", label) or _found("note", label)):
            return True
    return False


def _announced(text: str, target: str) -> bool:
    """`target` is the language whose openers are a part of the message; empty for none but all."""
    beginning = text[:_BEGINNING].lstrip(_LEADING_MARKS)
    return _found("preface", beginning) or _found("opener", beginning, without=target)


def _offers_choices(text: str) -> bool:
    lines = [line.strip(_LEADING_MARKS) for line in text.splitlines()]
    labels = [_COLON.split(line, maxsplit=1)[0] for line in lines[1:] if line]
    return any(_found("choice", label) for label in labels) or len(_ITEM.findall(text)) > 1


def _is_remark(inside: str, target: str) -> bool:
    """Whether bracketed words are in another script than the target's, or a remark in another language."""
    weight = weigh(clean(inside), scripts_of(target))
    elsewhere = weight.elsewhere and not weight.wordless
    return elsewhere or _found("note", inside, without=target) or _found("preface", inside, without=target)


def _found(kind: str, text: str, without: str = "") -> bool:
    words = plain_words(text)
    return any(found.search(words) for code, found in _patterns(kind) if code != without)


@cache
def _patterns(kind: str) -> tuple[tuple[str, Any], ...]:
    """(language, its pattern) of one kind of remark."""
    return tuple(_compiled(kind))


def _compiled(kind: str) -> Iterator[tuple[str, Any]]:
    path = files("agents.interpreters").joinpath("delivery.toml")
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    for code, phrases in document[kind].items():
        yield code, pattern(phrases, {"tongue": document["tongues"][code]})
