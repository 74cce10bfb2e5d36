"""Names in scripts with capitals: capitalised words that nothing else explains.

Away from the start of a sentence a capital shows a name; at the start the table of names and what people do
decide, and a word that may be another is don't know.
"""

from functools import cache

import regex

from agents.detectors.name_table import known_names, places
from agents.detectors.name_words import WORD, is_thing, words
from sim.core.text import fold

_SENTENCE = regex.compile(r"(?:\A|(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St))[.!?:…]\s+|[\"“(]\s*)\Z")
_ENDINGS = {
    "eng": regex.compile(r"['’]s\Z"),
    "ind": regex.compile(r"(?<=\p{Lu})-?(?:nya|ku|mu)\Z|-(?:nya|ku|mu)\Z"),
}
"""What is written together with a word: a possessive, *-nya* after an abbreviation."""
_ENDED = {
    "eng": regex.compile(r"(?:ing|tion|sion|ness|ment|ity|ance|ence|ers|ism|ship|ful|less|ies|['’]s)\Z"),
    "ind": regex.compile(r"(?:nya|kah|lah|kan|ku|mu)\Z"),
}
"""What words end in that name nobody, where the word is unknown."""
_SUBJECT = regex.compile(
    r"\s(?:is|was|has|had|will|can|said|told|went|came|took|got|made|gave|left|lost|won|ran|sent|bought|\p{Ll}+(?:s|ed))\b"
)
_AND = regex.compile(r"\s(?:and|dan|sama|&)\s\p{Lu}")
_VERB = regex.compile(
    r"(?:['’]s)? (?!always|sometimes|perhaps|this\b|its\b|plus\b|less\b|is\b|was\b|has\b)"
    r"(?:said|told|went|came|took|got|made|gave|left|lost|won|ran|sent|bought|drove|\p{Ll}{3,}(?<!s)s|\p{Ll}{2,}ed)\b"
)
"""A verb that somebody does, after its subject."""
_STATED = regex.compile(r" (?:is|was|has|wants|needs|isn't|wasn't|hasn't|\p{Ll}{3,}(?<!s)s)\b")
"""The verb after a subject in the singular."""


_PLURALS = regex.compile(
    r" \p{Ll}+s (?:are|were|have|had|start|begin|finish|end|go|come|break|cost|need|take|make|look|last|work|run|do|don't|"
    r"get|taste|smell|arrive|close|open|only|all|on|in|for|with|and|or)\b"
)
"""A plural after a noun, with its verb: not what somebody does."""


def capitalised(language: str, text: str) -> tuple[list[str], list[str]]:
    """Names, and capitalised words that may be something else."""
    groups: list[list[str]] = []
    unsure, end = [], -2
    whole = [match.span() for match in _several(language).finditer(text)]
    for match in WORD.finditer(text):
        if any(start <= match.start() < stop for start, stop in whole):
            if any(start == match.start() for start, _ in whole):
                groups.append([text[slice(*next(span for span in whole if span[0] == match.start()))]])
                end = -2
            continue
        word = _ENDINGS[language].sub("", match.group())
        kind = _kind(language, word, text[: match.start()], text[match.start() + len(word) :])
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
    following = _ENDINGS["eng"].sub("", after[:2]) + after[2:] if language == "eng" else after
    common, parts = data["titles"] | data["plain"], folded.split("-")
    if language == "ind" and len(parts) > 1 and (parts[0] == parts[1] or set(parts) <= common):
        return None
    if folded in common or (opening and is_thing(language, following)):
        return None
    if not word[0].isupper():
        return "name" if _uncapitalised(language, folded, before, after) else None
    if folded in data["unsure"]:
        placed = (
            not opening and folded in data["lands"] and not data["peoples"] & set(WORD.findall(fold(before)))
        )
        return "name" if placed else "unsure"
    if not opening:
        short = 6 if language == "ind" and folded not in known_names(language) else 4
        return None if word.isupper() and len(word) < short else "name"
    if folded in data["homographs"]:
        return _homograph(language, folded, after)
    if folded in known_names(language):
        return "name"
    with_known = _AND.match(after)
    if with_known and fold(WORD.match(after, with_known.end() - 1).group()) in known_names(language):
        return "name"
    acting = _VERB.match(after) if language == "eng" else _does(language).match(after)
    return "unsure" if acting and not _ENDED[language].search(folded) else None


def _uncapitalised(language: str, word: str, before: str, after: str) -> bool:
    """Whether a word of a text without any capital is a known name; in Indonesian beside a title or place."""
    data, rest = words(language), before + after
    if rest.lower() != rest or len(word) < 4 or word not in known_names(language):
        return False
    if language == "ind" and not before and _does(language).match(after):
        return True
    beside = before.split()[-1:]
    placed = language == "eng" or bool(beside and beside[0] in data["titles"] | data["prepositions"])
    return placed and word not in data["homographs"]


def _homograph(language: str, word: str, after: str) -> str | None:
    """A word at the start that may be a name: one where it calls somebody, unsure where it does something."""
    following = after.removeprefix("'s").removeprefix("’s")
    if (after.startswith(",") and word in words(language)["qualities"]) or _PLURALS.match(after):
        return None
    if after.startswith(",") or _AND.match(after) or _does(language).match(after):
        return "name"
    if word in words(language)["verbal"] and (following != after or _STATED.match(after)):
        return "name"
    return "unsure" if _SUBJECT.match(following) else None


@cache
def _does(language: str) -> "regex.Pattern[str]":
    """What only people do, after the one who does it."""
    data = words(language)
    helped = rf"(?:\s(?:{'|'.join(sorted(data['auxiliaries']))}))*" if data["auxiliaries"] else ""
    return regex.compile(rf"{helped}\s(?:{'|'.join(sorted(data['acts']))})\b")


@cache
def _several(language: str) -> "regex.Pattern[str]":
    """The places of several words, with their capitals or in a text that has none."""
    names = sorted((name for name in places(language) if " " in name), key=lambda name: -len(name))
    cased = "|".join(regex.escape(name.title()) for name in names)
    return regex.compile(
        rf"(?<![\p{{L}}\p{{M}}])(?:{cased})(?!\p{{L}})|(?<=\A[^\p{{Lu}}]*\b)(?:{'|'.join(map(regex.escape, names))})(?=[^\p{{Lu}}]*\Z)(?!\p{{L}})"
    )
