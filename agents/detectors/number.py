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
from sim.core.text import fold, numbers

_TOKEN = regex.compile(r"\d+(?:[.,٫٬]\d+)*|[\p{L}\p{M}]+|[^\s\p{L}\p{M}\d]")
_CLASSIFIERS = "টাকা|টায়|টার|টাই|টাও|টাতে|টা|টিতে|টির|টি|টে|খানা|খানি|জনের|জনকে|জন|গুলো|তে|তলায়|তলা|টেয়|টোর|টো|টের|বার|গুণ|টোয়|মাস|দিন|বছর|ই|ও|র|ে|য়"
_HUNDREDS = ("শো", "শত", "শ")
_ARABIC_HUNDRED = regex.compile(
    r"(?:(ثلاث|تلا?ت?|ثلث)|(ا?ربع)|(خمس)|(ست)|(سبع)|([ثت]ما?ني?)|(تسع))(?:مءه|مئه|مائه|مي[هت]|ماءه|م[اي]?[ءئ]ت)"
)
"""Three to nine hundred; the group tells which."""
_ARABIC_TEEN = regex.compile(
    r"(?:(ا?حد)|(ا?[ثت]ن|ا?طن)|([تث]ل[اتثط]+)|(ا?ربع)|(خم[سص])|(س[تط]?)|([سص]بع)|([تث]من)|(تسع))[تط]{0,2}[اع]+شر?"
)
"""Eleven to nineteen of the dialects: حداشر, طنعش, تلطاش; the group tells which."""
_HOURS = {"ন": "নয়", "ছ": "ছয়"}
_SHORT_HOURS = regex.compile(r"(?<![\p{L}\p{M}])(?P<hour>[নছ])(?:['’ʼ](?=ট|তলা|জন|মাস)|(?=টা|টে))")
"""Hours as they are said: ন'টা, ছটায়."""
_HOUR_WORDS = (
    r"واحده|وحده|تنتين|ثنتين|تنين|اتنين|جوج|ثلاثه|تلاته|تلاثه|اربعه|ربعه|خمسه|سته|سبعه|[تث]ما?نيه|تسعه|عشره|"
    r"ا?حد[اع]+ش\p{L}*|ا?[تطث]نا?[عت]?ش\p{L}*|ا?[تطث]نا?ش\p{L}*"
)
_CLASS = fold("ক্লাস")
_CLASSES = tuple(
    (fold(spelt), fold(said))
    for spelt, said in (
        ("ওয়ান", "এক"), ("টু", "দুই"), ("থ্রি", "তিন"), ("ফোর", "চার"), ("ফাইভ", "পাঁচ"), ("সিক্স", "ছয়"),
        ("সেভেন", "সাত"), ("এইট", "আট"), ("নাইন", "নয়"), ("টেন", "দশ"),
    )
)  # fmt: skip
"""School classes are counted in English."""
_RESPELLED: dict[str, tuple[tuple["regex.Pattern[str]", str], ...]] = {
    "arb": (
        (
            regex.compile(
                r"(?<!\p{L})عال(?=(?:واحد|تنت|ثني|ت?لات|ثلاث|اربع|خمس|ست|سبع|[تث]ما?ن|تسع|عشر)\p{L}{0,3}(?!\p{L}))"
            ),
            "علي ال",
        ),
        (
            regex.compile(
                rf"(?<!\p{{L}})(?:ب|ع|ل|علي |مع |قبل |بعد |حتي |لحد |لغايه |حوالي |عند )ال(?={_HOUR_WORDS}(?!\p{{L}}))"
                r"(?!\p{L}+ (?:الاوا|الاول|كل|الل|مع بعض|في الما|بالما|نفر|اشخاص|انفار|ايام|شباب|اولاد|بنات|اخو|دنانير|دينار|دراهم|درهم|جنيه|ريال|لير|الاف|كيلو|متر|قروش))"
            ),
            "الساعه ",
        ),
        (
            regex.compile(
                r"(?<!\p{L})(?:من|حتي|الي|عند|قبل|بعد|حوالي|لحد|لغايه|تمام) ال"
                r"(?=(?:حاديه عشره?|ثانيه|ثالثه|رابعه|خامسه|سادسه|سابعه|ثامنه|تاسعه|عاشره)(?!\p{L}))"
                r"(?!\p{L}+ (?:من عمر|و(?:ال)?\p{L}+ين |مساحه|درجه))"
            ),
            "الساعه ال",
        ),
    ),
    "ben": tuple(
        (regex.compile(rf"(?<={_CLASS} ){spelt}(?=(?:ের|ে|তে|এ)?(?![\p{{L}}\p{{M}}]))"), said)
        for spelt, said in _CLASSES
    ),
    "ind": (
        (regex.compile(r"(?<=\d) ?k(?!\p{L})"), " ribu"),
        (regex.compile(r"(?<!\p{L})(?:stgh|stngh|stgah|setgh)(?!\p{L})"), "setengah"),
    ),
    "eng": (
        (regex.compile(r"(?<=\d) ?k(?!\p{L})"), " thousand"),
        (
            regex.compile(
                r"(?<=\b(?:eighteen|nineteen|twenty))(?<!\b(?:at|by|until|till|from|the) \w+) "
                r"(?=(?:ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
                r"(?:-\w+)?)\b(?![- ](?:pound|dollar|euro|year|minute|hour|people)))"
            ),
            " hundred and ",
        ),
    ),
    "kor": (
        (
            regex.compile(
                r"(?<=(?:[한두세네열]|다섯|여섯|일곱|여덟|아홉)시)(?=[일이삼사오육칠팔구십]+분|반)"
            ),
            " ",
        ),
    ),
}
"""Words written together with what they stand beside: عالتسعة, 한시십분."""
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
    folded = fold(text)
    if language == "ben":
        folded = _SHORT_HOURS.sub(lambda m: fold(_HOURS[m["hour"]]), folded)
    for joined, apart in _RESPELLED.get(language, ()):
        folded = joined.sub(apart, folded)
    if language == "kor":
        return Reading(folded, tuple(korean_numerals.said(folded)), tuple(korean_numerals.unsure(folded)))
    unsure, never, join, cut = _masks(language)
    hidden = tuple(m.group() for m in unsure.finditer(folded)) if unsure else ()
    masked = join.sub(lambda m: " " * len(m.group()), folded) if join else folded
    for mask in filter(None, (never, unsure, cut)):
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
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word[0].isdecimal():
            values = tuple(numbers(word))
            yield None
            yield Placed((Atom("unit", values[0]),), token.start(), token.end()) if len(values) == 1 else None
        elif word == "-":
            continue
        else:
            found, size = reader(word)
            yield Placed(found, token.start(), token.start() + size) if found else None


@cache
def _masks(language: str) -> "tuple[regex.Pattern[str] | None, ...]":
    """What is unsure, what is never a number, what stands inside one, what between two."""
    data = numerals(language)
    bodies = ("|".join(data.get(key, ())) for key in ("unsure", "never", "join", "cut"))
    return tuple(regex.compile(fold_pattern(body)) if body else None for body in bodies)


def fold_pattern(pattern: str) -> str:
    """A pattern's Bengali letters as `fold` writes them; spelling otherwise as given."""
    return "".join(fold(c) if "\u0980" <= c <= "\u09ff" else c for c in pattern)


@cache
def _reader(language: str) -> Reader:
    reads = {"ben": _bengali, "arb": _arabic}.get(language, _plain)
    return partial(reads, atoms(language))


def _plain(words: Words, word: str) -> tuple[tuple[Atom, ...], int]:
    return words.get(word, ()), len(word)


@cache
def _classified() -> "regex.Pattern[str]":
    return regex.compile(rf"(.+?)(?:{fold(_CLASSIFIERS)})\Z")


def _bengali(words: Words, word: str) -> tuple[tuple[Atom, ...], int]:
    """A numeral, with a fused hundred and a classifier or case ending."""
    if word in words:
        return words[word], len(word)
    for hundred in _HUNDREDS:
        if word.endswith(hundred) and (unit := words.get(word.removesuffix(hundred))):
            return (*unit, Atom("small", Decimal(100))), len(word)
    match = _classified().match(word)
    return _bengali(words, match.group(1)) if match else ((), 0)


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
        return words.get(word, words.get(word[2:], ()))
    if word.startswith("عال") and len(word) > 5:
        return _arabic_atoms(words, word[1:])
    if word[:1] in ("ب", "ل") and (word[1:2] != "و" or word[1:] in words) and len(word) > 3:
        return _arabic_atoms(words, word[1:])
    return words.get(word.removesuffix("ا"), ()) if word.endswith("ا") else ()
