"""Numbers said in words, in any of the five languages, as values with their places.

Sources: headers of `numerals`, `numerals.toml` and `korean_numerals`. It reads numbers, not what they
count; what of them is a quantity or a time is for `quantity` and `clock` to say.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial

import regex

from agents.detectors import korean_numerals
from agents.detectors.lexicon import atoms, numerals
from agents.detectors.numerals import Atom, Placed, Said, compose
from agents.detectors.patterns import fold_pattern
from sim.core.text import fold, numbers

_TOKEN = regex.compile(r"\d+(?:[.,٫٬]\d+)*|[\p{L}\p{M}]+|[^\s\p{L}\p{M}\d]")
_CLASSIFIERS = "টাকা|ডা|ডি|ঠো|গা|হান|খানার|খানায়|খানাতে|খানই|খানের|টায়|টার|টাই|টাও|টাতে|টা|টিতে|টির|টি|টে|খানা|খানি|জনের|জনকে|জন|গুলো|তে|তলায়|তলা|টেয়|টোর|টো|টের|বার|গুণ|টোয়|খান|জনা|জনায়|মাস|দিন|বছর|ই|ও|র|ে|য়"
_HUNDREDS = ("শো", "শত", "শ")
_ARABIC_HUNDRED = regex.compile(
    r"(?:(ثلاث|تلا?ت?|ثلث)|(ا?ربع)|(خمس)|(ست)|(سبع)|([ثت]ما?ني?)|(تسع))(?:مءه|مئه|مائه|مي[هت]|ماءه|م[اي]?[ءئ]ت)"
)
"""Three to nine hundred; the group tells which."""
_ARABIC_TEEN = regex.compile(
    r"(?:(ا?حد)|(ا?[ثت]ن|ا?طن)|([تث]ل[اتثط]+)|(ا?ربع)|(خم[سص])|(س[تط]?)|([سص]ب[عا])|([تث]ما?ن)|(تسع))[تط]{0,2}[اع]+شر?"
)
"""Eleven to nineteen of the dialects: حداشر, طنعش, تلطاش; the group tells which."""
Words = dict[str, tuple[Atom, ...]]
Reader = Callable[[str], tuple[tuple[Atom, ...], int]]
"""A word → its atoms, and how many of its characters say them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The numbers of one text."""

    text: str
    """The folded text they were read in."""
    said: tuple[Said, ...]
    """In words, or with a scale word."""
    unsure: tuple[str, ...]


def read(language: str, text: str) -> Reading:
    """The numbers said in words in `text`."""
    for written, read_as in numerals(language).get("vowelled", ()):
        text = regex.sub(written, read_as, text)
    folded = fold(text)
    for written, read_as in _respelled(language):
        folded = written.sub(read_as, folded)
    if language == "kor":
        return Reading(folded, tuple(korean_numerals.said(folded)), tuple(korean_numerals.unsure(folded)))
    unsure, never, join, cut = _masks(language)
    hidden = tuple(m.group() for m in unsure.finditer(folded)) if unsure else ()
    if unsure:
        folded = unsure.sub(lambda m: regex.sub(r"\d", "|", m.group()), folded)
    masked = join.sub(lambda m: " " * len(m.group()), folded) if join else folded
    for mask in filter(None, (unsure, never, cut)):
        masked = mask.sub(lambda m: "|" * len(m.group()), masked)
    said = compose(_placed(masked, _reader(language)), inverted=language == "arb")
    plain = tuple(s for s in said if masked[s.start : s.end].strip("0123456789.,٫٬'’ "))
    return Reading(folded, plain, hidden)


@dataclass(frozen=True, slots=True)
class Digitised:
    """A reading's text with the numbers said in words written in digits."""

    text: str
    places: tuple[tuple[int, int], ...]
    """Where each of the reading's numbers stands in it."""


def digitised(reading: Reading) -> Digitised:
    """The folded text with the numbers said in words written in digits."""
    text, at, places = "", 0, []
    for said in reading.said:
        text += reading.text[at : said.start]
        value = f"{said.value:f}"
        places.append((len(text), len(text) + len(value)))
        text, at = text + value, said.end
    return Digitised(text + reading.text[at:], tuple(places))


def _placed(text: str, reader: Reader) -> Iterator[Placed | None]:
    """The numerals of a text; digits go on with a word only if it bends the next unit (সাড়ে ৫)."""
    bends = False
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word[0].isdecimal():
            values = tuple(numbers(word))
            if not bends:
                yield None
            bends = False
            yield Placed((Atom("unit", values[0]),), token.start(), token.end()) if len(values) == 1 else None
        elif word == "-":
            continue
        else:
            found, size = reader(word)
            bends = bool(found) and found[-1].kind == "more"
            yield Placed(found, token.start(), token.start() + size) if found else None


@cache
def _masks(language: str) -> "tuple[regex.Pattern[str] | None, ...]":
    """What is unsure, what is never a number, what stands inside one, what between two."""
    data = numerals(language)
    bodies = ("|".join(data.get(key, ())) for key in ("unsure", "never", "join", "cut"))
    return tuple(regex.compile(fold_pattern(body)) if body else None for body in bodies)


@cache
def _respelled(language: str) -> "tuple[tuple[regex.Pattern[str], str], ...]":
    """What is written otherwise than it is read, and how it is read."""
    hours = numerals(language).get("hours", "")
    return tuple(
        (regex.compile(fold_pattern(written.replace("{hours}", hours))), fold_pattern(read_as))
        for written, read_as in numerals(language).get("respelled", ())
    )


@cache
def _reader(language: str) -> Reader:
    reads = {"ben": _bengali, "arb": _arabic}.get(language, _plain)
    return partial(reads, atoms(language))


def _plain(words: Words, word: str) -> tuple[tuple[Atom, ...], int]:
    return words.get(word, ()), len(word)


@cache
def _classifiers() -> tuple[str, ...]:
    return tuple(fold(_CLASSIFIERS).split("|"))


def _bengali(words: Words, word: str) -> tuple[tuple[Atom, ...], int]:
    """A numeral, with a fused hundred and a classifier or case ending."""
    if word in words:
        return words[word], len(word)
    for hundred in _HUNDREDS:
        if word.endswith(hundred) and (unit := words.get(word.removesuffix(hundred))):
            return (*unit, Atom("small", Decimal(100))), len(word)
    stems = (word.removesuffix(ending) for ending in _classifiers() if word.endswith(ending))
    return next((found for stem in stems if stem and (found := _bengali(words, stem))[0]), ((), 0))


def _arabic(words: Words, word: str) -> tuple[tuple[Atom, ...], int]:
    """A numeral, with its proclitics; a leading و is a connector."""
    return _arabic_atoms(words, word), len(word)


def _arabic_atoms(words: Words, word: str) -> tuple[Atom, ...]:
    if word in words:
        return words[word]
    if match := _ARABIC_HUNDRED.fullmatch(word):
        return (Atom("unit", Decimal(100 * (2 + (match.lastindex or 0)))),)
    if match := _ARABIC_TEEN.fullmatch(word):
        return (Atom("unit", Decimal(10 + (match.lastindex or 0))),)
    if word.startswith("و") and (rest := _arabic_atoms(words, word[1:])):
        return (Atom("and"), *rest)
    if word.startswith("ال") and len(word) > 4:
        teen = _ARABIC_TEEN.fullmatch(word[2:])
        return words.get(word[2:], _arabic_atoms(words, teen.group()) if teen else ())
    if word.startswith("عال") and len(word) > 5:
        return _arabic_atoms(words, word[1:])
    if word[:1] in ("ب", "ل") and (word[1:2] != "و" or word[1:] in words) and len(word) > 3:
        return _arabic_atoms(words, word[1:])
    return words.get(word.removesuffix("ا"), ()) if word.endswith("ا") else ()
