"""Times of day on the clock, as `h:mm` on the twelve-hour dial.

Numbers said in words are written in digits first (`number`), then the language's ways of telling the time
are looked for: hours with minutes past or to, halves and quarters, noon and midnight. `15:30`, "half past
three" and 오후 세 시 반 are all 3:30: the half of the day is not read. Sources: the header of `clock.toml`.
No duration is a time: "thirty minutes", "three hours". Noon and midnight alone are don't know: they may
name a part of the day. So are bare numbers that may be an hour or a quantity (`perhaps`).
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from importlib.resources import files

import regex

from agents.detectors.number import digitised, read
from agents.detectors.patterns import fold_pattern
from agents.detectors.port import NO, UNKNOWN, YES, Detector, Evidence, Finding, Rule

_HOUR = r"(?P<h>(?<![\d.,:])\d{1,2}(?:\.(?:25|5|75)(?!\d))?)(?!\d)"
_MINUTE = r"(?P<m>\d{1,2}(?![\d]|[.,:]\d))"
_NO_HOUR = (Decimal("0.25"), Decimal("0.5"))
"""Halves and quarters that follow an hour; 0.75 is a quarter to one."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of telling the time."""

    expression: "regex.Pattern[str]"
    before: bool
    """Whether the minutes are to the hour."""
    fixed: str | None
    """The time it names, for noon, midnight and hours that are only about so."""
    sure: bool
    """Whether it can be nothing but a time."""


@dataclass(frozen=True, slots=True)
class Time:
    """One time of day where it stands."""

    start: int
    end: int
    quote: str
    told: str
    """As `h:mm`."""
    counted: bool
    """Whether hours are named; noon and midnight may be no more than the middle of the day or night."""
    sure: bool
    """Whether it can be no quantity."""


def open_detector(language: str, name: str) -> Detector:
    """The clock detector of `language`."""
    return Rule(name, language, (YES, NO), partial(clock, language))


def clock(language: str, text: str) -> Finding:
    """The times of day said in `text`, in the order of the text."""
    plain = digitised(read(language, text)).text
    if not plain:
        return UNKNOWN
    found = sorted(times(language, plain), key=lambda time: time.start)
    evidence = tuple(Evidence(time.quote, time.told) for time in found)
    if any(time.counted for time in found) and all(time.sure for time in found):
        return Finding(YES, evidence)
    return Finding(None, evidence) if found else Finding(NO)


def times(language: str, text: str) -> Iterator[Time]:
    """The times in a text with its numbers in digits; words that told one are not read again."""
    for way in _ways(language):
        for match in way.expression.finditer(text):
            told = way.fixed or _time(match, way.before)
            if told is not None:
                yield Time(
                    match.start(), match.end(), match.group().strip(), told, way.fixed is None, way.sure
                )
                text = text[: match.start()] + "\x00" * len(match.group()) + text[match.end() :]


def _time(match: "regex.Match[str]", before: bool) -> str | None:
    """The time a match tells, None where there is no such time."""
    groups = match.groupdict()
    hour = Decimal(groups["h"])
    minutes = int(60 * hour) + (-1 if before else 1) * int(_minutes(groups))
    told = int(groups.get("m") or 0)
    if not 0 <= hour <= 24 or hour in _NO_HOUR or told > 59:
        return None
    return f"{minutes // 60 % 12 or 12}:{minutes % 60:02d}"


def _minutes(groups: dict[str, str | None]) -> int:
    named = (
        ("half", 30),
        ("quarter", 15),
        ("third", 20),
        ("ten", 10),
        ("five", 5),
        ("threequarter", 45),
        ("fiveless", -5),
    )
    return int(groups.get("m") or 0) + sum(minutes for name, minutes in named if groups.get(name) is not None)


@cache
def _ways(language: str) -> tuple[Way, ...]:
    text = files("agents.detectors").joinpath("clock.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)[language]
    way = partial(_way, data.get("at", ""))
    ways = [way(p, before=True) for p in data.get("before", ())]
    ways += [way(p, fixed=time) for time, ps in data.get("fixed", {}).items() for p in ps]
    ways += [way(p) for p in data["past"]]
    return (*ways, *(way(p, sure=False) for p in data.get("perhaps", ())))


def _way(at: str, pattern: str, *, before: bool = False, fixed: str | None = None, sure: bool = True) -> Way:
    written = pattern.replace("{at}", at).replace("{h}", _HOUR).replace("{m}", _MINUTE)
    return Way(regex.compile(fold_pattern(written)), before, fixed, sure)
