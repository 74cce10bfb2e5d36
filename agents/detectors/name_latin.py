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


_OPENED = {
    "eng": regex.compile(
        r"\A(?:(?:hey|hi|hiya|hello|yo|oi|ok|okay|thanks|thx|ty|cheers|sorry|sry|soz|morning|congrats),? )?\Z"
    ),
    "ind": regex.compile(
        r"\A(?:(?:hai|halo|hi|hei|eh|woi|woy|oi|oy|pagi|siang|sore|malam|met \p{Ll}+|maaf|sori|sorry|ok|oke|ya|iya|"
        r"makasih|mksh|mks|thanks|thx|tq|selamat)(?: (?:ya|yaa|bgt|banget))?,? )?\Z"
    ),
}
"""What stands before somebody called at the start of a chat message."""
_CALLING = {
    "eng": regex.compile(r",|[.!?~ ]*\Z| (?:can|could|would|will) (?:you|u)\b| (?:r|are) (?:you|u)\b"),
    "ind": regex.compile(
        r",|[.!?~ ]*\Z| (?:jm|jam|kamu|km|lu|lo|elo|tolong|tlg|jgn|jangan|ayo|yuk|udah|udh) "
    ),
}
_CLOSED = {
    "eng": regex.compile(
        r", \Z|\b(?:thanks|thx|ty|cheers|sorry|sry|soz|bye|hi|hey|hello|night|morning|please|pls|plz) \Z"
    ),
    "ind": regex.compile(
        r", \Z|\b(?:makasih|mksh|thx|thanks|sori|sorry|maaf|bgt|banget|ya|yaa|yah|dong|deh|nih|lho|loh) \Z"
    ),
}
"""What stands before somebody called at the end."""
_CLIPPED = regex.compile(
    r" (?:cant|wont|isnt|wasnt|didnt|doesnt|hasnt|is|was|has|had|will|just|still|gonna|aint|cannot|can|might)\b"
)
"""Verbs after somebody in chat spelling."""
_DETERMINED = regex.compile(r"\b(?:the|a|an|my|your|ur|his|her|our|their|this|that|no|any|some|to the) \Z")
_CLOSING = regex.compile(r"[.!?~ …]*\Z|,? \p{So}")
_SMALL = regex.compile(r"(?<=[ -])(?:Of|And|The|On|Super|Upon|De|Le)(?=[ -])|(?<=['’])S\b")
"""The small words inside a place of several."""
_SOMEBODY = regex.compile(
    r"\s(?!is what|was what)\p{Ll}+(?:s|ed|t|e)\b[^.?!]*?(?:,| so| and| but| because| if| when| while| before| after| until| as) "
    r"(?:he|she|his|her|he's|she's|he'll|she'll|he'd|she'd)\b"
)
"""What somebody does who is *he* or *she* after."""


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
    if folded in data["social"] and word[0].isupper() and _person(language, folded, before, after):
        return "name"
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
    if acting and language == "ind" and regex.search(r"\b(?:di|ke)\b", acting.group()):
        return None
    return "unsure" if acting and not _ENDED[language].search(folded) else None


def _uncapitalised(language: str, word: str, before: str, after: str) -> bool:
    """Whether a word without a capital is a known name: called, beside a title or place, or doing what people do."""
    data, bare = words(language), before[1:] + after
    if bare.lower() != bare or word not in known_names(language) or word in data["nouns"]:
        return False
    if len(word) < 4 and word not in data["core"]:
        return False
    relaxed = before.lower() == before
    if relaxed and not before and language == "ind" and _does(language).match(after):
        return True
    if word in data["homographs"]:
        return False
    if (
        relaxed
        and language == "eng"
        and not before
        and (_does(language).match(after) or _CLIPPED.match(after))
    ):
        return True
    called = _OPENED[language].search(before) and _CALLING[language].match(after)
    closing = relaxed and language == "eng" and not _DETERMINED.search(before)
    closed = (closing or _CLOSED[language].search(before)) and _CLOSING.match(after)
    if (relaxed and called) or closed:
        return True
    beside = before.split()[-1:]
    near = data["titles"] | data["prepositions"] | data["beside"]
    placed = bool(beside) and fold(beside[0]) in near
    return placed or (relaxed and language == "eng" and len(word) > 3)


def _person(language: str, word: str, before: str, after: str) -> bool:
    """Whether the name of a month is one of a person: after kin, called, or doing what people do."""
    last = before.rstrip(" ,").split()[-1:]
    if last and fold(last[0]) in words(language)["kin"] | words(language)["titles"]:
        return True
    if _SENTENCE.search(before) is None:
        return bool(
            regex.search(r"(?<!\b(?:in|by|of|since|until)\b[^,]*), \Z", before)
            and regex.match(r"[.!?]?\Z", after)
        )
    called = regex.match(
        r", (?:can|could|would|will|have|did|do|are|where|what|how|is|please|come|you|your|I|it's)\b", after
    )
    return (
        (word != "may" and bool(called))
        or bool(_does(language).match(after))
        or bool(_owner(language).match(after))
    )


def _homograph(language: str, word: str, after: str) -> str | None:
    """A word at the start that may be a name: one where it calls somebody, unsure where it does something."""
    following = after.removeprefix("'s").removeprefix("’s")
    if after.startswith(",") and word in words(language)["qualities"]:
        return "name" if _ordered(language).match(after) else None
    if _owner(language).match(after) or (language == "eng" and _SOMEBODY.match(following)):
        return "name"
    if _PLURALS.match(after):
        return None
    if after.startswith(",") or _AND.match(after) or _does(language).match(after):
        return "name"
    if regex.match(rf"\s{regex.escape(word)}\s\p{{Ll}}", after):
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
def _owner(language: str) -> "regex.Pattern[str]":
    """What only a person has, after the English possessive."""
    owned = "|".join(sorted(words(language)["owned"])) or "(?!)"
    return regex.compile(
        rf"['’]s (?:(?:new|old|little|big|older|younger|best|first|second|late|own) )?(?:{owned})\b"
    )


@cache
def _ordered(language: str) -> "regex.Pattern[str]":
    """What is said to somebody called, after a comma: an order, a question about him."""
    asked = "|".join(sorted(words(language)["calling"])) or "(?!)"
    return regex.compile(rf", (?:{asked})\b")


@cache
def _several(language: str) -> "regex.Pattern[str]":
    """The places of several words, with their capitals or in a text that has none."""
    names = sorted((name for name in places(language) if " " in name), key=lambda name: -len(name))
    cased = "|".join(
        regex.escape(_SMALL.sub(lambda small: small.group().lower(), name.title())) for name in names
    )
    return regex.compile(
        rf"(?<![\p{{L}}\p{{M}}])(?:{cased})(?!\p{{L}})|(?<=\A[^\p{{Lu}}]*\b)(?:{'|'.join(map(regex.escape, names))})(?=[^\p{{Lu}}]*\Z)(?!\p{{L}})"
    )
