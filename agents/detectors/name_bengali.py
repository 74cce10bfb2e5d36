"""What makes a Bengali word a name: what is written together with it, the words after it, kin before it.

It reads one folded word in its sentence (`Seen`) and fills the protocol `name_uncased.Script`. It must not
become a list of words, which are in `name.toml`, nor a parser: every rule looks at a few words beside the name, and a name that is also a word is none until one of them says so.
"""

from collections.abc import Iterator
from functools import cache

import regex

from agents.detectors.name_table import known_names, places
from agents.detectors.name_words import Seen, following, of_kind, pattern, words
from sim.core.text import fold

JOINTS: tuple[str, ...] = (" ", " আর ", " ও ", " এবং ", " কিংবা ", " বা ")
"""What stands between two names of one text that go together."""
_I, _SPEAKING, _NOT, _FROM = map(fold, ("আমি", "বলছি", "না", "থেকে"))
_TARA = fold("তারা")
"""A name that is also *they* and *star*."""
_OWNING = "র"
"""The end of every genitive."""

_CLAUSE_END = regex.compile(r"[,।.?!;:—]")
_WORD_END = r"(?![\p{L}\p{M}])"
_CLOCK = (
    r" (?:[\p{L}\p{M}']+ ){0,3}?(?:"
    r"(?:{parts_of_hours} [\p{L}\p{M}\d']+|(?:{hours}|\d{1,2})'?|{hours_at}){at_endings}"
    r"|{parts_of_hours} [\p{L}\p{M}']+{hour_endings}"
    rf"|(?:{{hours}}|\d{{1,2}})'?{{hour_endings}}(?= [\p{{L}}\p{{M}}]+(?:ে|ের){_WORD_END})"
    rf"){_WORD_END}"
)
"""An hour after its subject: at five; half past five; five in the evening."""
_OUR_KIN = r" {owners}(?: [\p{L}\p{M}]+){0,2} {own_kin}(?: হয়)?[।.!?]?\Z"
"""Somebody said to be one's kin."""
_THIRD = r"{third_person}(?: রোজ| নাই)?\Z"
"""A clause that ends in what somebody else does."""
_OURS = r"{first_person}(?=[।,.!?]|\Z)"
"""A verb of ours: the word is what we saw, not who did it."""


# How a name is written


def forms(word: str) -> Iterator[tuple[int, str]]:
    """The word, and without its case ending, each with where it starts."""
    yield 0, word
    if word not in words("ben")["homographs"]:
        yield 0, bare(word)


def bare(word: str) -> str:
    """A word without its case ending, where the table knows the rest."""
    for ending in _endings():
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = _known_stem(word.removesuffix(ending))
            if stem is not None:
                return stem
    return word


def _known_stem(stem: str) -> str | None:
    """The stem as the table has it, with the final letter of *-ng* and *-t*; None if unknown."""
    table = known_names("ben")
    if stem.endswith("ঙ"):
        stem = f"{stem.removesuffix('ঙ')}ং"
    if stem in table:
        return stem
    return f"{stem}্" if stem.endswith("ত") and f"{stem}্" in table else None


def shown(form: str, word: str) -> str:
    """The letters of the word that are the name: nothing is written before it."""
    return form


def coupled(form: str, word: str) -> bool:
    """Whether the name is written together with *and*: never."""
    return False


def spelled_so(form: str, written: str) -> bool:
    """Whether the letters are the name's: always, no two are merged that differ."""
    return True


def joins(form: str, word: str, joint: str) -> bool:
    """Whether a name that is also a word is one after a name."""
    return not of_kind("ben", form, "qualities") and (joint != " " or not of_kind("ben", form, "strict"))


@cache
def _endings() -> tuple[str, ...]:
    """What is written together with a name, the shortest first."""
    return tuple(sorted(words("ben")["endings"] | _personal_endings(), key=len))


@cache
def _personal_endings() -> frozenset[str]:
    """What is written together with a person's name alone."""
    personal: frozenset[str] = words("ben")["personal_endings"]
    return personal | _inflected("kin_suffixes") | _inflected("honorific_suffixes")


@cache
def _kin_endings() -> frozenset[str]:
    """Kin that is written together with a name; shorter ones are syllables of other words."""
    return frozenset(kin for kin in _inflected("kin_suffixes") if len(kin) > 3)


def _inflected(kind: str) -> frozenset[str]:
    """The words of a kind with their own endings."""
    data = words("ben")
    return frozenset(f"{word}{ending}" for word in data[kind] for ending in data["suffix_endings"])


# A word that a title or an introduction makes a name


def nameable(seen: Seen) -> bool:
    """Whether a word with a title can be a name."""
    if of_kind("ben", seen.word, "plain", "titles", "offices", "kin") or of_kind("ben", seen.last, "wishes"):
        return False
    return _introduced(seen) or bare(seen.word) in known_names("ben")


def _introduced(seen: Seen) -> bool:
    """Whether somebody says who he is, or what somebody is called: a name, also an unknown one."""
    speaking = seen.last == _I and seen.after.startswith(f" {_SPEAKING}")
    if speaking and not of_kind("ben", seen.word, "said"):
        return True
    ended = not of_kind("ben", seen.last, "named") or not seen.after.startswith(" ")
    return of_kind("ben", seen.last, "introducing") and ended


# A name that is also a word


def meant(seen: Seen) -> bool:
    """Whether a name that is also a word is meant: a place one goes to, a person who acts or owns."""
    with_kin = seen.ending in _kin_endings()
    if seen.form in places("ben") and not with_kin:
        return _placed(seen)
    if of_kind("ben", seen.form, "titled") and (not with_kin or seen.form == _TARA):
        return with_kin or _follows(seen.after, "after")
    if seen.opens and seen.after.startswith(","):
        return not seen.before or not of_kind("ben", seen.form, "strict")
    if of_kind("ben", seen.last, "wishes"):
        return False
    if _called(seen):
        return True
    return not of_kind("ben", seen.ending, "thing_endings") and (_beside_person(seen) or _subject(seen))


def _called(seen: Seen) -> bool:
    """Whether somebody is called, or told what follows."""
    ends = not seen.after or seen.after[0] in ",।!?"
    told = seen.opens and not seen.ending and _follows(seen.after, "addressed")
    return told or (ends and of_kind("ben", seen.last, "calls"))


def _beside_person(seen: Seen) -> bool:
    """Whether the ending, the word after or the kin before wants a person."""
    if seen.ending in _personal_endings() or _follows(seen.after, "after"):
        return True
    owned = "core" if of_kind("ben", seen.form, "strict") else "owned"
    if seen.ending.endswith(_OWNING) and _follows(seen.after, owned):
        return True
    return of_kind("ben", seen.last, "kin") and not of_kind("ben", seen.form, "strict", "qualities")


def _subject(seen: Seen) -> bool:
    """Whether the name begins what is said of a person."""
    if not seen.opens and not of_kind("ben", seen.last, "openers"):
        return False
    if not seen.ending and (_scheduled(seen) or pattern("ben", _OUR_KIN).match(seen.after)):
        return True
    usual = of_kind("ben", seen.form, "strict")
    if seen.ending.endswith(_OWNING) and not usual and _says(seen.after, "core"):
        return True
    if not of_kind("ben", seen.ending, "subject_endings") or _follows(seen.after, "spans"):
        return False
    does = (not seen.ending and _does(seen)) or _contains(seen.after, "personal")
    return does or (not usual and _contains(seen.after, "social"))


def _does(seen: Seen) -> bool:
    """Whether the clause says what only a person does."""
    if of_kind("ben", seen.form, "unscheduled", "qualities"):
        return False
    clause = _CLAUSE_END.split(seen.after)[0].removesuffix(f" {_NOT}")
    return pattern("ben", _THIRD).search(clause) is not None and _contains(clause, "human")


def _scheduled(seen: Seen) -> bool:
    """Whether what follows says what somebody does at what hour: no part of the day, no feast, no train."""
    return (
        not of_kind("ben", seen.form, "unscheduled")
        and pattern("ben", _CLOCK).match(seen.after) is not None
        and pattern("ben", _OURS).search(seen.after) is None
        and not any(said in seen.after for said in words("ben")["happening"])
    )


def _placed(seen: Seen) -> bool:
    """Whether a place stands where one goes to, comes from or is."""
    if seen.word.endswith(_OWNING) and seen.word != seen.form and _follows(seen.after, "ways"):
        return True
    said = seen.before.split()[-2:]
    if len(said) == 2 and said[1] == _FROM and bare(said[0]) in places("ben"):
        return True
    towards = any(seen.after.startswith(f" {word}") for word in words("ben")["postpositions"])
    return towards or (seen.word.startswith(seen.form) and of_kind("ben", seen.ending, "place_endings"))


# Words


def _contains(after: str, kind: str) -> bool:
    """Whether a word after begins like one of the kind."""
    return any(f" {said}" in after for said in words("ben")[kind])


def _says(after: str, kind: str) -> bool:
    """Whether one of the words after is one of the kind, with or without an ending."""
    return any(_follows(f" {word}", kind) for word in after.split())


def _follows(after: str, kind: str) -> bool:
    """Whether the next word is one of the kind, with or without an ending."""
    said = words("ben")[kind]
    beside = following(after) if after.startswith(" ") else ""
    stems = (beside.removesuffix(ending) for ending in _endings() if beside.endswith(ending))
    return beside in said or any(stem in said for stem in stems)
