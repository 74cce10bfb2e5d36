"""What makes a Bengali word a name: its case ending, the words after it, kin before it."""

from collections.abc import Iterator

import regex

from agents.detectors.name_table import known_names, places
from agents.detectors.name_words import words
from agents.detectors.patterns import fold_pattern
from sim.core.text import fold

_CASES = tuple(
    fold(ending)
    for ending in (
        "র", "ও", "ই", "ে", "রা", "কে", "ের", "য়", "টা", "তে", "য়ে", "রও", "েও", "েই", "য়ের", "েরা", "টার", "কেও", "কেই",
        "রাও", "দের", "দেরও", "দেরকে", "দি", "দা", "দির", "দার", "দিকে", "দাকে", "বাবু", "বাবুর", "বাবুকে", "ভাই",
        "ভাইয়ের", "ভাইকে", "আপা", "আপার", "আপাকে", "আপু", "আপুর", "আপুকে",
        "রে", "েরে", "গো", "-র", "-এর", "-এ", "-কে", "-রা", "-তে", "-য়", "-দের", "-ই", "-ও",
        *(
            f"{kin}{case}"
            for kin in (
                "মাসি", "পিসি", "কাকা", "কাকু", "চাচা", "মামা", "মামি", "খালা", "মিয়া", "বৌদি", "ভাবি", "দাদু", "দিদি", "দাদা",
                "কাকি", "কাকিমা", "বিবি", "বানু", "জি", "জেঠু", "ঠাকুর", "মাস্টার", "সাহেব", "রানি", "রাণী",
            )
            for case in ("", "র", "কে", "রে", "রা", "ের")
        ),
    )
)  # fmt: skip
"""What is written together with a name, the shortest first."""
_OF_THINGS = tuple(map(fold, ("টা", "টার", "টি", "টির", "টাই")))
_OF_SUBJECTS = ("", *map(fold, ("ও", "ই", "রা", "েরা", "রাও")))
_LOCATIVES = tuple(fold(ending) for ending in ("য়", "তে", "ে"))
JOINTS = (" ", " আর ", " ও ", " এবং ", " কিংবা ", " বা ")
"""What stands between two names of one text that go together."""
_PAUSE = regex.compile(r"(?:\A|[,।.?!:;—] ?)\Z")
_HOURS = r"(?:দুই|দু|দুট|তিন|চার|পাঁচ|ছয়|ছ|সাত|আট|নয়|ন|দশ|এগার|এগারো|বার|বারো|[\d]{1,2})'?"
_CLOCK = regex.compile(
    fold_pattern(
        r" (?:[\p{L}\p{M}']+ ){0,3}?(?:(?:(?:সাড়ে|পৌনে|সোয়া|সওয়া) [\p{L}\p{M}\d']+|"
        rf"{_HOURS}|এক|দেড়|আড়াই)(?:টায়|টেয়|টোয়|োয়|ায়|ডায়)|(?:সাড়ে|পৌনে|সোয়া|সওয়া) [\p{{L}}\p{{M}}']+(?:টা|টে|টার)|"
        rf"{_HOURS}(?:টা|টে|টার)(?= [\p{{L}}\p{{M}}]+(?:ে|ের)(?![\p{{L}}\p{{M}}])))(?![\p{{L}}\p{{M}}])"
    )
)
"""An hour after its subject."""
_OUR_KIN = regex.compile(
    fold_pattern(
        r" (?:আমার|আমাদের|ওর|তার|তোর|তোমার)(?: [\p{L}\p{M}]+){0,2} "
        r"(?:মেয়ে|ছেলে|ভাই|বোন|বউ|বৌ|স্বামী|বর|বন্ধু|বান্ধবী|ভাগ্নি|ভাগ্নে|ভাতিজি|ভাতিজা|ননদ|দেবর|খালা|মামা|চাচা|মাসি|পিসি|কাকা)"
        r"(?: হয়)?[।.!?]?\Z"
    )
)
"""Somebody said to be one's kin."""
_THIRD = regex.compile(
    fold_pattern(r"(?:ায়|েন|ছে|ছেন|ছেল|িল|াল|লেন|ল|বে|বেন|ইব|নি|ইছে|িছে|য়নি|ে|য়|ছিল)(?: রোজ| নাই)?\Z")
)
"""A clause that ends in what somebody else does."""
_OURS = regex.compile(fold_pattern(r"(?:লাম|ছি|বো|তাম|মু|ব|ই নি|ইনি)(?=[।,.!?]|\Z)"))
"""A verb of ours: the word is what we saw, not who did it."""
_OF_KIN = frozenset(ending for ending in _CASES if len(ending) > 3 and ending[0] in "মপকচখজ")
"""Kin that is written together with a name."""
_OF_PERSONS = tuple(
    ending
    for ending in _CASES
    if ending.lstrip("-").startswith(("ক", "দি", "দা", "ব", "ভ", "আ", "ম", "প", "চ", "খ", "জ", "ঠ", "স"))
    or ending in ("রে", "েরে", "রানি", "রাণী")
)
"""What is written together with persons alone."""


def forms(word: str) -> Iterator[tuple[int, str]]:
    """The word, and without its case ending."""
    yield 0, word
    if word not in words("ben")["homographs"]:
        yield 0, bare(word)


def bare(word: str) -> str:
    """A word without its case ending, where the table knows the rest."""
    table = known_names("ben")
    for ending in _CASES:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word.removesuffix(ending)
            if stem.endswith("ঙ"):  # -ং before a vowel
                stem = f"{stem.removesuffix('ঙ')}ং"
            if stem in table:
                return stem
            if stem.endswith("ত") and f"{stem}্" in table:
                return f"{stem}্"
    return word


def spelled_so(form: str, written: str) -> bool:
    """Whether the letters are the name's: always, no two are merged that differ."""
    return True


def joins(form: str, word: str, joint: str) -> bool:
    """Whether a name that is also a word is one after a name."""
    data = words("ben")
    return form not in data["qualities"] and (joint != " " or form not in data["strict"])


def nameable(word: str, before: str, after: str) -> bool:
    """Whether a word with a title can be a name."""
    data = words("ben")
    if any(word in data[kind] for kind in ("plain", "titles", "offices", "kin")):
        return False
    last = before.split()[-1] if before.split() else ""
    if last in data["wishes"]:
        return False
    saying = last == fold("আমি") and after.startswith(" " + fold("বলছি"))
    said = (last in data["introducing"] and (last not in data["named"] or not after.startswith(" "))) or (
        saying and word not in data["said"]
    )
    return said or bare(word) in known_names("ben")


def meant(form: str, text: str, match: "regex.Match[str]") -> bool:
    """Whether a name that is also a word is meant: a place one goes to, a person who acts or owns."""
    before, after = text[: match.start()], text[match.end() :]
    ending = match.group().removeprefix(form)
    if form in places("ben") and ending not in _OF_KIN:
        return _placed(form, before, match.group(), after)
    data = words("ben")
    if form in data["titled"] and (ending not in _OF_KIN or form == fold("তারা")):
        return _follows(after, data["after"]) or ending in _OF_KIN
    opening = _PAUSE.search(before) is not None
    if opening and after.startswith(","):
        return not before or form not in data["strict"]
    last = before.split()[-1] if before.split() else ""
    if last in data["wishes"]:
        return False
    if last in data["calls"] and (not after or after[0] in ",।!?"):
        return True
    if opening and not ending and _follows(after, data["addressed"]):
        return True
    if ending in _OF_THINGS:
        return False
    if ending in _OF_PERSONS or _follows(after, data["after"]):
        return True
    owned = data["core"] if form in data["strict"] else data["owned"]
    if ending.endswith("র") and _follows(after, owned):
        return True
    if last in data["kin"] and form not in data["strict"] and form not in data["qualities"]:
        return True
    if not opening and last not in data["openers"]:
        return False
    if not ending and (_scheduled(form, after) or _OUR_KIN.match(after)):
        return True
    if ending.endswith("র") and form not in data["strict"] and _says(after, data["core"]):
        return True
    if ending not in _OF_SUBJECTS or _follows(after, data["spans"]):
        return False
    if not ending and _does(form, after):
        return True
    if any(f" {said}" in after for said in data["personal"]):
        return True
    return form not in data["strict"] and any(f" {said}" in after for said in data["social"])


def _says(after: str, said: frozenset[str]) -> bool:
    """Whether one of the words after is one of `said`, with or without an ending."""
    return any(_follows(f" {word}", said) for word in after.split())


def _does(form: str, after: str) -> bool:
    """Whether the clause says what only a person does."""
    data = words("ben")
    if form in data["unscheduled"] or form in data["qualities"]:
        return False
    clause = regex.split(r"[,।.?!;:—]", after)[0].removesuffix(f" {fold('না')}")
    return _THIRD.search(clause) is not None and any(f" {said}" in clause for said in data["human"])


def _scheduled(form: str, after: str) -> bool:
    """Whether what follows says what somebody does at what hour: no part of the day, no feast, no train."""
    data = words("ben")
    return (
        form not in data["unscheduled"]
        and _CLOCK.match(after) is not None
        and _OURS.search(after) is None
        and not any(said in after for said in data["happening"])
    )


def _follows(after: str, said: frozenset[str]) -> bool:
    """Whether the next word is one of `said`, with or without an ending."""
    words_after = after.split() if after.startswith(" ") else []
    following = words_after[0].strip("।,.?!") if words_after else ""
    return following in said or any(
        following.endswith(ending) and following.removesuffix(ending) in said for ending in _CASES
    )


def _placed(form: str, before: str, word: str, after: str) -> bool:
    """Whether a place stands where one goes to, comes from or is."""
    data = words("ben")
    if word.endswith("র") and word != form and _follows(after, data["ways"]):
        return True
    said = before.split()[-2:]
    if len(said) == 2 and said[1] == fold("থেকে") and bare(said[0]) in places("ben"):
        return True
    towards = any(after.startswith(f" {postposition}") for postposition in data["postpositions"])
    return towards or (word.startswith(form) and word.removeprefix(form) in _LOCATIVES)
