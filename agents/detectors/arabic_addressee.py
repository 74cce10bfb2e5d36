"""Gender and number of the person an Arabic text speaks to.

`gender` (f, m) and `count` (sg, du, pl) go by second-person forms: pronouns and suffixes with their vowel
where it is written (‑ki, ‑ka), the suffixes ‑kum, ‑kuma, ‑kunna, imperatives and imperfects in ‑i, ‑u, ‑a
(or ‑in, ‑un, ‑an after ta-), perfects in ‑ti, ‑tum, ‑tuma, vocatives; of dialects Gulf ‑ch (چ, ج),
Levantine ‑kun, Egyptian ‑ku, b- imperfects, prohibitions in ma-…-sh, and participles said of "you"
(Brustad 2000, *The Syntax of Spoken Arabic*, ch. 5 and 9; Holes 2004, *Modern Arabic*). Unvowelled ‑k and anta/anti written
أنت say singular and no gender. A masculine singular imperative or jussive is masculine because it lacks
the ‑i. Third-person forms say nothing. Source: Ryding 2005, *A Reference Grammar of Modern Standard
Arabic*, ch. 12 (pronouns), 21–25 and 35 (imperfect, imperative, jussive). Words: `arabic_addressee.toml`.
"""

import tomllib
import unicodedata
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import Any

import regex

from agents.detectors.port import UNKNOWN, Detector, Evidence, Finding, Rule
from sim.core.text import nfc

GENDERS = ("f", "m")
COUNTS = ("sg", "du", "pl")
_KASRA, _FATHA = "\u0650", "\u064e"
_LEFT, _RIGHT = r"(?<![\p{L}\p{M}])", r"(?![\p{L}\p{M}])"
_VOWELLED = regex.compile(rf"{_LEFT}(?:\p{{L}}\p{{M}}*)*?[كت]({_KASRA}|{_FATHA}){_RIGHT}")
_YOU = regex.compile(rf"{_LEFT}أ?[أإا]نت{_RIGHT} (?!ال)(\p{{L}}{{3,}}){_RIGHT}")
_SHORT = 4
"""Most words of a sentence whose verb, like a past tense, is taken for an imperative."""
_LONGER = 7
"""Most words of a sentence where any word in -k is taken for "your"."""
_POLITE = regex.compile(rf"{_LEFT}(?:من فضلك\p{{L}}*|لو سمحت\p{{L}}*|يا|رجاء|أرجوك\p{{L}}*){_RIGHT}")
_TOLD = regex.compile(
    rf"(?<!ما ){_LEFT}[وف]?(?:(?:قال|قالت|قالوا|گال|گالت|صاح|صاحت|نادى|همس)(?:ه|ها|هم|ي|لي|لنا|له|لها|لهم|لو|ولي|وله|ولها)?"
    r"|(?:قلت|قلنا|گلت)(?:ه|ها|هم|له|لها|لهم|لو))"
    r"(?: (?:لي|له|لها|لهم|لنا|به|بها|في|ال\p{L}+|ل\p{L}+|أب\p{L}+|أم\p{L}+|أخ\p{L}+))*+"
    r"(?: ?:| (?![^.!؟،]*[إأا]نك))[^.!؟،]*"
)
"""Who is told something, and what: an order there is not for the hearer. "Said that you" is."""
_CALLED = regex.compile(
    rf"{_LEFT}[وف]?(?:نادى|نادت|نادوا|صرخ|صرخت|صاح|صاحت|همس|همست|كتب|كتبت|رد|ردت|أمر|أمرت|هتف|هتفت)"
    rf"{_RIGHT}[^.!؟،:]*:[^.!؟]*"
)
"""Who calls or writes to another, and what."""
_BOTH = regex.compile(r"(\p{L}{2})\p{L}*/\1\p{L}*|\p{L}+\((?:ي|ة)\)")
"""A form of address for either gender: اتصل/اتصلي."""
_GREETED = regex.compile(rf"{_LEFT}(?:و?عليكم (?:ال)?سلام|(?:ال)?سلام عليكم){_RIGHT}(?! جميعا)")
"""The greeting of peace is plural also for one."""
_KIN = ("بابا", "ماما", "أبوي", "أخوي", "جدي", "عمي", "خالي", "جارنا", "ابني", "زوجي", "جوزي")
_ENDINGS = {"m": "", "f": "ي", "du": "ا", "pl": "وا"}


def open_detector(language: str, name: str) -> Detector:
    """`gender` or `count`."""
    if name == "gender":
        return Rule(name, language, GENDERS, gender)
    return Rule(name, language, COUNTS, count)


def gender(text: str) -> Finding:
    """The addressee's gender; don't know where no form shows it, forms disagree evenly, or several are addressed."""
    text = _BOTH.sub(" ", _unreported(text))
    if _marked(text, ("du", "pl")):
        return UNKNOWN
    return _agreed([*_vowelled(text), *_marked(text, GENDERS), *_predicates(text)])


def count(text: str) -> Finding:
    """The addressee's number; don't know where no form shows it, or forms disagree evenly."""
    text = _unreported(text)
    plural = _marked(text, ("du", "pl"))
    single = [*_vowelled(text), *_marked(text, (*GENDERS, "sg"))] if not plural else []
    return _agreed([*plural, *(Evidence(e.quote, "sg") for e in single)])


def _unreported(text: str) -> str:
    """`text` without what is told of others' words, and without the greeting of peace."""
    return str(_GREETED.sub(" ", _CALLED.sub(" ", _TOLD.sub(" ", text))))


def _vowelled(text: str) -> list[Evidence]:
    """Forms whose last vowel is written: -ki, -ti feminine, -ka, -ta masculine."""
    found = (m for m in _VOWELLED.finditer(nfc(text)) if _plain(m.group()) not in _table().stop)
    return [Evidence(m.group(), "f" if m.group(1) == _KASRA else "m") for m in found]


def _marked(text: str, labels: tuple[str, ...]) -> list[Evidence]:
    plain, table = _plain(text), _table()
    spoken = len(plain.split()) <= _SHORT or _POLITE.search(plain) is not None
    tables = (table.forms, table.homographs) if spoken else (table.forms,)
    if not spoken and len(plain.split()) <= _LONGER:
        tables = (*tables, {"sg": table.homographs["sg"]})
    return [
        Evidence(m.group(), label)
        for forms in tables
        for label in labels
        if label in forms
        for m in forms[label].finditer(plain)
        if m.group().removeprefix("و") not in table.stop and m.group() not in table.stop
        if label not in GENDERS or not _said_of_me(plain, m.start())
        if label == "sg" or forms is not table.homographs or not _has_subject(plain, m.start())
    ]


def _said_of_me(plain: str, at: int) -> bool:
    """Whether a word before `at` makes the stem there a first person: biddi shuf, "I want to see"."""
    before = plain[:at].split()
    return bool(before) and before[-1] in _table().first_person


def _has_subject(plain: str, at: int) -> bool:
    """Whether the form at `at` has a subject: "the pupils came back", "the boy ate and slept", "he slept"."""
    before = plain[:at].split()
    if before and (before[-1] in ("هو", "وهو") or (plain[at] == "و" and _opens_with_noun(before[0]))):
        return True
    return len(before) == 1 and before[0].startswith(("ال", *_KIN)) and plain[at - 1] == " "


def _opens_with_noun(word: str) -> bool:
    return word.startswith("ال") and word not in ("السلام", "الآن", "اليوم", "الله")


def _predicates(text: str) -> list[Evidence]:
    """What is said of "you": feminine by ta marbuta."""
    found = (
        m
        for m in _YOU.finditer(_plain(text))
        if m.group(1) not in _table().skip and m.group(1)[0] != "ت" and m.group(1)[-1] != "ت"
    )
    return [Evidence(m.group(), "f" if m.group(1)[-1] == "ة" else "m") for m in found]


def _agreed(found: list[Evidence]) -> Finding:
    """The label most forms show; a tie is don't know."""
    if not found:
        return UNKNOWN
    (label, most), *rest = Counter(str(e.value) for e in found).most_common()
    return Finding(None if rest and rest[0][1] == most else label, tuple(found))


def _plain(text: str) -> str:
    """`text` without vowel signs and tatweel; hamza is kept."""
    return "".join(c for c in nfc(text) if unicodedata.category(c) != "Mn" and c != "ـ")


class _Table:
    """The expressions of each label, built once from the paradigms."""

    def __init__(self) -> None:
        path = files("agents.detectors").joinpath("arabic_addressee.toml")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        self.stop = frozenset(data["stop"]["words"])
        self.first_person = frozenset(data["weak"]["first_person"])
        self.skip = frozenset(data["adjective"]["skip"])
        self.forms = {label: _expression(_bodies(label, data)) for label in (*GENDERS, *COUNTS)}
        homographs = data["imperative"]["homograph"]
        self.homographs = {
            label: _expression([form + ending + data["weak"]["no_subject"] for form in homographs])
            for label, ending in _ENDINGS.items()
        }
        self.homographs["sg"] = _expression(data["word"]["sg_short"])


def _expression(bodies: list[str]) -> "regex.Pattern[str]":
    return regex.compile(rf"{_LEFT}[وف]?(?:{'|'.join(bodies)}){_RIGHT}", regex.M)


def _bodies(label: str, data: dict[str, Any]) -> list[str]:
    bodies = list(data["word"][label])
    if label in _ENDINGS:
        bodies += _verbs(data["imperative"], label)
        bodies += [f"(?:لا|ما) {form}" for form in _verbs(data["prohibition"], label)]
    if label == "f":
        bodies += [form + _ENDINGS[label] for form in data["imperative"]["homograph"]]
    if label in GENDERS:
        bodies += [f"يا {name}" for name in data["vocative"][label]]
    return [_filled(body, data) for body in bodies]


def _filled(body: str, data: dict[str, Any]) -> str:
    """A pattern with its word lists in place of their names."""
    lists = {
        "{participle}": data["participle"]["words"],
        "{vocative_m}": data["vocative"]["m"],
        "{vocative_f}": data["vocative"]["f"],
        "{homograph}": data["imperative"]["homograph"],
        "{spoken}": data["imperative"]["spoken"],
        "{weak}": data["weak"]["stems"],
    }
    for name, words in lists.items():
        body = body.replace(name, "|".join(words))
    return body


def _verbs(paradigm: dict[str, list[str]], label: str) -> list[str]:
    regular = [base + _ENDINGS[label] for base in paradigm["regular"]]
    return [*paradigm[f"irregular_{label}"], *regular]


@cache
def _table() -> _Table:
    return _Table()
