"""Names of people and places in a text.

Where the script has capitals they show names away from the start of a sentence; elsewhere titles, vocative
suffixes, self-introductions and the table of known names do, and for Korean the analyser's proper nouns.
Evidence gives the name as written and, where the table knows it, its Latin form, the same for every
script. Weekdays, months, languages and peoples are capitalised but name nobody: alone they are don't
know. In Arabic and Bengali script an unknown name looks like any word, so there the answer is never *no*.
Sources: Van Langendonck 2007, *Theory and Typology of Proper Names*; titles as in the grammars cited by
the other modules. Titles and other words: `name.toml`.
"""

import tomllib
from collections.abc import Iterator
from functools import cache, partial
from importlib.resources import files
from typing import Any

import regex

from agents.detectors.korean import analyser
from agents.detectors.name_table import known_names, places
from agents.detectors.port import NO, UNKNOWN, YES, Detector, Evidence, Finding, Rule
from sim.core.text import fold, letters, nfc

_CAPITALS = ("eng", "ind")
_KINDS = (
    "prepositions", "postpositions", "acts", "things", "titles", "plain", "homographs", "unsure", "lands",
    "peoples",
)  # fmt: skip
_WORD = regex.compile(r"[\p{L}\p{M}]+(?:[-'’][\p{L}\p{M}]+)*")
_SENTENCE = regex.compile(r"(?:\A|(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St))[.!?:…]\s+|[\"“(]\s*)\Z")
_POSSESSIVE = regex.compile(r"['’]s\Z")
_SUBJECT = regex.compile(
    r"\s(?:is|was|has|had|will|can|said|told|went|came|took|got|made|gave|left|lost|won|ran|sent|bought|\p{Ll}+(?:s|ed))\b"
)
_AND = regex.compile(r"\s(?:and|dan|sama|&)\s\p{Lu}")
_DOES = regex.compile(
    r"(?:\s(?:says?|said|told|asked|bought|paid|spent|owes|works|worked|called|phoned|rang|texted|thinks|wants|wanted|lives|"
    r"lived|married|forgot|ate|drove|baked|cooked|cried|laughed|slept|woke|dropped|went)"
    r"|\s(?:(?:baru|sudah|udah|belum|lagi|masih|mau|pernah|juga|selalu|tadi) )?(?:bayar|pulang|nelepon|telepon|lahir|beli|minta|"
    r"bilang|kerja|makan|tidur|sakit|minjem|pinjam|titip|sekolah|juara|nikah|menikah|nangis|kirim|pesan|jemput|ikut|lulus|"
    r"masuk (?:kantor|sekolah|kerja)))\b"
)
"""What only people do."""
_VERB = regex.compile(
    r"(?:['’]s)? (?!always|sometimes|perhaps|is\b|was\b|has\b)"
    r"(?:said|told|went|came|took|got|made|gave|left|lost|won|ran|sent|bought|drove|\p{Ll}{3,}(?<!s)s|\p{Ll}{2,}ed)\b"
)
"""A verb that somebody does, after its subject."""
_KOREAN = regex.compile(
    r"(?<!\p{Hangul})(?P<name>\p{Hangul}{2,4}?)이?(?:가|는|은|를|을|도|와|과|하고|랑|에게|한테|야|아|의|로|에|에서|까지|부터|네)?"
    r"(?!\p{Hangul})"
)
_PERSON = regex.compile(
    r"이(?:가|는|를|랑|도|네|한테|에게|야)(?!\p{Hangul})| (?:언니|오빠|누나|이모|삼촌|선배|쌤|고모)"
)
"""What follows only persons: -이 before a particle, kin terms."""
_ACTS = regex.compile(
    r" (?!يعني)(?:[يت]|بي|بت|هي|هت|سي|ست|رح |راح |عم )\p{L}{2,}(?!\p{L})(?<!ين|ون|ات|ه)| \p{L}{3,5}ت(?= )"
    r"| است\p{L}{2,4}(?= )| ما \p{L}{2,4}ت(?= )"
)
"""An Arabic verb after its subject."""
_ACTING = regex.compile(r"(?:بي|بت|هي|هت|سي|ست)\p{L}{2,}")
"""A verb of what a titled person does or will do: nobody is called so."""
_VOCATIVE = regex.compile(r"[아야][,!~]")
_CALLED = regex.compile(
    r"، ?(?:تعال|خذ|خد|شوف|اسمع|هات|جيب|روح|لا ت|ممكن|لو سمحت|كم |وين|فين|متي|هل |ليش|ليه|شو |ايش )"
)
"""What follows the name of somebody called."""
_KIN = regex.compile(
    r"(?:و)?(?:ا?خ(?:ي|تي|وي|ويا)|ابن[يت]ي?|بنتي|صديق[يت]ي?|جارنا|جار[يت]ي?|عم[يت]ي?|خال[يت]ي?|زميل[يت]ي?|زوج[يت]ي?) "
)
_CASES = regex.compile(
    fold(r"(?:দেরকে|দের|য়ের|েরা|ের|কে|র|য়|তে|ে|ও|ই|(?:দি|দা|বাবু|ভাই)(?:কে|র|য়ের)?)\Z").replace("\\z", "\\Z")
)
_PERSONAL = regex.compile(
    fold(
        r"(?:স্কুল|কলেজ|অফিস|ক্লাস|চাকরি|পরীক্ষা|বিয়ে|জ্বর|বলেছে|বলল|ফেরেনি|ফিরেছে|খায়নি|খেয়েছে|কাঁদছে|ঘুমা|শুকাতে|রান্না|গান|সাঁতার)"
    )
)
"""What only people do, have or go to."""
_TOWARDS = ("ل", "ب", "ف", "ع")
"""Arabic prepositions that are written together with the place."""
_LOCATIVES = tuple(fold(ending) for ending in ("য়", "তে", "ে"))


def open_detector(language: str, name: str) -> Detector:
    """The name detector of `language`."""
    labels = (YES, NO) if language in _CAPITALS or language == "kor" else (YES,)
    return Rule(name, language, labels, partial(names, language))


def names(language: str, text: str) -> Finding:
    """The names in `text`, in order; a name of several words is one."""
    if not letters(text):
        return UNKNOWN
    if language in _CAPITALS:
        found, unsure = _latin(language, nfc(text))
    elif language == "kor":
        found, unsure = _korean(text)
    else:
        found, unsure = _titled(language, fold(text)), [""]
    if found:
        return Finding(YES, tuple(Evidence(name, _latin_form(language, name)) for name in found))
    return Finding(None, tuple(Evidence(word) for word in unsure if word)) if unsure else Finding(NO)


def _latin_form(language: str, name: str) -> str | None:
    known = known_names(language)
    return known.get(fold(name)) or known.get(f"ا{fold(name)}")


# ---- scripts with capitals


def _latin(language: str, text: str) -> tuple[list[str], list[str]]:
    """Names, and capitalised words that may be something else."""
    groups: list[list[str]] = []
    unsure, end = [], -2
    for match in _WORD.finditer(text):
        word = _POSSESSIVE.sub("", match.group())
        kind = _kind(language, word, text[: match.start()], text[match.end() :])
        if kind == "unsure":
            unsure.append(word)
        elif kind == "name":
            joined = text[end : match.start()].strip(" ") == "" and end >= 0 and groups
            groups[-1].append(word) if joined else groups.append([word])
            end = match.end()
    return [" ".join(group) for group in groups], unsure


def _kind(language: str, word: str, before: str, after: str) -> str | None:
    """`name`, `unsure` or None, by the capital, the tables and the place in the sentence."""
    folded, data = fold(word), _data(language)
    opening = _SENTENCE.search(before) is not None
    if folded in data["titles"] or folded in data["plain"] or (opening and _thing(language, after)):
        return None
    if not word[0].isupper():
        return "name" if _uncapitalised(language, folded, before, after) else None
    if folded in data["unsure"]:
        placed = (
            not opening and folded in data["lands"] and not data["peoples"] & set(_WORD.findall(fold(before)))
        )
        return "name" if placed else "unsure"
    if not opening:
        return None if word.isupper() and len(word) < 4 else "name"
    if folded in data["homographs"]:
        return _homograph(after)
    if folded in known_names(language):
        return "name"
    acting = _VERB if language == "eng" else _DOES
    return "unsure" if acting.match(after) else None


def _uncapitalised(language: str, word: str, before: str, after: str) -> bool:
    """Whether a word of a text without any capital is a known name; in Indonesian beside a title or place."""
    data, rest = _data(language), before + after
    if rest.lower() != rest or len(word) < 4 or word in data["homographs"]:
        return False
    beside = before.split()[-1:]
    placed = language == "eng" or bool(beside and beside[0] in data["titles"] | data["prepositions"])
    return placed and word in known_names(language)


def _homograph(after: str) -> str | None:
    """A word at the start that may be a name: one where it calls somebody, unsure where it does something."""
    if after.startswith(",") or _AND.match(after) or _DOES.match(after):
        return "name"
    return "unsure" if _SUBJECT.match(after) else None


# ---- scripts without capitals


def _titled(language: str, folded: str) -> list[str]:
    """Known names, and words that a title or an introduction makes names.

    A name that is also a word counts beside another name joined to it (علي وليلى).
    """
    found: dict[int, str] = {}
    data = _data(language)
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
    table, homographs = known_names(language), _data(language)["homographs"]
    before: tuple[int, str] | None = None
    known = -2
    for match in _WORD.finditer(folded):
        word = match.group()
        if word in _data(language)["plain"]:
            continue
        for start, form in _forms(language, word):
            joined = known + 1 == match.start()
            if form not in table or _thing(language, folded[match.end() :]):
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
    acts = _data(language)["acts"]
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
    data = _data(language)
    return (
        any(before.endswith(f"{preposition} ") for preposition in data["prepositions"])
        or any(after.startswith(f" {postposition}") for postposition in data["postpositions"])
        or (language == "ben" and word.startswith(form) and word.removeprefix(form) in _LOCATIVES)
        or (language == "arb" and word.removesuffix(form) in _TOWARDS)
    )


def _thing(language: str, after: str) -> bool:
    """Whether the next word makes the name one of a thing: a flower, a battlefield."""
    following = _WORD.match(after.removeprefix(" ")) if after.startswith(" ") else None
    return following is not None and fold(following.group()) in _data(language)["things"]


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


# ---- Korean


def _korean(text: str) -> tuple[list[str], list[str]]:
    """Proper nouns of the analyser; a family name before a title."""
    data = _data("kor")
    found, unsure = [], []
    for sentence in analyser().sentences(text):
        for morpheme in sentence.words:
            if morpheme.form in data["unsure"]:
                unsure.append(morpheme.form)
            elif morpheme.tag == "NNP":
                found.append(morpheme.form)
        found += [m["name"] for p in data["introductions"] for m in regex.finditer(p, sentence.text)]
        found += [name for name in _called(sentence.text, data) if not any(name in known for known in found)]
    found = [name for name in found if name not in data["plain"]]
    longest = [name for name in found if not any(name != other and name in other for other in found)]
    return list(dict.fromkeys(longest)), unsure


def _called(text: str, data: dict[str, Any]) -> Iterator[str]:
    """Names of the table that stand alone or with their particles."""
    table = known_names("kor")
    for match in _KOREAN.finditer(text):
        name = match["name"]
        called = any(way.match(text, match.end("name")) for way in (_PERSON, _VOCATIVE))
        if name in table and (called or (name not in data["homographs"] and name not in data["unsure"])):
            yield name


@cache
def _data(language: str) -> dict[str, Any]:
    text = files("agents.detectors").joinpath("name.toml").read_text(encoding="utf-8")
    section = tomllib.loads(text)[language]
    data = {key: frozenset(fold(w) for w in section.get(key, ())) for key in _KINDS}
    given = section.get("introductions", ())
    return {**data, "introductions": tuple(given if language == "kor" else map(_folded, given))}


def _folded(pattern: str) -> str:
    """A pattern with its words folded and its syntax kept."""
    folded: str = regex.sub(r"[\p{Bengali}\p{Arabic}]+", lambda m: fold(m.group()), pattern)
    return folded
