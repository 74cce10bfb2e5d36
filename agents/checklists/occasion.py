"""What is known of a turn before there is a translation of it: from its words, or from its outline.

Both answer the same three questions, so that one taxonomy serves both. They say what a translation must
carry over and never judge one. Numbers and times are those that every language says as such: what may
rightly change its form ("one week", "a quarter of an hour", 12월) is left out.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Protocol

import regex

from agents.checklists.courtesy import heard_courtesy, named_courtesy
from agents.checklists.intents import intended
from agents.checklists.tokens import standing
from agents.checklists.values import Value
from agents.detectors.clause import asked_by_mark
from agents.detectors.patterns import fold_pattern
from agents.detectors.port import YES, Evidence
from agents.detectors.registry import detector, functions
from sim.core.text import fold

_OPENING = 2
"""Turns in which a greeting greets: later, "how is your wife" asks."""
_ACTS = ("apology", "thanks")
_ADMITS = regex.compile(fold_pattern("실수|ভুল|mistake|fault|salah|خطا"))
"""Words of an apology that may only name a mistake, or ask whether there was one."""
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}'’-]+")
_CLOCK = regex.compile(fold_pattern(r"\d:\d|o'clock|[ap]\.?m\b|\bpast\b|\bto\b|الساعه|시|jam|pukul|টায়"))
"""Words that make a time of a number beyond doubt."""
_MINUTES = regex.compile(r"minute|menit|분|মিনিট|دقيق|دقائق")
_MONTH = regex.compile(r"(\d+)\s?월(?!요)")
_DAYS = regex.compile(r"\s*-?(?:days?|hari|일(?!곱)|দিন|يوم|ايام)|\s?(?:살|-?year-old)")
"""Counted by words of their own (이틀, 모레, يومان), or grown into the next word."""
_BY = regex.compile(r"\b(?:by|at|until|till|since|from|before|after)\s\Z")
"""What makes an hour of a small number in an English outline."""
_LONGEST = 8
"""Words of a quotation."""


class Occasion(Protocol):
    """What is known of one turn."""

    def label(self, function: str) -> str | None:
        """The answer to `function`: a speech act, `courtesy`, or `spoken`; None for *don't know*."""
        ...

    def words(self, function: str) -> str:
        """The words of the source that say so; empty where there are none to quote."""
        ...

    def values(self, function: str, target: str) -> list[Value]:
        """What of `function` (`number`, `time`, `token`) the turn says, each once, in order.

        Only what talk into `target` (ISO 639-3) must say in that form.
        """
        ...


class Spoken:
    """A turn as it was said."""

    def __init__(self, index: int, source: str, language: str, register: str | None = None) -> None:
        """`register` is the level the setting gives the speaker, where it gives one."""
        self._index = index
        self._source = source
        self._language = language
        self._register = register

    def label(self, function: str) -> str | None:
        """See `Occasion`. A refusal is not looked for: in free talk its words mostly excuse or reassure."""
        if function == "spoken":
            return YES
        if function == "courtesy":
            return self._courtesy()
        if function == "question":
            return self._question()
        if function == "greeting" and self._index < _OPENING:
            return self._found(function)
        return self._found(function) if function in _ACTS else None

    def words(self, function: str) -> str:
        """See `Occasion`."""
        if function not in (*_ACTS, "greeting") or function not in functions(self._language):
            return ""
        evidence = detector(self._language, function).detect(self._source).evidence
        return as_written(self._source, evidence[0].quote) if evidence else ""

    def values(self, function: str, target: str) -> list[Value]:
        """See `Occasion`."""
        if function == "token":
            return list(standing(self._source, target))
        return _values(function, self._source, self._language, target)

    def _courtesy(self) -> str | None:
        """As it is heard, else as the setting has it; where neither shows it, nothing is due."""
        heard = heard_courtesy(self._source, self._language)
        found = heard if heard != "neutral" else named_courtesy(self._register)
        return found if found != "neutral" else None

    def _question(self) -> str | None:
        """By a question mark alone: the words of questions also exclaim and report."""
        marked = asked_by_mark(self._source)
        return marked.label if marked is not None else None

    def _found(self, function: str) -> str | None:
        if function not in functions(self._language):
            return None
        found = detector(self._language, function).detect(self._source)
        if function == "apology" and all(_ADMITS.search(item.quote) for item in found.evidence):
            return None
        return found.label


class Outlined:
    """A turn of which only the outline stands: an intent in English, and how its speaker should speak."""

    def __init__(self, intent: str, register: str | None) -> None:
        self._intent = intent
        self._register = register

    def label(self, function: str) -> str | None:
        """See `Occasion`; an act the outline does not ask for may happen all the same."""
        if function == "courtesy":
            return named_courtesy(self._register)
        return YES if intended(function, self._intent) else None

    def words(self, function: str) -> str:
        """Nothing is said yet."""
        return ""

    def values(self, function: str, target: str) -> list[Value]:
        """See `Occasion`."""
        return [] if function == "token" else _values(function, self._intent, "eng", target)


def as_written(source: str, quote: str) -> str:
    """The words of `source` that fold to `quote`, without what stands between them; empty if none do."""
    words = _WORD.findall(source)
    for length in range(1, _LONGEST + 1):
        for start in range(len(words) - length + 1):
            found = " ".join(words[start : start + length])
            if fold(found) == quote:
                return found
    return ""


def _values(function: str, source: str, language: str, target: str) -> list[Value]:
    times = [str(e.value) for e in _evidence("time", source, language) if _CLOCK.search(e.quote)]
    if function == "time":
        return [Value(time, "") for time in dict.fromkeys(times)]
    kept = _kept(_evidence("number", source, language), times, source, target)
    return list({value: Value(value, words) for value, words in kept}.values())


def _evidence(function: str, source: str, language: str) -> tuple[Evidence, ...]:
    if function not in functions(language):
        return ()
    return tuple(e for e in detector(language, function).detect(source).evidence if e.value is not None)


def _kept(
    numbers: Iterable[Evidence], times: list[str], source: str, target: str
) -> Iterator[tuple[str, str]]:
    """The numbers, each with its words, that every language says as numbers and that are no part of a time."""
    folded = fold(source)
    months = {Decimal(month) for month in _MONTH.findall(folded)}
    for item in numbers:
        number = item.value
        if not isinstance(number, Decimal) or number in months or any(_tells(number, t) for t in times):
            continue
        if _askable(number, target) and not _reshaped(number, item.quote, folded):
            yield str(number), "" if item.quote.isdecimal() else as_written(source, item.quote)


def _askable(number: Decimal, target: str) -> bool:
    """Whether talk into `target` names the number: one is often an article, and two an Arabic dual."""
    return number > 2 or (number == 2 and target != "arb")


def _reshaped(number: Decimal, quote: str, folded: str) -> bool:
    """Whether a good translation may say a number in `folded` as something else."""
    place = regex.search(rf"(?<![\p{{L}}\p{{M}}\p{{N}}]){regex.escape(quote)}", folded)
    before, after = (folded[: place.start()], folded[place.end() :]) if place else (folded, "")
    in_minutes = number < 60 and number % 15 == 0 and _MINUTES.search(folded) is not None
    small = number <= 12 and (_DAYS.match(after) or _BY.search(before) or quote.startswith("يوم"))
    return in_minutes or bool(small)


def _tells(number: Decimal, time: str) -> bool:
    """Whether `number` is an hour or the minutes of `time` (h:mm), also counted to the next hour."""
    hour, minute = (int(part) for part in time.split(":"))
    hours = {hour % 12, (hour + 1) % 12} if minute else {hour % 12}
    return (number <= 24 and int(number) % 12 in hours) or number in (minute, 60 - minute)
