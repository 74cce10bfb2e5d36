"""Names in Arabic and Bengali script, which has no capitals: known ones, titled ones and introduced ones.

A name that is also a word counts where only a name can stand: beside another name, before what only people
do, after a preposition of place. An unknown name looks like any word, so absence says nothing here.
"""

from collections.abc import Iterator, Mapping
from functools import cache

import regex

from agents.detectors import name_arabic, name_bengali
from agents.detectors.name_table import known_names, places
from agents.detectors.name_words import WORD, is_thing, words
from sim.core.text import fold

_CASED = regex.compile(r"\A[^-]+-[\p{L}\p{M}]{1,3}\Z")
"""A case ending after a hyphen."""
_PART = regex.compile(r"[\p{L}\p{M}]+")
_SCRIPTS = {"arb": name_arabic, "ben": name_bengali}


def marked(language: str, text: str) -> list[str]:
    """Known names, and words that a title or an introduction makes names, folded."""
    folded = fold(text)
    script = _SCRIPTS[language]
    found: dict[int, str] = {}
    for pattern in _introductions(language):
        for match in pattern.finditer(folded):
            word = match["name"]
            if script.nameable(word, folded[: match.start("name")], folded[match.end("name") :]):
                found[match.start("name")] = script.bare(word)
    spelled = _spelled(text, folded)
    for start, name in _known(language, folded, spelled):
        found[start] = name
    ends: dict[int, str] = {}
    for start, name in sorted(found.items(), key=lambda item: (item[0], -len(item[1]))):
        if not any(s <= start < s + len(n) for s, n in ends.items()):
            ends[start] = name
    return _once(language, _joined(language, ends, folded))


def _once(language: str, found: list[str]) -> list[str]:
    """Each name once, also where it is said in two ways: Sham and Damascus."""
    table = known_names(language)
    return list({table.get(name, name): name for name in reversed(found)}.values())[::-1]


def _idiom(language: str, form: str, text: str, match: "regex.Match[str]") -> bool:
    """Whether the name and the word beside it are a saying that names nobody."""
    last, following = text[: match.start()].split()[-1:], text[match.end() :].split()[:1]
    idioms = words(language)["idioms"]
    return any(f"{word} {form}" in idioms for word in last) or any(
        f"{match.group()} {word.strip('।,.?!')}" in idioms for word in following
    )


def _each_word(table: Mapping[str, str], text: str) -> Iterator["regex.Match[str]"]:
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


def _joined(language: str, found: dict[int, str], text: str) -> list[str]:
    """Neighbouring names of a person made one."""
    groups: list[tuple[int, int]] = []
    for start, name in sorted(found.items()):
        end = start + len(name)
        beside = groups and text[groups[-1][1] : start] == " "
        if beside and not {name, text[slice(*groups[-1])]} & places(language):
            groups[-1] = (groups[-1][0], end)
        else:
            groups.append((start, end))
    return [text[start:end] for start, end in groups]


def _known(language: str, folded: str, spelled: dict[int, str]) -> Iterator[tuple[int, str]]:
    script, data = _SCRIPTS[language], words(language)
    table, homographs = known_names(language), data["homographs"]
    before: tuple[int, str] | None = None
    known = -1
    for match in _each_word(table, folded):
        word = match.group()
        if word in data["plain"]:
            continue
        written = spelled.get(match.start(), word)
        for start, form in script.forms(word):
            if form not in table or (form == word and is_thing(language, folded[match.end() :])):
                continue
            if not script.spelled_so(form, written) or _idiom(language, form, folded, match):
                continue
            joined = (
                known >= 0
                and folded[known : match.start()] in script.JOINTS
                and script.joins(form, word, folded[known : match.start()])
            )
            if form not in homographs or joined or script.meant(form, folded, match):
                yield match.start() + start, form if word.endswith(form) or language != "arb" else form[1:]
                known = -1 if form in places(language) else match.end()
                if before and word == f"و{form}":
                    yield before
                break
        before = (match.start(), word) if word in homographs else None
    for found in _several(language).finditer(folded):
        name = found["name"] or f"ل{found['rest']}"
        yield found.end() - len(name), name


@cache
def _several(language: str) -> "regex.Pattern[str]":
    """The names of several words, after what is written together with them."""
    names = sorted((name for name in known_names(language) if " " in name), key=lambda name: -len(name))
    rests = "|".join(name.removeprefix("ال") for name in names if name.startswith("ال")) or "-"
    return regex.compile(
        rf"(?<![\p{{L}}\p{{M}}])(?:[وبلف]{{0,2}}(?P<name>{'|'.join(names)})|و?لل(?P<rest>{rests}))(?!\p{{L}}{{3}})"
    )


@cache
def _introductions(language: str) -> tuple["regex.Pattern[str]", ...]:
    """The patterns of what makes a word a name."""
    word = r"(?P<name>[\p{L}\p{M}]{2,})"
    return tuple(
        regex.compile(rf"(?<![\p{{L}}\p{{M}}])(?:{pattern.replace('{name}', word)})(?![\p{{L}}\p{{M}}])")
        for pattern in words(language)["introductions"]
    )
