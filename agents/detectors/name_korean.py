"""Names in Korean: the analyser's proper nouns, family names before titles, known given names.

Given names that are also words count only with what follows persons alone; what an idiom says is no name.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import regex

from agents.detectors.korean import analyser
from agents.detectors.name_table import known_names, places
from agents.detectors.name_words import words

_PARTICLES = r"가|는|은|를|을|도|와|과|하고|랑|에게|한테|한테서|야|아|의|로|에|에서|까지|부터|네|님|보다|만|처럼|이랑|께|께서|더러|보고|라는|라고"
_WORD_FORM = regex.compile(
    rf"(?<!\p{{Hangul}})(?P<name>\p{{Hangul}}{{2,4}}?)이?(?:{_PARTICLES})?(?!\p{{Hangul}})"
)
_PERSON = regex.compile(
    r"이(?:가|는|를|랑|도|네|한테|에게|야|의|하고|만|보다)(?!\p{Hangul})|(?:한테|한테서|에게|더러|네 집|네집|께서)(?!\p{Hangul})"
    r"| ?씨(?!\p{Hangul}{2})| (?:언니|오빠|누나|이모|삼촌|선배|쌤|고모|형|엄마|아빠|할머니|어머니|아버지|데리러|데려다|태우러)"
)
"""What follows only persons: -이 before a particle, kin terms."""
_WHEN = regex.compile(
    r"\A(?:(?:어제|그제|오늘|내일|아까|지금|이따가?|방금|벌써|아직|주말에|아침에|저녁에|밤에) )+"
)
"""When it is done, between who does it and what is done."""
_VOCATIVE = regex.compile(r"[아야][,!~]")
_TOPIC = regex.compile(r"(?:이|가|는|도|랑|하고|를)? ")
"""After a name that is also a word, before what only people do."""
_PLACE = regex.compile(
    r"(?:행|역|발|쪽)(?!\p{Hangul}{2})|(?:에서|까지|으로|로) (?:출장|이사|여행|발령|택시|버스|기차|가는|갔|가려|왔|출발)"
)
_FULL = regex.compile(
    r"(?<!\p{Hangul})(?P<family>\p{Hangul})(?P<given>\p{Hangul}{2})(?P<rest>\p{Hangul}*| \p{Hangul}+)"
)


_ENDS_A_NAME = regex.compile(
    r"(?:이?(?:가|는|은|를|을|도|랑|한테|에게|하고|의|라고|입니다|이에요|예요|이야))?(?!\p{Hangul})"
)
_LIKE_PARTICLES = "은는이가을를도만의에로과와랑야아나고서지네자라"


def proper(text: str) -> tuple[list[str], list[str]]:
    """Proper nouns of the analyser; a family name before a title."""
    data = words("kor")
    found, unsure = [], []
    for sentence in analyser().sentences(text):
        plain = _idioms().sub(lambda said: " " * len(said.group()), sentence.text)
        for morpheme in sentence.words:
            if morpheme.form in data["unsure"]:
                unsure.append(morpheme.form)
            elif morpheme.tag == "NNP" and morpheme.form in plain and len(morpheme.form) > 1:
                found.append(morpheme.form)
        found += [m["name"] for p in data["introductions"] for m in regex.finditer(p, plain)]
        found += list(_in_full(plain, data))
        found += [name for name in _called(plain, data) if not any(name in known for known in found)]
    found = [name for name in found if name not in data["plain"]]
    longest = [name for name in found if not any(_within(name, other) for other in found)]
    return list(dict.fromkeys(longest)), unsure


def _within(name: str, other: str) -> bool:
    """Whether a name is a part of another, or another cut short in its last syllable (승미 of 승민이)."""
    if name == other:
        return False
    cut = len(name) == len(other) and name[:-1] == other[:-1] and (ord(name[-1]) - 0xAC00) % 28 == 0
    return name in other or (cut and (ord(other[-1]) - 0xAC00) // 28 == (ord(name[-1]) - 0xAC00) // 28)


def _in_full(text: str, data: dict[str, Any]) -> Iterator[str]:
    """Family names with a known given name: before a title, or where the given name is no other word."""
    table = known_names("kor")
    for match in _FULL.finditer(text):
        given, rest = match["given"], match["rest"].strip()
        if match["family"] not in data["families"] or given not in table or given in places("kor"):
            continue
        titled = any(rest.startswith(title) for title in data["titles"])
        said = given not in data["homographs"] and match["family"] + given not in table
        if titled or (
            said and _ENDS_A_NAME.match(match["rest"]) and not (given[-1] in _LIKE_PARTICLES and not rest)
        ):
            yield match["family"] + given


def _called(text: str, data: dict[str, Any]) -> Iterator[str]:
    """Names of the table that stand alone or with their particles."""
    table = known_names("kor")
    for match in _WORD_FORM.finditer(text):
        name = match["name"]
        if name not in table:
            continue
        end = match.start() + len(name)
        if name not in data["homographs"] and name not in data["unsure"]:
            yield name
        elif name in places("kor"):
            if _PLACE.match(text, end):
                yield name
        elif _PERSON.match(text, end) or _VOCATIVE.match(text, end) or _acts(name, text, end, data):
            yield name
    for match in regex.finditer(r"(?<!\p{Hangul})(?P<name>\p{Hangul}{2,4})(?:행|발|역)(?!\p{Hangul})", text):
        if match["name"] in places("kor"):
            yield match["name"]


def _acts(name: str, text: str, end: int, data: dict[str, Any]) -> bool:
    """Whether what follows a name that is also a word is true of people alone; near it where it is a usual one."""
    topic = _TOPIC.match(text, end)
    if topic is None or (name in data["unsure"] and name not in data["strict"]):
        return False
    rest = text[topic.end() :]
    if name in data["strict"]:
        done = _WHEN.sub("", rest)
        return topic.group() != " " and any(done.startswith(said) for said in data["personal"])
    near = 12 if topic.group() == " " else len(rest)
    return any(said in rest[:near] for said in data["personal"])


@cache
def _idioms() -> "regex.Pattern[str]":
    return regex.compile("|".join(sorted(words("kor")["idioms"])))
