"""What makes an Arabic word a name: how it is written, what stands before it, what follows it."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import regex

from agents.detectors.name_table import known_names, places
from agents.detectors.name_words import words
from sim.core.text import fold

_ACTS = regex.compile(
    r" (?!يعني|يوم|يا\b|يلا|تمام|تحت|تاني|تاخر\p{L}|تقريبا|يمكن|تسعه|تلات|ثلاث)"
    r"(?:[يت]|بي|بت|هي|هت|حي|حت|سي|ست|كي|كت|تي|رح |راح |عم |غادي |لسه |مش |ما (?=[يتبحك]))"
    r"\p{L}{2,}(?!\p{L})(?<!ين|ون|ات|ه)| (?!ال)\p{L}{2,5}ت(?= )(?<!بنت|وقت|بيت|تحت|كلت|ميت|موت|صوت|زيت|بخت| ست|حوت|سبت|زفت|كنت|انت|مات ال)| است\p{L}{2,4}(?= )| (?!كل|حق|تبع|ال)\p{L}{3,}ها(?= )| ما \p{L}{2,4}ت(?= )"
)
"""A verb after its subject."""
_ACTING = regex.compile(r"(?:بي|بت|هي|هت|سي|ست|حي|حت)\p{L}{2,}")
"""A verb of what a titled person does or will do: nobody is called so."""
_OBJECT = regex.compile(r"(?<=\p{L}{3})(?:ني|نا|ها|هم|كم|لي|لنا|له|لها|لهم|لك)\Z")
"""Whom a verb is about, written together with it."""
_INDEFINITE = frozenset(("سيد", "سيده", "دكتور", "دكتوره", "استاذ", "استاذه", "شيخ", "ست", "معلم"))
_WILL = regex.compile(r"س[يت]\p{L}{3,}")
"""A verb of the future in the standard."""
_PLURAL = regex.compile(
    r" (?:[يبهحكسن]{0,2}ي?\p{L}{2,}وا|[يت]\p{L}{3,}ان|كلهم|\p{L}{3,}ين|الاثنين|التنين|الاتنين|سوا|مع بعض)(?!\p{L})"
)
"""What two people do together."""
_CALLED = regex.compile(
    r"، ?(?:تعال|خذ|خد|شوف|اسمع|هات|جيب|روح|لا ت|ممكن|لو سمحت|كم |وين|فين|متي|هل |ليش|ليه|شو |ايش |قوم|نزل|افتح|سكر|رد |"
    r"كلم|اتصل|انتظر|استني|دير|حط|سوي|اعمل|صح|انت|جهز|عندك|معك|عيد|ارجع|اجلس|اقعد|بدي|ابي|عايز|محتاج|لازم|ما ت|متي|كيف|شلون)"
)
"""What follows the name of somebody called."""
_CALLING = regex.compile(r"[،,] ?(?!و|\p{L}+(?:\Z|[،,.!؟?] ?\Z|[،,]))\p{L}")
"""A sentence after the name of somebody called: no list, no single word."""
_ON_ME = regex.compile(
    r"(?:[يتنا]|بي|بت)?(?:تصل|دق|رن|سلم|زعل|ضحك|كذب|مر|رد|عتب|صيح|صاح|زعق|صعب|هون|سهل|غلط|حرام|فات|بكي|حزن|خاف)\p{L}{0,2}"
)
"""What somebody does to me, or what is hard for me: علي after it is no Ali."""
_NOT_DONE = regex.compile(
    r" ما (?!في|فيه|فيها|له|لها|عاد|شاء|كان|كانت|هو|هي|ال|اجمل|احلي|زي|مثل|عليه|عليها|منه|الو|الها|عندنا|عندي)\p{L}{2,}"
)
"""What somebody has not done, after the subject."""
_GETTING = regex.compile(
    r"(?:اشتر|شر|نزل|وصل|بلغ|نسي|عندهم|عنده|عندها|جب|جاب|اكل|كل|شرب|قطف|حط|لبس|باع|بعت|لق|شفت|شفن|شاف|رسم|زرع|سقي|شم|كسر|عمل|طبخ|قطع|خد|خذ|اخذ)\p{L}{0,2}"
)
"""What is done to things: a flower bought is no Zahra."""
_TO_HER = regex.compile(
    r"[،,] ?(?!كلي|قلبي|حياتي|حتي|علي|التي|اللي|شوي)\p{L}{2,6}ي(?= )|[،,].*(?: لا ت|\p{L}{2,}(?:تي|لك)(?!\p{L}))"
)
"""Something said to a hearer after a comma."""
_US = regex.compile(
    r"(?:[يتنا]|كي|كت|غادي )?(?:قال|گال|قول|جاب|جيب|عط|باق|بق|كتب|صيفط|دار|دير|بان|خص|خلي|جا|ورا|وري|شرح|حك|بعت|رسل|وصل|كان|طلع|حط|فتح|طاب|نس|بي|وف)\p{L}{0,3}"
)
"""What somebody does to or for us in the Maghreb and the Sudan: لينا after it is no Lina."""
_CLITICS = ("و", "ل", "ب", "ف", "ع", "ول", "وب", "وال", "فال", "بال", "عال")
_TOWARDS = ("ل", "ب", "ف", "ع")
"""Prepositions that are written together with the place."""
JOINTS = (" ",)
"""What stands between two names of one text that go together."""
_PAUSE = regex.compile(r"(?:\A|[،,.؟?!:؛…] ?)\Z")
_DEFINITE = regex.compile(r" ال(?!(?:ف|فين|ي|لي|ان|ا|في)(?!\p{L}))\p{L}")
"""A word with its article, after a word that may belong to it."""
_POSSESSED = regex.compile(r".{2,}(?:ي|نا|كم|كو|ين|ات|ون|هم|تي|ت|وا|و)\Z")
"""The endings of words that name nobody, where the word is unknown."""


def forms(word: str) -> Iterator[tuple[int, str]]:
    """The word, and without what is written together with it, each with where it starts."""
    yield 0, word
    for clitics in _CLITICS:
        form = word.removeprefix(clitics)
        if form != word and len(form) > 2 and (form in places("arb") or _carries(clitics, form)):
            yield len(clitics), form
    if word.startswith("لل") and len(word) > 4:
        yield 1, f"ال{word[2:]}"


def _carries(clitics: str, form: str) -> bool:
    """Whether the clitics are written together with a person's name: not *at*, *like*; *so* with a long one."""
    return clitics in ("و", "ل", "ب", "ول", "وب") or (clitics == "ف" and len(form) > 4)


def bare(word: str) -> str:
    """The word itself: nothing is written after a name."""
    return word


def spelled_so(form: str, written: str) -> bool:
    """Whether the letters that folding merges are the name's: مني is not منى, على not علي, أنا not آنا."""
    if form in words("arb")["long"] and "آ" not in written:
        return False
    if form == "علي" and regex.search("ي[\u0651\u064e]", written):
        return False
    last = _last_letters().get(form)
    return last is None or written[-1:] not in "يى" or written[-1:] in last


@cache
def _last_letters() -> dict[str, str]:
    """Folded names on *yeh* → the letters of the table they end in: with or without its dots."""
    found: dict[str, str] = {}
    text = files("agents.detectors").joinpath("names.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        for form in line.split("\t")[1:2] and line.split("\t")[1].split(","):
            if form.endswith(("ي", "ى")):
                found[fold(form)] = found.get(fold(form), "") + form[-1]
    return found


def joins(form: str, word: str, joint: str) -> bool:
    """Whether a name that is also a word is one after a name: not a quality without *and*."""
    return word != form or form not in words("arb")["qualities"]


def nameable(word: str, before: str, after: str) -> bool:
    """Whether a word after a title or a call can be a name."""
    data, table = words("arb"), known_names("arb")
    if word in data["plain"] or word in data["titles"] or word in data["kin"] or _ACTING.match(word):
        return False
    if any(f"{word} {said.strip('،,.؟?!')}" in data["idioms"] for said in after.split()[:1]):
        return False
    if word.startswith(("عبد", "ابن ", "ابو ")):
        return True
    if word in _verbs() or (word in data["acts"] and word not in table):
        return False
    if word in table and word not in data["homographs"]:
        return True
    if word.startswith("ال") or (before.endswith("ام ") and word not in table and before.strip() != "ام"):
        return False
    titled = before.split()[-1:]
    if word in data["qualities"] and titled and titled[0] in _INDEFINITE and "يا " not in before:
        return False
    if before.endswith("يا "):
        if after.startswith(" يا رب") or _DEFINITE.match(after) or word in data["endearing"]:
            return False
        return word in table
    named = before.endswith(("اسمي ", "اسمه ", "اسمها ", "اسمك ")) or (
        titled[:1] != [] and titled[0] in data["surely"]
    )
    return word in table or (named and _unknown_called(word))


def _unknown_called(word: str) -> bool:
    return (
        len(word) > 2
        and _POSSESSED.match(word) is None
        and not word.startswith(("بال", "عال", "لل", "وال", "فال"))
    )


def meant(form: str, text: str, match: "regex.Match[str]") -> bool:
    """Whether a name that is also a word is meant: a place after a preposition, a person who acts."""
    before, after = text[: match.start()], text[match.end() :]
    if form in places("arb") and _placed(form, before, match.group(), after):
        return True
    if form in places("arb") and form not in _persons():
        return False
    opening = _PAUSE.search(before) is not None
    if opening and (
        _CALLED.match(after)
        or _TO_HER.match(after)
        or (_CALLING.match(after) and _calls(form, match.group()))
    ):
        return True
    last = before.split()[-1] if before.split() else ""
    clitic = match.group().removesuffix(form)
    if form == "لينا" and not clitic:
        return _US.fullmatch(last) is None
    if clitic == "و" and last in words("arb")["homographs"] and _PLURAL.match(after):
        return True
    if (opening or _introduced(last, before)) and clitic in ("", "و", "ف"):
        return _acts(after) or (opening and (_kindred(form, after) or _undone(form, after)))
    return len(form) > 2 and _beside(form, before, clitic, after)


def _calls(form: str, word: str) -> bool:
    """Whether a name alone before a comma calls somebody: not a quality or a greeting."""
    data = words("arb")
    wordy = any(form in data[kind] for kind in ("qualities", "greetings", "endearing", "uncalled"))
    return word == form and (not wordy or form == "علي")


def _introduced(last: str, before: str) -> bool:
    data = words("arb")
    return last in data["kin"] or last in data["openers"] or " ".join(before.split()[-2:]) in data["kin"]


def _kindred(form: str, after: str) -> bool:
    """Whether somebody's kin follows a name that is no thing one's kin has: age, hope, life."""
    data = words("arb")
    having = form == "عمر" or any(form in data[kind] for kind in ("abstract", "uncalled", "qualities"))
    return not having and bool(after.split()) and after.split()[0].strip("،,.؟?!") in data["kin"]


def _undone(form: str, after: str) -> bool:
    """Whether a name that is no thing is said not to have done something."""
    data = words("arb")
    thing = any(form in data[kind] for kind in ("abstract", "uncalled", "qualities"))
    return not thing and _NOT_DONE.match(after) is not None


def _acts(after: str) -> bool:
    """Whether what follows says what somebody does or is."""
    said = [word.strip("،,.؟?!") for word in after.split()[:2]] if after.startswith(" ") else []
    following = "" if not said else said[-1] if said[0] == "ما" else said[0]
    stem = _OBJECT.sub("", following)
    return (
        _ACTS.match(after) is not None
        or {following, stem} & _verbs() != set()
        or following in words("arb")["acts"]
        or (len(stem) > 3 and stem in words("arb")["acts"])
    )


def _beside(form: str, before: str, clitic: str, after: str) -> bool:
    """Whether the words before want a person: somebody's kin, somebody met, told or called."""
    data = words("arb")
    said = before.split()
    last, two = (said[-1] if said else ""), " ".join(said[-2:])
    pronominal = _ON_ME if form == "علي" else _US if form == "لينا" else None
    if pronominal is not None and pronominal.fullmatch(last):
        return False
    quality = form in data["qualities"]
    following = after.split()[0].strip("،,.؟?!") if after.split() else ""
    definite = _DEFINITE.match(after) is not None and following not in data["ordinals"]
    idafa = definite or following in data["kin"]
    if clitic == "ل":
        return last in data["giving"] and not idafa
    if clitic:
        return clitic == "ب" and last in data["calling"] and not idafa
    if last in data["kin"] or two in data["kin"]:
        return not quality and not idafa
    if last in data["titles"]:
        return not idafa and not (quality and last in _INDEFINITE and "يا" not in said)
    if last in data["greetings"]:
        return not quality and (not after or after[0] in "،,.؟?!")
    if last == "علي" and len(said) > 1:
        return said[-2] in data["calling"]
    if last == "من" and len(said) > 1:
        return said[-2].removesuffix("ه").removesuffix("ها") in data["taking"] and not idafa
    if last.removeprefix("و").removeprefix("ف") in data["beside"]:
        return form not in data["abstract"] and not idafa
    if last in data["openers"]:
        return not quality and (not after or after[0] in "،,.؟?!")
    did = len(last) > 3 and last[-1] == "ت" and last in _verbs()
    if form in data["uncalled"] and _GETTING.fullmatch(last):
        return False
    acting = did or last in data["acts"] or two in data["acts"] or _WILL.fullmatch(last) is not None
    moving = form in data["states"] and last.removesuffix("ت") in data["moving"]
    return acting and last not in data["modals"] and not last.startswith("عند") and not idafa and not moving


@cache
def _persons() -> frozenset[str]:
    """Folded names of people in the table."""
    text = files("agents.detectors").joinpath("names.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith(("*", "#"))]
    return frozenset(fold(form) for row in rows if len(row) > 1 for form in row[1].split(",") if form)


@cache
def _verbs() -> frozenset[str]:
    """Folded verbs of what people did, of a man and of a woman."""
    past: frozenset[str] = words("arb")["past"]
    weak = {f"{verb[:-1]}ت" for verb in past if verb.endswith(("ي", "ا"))}
    return past | {f"{verb}ت" for verb in past} | weak


def _placed(form: str, before: str, word: str, after: str) -> bool:
    """Whether a place stands where one goes to, comes from or is, or what is said is true of a place."""
    data = words("arb")
    said = before.split()
    last = said[-1:]
    clitic = word.removesuffix(form)
    if form in data["nouns"] and last and {last[0], last[0][1:]} & data["weak"]:
        return bool(set(said[-4:]) & data["settled"])
    if clitic in ("ب", "ل", "في") and form in data["nouns"]:
        from_place = len(said) > 1 and said[-2] == "من" and said[-1] in places("arb")
        return from_place or (bool(set(said[-3:]) & data["settled"]) and not _DEFINITE.match(after))
    if clitic == "و" and last and last[0] in places("arb"):
        return last[0] not in data["homographs"] or bool(set(said[-2:-1]) & data["prepositions"])
    return (
        bool(last and {last[0], last[0][1:] if last[0][0] in "وبلف" else ""} & data["prepositions"])
        or (form not in data["nouns"] and word.removesuffix(form) in _TOWARDS)
        or (form not in data["nouns"] and word.startswith("لل") and form.startswith("ال"))
        or (not last and any(after.startswith(f" {said}") for said in data["postpositions"]))
    )
