"""Forms a check looks for: plain strings and RE2 patterns, compiled once and searched in folded text.

It knows spelling, not meaning: what a found or missing form says about a criterion is `checks`.
Patterns run in RE2, whose time is linear in the text, because scenarios come from strangers.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import re2

from sim.core.text import fold
from sim.core.values import Form, Pattern

_INSTEAD = {
    "b": r"(?:^|[^\pL\pM\pN]) before and (?:[^\pL\pM\pN]|$) after the word",
    "B": r"[\pL\pM\pN] on the side where the word goes on",
    "w": r"[\pL\pM\pN_]",
    "W": r"[^\pL\pM\pN_]",
    "d": "[0-9] (digits of every script are folded to these)",
    "D": "[^0-9]",
    "s": "a space (white space is folded to one space)",
    "S": "[^ ]",
    "C": ". (one character, not one byte)",
    "Q": "each special character with a backslash",
}
_TOKEN = re.compile(r"\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\.|\[:\^?\w+:\]|\[\^?\]?|.", re.DOTALL)
_MEMORY = 4 << 20


class FormError(ValueError):
    """A form nobody can look for; the message is one English sentence for its author."""


class Text:
    """One text, folded once for all the forms that are looked for in it."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.folded = fold(raw)

    @cached_property
    def data(self) -> bytes:
        """The folded text in UTF-8; an unpaired surrogate becomes `?`."""
        return self.folded.encode("utf-8", "replace")


Finder = Callable[[Text], str | None]
"""Looks for one form; what it found, or None."""


@dataclass(frozen=True, slots=True)
class Words:
    """A plain form: a folded needle and on which sides the word may go on."""

    needle: str
    open_left: bool
    open_right: bool

    def __call__(self, text: Text) -> str | None:
        """What stands in the text with the borders asked for: the needle, or the word it is part of."""
        folded, size = text.folded, len(self.needle)
        at = folded.find(self.needle)
        while at >= 0:
            end = at + size
            starts = self.open_left or _is_border(folded, at - 1)
            if starts and (self.open_right or _is_border(folded, end)):
                return folded[_word_start(folded, at) : _word_end(folded, end)]
            at = folded.find(self.needle, at + 1)
        return None


def _is_border(text: str, at: int) -> bool:
    """Whether no word goes on at this index; both ends of the text are borders."""
    return not 0 <= at < len(text) or unicodedata.category(text[at])[0] not in "LMN"


def _word_start(text: str, at: int) -> int:
    while not _is_border(text, at - 1):
        at -= 1
    return at


def _word_end(text: str, at: int) -> int:
    while not _is_border(text, at):
        at += 1
    return at


def compile_form(form: Form) -> Finder:
    """The finder of a form. Raises FormError."""
    return _compile_pattern(form) if isinstance(form, Pattern) else _compile_words(form)


def quoted(form: Form) -> str:
    """The form in quotation marks and shortened for a sentence; a pattern by its own example."""
    return f"{quote(form.yes)} or the like" if isinstance(form, Pattern) else quote(form)


def quote(text: str) -> str:
    """`text` in quotation marks, shortened for a sentence."""
    return f"“{text if len(text) <= 80 else text[:79] + '…'}”"


def _compile_words(form: str) -> Words:
    written = form.strip()
    body = written.removeprefix("*").removesuffix("*")
    needle = fold(body)
    if not needle:
        raise FormError(f"The form {quote(form)} asks for nothing.")
    if "*" in needle:
        raise FormError(f"The form {quote(form)} has a * inside; it stands only at the ends of a form.")
    return Words(needle, written.startswith("*"), written.endswith("*"))


def _compile_pattern(pattern: Pattern) -> Finder:
    _refuse(pattern.re)
    expression = _re2(pattern.re)

    def find(text: Text) -> str | None:
        match = expression.search(text.data)
        return None if match is None else str(match.group().decode("utf-8", "replace"))

    if find(Text(pattern.yes)) is None:
        raise FormError(
            f"The pattern {quote(pattern.re)} does not match its own `yes`; "
            f"it is searched in the folded text {quote(fold(pattern.yes))}."
        )
    if find(Text(pattern.no)) is not None:
        raise FormError(f"The pattern {quote(pattern.re)} matches its own `no`, {quote(fold(pattern.no))}.")
    return find


def _re2(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        said = error.args[0].decode("utf-8", "replace")
        raise FormError(f"The pattern {quote(pattern)} is not an RE2 expression: {said}.") from None


def _refuse(pattern: str) -> None:
    """Raise FormError for what RE2 would read as ASCII only, or character by character."""
    inside = False
    for token in _TOKEN.findall(pattern):
        if token[0] == "\\" and token[1:] in _INSTEAD:
            raise FormError(f"The pattern {quote(pattern)} uses {token}; write {_INSTEAD[token[1:]]}.")
        if inside and token.startswith("[:"):
            raise FormError(f"The pattern {quote(pattern)} uses {token}, ASCII only; write [\\pL\\pM].")
        if inside and unicodedata.category(token[0])[0] == "M":
            raise FormError(
                f"The pattern {quote(pattern)} has a combining mark in a [class], which RE2 takes apart "
                "from its letter; write (?:…|…), or \\pM for any mark."
            )
        inside = token != "]" if inside else token.startswith("[")
