"""Quantities in a text, in digits of any script or in words, as values.

Yes with every value said; don't know where a number word stands that may count nothing ("one of them",
"a few", 한번) or a bare number that may be an hour, and where only halves or duals stand; else no. The hours and minutes of a clock time are no
quantities (`clock`). A telephone number is one number. It knows numbers, not what they count.
"""

from collections.abc import Iterator
from decimal import Decimal
from functools import cache, partial

import regex

from agents.detectors.clock import times
from agents.detectors.lexicon import numerals
from agents.detectors.number import Digitised, Reading, digitised, read
from agents.detectors.patterns import fold_pattern
from agents.detectors.port import NO, UNKNOWN, YES, Detector, Evidence, Finding, Rule, bounded
from sim.core.text import fold, numbers

_TELEPHONE = regex.compile(
    r"(?<![\d.,])\+?\d{2,4}(?:-\d{3,4}){1,3}(?![\d-])|(?<![\d.,])(?:\+\d|0)\d{1,3}(?: \d{3,4}){2,3}(?!\d)"
    r"|(?<![\d.,])(?:\+\d{1,3} ?|0)\d{3,4}[ -]\d{5,6}(?!\d)|(?<![\d.,])0\d{2,3}[ -]\d{7,8}(?!\d)|(?<![\d.,])\d{3} \d{4}(?!\d)"
)
_DIGITS = regex.compile(r"\d+(?:[.,٫٬'’]\d+)*")
_PARTS = (Decimal("0.25"), Decimal("0.5"), Decimal("0.75"))
_FEWEST_DIGITS = 5
"""Single digits in a row that make a telephone number."""
_FEWEST_NUMBERED = 3
"""The same beside what bears a number, as rooms and buses do."""
_Place = tuple[int, int]
_Found = tuple[int, str, Decimal]
"""Place, words and value."""


def open_detector(language: str, name: str) -> Detector:
    """The number detector of `language`."""
    return Rule(name, language, (YES, NO), partial(number, language))


def number(language: str, text: str) -> Finding:
    """The quantities of `text`, in the order they are said."""
    reading = read(language, text)
    if not reading.text:
        return UNKNOWN
    found = sorted(_quantities(language, reading))
    found = [f for f in found if f[2] not in _PARTS] or found
    evidence = tuple(Evidence(quote, value) for _, quote, value in found)
    duals = {fold(word) for word in numerals(language).get("duals", ())}
    hours = tuple(time for time in times(language, digitised(reading).text) if not time.sure)
    if not hours and any(value not in _PARTS and quote not in duals for _, quote, value in found):
        return Finding(YES, evidence)
    doubts = evidence + tuple(Evidence(quote) for quote in reading.unsure)
    return Finding(None, doubts) if doubts else Finding(NO)


def clock_numbers(language: str, text: str) -> tuple[Evidence, ...]:
    """The numbers said in `text` as hours and minutes, which are no quantities; of a long text see `bounded`."""
    reading = read(language, bounded(text))
    plain = digitised(reading).text
    return tuple(
        Evidence(time.quote, value)
        for time in times(language, plain)
        for digits in _DIGITS.findall(time.quote)
        for value in numbers(digits)
    )


def _quantities(language: str, reading: Reading) -> Iterator[_Found]:
    """The numbers that tell no time."""
    plain = digitised(reading)
    rest = plain.text
    for time in (time for time in times(language, rest) if time.sure):
        rest = _blanked(rest, time.start, time.end)
    for digits in _spelt(language, plain, rest):
        start, end = digits[0][0], digits[-1][1]
        yield start, plain.text[start:end], Decimal("".join(plain.text[s:e] for s, e in digits))
        rest = _blanked(rest, start, end)
    for (start, end), said in zip(plain.places, reading.said, strict=True):
        if rest[start:end].strip("\x00"):
            yield start, reading.text[said.start : said.end], said.value
        rest = _blanked(rest, start, end)
    for match in _TELEPHONE.finditer(rest):
        yield match.start(), match.group(), Decimal(regex.sub(r"\D", "", match.group()))
        rest = _blanked(rest, match.start(), match.end())
    for match in _DIGITS.finditer(rest):
        for value in numbers(match.group()):
            yield match.start(), match.group(), value


def _spelt(language: str, plain: Digitised, rest: str) -> list[list[_Place]]:
    """Where the digits of telephone and room numbers stand that are said one by one."""
    runs: list[list[_Place]] = [[]]
    for start, end in plain.places:
        if end > start + 1 or (runs[-1] and rest[runs[-1][-1][1] : start].strip(" ,-")):
            runs.append([])
        if end == start + 1:
            runs[-1].append((start, end))
    return [run for run in runs if len(run) >= _FEWEST_DIGITS or _numbered(language, plain.text, run)]


def _numbered(language: str, text: str, run: list[_Place]) -> bool:
    """Whether a row of digits stands beside something that bears a number."""
    if len(run) < _FEWEST_NUMBERED:
        return False
    return any(way.search(f"{text[: run[0][0]]}#{text[run[-1][1] :]}") for way in _bearers(language))


@cache
def _bearers(language: str) -> "tuple[regex.Pattern[str], ...]":
    return tuple(regex.compile(fold_pattern(way)) for way in numerals(language).get("numbered", ()))


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + "\x00" * (end - start) + text[end:]
