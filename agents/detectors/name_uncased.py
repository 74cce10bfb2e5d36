"""Names in Arabic and Bengali script, which has no capitals: known ones, titled ones and introduced ones.

A name that is also a word counts where only a name can stand: beside another name, before what only people
do, after a preposition of place. An unknown name looks like any word, so absence says nothing here.
"""

from collections.abc import Iterator

import regex

from agents.detectors.name_table import known_names, places
from agents.detectors.name_words import WORD, is_thing, words
from agents.detectors.patterns import fold_pattern
from sim.core.text import fold

_ACTS = regex.compile(
    r" (?!يعني)(?:[يت]|بي|بت|هي|هت|سي|ست|رح |راح |عم )\p{L}{2,}(?!\p{L})(?<!ين|ون|ات|ه)| \p{L}{3,5}ت(?= )"
    r"| است\p{L}{2,4}(?= )| ما \p{L}{2,4}ت(?= )"
)
"""An Arabic verb after its subject."""
_ACTING = regex.compile(r"(?:بي|بت|هي|هت|سي|ست)\p{L}{2,}")
"""A verb of what a titled person does or will do: nobody is called so."""
_CALLED = regex.compile(
    r"، ?(?:تعال|خذ|خد|شوف|اسمع|هات|جيب|روح|لا ت|ممكن|لو سمحت|كم |وين|فين|متي|هل |ليش|ليه|شو |ايش )"
)
"""What follows the name of somebody called."""
_KIN = regex.compile(
    r"(?:و)?(?:ا?خ(?:ي|تي|وي|ويا)|ابن[يت]ي?|بنتي|صديق[يت]ي?|جارنا|جار[يت]ي?|عم[يت]ي?|خال[يت]ي?|زميل[يت]ي?|زوج[يت]ي?) "
)
_CASES = regex.compile(fold_pattern(r"(?:দেরকে|দের|য়ের|েরা|ের|কে|র|য়|তে|ে|ও|ই|(?:দি|দা|বাবু|ভাই)(?:কে|র|য়ের)?)\Z"))
_PERSONAL = regex.compile(
    fold_pattern(
        r"(?:স্কুল|কলেজ|অফিস|ক্লাস|চাকরি|পরীক্ষা|বিয়ে|জ্বর|বলেছে|বলল|ফেরেনি|ফিরেছে|খায়নি|খেয়েছে|কাঁদছে|ঘুমা|শুকাতে|রান্না|গান|সাঁতার)"
    )
)
"""What only people do, have or go to."""
_TOWARDS = ("ل", "ب", "ف", "ع")
"""Arabic prepositions that are written together with the place."""
_LOCATIVES = tuple(fold(ending) for ending in ("য়", "তে", "ে"))


def marked(language: str, folded: str) -> list[str]:
    """Known names, and words that a title or an introduction makes names.

    A name that is also a word counts beside another name joined to it (علي وليلى).
    """
    found: dict[int, str] = {}
    data = words(language)
    for pattern in data["introductions"]:
        for match in regex.finditer(_expression(pattern), folded):
            word = match["name"]
            if word not in data["plain"] and word not in data["titles"] and not _ACTING.match(word):
                found[match.start("name")] = _bare(language, word)
    for start, name in _known(language, folded):
        found[start] = name
    ends: dict[int, str] = {}
    for start, name in sorted(found.items(), key=lambda item: (item[0], -len(item[1]))):
        if not any(s <= start < s + len(n) for s, n in ends.items()):
            ends[start] = name
    return _joined(language, ends, folded)


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


def _known(language: str, folded: str) -> Iterator[tuple[int, str]]:
    table, homographs = known_names(language), words(language)["homographs"]
    before: tuple[int, str] | None = None
    known = -2
    for match in WORD.finditer(folded):
        word = match.group()
        if word in words(language)["plain"]:
            continue
        for start, form in _forms(language, word):
            joined = known + 1 == match.start()
            if form not in table or is_thing(language, folded[match.end() :]):
                continue
            if form not in homographs or joined or _meant(language, form, folded, match):
                yield match.start() + start, form
                known = -2 if form in places(language) else match.end()
                if before and word == f"و{form}":
                    yield before
                break
        before = (match.start(), word) if word in homographs else None
    for name in table:
        if " " in name and (at := folded.find(name)) >= 0:
            yield at, name


def _meant(language: str, form: str, text: str, match: "regex.Match[str]") -> bool:
    """Whether a name that is also a word is meant: a place after a preposition, a person who acts."""
    before, after = text[: match.start()], text[match.end() :]
    if form in places(language):
        return _placed(language, form, before, match.group(), after)
    acts = words(language)["acts"]
    if language == "ben":
        addressed = not before and after.startswith(",")
        acts_so = not before and _PERSONAL.search(after) is not None
        return addressed or acts_so or match.group().removeprefix(form) == fold("কে")
    if not before and language == "arb" and _CALLED.match(after):
        return True
    if not before or _KIN.fullmatch(before):
        return _ACTS.match(after) is not None or any(after.startswith(f" {word} ") for word in acts)
    return len(form) > 2 and any(before.endswith(f"{word} ") for word in acts if not word.startswith("عند"))


def _placed(language: str, form: str, before: str, word: str, after: str) -> bool:
    """Whether a place stands where one goes to, comes from or is."""
    data = words(language)
    return (
        any(before.endswith(f"{preposition} ") for preposition in data["prepositions"])
        or any(after.startswith(f" {postposition}") for postposition in data["postpositions"])
        or (language == "ben" and word.startswith(form) and word.removeprefix(form) in _LOCATIVES)
        or (language == "arb" and word.removesuffix(form) in _TOWARDS)
    )


def _forms(language: str, word: str) -> Iterator[tuple[int, str]]:
    """The word, and without its clitics, each with where it starts."""
    yield 0, word
    if language == "arb":
        for clitics in ("و", "ل", "ب", "ف", "ك", "ع", "ول", "وب", "وال", "فال", "بال", "عال"):
            if word.startswith(clitics) and len(word) > len(clitics) + 2:
                yield len(clitics), word.removeprefix(clitics)
        if word.startswith("لل") and len(word) > 4:
            yield 1, f"ال{word[2:]}"
    else:
        yield 0, _bare(language, word)


def _bare(language: str, word: str) -> str:
    """A Bengali word without its case ending, where the table knows the rest or the ending is sure."""
    if language != "ben":
        return word
    stem = _CASES.sub("", word)
    if stem.endswith("ঙ"):  # -ং before a vowel
        stem = f"{stem.removesuffix('ঙ')}ং"
    return stem if stem in known_names(language) else word


def _expression(pattern: str) -> str:
    word = r"(?P<name>[\p{L}\p{M}]{2,})"
    return rf"(?<![\p{{L}}\p{{M}}])(?:{pattern.replace('{name}', word)})(?![\p{{L}}\p{{M}}])"
