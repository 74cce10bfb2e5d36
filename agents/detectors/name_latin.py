"""Names in scripts with capitals: capitalised words that nothing else explains.

Away from the start of a sentence a capital shows a name; at the start the table of names and what people do
decide, and a word that may be another is don't know.
"""

import regex

from agents.detectors.name_table import known_names
from agents.detectors.name_words import WORD, is_thing, words
from sim.core.text import fold

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


def capitalised(language: str, text: str) -> tuple[list[str], list[str]]:
    """Names, and capitalised words that may be something else."""
    groups: list[list[str]] = []
    unsure, end = [], -2
    for match in WORD.finditer(text):
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
    folded, data = fold(word), words(language)
    opening = _SENTENCE.search(before) is not None
    if folded in data["titles"] or folded in data["plain"] or (opening and is_thing(language, after)):
        return None
    if not word[0].isupper():
        return "name" if _uncapitalised(language, folded, before, after) else None
    if folded in data["unsure"]:
        placed = (
            not opening and folded in data["lands"] and not data["peoples"] & set(WORD.findall(fold(before)))
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
    data, rest = words(language), before + after
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
