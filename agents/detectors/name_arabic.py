"""What makes an Arabic word a name: how it is written, the title before it, whether a place or a person is meant.

It reads one folded word in its sentence (`Seen`) and fills the protocol `name_uncased.Script`. It must not
become a list of words, which are in `name.toml`, nor a parser: every rule looks at a few words beside the
name, and a name that is also a word is none until one of them says so.
"""

from collections.abc import Iterator
from functools import cache

import regex

from agents.detectors.name_arabic_person import ALI, definite, past_verbs, person, qualifies
from agents.detectors.name_table import known_names, persons, places, spellings
from agents.detectors.name_words import Seen, following, of_kind, pattern, words
from sim.core.text import fold

JOINTS: tuple[str, ...] = (" ",)
"""What stands between two names of one text that go together."""
_WHEN = "شوكت"
"""Shawkat, and Iraqi *when*."""

_SHADDA = regex.compile("ي[\u0651\u064e]")
"""A doubled or vowelled yeh: *on me* rather than Ali."""
_SURELY_NAMED = regex.compile(r"اسم(?:ي|ه|ها|ك) \Z")
"""*My name is*, *his name is*."""
_COMPOUND = regex.compile(r"عبد|ابن |ابو ")
"""The beginning of a name of two words."""
_NAMELESS = r"{nameless_beginnings}|.{2,}{nameless_endings}\Z"
"""A word that names nobody, where it is unknown."""

_ACTING = r"{doing}\p{L}{2,}"
"""A verb of what a titled person does or will do: nobody is called so."""


# How a name is written


def forms(word: str) -> Iterator[tuple[int, str]]:
    """The word, and without what is written together with it, each with where it starts."""
    yield 0, word
    for clitic in _clitics():
        form = word.removeprefix(clitic)
        if form != word and len(form) > 2 and (form in places("arb") or _carries(clitic, form)):
            yield len(clitic), form
    if word.startswith("لل") and len(word) > 4:
        yield 1, f"ال{word[2:]}"


@cache
def _clitics() -> tuple[str, ...]:
    """What is written together with a name, the shortest first."""
    return tuple(sorted(words("arb")["clitics"], key=len))


def _carries(clitic: str, form: str) -> bool:
    """Whether the clitic is written together with a person's name: not *at*, *like*; *so* with a long one."""
    return clitic in words("arb")["personal_clitics"] or (clitic == "ف" and len(form) > 4)


def bare(word: str) -> str:
    """The word itself: nothing is written after a name."""
    return word


def shown(form: str, word: str) -> str:
    """The letters of the word that are the name: after *to* the article has no alef."""
    return form if word.endswith(form) else form[1:]


def coupled(form: str, word: str) -> bool:
    """Whether the name is written together with *and*."""
    return word == f"و{form}"


def spelled_so(form: str, written: str) -> bool:
    """Whether the letters that folding merges are the name's: مني is not منى, أنا not آنا."""
    if form in words("arb")["long"] and "آ" not in written:
        return False
    if form == ALI and _SHADDA.search(written):
        return False
    last = _last_letters().get(form)
    return last is None or written[-1:] not in "يى" or written[-1:] in last


@cache
def _last_letters() -> dict[str, str]:
    """Folded names on *yeh* → the letters of the table they end in: with or without its dots."""
    found: dict[str, str] = {}
    for form in spellings("arb"):
        if form.endswith(("ي", "ى")):
            found[fold(form)] = found.get(fold(form), "") + form[-1]
    return found


def joins(form: str, word: str, joint: str) -> bool:
    """Whether a name that is also a word is one after a name: not a quality without *and*, not *always*."""
    return word != form or not of_kind("arb", form, "qualities", "unjoined")


# A word that a title or a call introduces


def nameable(seen: Seen) -> bool:
    """Whether a word after a title or a call can be a name."""
    data, known = words("arb"), seen.word in known_names("arb")
    if _names_nobody(seen):
        return False
    if _COMPOUND.match(seen.word):
        return True
    if seen.word in past_verbs() or (seen.word in data["acts"] and not known):
        return False
    return (known and seen.word not in data["homographs"]) or _introduced(seen, known)


def _names_nobody(seen: Seen) -> bool:
    """Whether the word is a title, kin, a verb or the beginning of a saying."""
    data = words("arb")
    return (
        any(seen.word in data[kind] for kind in ("plain", "titles", "kin"))
        or pattern("arb", _ACTING).match(seen.word) is not None
        or f"{seen.word} {following(seen.after)}" in data["idioms"]
    )


def _introduced(seen: Seen, known: bool) -> bool:
    """Whether the word is a name after this title or call; an unknown one only after sure ones."""
    data = words("arb")
    mother = seen.before.endswith("ام ") and seen.before.strip() != "ام"
    if seen.word.startswith("ال") or (mother and not known):
        return False
    if qualifies(seen) and "يا " not in seen.before:
        return False
    if seen.before.endswith("يا "):
        return known and not _endearment(seen)
    surely = seen.last in data["surely"] or _SURELY_NAMED.search(seen.before) is not None
    return known or (surely and len(seen.word) > 2 and not pattern("arb", _NAMELESS).match(seen.word))


def _endearment(seen: Seen) -> bool:
    """Whether the called word is said to anybody, or to God, or belongs to the next word."""
    return seen.after.startswith(" يا رب") or definite(seen.after) or seen.word in words("arb")["endearing"]


# A name that is also a word


def meant(seen: Seen) -> bool:
    """Whether a name that is also a word is meant: a place after a preposition, a person who acts."""
    if of_kind("arb", seen.form, "surnames") or (seen.form == _WHEN and _asks_when(seen)):
        return False
    if of_kind("arb", seen.form, "bound"):
        return not _bound(seen)
    if seen.form not in places("arb"):
        return person(seen)
    return _placed(seen) or (seen.form in persons("arb") and person(seen))


def _bound(seen: Seen) -> bool:
    """Whether the word belongs to the next one or does something to it: *measure the room*, *God's refuge*."""
    beside = following(seen.after)
    bound = definite(seen.after) or beside == "الله"
    return bound and not of_kind("arb", beside, "ordinals") and beside not in known_names("arb")


def _asks_when(seen: Seen) -> bool:
    """Whether the time of something is asked for: no kin or title before, no verb of the past after."""
    if of_kind("arb", seen.last, "kin", "titles", "beside"):
        return False
    return "؟" in seen.after or "?" in seen.after or following(seen.after) not in past_verbs()


# Places


def _placed(seen: Seen) -> bool:
    """Whether a place stands where one goes to, comes from or is, or what is said is true of a place."""
    data = words("arb")
    noun = seen.form in data["nouns"]
    if noun and {seen.last, seen.last[1:]} & data["weak"]:
        return _settled(seen, 4)
    if noun and seen.clitic in ("ب", "ل", "في"):
        return _from_place(seen) or (_settled(seen, 3) and not definite(seen.after))
    if of_kind("arb", seen.last, "choosing") and "".join(seen.before.split()[-2:-1]) in places("arb"):
        return True
    if seen.clitic == "و" and seen.last in places("arb"):
        return seen.last not in data["homographs"] or of_kind(
            "arb", "".join(seen.before.split()[-2:-1]), "prepositions"
        )
    return _after_place_word(seen) or (not noun and _towards(seen)) or _opens_place(seen)


def _settled(seen: Seen, reach: int) -> bool:
    """Whether one of the last words says that somebody lives, works or travels."""
    return bool(set(seen.before.split()[-reach:]) & words("arb")["settled"])


def _from_place(seen: Seen) -> bool:
    """From one place to this one."""
    said = seen.before.split()
    return said[-2:-1] == ["من"] and said[-1] in places("arb")


def _after_place_word(seen: Seen) -> bool:
    """Whether a preposition of place stands before, perhaps with something written together with it."""
    stem = seen.last[1:] if seen.last[:1] in "وبلف" else ""
    return bool({seen.last, stem} & words("arb")["prepositions"])


def _towards(seen: Seen) -> bool:
    """Whether a preposition of place is written together with the name."""
    to_article = seen.word.startswith("لل") and seen.form.startswith("ال")
    return to_article or of_kind("arb", seen.clitic, "towards")


def _opens_place(seen: Seen) -> bool:
    """Whether the name opens the text, before what is said of places."""
    said = words("arb")["postpositions"]
    return not seen.last and any(seen.after.startswith(f" {word}") for word in said)
