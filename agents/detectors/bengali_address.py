"""How a Bengali text addresses its hearer: apni (respectful), tumi (familiar), tui (intimate).

Pronouns settle it; without one, second-person verb endings do. The respectful endings (-en) and the
familiar future (-be) are also third person, so they count only beside somebody called ("uncle, …"; at the
end without a comma it may be the subject) and, the respectful ones, in a short question that does not ask
when nor only whether something has been done, in a short request (-ben) and in the eastern one (-en, beside
words that are no subject), always in a clause without a subject of the third person; a past in -le counts
beside what asks. Pronouns and orders of two levels settle none. The imperatives (-un, -o, -ish, bare stem) are second
person alone. "আপনা আপনি" is "by itself". Sources: Thompson 2010, *Bengali: A Comprehensive Grammar*, ch. 5
(pronouns) and 7 (verb tables); Thompson 2012, *Bengali* (London Oriental and African Language Library); for
eastern forms (-ইছ, -বা, -ছস) Chatterji 1926. Forms are built from the stems in `bengali_verbs.toml`.
"""

import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import Any

import regex

from agents.detectors.name_table import known_names, places
from agents.detectors.patterns import fold_pattern
from agents.detectors.phrasal import own_words
from agents.detectors.port import UNKNOWN, Detector, Evidence, Finding, Rule
from sim.core.text import fold

LABELS = ("apni", "tumi", "tui")
"""From the most respectful to the intimate one."""
_SHORT = 7
"""Most words of a text whose verb, also a third-person form, is taken for the addressee's."""
_FEW = 4
"""The same of a clause of a longer text that asks."""
_REQUEST = fold("বেন")
_WHEN = regex.compile(fold_pattern(r"\b(?:কবে|কখন)\b"))
"""Who asks only when asks of a third person as well."""
_NOUNS = frozenset(
    fold(word)
    for word in ("পর", "নাম", "চা", "পান", "ছাড়", "মান", "খেল", "কাট", "ভাব", "হাস", "বস", "মার", "আন", "বল")
)
"""Bare stems that before a comma are mostly other words."""
_TITLES = (fold("বাবু"), fold("সাহেব"), fold("মশাই"))
_AFTER = frozenset(fold(word) for word in ("না", "তো", "কিন্তু", "প্লিজ", "কাউকে", "কাউরে", "একটু", "আমাকে", "আমারে"))
_NO_ADDRESS = regex.compile(
    fold_pattern(
        r"আপনা[- ]?আপনি|আয়[- ]ব্যয়\w*"
        r"|\bতুই[- ]?তোকারি\w*|\b(?:আপনি|তুমি|তুই) (?:থেকে|থেইকা|থিকা)\b[^,;.!?।]*\b(?:আপনি|তুমি|তুই)তে\b"
        r"|\b(?:আপনি|তুমি|তুই)(?:-\w+| (?:করে|কইরা|করেই|কইরাই) "
        r"(?=বল|ডাক|কথা|সম্বোধন|কই)"
        r"| (?:বলে|বইলা) (?=ডাক|সম্বোধন)"
        r"| (?:থেকে|থেইকা|ছেড়ে) (?=আপনি|তুমি|তুই)"
        r"| (?=শব্দ|সম্বোধন|ডাকটা|ডাকটি|বলাটা))"
        r"|\bখাস (?!(?:না|নি|নাই|কি|কী|কেন|ক্যান|তো"
        r"|রে|নাকি|যদি|যে|আর|কিন্তু|তাহলে|কখন|কোথায়)\b)(?=\w)"
        r"|\bপড়ো (?=বাড়ি|ভিটা|ভিটে|জমি|মন্দির|দালান)|\b(?:কি|কী|কে|এত|আপন|আর|আমরা|আমি) পর\b"
        r"|\b(\w+) বা না \1\b|\bআপনার বলতে\b|\bএই যে\b|(?:\A|[.!?।] ?|\b(?:আজ|আজকে|এখন|ওসব|এসব|ওটা|এটা|সেটা|কথা|তাহলে|আচ্ছা|বরং|না|এবার|আপাতত) )থাক\b"
        r"|\bতর (?=সয়|সই)|\b\w+ (?=শব্দটা|শব্দটি|শব্দের)"
        r"|\bচা[- ]পান\b|\bপান (?=কর|খা|খে|চিব|সুপারি|পাতা)"
        r"|\bদাও (?:দিয়ে|দিয়া|দিয়েই|হাতে)"
        r"|\bনাও (?=ভিড়|বাই|ভাস|ডুব|ঘাট|দোল|ছাড়)"
    )
)
"""By itself, income and expense, the pronouns as words ("says tumi to him", "from tumi to apni"), and nouns
like verbs: "the very heart of", a chopper, a boat, a deserted house, a stranger."""
_BEGONE = regex.compile(
    fold_pattern(
        r"\b(?:দূর|বের|শান্ত|তৈরি|রেডি|রাজি|মানুষ) (হ)\b"
        r"|(?:\A|[,;.!?।] ?|\bযা )(ভাগ)(?=\s*[,.!।]|\s*\Z| (?:এখান|এইখান|এহান|হেন|তো|সব|যা)\b)"
        r"|\b(?:চুপ|বন্ধ) (কর|থাক)\b"
        r"|(?:\A|[.!?।] )(পালা)(?= ?[,!])"
        r"|\b(?:চুপ করে|এখানে|এইখানে|ওখানে) (বস|বোস|দাঁড়া)(?= এখানে| ওখানে|\s*[,.!।]|\s*\Z)"
        r"|\b(দেখ|শোন|বল|আয়|দে|নে|যা|আন|ডাক|রাখ|খোল|লেখ|দ্যাখ|হুন)"
        r" (?:তো|দেখি|ব্যাটা|বেটা|বাপ|রে|গিয়া|গিয়ে)\b"
        r"|\A\w+(?:টা|টি|ডা|গুলো|গুলা|গুলি)(?: \w+){0,3}"
        r" (ভর|বাঁধ|মোছ|মাজ|ঝাড়|বেচ|ঢাল|টান|ঠেল|চাপ|মেশ|রাঁধ|ভাঙ|কাচ|ফেল|তোল|রাখ|ধর|ছাড়|কাট)\s*[।.!]*\s*\Z"
    )
)
"""Bare intimate orders wherever they stand: "be gone"."""
_WISHED = regex.compile(
    fold_pattern(
        r"\b(?:উনি|তিনি|আল্লাহ|খোদা|ভগবান|ঈশ্বর|প্রভু|ঠাকুর|সৃষ্টিকর্তা)"
        r"\b(?!\s*,)[^,;.!?।]*?\b(?!বল|দেখ|জান|শুন)\w+ুন\b"
    )
)
"""An imperative of a third person: "let him come first", "God keep them"."""
_CLAUSE = regex.compile(r"[,;।.!?]")
_ENDINGS = (
    ("tui", True, r"\p{M}*(?:চ্ছিস|েছিস|ইছস|তেছস|ছস|ছিলি|তিস)"),
    ("tumi", True, r"\p{M}*(?:চ্ছ|চ্ছো|েছো|ইছ|ইছো|তেছ|তাছ|ইবা|ইবায়|ছিলা|ছিলে|াইও|েছ|িয়ো)"),
    ("apni", False, r"\p{M}*(?:চ্ছেন|েছেন|ছেন|বেন|ইলেন|তেছেন)"),
)
"""Endings of verbs no table holds: address, whether of the second person alone, and the end of the word."""
_NO_VERB = frozenset(
    map(
        fold,
        (
            "বাবা",
            "কাবা",
            "হাবা",
            "অথবা",
            "কিংবা",
            "সেবা",
            "বিধবা",
            "থাবা",
            "ডাবা",
            "জবা",
            "শোভা",
            "বোবা",
            "নবাব",
            "মারহাবা",
            "তোবা",
            "তওবা",
            "জিস",
            "অফিস",
            "পুলিস",
            "সার্ভিস",
            "নোটিস",
            "জিনিস",
            "ত্রিশ",
            "হদিস",
            "বালিস",
            "নার্সিস",
            "গাছ",
            "মাছ",
            "কাছ",
            "পাছ",
            "আছ",
            "খতিব",
            "ফিস",
            "মিস",
            "কিস",
            "বিস",
            "পিস",
            "টেনিস",
            "প্র্যাকটিস",
            "সিরিস",
            "নবিস",
            "হাদিস",
            "ইবলিস",
            "নেছ",
            "কিছু",
            "ভিডিয়ো",
            "রেডিয়ো",
            "অডিয়ো",
            "স্টুডিয়ো",
            "স্বচ্ছ",
            "তুচ্ছ",
            "গুচ্ছ",
            "পুচ্ছ",
        ),
    )
)
_THEN = regex.compile(
    fold_pattern(
        r"(\w+লে) (?:না )?(?:কেন|ক্যান|যে)(?= \w+\s*\?|\s*[?.!।]|\s*\Z)"
        r"|\b(?:কখন|কবে|কোথায়|কী|কেন|কাকে|কত|কোন|কোনটা)(?: \w+){0,3} (\w+লে)(?: মা| বাবা| গো| শেষে| শেষমেশ| তুমি)?(?=\s*\?)"
    )
)
"""A past of the second person beside what asks: elsewhere it is "if"."""
_IF = frozenset(
    fold(word)
    for word in ("ছেলে", "বলে", "চলে", "মেলে", "তাহলে", "ফেলে", "জ্বলে", "খোলে", "খেলে", "দোলে", "ভোলে", "তোলে")
)
_THE = (fold("টা"), fold("টি"))
"""Endings of "the boy", whom nobody calls so."""
_PERFECT = fold("েছেন")
"""The ending of "has done": without a call or a question word it is as often a third person's."""
_PAST = fold("লেন")
_MANNER = regex.compile(fold_pattern(r"\b\w+ (?:করে|কইরা)\b"))
"""Adverbs of two words."""
_ASKING = regex.compile(
    fold_pattern(r"\b(?:কী|কি|কে|কেন|ক্যান|কত|কয়|কয়টা|কার|কাকে|কীভাবে|কেমন|কোথায়|কোথা|কই|কোন\w*|কত\w*)\b")
)
_SAID = frozenset(
    fold(w)
    for w in (
        "বসেন", "দেন", "নেন", "আসেন", "দেখেন", "শোনেন", "শুনেন", "হুনেন", "চলেন", "বলেন", "কন", "রাখেন", "ধরেন",
        "আনেন", "ছাড়েন", "সরেন", "নামেন", "ওঠেন", "উঠেন", "খোলেন", "লেখেন", "লেহেন", "ডাকেন", "ফেলেন", "তোলেন",
        "থামেন", "করেন", "ঢোকেন", "ঢুকেন", "যান", "খান", "দাঁড়ান", "চালান", "লন", "বয়েন", "বন",
    )
)  # fmt: skip
"""Present forms that eastern speakers ask the addressee with."""
_OBLIQUE = regex.compile(
    fold_pattern(
        r"\w+(?:ে|ায়|টা|টি|টার|ের|তে|কে|রে|গুলা|গুলো|ডা|টুক|টুকু|খান|খানা|ইয়া|ায়া|েয়ে|য়ে)"
        r"|একটু|না|তো|আর|এখন|আগে|পরে|ভাই|চাচা|মামা|দাদা|আপা|আরেকটু|একবার|প্লিজ|তাইলে|তাহলে|আমারে|আমাকে|আইজ"
        r"|আজ|কাল|এদিক|ওদিক|সোজা|চুপ|করে|কইরা|যদি|এক|দুই|তিন|দশ|কেজি|টাকা|চা|পানি|জল|এই|ওই|আরে|দয়া|চুপচাপ"
        r"|কম|বেশি|জোরে|ভালো|জলদি|তাড়াতাড়ি|সাইড|রাস্তা|ঠিক|ফোন|ব্যাগ|সই|সাইন|বন্ধ|শুরু|শেষ|বের|রেডি|মাফ|মাপ|অপেক্ষা"
        r"|স্টার্ট|গরম|প্যাক|ওজন|চেক|জমা|দরজা|জানালা|গাড়ি|রিকশা|ভাংতি|হিসাব|দাম|ভাড়া|কথা|আপু|খালা|ও|ওগো|দুইটা|একটা"
    )
)
"""Words beside an order that can be no subject."""
_MIXED = regex.compile(
    fold_pattern(
        r"\b(?:তুমি|তুই)(?: (?!কি\b|যে\b|যদি\b|যখন\b)\w+){0,2} (\w+ুন|আসেন|বসেন|দেন|নেন|খান|যান|বলেন|করেন|দেখেন"
        r"|শোনেন|থাকেন|রাখেন|চলেন|আছেন|\w+বেন|\w+ছেন)(?= (?:তো|না|ভাই|কি)\b|\s*[,;.!?।]|\s*\Z)"
    )
)
"""A familiar pronoun with a respectful verb."""
_ORDERS = (fold("ুন"),)
_ORDER_WORDS = frozenset(fold(w) for w in ("এসো", "বসো", "শোনো", "দেখো", "বলো", "চলো", "ধরো", "রাখো", "থাকো"))
"""Orders no other form looks like: -un, "come", "sit", …"""
_WORD = regex.compile(r"[\p{L}\p{M}]+")


def open_detector(language: str, name: str) -> Detector:
    """The address detector."""
    return Rule(name, language, LABELS, address)


def address(text: str) -> Finding:
    """The address of `text`; don't know where it addresses nobody, or two ways alike."""
    folded = _WISHED.sub(" ", _NO_ADDRESS.sub(" ", fold(own_words(text))))
    words = _WORD.findall(folded)
    table = _table()
    found = [Evidence(word, table.pronouns[word]) for word in words if word in table.pronouns]
    if not found:
        return _most(_by_verbs(folded, words))
    mixed = set(_MIXED.findall(folded))
    spoken = _WORD.findall(table.called.sub(" ", folded))
    if mixed and all(e.value != "apni" for e in found) and not any(map(table.other, set(spoken) - mixed)):
        return Finding(None, tuple(found))
    return _most(found + _against(found, words))


def _against(found: list[Evidence], words: list[str]) -> list[Evidence]:
    """Orders at another level than the pronouns: who says "apni" with a tumi verb mixes the two."""
    table = _table()
    levels = {e.value for e in found}
    return [Evidence(w, label) for w in words if (label := table.orders.get(w)) and label not in levels]


def _by_verbs(folded: str, words: list[str]) -> list[Evidence]:
    table = _table()
    calls = [m.group() for m in table.called.finditer(folded)]
    called = bool(calls)
    sure = [Evidence(word, label) for word in words if (label := table.sure(word))]
    sure += [
        Evidence(word, "tumi")
        for m in _THEN.finditer(folded)
        if ((word := m.group(1)) and word not in _IF) or ((word := m.group(2)) and word in table.past)
    ]
    sure += [Evidence(m.group(1) or m.group(2), "tui") for m in _BEGONE.finditer(folded)]
    bare = [
        Evidence(m.group(1), label)
        for m in table.closing.finditer(folded)
        if not _calls(m) and ((label := table.bare[m.group(1)]) != "apni" or not _told(folded[: m.start()]))
    ]
    if sure or bare:
        return sure + bare
    return _by_shared(folded, any("," in call for call in calls), called)


def _by_shared(folded: str, comma: bool, called: bool) -> list[Evidence]:
    """Evidence in forms that are third person too: short clauses without any other subject, up to the first
    that has one.
    """
    table = _table()
    parts = [part.strip() for part in _CLAUSE.split(table.called.sub(". ", folded))]
    clauses = [(part, _WORD.findall(part)) for part in parts if part]
    asked = "?" in folded or comma
    short = sum(len(words) for _, words in clauses) <= _SHORT + 2 * called
    found: list[Evidence] = []
    for clause, words in clauses:
        if any(table.other(word) for word in words):
            return _respectful(found) if called else []
        if len(words) > _SHORT or (not called and _WHEN.search(clause)):
            continue
        closing = _closing(clause)
        alone = all(map(_harmless, _WORD.findall(_MANNER.sub(" ", clause))))
        for word in words:
            label = table.maybe(word)
            last = word in closing
            if label is None or (not called and label == "tumi"):
                continue
            if last and word in _SAID and alone:
                found.append(Evidence(word, label))
            elif not called and (
                (word.endswith(_PERFECT) and not _ASKING.search(clause))
                or (word.endswith(_PAST) and not alone)
            ):
                continue
            elif (asked and (short or called or len(words) <= _FEW)) or (
                last and word.endswith(_REQUEST) and (short or called)
            ):
                found.append(Evidence(word, label))
    return _respectful(found)


def _respectful(found: list[Evidence]) -> list[Evidence]:
    """Only the respectful forms if there are any: beside them -be is something else's ("the bus goes")."""
    return [e for e in found if e.value == "apni"] or found


def _harmless(word: str) -> bool:
    """Whether a word beside a verb can be no subject of it."""
    return bool(word in _SAID or _OBLIQUE.fullmatch(word) or _ASKING.fullmatch(word) or _table().maybe(word))


def _told(before: str) -> bool:
    """Whether the words before a verb have a third person as its subject."""
    table = _table()
    return any(table.other(word) for word in _WORD.findall(table.called.sub(" ", f"{before}-")))


def _calls(match: "regex.Match[str]") -> bool:
    """Whether a bare stem is a word that calls: "বস," is a boss."""
    after: str = match.string[match.end() :]
    return after.startswith(",") and match.group(1) in _NOUNS


def _closing(clause: str) -> list[str]:
    """The word a clause closes with, particles aside."""
    return [word for word in _WORD.findall(clause) if word not in _AFTER][-1:]


def _most(found: list[Evidence]) -> Finding:
    if not found:
        return UNKNOWN
    (label, most), *rest = Counter(str(e.value) for e in found).most_common()
    tied = bool(rest) and rest[0][1] == most
    return Finding(None if tied else label, tuple(found))


class _Table:
    """Word forms → address, built once from stems and endings."""

    def __init__(self) -> None:
        path = files("agents.detectors").joinpath("bengali_verbs.toml")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        self.pronouns = {
            fold(w + end): label
            for label in LABELS
            for w in data["pronouns"][label]
            for end in ("", "ই", "ও")
        }
        names = known_names("ben").keys() - places("ben")
        self.others = (frozenset(fold(w) for w in data["others"]) | names) - {fold(w) for w in data["words"]}
        never = {fold(w) for w in data["never"]}
        self.certain = {w: label for w, label in _forms(data["class"], "").items() if w not in never}
        self.shared = {
            w: label for w, label in _forms(data["class"], "_shared").items() if w not in self.certain
        }
        callable_ = {w for w in self.others if not w.endswith(_THE)} - {fold(w) for w in data["third"]}
        callable_ |= {fold(w) for w in data["called"]}
        titles = "|".join(_TITLES)
        told = "|".join(_SAID)
        kin = "|".join(sorted(callable_, key=len, reverse=True)) + rf"|[\p{{L}}\p{{M}}]+(?:{titles})"
        self.called = regex.compile(
            rf"(?:\A|(?<=[.!?।] ))(?:(?!(?:{told}) )[\p{{L}}\p{{M}}]+ )?(?:{kin})(?:জান|রা)? ?,|,? (?:{kin})(?=\s*[.!?।]|\s*\Z)"
            rf"|(?<=(?:না|তো|কিন্তু|রে|প্লিজ|[াো]ন|েন|ুন|[োও]) )(?:{kin})(?=\s*,)"
            rf"|\A(?:এই|ওই) [\p{{L}}\p{{M}}]+ ?,"
        )
        """A kin term that calls somebody: before a comma, or at the end."""
        self.endings = tuple(
            (label, sure, regex.compile(rf"[\p{{L}}\p{{M}}]{{2,}}?{fold_pattern(end)}"))
            for label, sure, end in _ENDINGS
        )
        self.bare = _forms(data["class"], "_bare")
        self.past = {
            fold(f"{stem}লে") for verbs in data["class"] for stems in verbs["stems"] for stem in stems if stem
        } | {fold(w) for w in ("গেলে", "এলে", "হলে", "চাইলে", "গাইলে", "রইলে")}
        self.orders = {
            w: label for w, label in self.certain.items() if w.endswith(_ORDERS) or w in _ORDER_WORDS
        }
        words = "|".join(sorted(self.bare, key=len, reverse=True))
        self.closing = regex.compile(
            rf"(?<![\p{{L}}\p{{M}}])({words})(?: (?:তো|না|দেখি|এখন|রে|এবার|প্লিজ|তাড়াতাড়ি|জলদি|চুপচাপ|একটু|শিগগির|গিয়ে|গিয়া|গা|সবাই|চুপ|তাইলে|তাহলে|বাপ|ব্যাটা|সোনা|বাবু|খোকা|খুকু|{kin})){{0,2}}(?=\s*[,.!?।]|\s*\Z)"
        )

    def sure(self, word: str) -> str | None:
        """The address of a form of the second person alone."""
        return self.certain.get(word) or self._by_ending(word, sure=True)

    def maybe(self, word: str) -> str | None:
        """The address of a form that is also third person."""
        return self.shared.get(word) or self._by_ending(word, sure=False)

    def other(self, word: str) -> bool:
        """Whether a word names a third person."""
        return word in self.others or any(word.endswith(title) for title in _TITLES)

    def _by_ending(self, word: str, *, sure: bool) -> str | None:
        if word in _NO_VERB or word in self.shared or word in self.certain:
            return None
        return next((label for label, s, end in self.endings if s == sure and end.fullmatch(word)), None)


def _forms(classes: list[dict[str, Any]], kind: str) -> dict[str, str]:
    """Folded forms of one kind, with and without the negative ending."""
    forms: dict[str, str] = {}
    for verbs in classes:
        for label in LABELS:
            for ending in verbs.get(label + kind, ()):
                for low, high in verbs["stems"]:
                    form = ending.replace("L", low).replace("H", high)
                    forms.setdefault(fold(form), label)
                    if kind != "_bare":
                        forms.setdefault(fold(f"{form}নি"), label)
    return forms


@cache
def _table() -> _Table:
    return _Table()
