"""Names in Arabic and Bengali script, which has no capitals: known ones, titled ones and introduced ones.

A name that is also a word counts where only a name can stand: beside another name, before what only people
do, after a preposition of place. An unknown name looks like any word, so absence says nothing here. What a
language writes and says around a name is its `Script`; this module must not know one language from another.
"""

from collections.abc import Container, Iterator
from functools import cache
from typing import Protocol

import regex

from agents.detectors import name_arabic, name_bengali
from agents.detectors.name_table import known_names, places
from agents.detectors.name_words import WORD, Seen, following, is_thing, words
from sim.core.text import fold

_CASED = regex.compile(r"\A[^-]+-[\p{L}\p{M}]{1,3}\Z")
"""A case ending after a hyphen."""
_PART = regex.compile(r"[\p{L}\p{M}]+")
"""A word without hyphens."""


class Script(Protocol):
    """What makes a word a name in one language; a word and a form of it are folded."""

    @property
    def JOINTS(self) -> tuple[str, ...]:
        """What stands between two names of one text that go together."""
        ...

    def forms(self, word: str) -> Iterator[tuple[int, str]]:
        """The names that the word may be, each with where in the word it starts."""
        ...

    def bare(self, word: str) -> str:
        """The word without what is written after a name."""
        ...

    def shown(self, form: str, word: str) -> str:
        """The name as the word has it."""
        ...

    def spelled_so(self, form: str, written: str) -> bool:
        """Whether the word as it is written, not folded, is spelled like the name."""
        ...

    def joins(self, form: str, word: str, joint: str) -> bool:
        """Whether a name that is also a word is one because a name stands before it and the joint."""
        ...

    def coupled(self, form: str, word: str) -> bool:
        """Whether the word before is a name because this one is: they are joined within the word."""
        ...

    def nameable(self, seen: Seen) -> bool:
        """Whether a word after a title or an introduction is a name."""
        ...

    def meant(self, seen: Seen) -> bool:
        """Whether a name that is also a word is a name here."""
        ...


_SCRIPTS: dict[str, Script] = {"arb": name_arabic, "ben": name_bengali}


def marked(language: str, text: str) -> list[str]:
    """Known names, and words that a title or an introduction makes names, folded."""
    folded = fold(text)
    found = {
        **dict(_introduced(language, folded)),
        **dict(_known(language, folded, _spelled(text, folded))),
        **dict(_of_several_words(language, folded)),
    }
    return _once(language, _joined(language, _outermost(found), folded))


# Finding: each name with where it starts


def _introduced(language: str, folded: str) -> Iterator[tuple[int, str]]:
    """Words that a title or an introduction makes names."""
    script = _SCRIPTS[language]
    for introduction in _introductions(language):
        for match in introduction.finditer(folded):
            start, end = match.span("name")
            if script.nameable(Seen(match["name"], match["name"], folded[:start], folded[end:])):
                yield start, script.bare(match["name"])


def _known(language: str, folded: str, spelled: dict[int, str]) -> Iterator[tuple[int, str]]:
    """Known names of one word, where they are meant."""
    script, data = _SCRIPTS[language], words(language)
    wordy: tuple[int, str] | None = None  # the word before, where it is also a name
    person_end: int | None = None  # of the last name, where it was a person's
    for match in _each_word(known_names(language), folded):
        start, word = match.start(), match.group()
        if word in data["plain"]:
            continue
        joint = None if person_end is None else folded[person_end:start]
        for offset, seen in _readings(language, folded, match, spelled.get(start, word)):
            if not _counts(language, seen, joint):
                continue
            yield start + offset, script.shown(seen.form, word)
            person_end = None if seen.form in places(language) else match.end()
            if wordy and script.coupled(seen.form, word):
                yield wordy
            break
        wordy = (start, word) if word in data["homographs"] else None


def _of_several_words(language: str, folded: str) -> Iterator[tuple[int, str]]:
    """Known names of several words."""
    for match in _several(language).finditer(folded):
        name = match["name"] or f"ل{match['rest']}"
        yield match.end() - len(name), name


def _readings(
    language: str, folded: str, match: "regex.Match[str]", written: str
) -> Iterator[tuple[int, Seen]]:
    """The known names that a word may be, each with where in the word it starts."""
    script, table = _SCRIPTS[language], known_names(language)
    word, before, after = match.group(), folded[: match.start()], folded[match.end() :]
    for offset, form in script.forms(word):
        seen = Seen(form, word, before, after)
        if form not in table or (form == word and is_thing(language, after)):
            continue
        if script.spelled_so(form, written) and not _idiom(language, seen):
            yield offset, seen


def _counts(language: str, seen: Seen, joint: str | None) -> bool:
    """Whether a known name is meant; `joint` is what stands between it and a person named before."""
    script = _SCRIPTS[language]
    if seen.form not in words(language)["homographs"]:
        return True
    joined = joint is not None and joint in script.JOINTS and script.joins(seen.form, seen.word, joint)
    return joined or script.meant(seen)


def _idiom(language: str, seen: Seen) -> bool:
    """Whether the name and the word beside it are a saying that names nobody."""
    sayings = {f"{seen.last} {seen.form}", f"{seen.word} {following(seen.after)}"}
    return not sayings.isdisjoint(words(language)["idioms"])


# Cutting and joining


def _each_word(table: Container[str], text: str) -> Iterator["regex.Match[str]"]:
    """The words, and the parts of one with a hyphen that is no name itself."""
    for match in WORD.finditer(text):
        if "-" in match.group() and match.group() not in table and not _CASED.search(match.group()):
            yield from _PART.finditer(text, match.start(), match.end())
        else:
            yield match


def _spelled(text: str, folded: str) -> dict[int, str]:
    """Where a folded word starts → the word as it is written; nothing where the words do not answer."""
    starts = [match.start() for match in WORD.finditer(folded)]
    written = WORD.findall(text)
    return dict(zip(starts, written, strict=True)) if len(starts) == len(written) else {}


def _outermost(found: dict[int, str]) -> dict[int, str]:
    """The names that do not start within another, in order."""
    kept: dict[int, str] = {}
    end = 0
    for start, name in sorted(found.items()):
        if start >= end:
            kept[start] = name
            end = start + len(name)
    return kept


def _joined(language: str, found: dict[int, str], text: str) -> list[str]:
    """Neighbouring names of a person made one."""
    groups: list[tuple[int, int]] = []
    for start, name in found.items():
        end = start + len(name)
        beside = groups and text[groups[-1][1] : start] == " "
        if beside and not {name, text[slice(*groups[-1])]} & places(language):
            groups[-1] = (groups[-1][0], end)
        else:
            groups.append((start, end))
    return [text[start:end] for start, end in groups]


def _once(language: str, found: list[str]) -> list[str]:
    """Each name once, also where it is said in two ways: Sham and Damascus."""
    table = known_names(language)
    return list({table.get(name, name): name for name in reversed(found)}.values())[::-1]


# Patterns from the data


@cache
def _several(language: str) -> "regex.Pattern[str]":
    """The names of several words, after what is written together with them."""
    names = sorted((name for name in known_names(language) if " " in name), key=lambda name: -len(name))
    rests = "|".join(name.removeprefix("ال") for name in names if name.startswith("ال")) or "-"
    either = rf"[وبلف]{{0,2}}(?P<name>{'|'.join(names)})|و?لل(?P<rest>{rests})"
    return regex.compile(rf"(?<![\p{{L}}\p{{M}}])(?:{either})(?!\p{{L}}{{3}})")


@cache
def _introductions(language: str) -> tuple["regex.Pattern[str]", ...]:
    """The patterns of what makes a word a name."""
    word = r"(?P<name>[\p{L}\p{M}]{2,})"
    return tuple(
        regex.compile(rf"(?<![\p{{L}}\p{{M}}])(?:{introduction.replace('{name}', word)})(?![\p{{L}}\p{{M}}])")
        for introduction in words(language)["introductions"]
    )
