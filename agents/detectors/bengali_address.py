"""How a Bengali text addresses its hearer: apni (respectful), tumi (familiar), tui (intimate).

Pronouns settle it; without one, second-person verb endings do. The respectful endings (-en) and the
familiar future (-be) are also third person, so they count only beside somebody called ("uncle, …"; at the
end without a comma it may be the subject) and, the respectful ones, in a short question that does not ask
when nor only whether something has been done, in a short request (-ben) and in the eastern one (-en, beside
words that are no subject), always in a clause without a subject of the third person; a past in -le counts
beside what asks. Pronouns and orders of two levels settle none. The imperatives (-un, -o, -ish, bare stem) are second
person alone. "আপনা আপনি" is "by itself". Sources: Thompson 2010, *Bengali: A Comprehensive Grammar*, ch. 5
(pronouns) and 7 (verb tables); Thompson 2012, *Bengali* (London Oriental and African Language Library); for
eastern forms (-ইছ, -বা, -ছস) Chatterji 1926. The forms are those of `bengali_forms`.
"""

from collections import Counter
from dataclasses import dataclass

import regex

from agents.detectors.bengali_forms import LABELS, forms, pattern, words
from agents.detectors.phrasal import own_words
from agents.detectors.port import UNKNOWN, Detector, Evidence, Finding, Rule
from sim.core.text import fold

_SHORT = 7
"""Most words of a text whose verb, also a third-person form, is taken for the addressee's."""
_FEW = 4
"""The same of a clause of a longer text that asks."""
_REQUEST = fold("বেন")
_PERFECT = fold("েছেন")
"""The ending of "has done": without a call or a question word it is as often a third person's."""
_PAST = fold("লেন")
_CLAUSE = regex.compile(r"[,;।.!?]")
_WORD = regex.compile(r"[\p{L}\p{M}]+")


def open_detector(language: str, name: str) -> Detector:
    """The address detector."""
    return Rule(name, language, LABELS, address)


def address(text: str) -> Finding:
    """The address of `text`; don't know where it addresses nobody, or two ways alike."""
    folded = pattern("wished").sub(" ", pattern("no_address").sub(" ", fold(own_words(text))))
    said, known = _WORD.findall(folded), forms()
    found = [Evidence(word, known.pronouns[word]) for word in said if word in known.pronouns]
    if not found:
        return _most(_by_verbs(folded, said))
    mixed = set(pattern("mixed").findall(folded))
    others = set(_WORD.findall(known.called.sub(" ", folded))) - mixed
    if mixed and all(e.value != "apni" for e in found) and not any(map(known.other, others)):
        return Finding(None, tuple(found))
    return _most(found + _against(found, said))


def _against(found: list[Evidence], said: list[str]) -> list[Evidence]:
    """Orders at another level than the pronouns: who says "apni" with a tumi verb mixes the two."""
    levels, orders = {e.value for e in found}, forms().orders
    return [Evidence(w, label) for w in said if (label := orders.get(w)) and label not in levels]


def _by_verbs(folded: str, said: list[str]) -> list[Evidence]:
    """Evidence in verbs: those of the second person alone, else those of the third person too."""
    known = forms()
    sure = [Evidence(word, label) for word in said if (label := known.sure(word))]
    sure += [
        Evidence(word, "tumi")
        for m in pattern("then").finditer(folded)
        if ((word := m.group(1)) and word not in words("no_past"))
        or ((word := m.group(2)) and word in known.past)
    ]
    bare = [Evidence(m[m.lastindex], "tui") for m in pattern("begone").finditer(folded)]
    bare += [
        Evidence(m.group(1), label)
        for m in known.closing.finditer(folded)
        if not _calls(m) and ((label := known.bare[m.group(1)]) != "apni" or not _told(folded[: m.start()]))
    ]
    return [*sure, *dict.fromkeys(bare)] or _by_shared(folded)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause without those it calls, and what the whole text does."""

    text: str
    asked: bool
    """Whether the text asks, or calls somebody before a comma."""
    called: bool
    """Whether the text calls somebody."""
    short: bool
    """Whether the whole text is short."""

    @property
    def words(self) -> list[str]:
        """The words of the clause."""
        return list(_WORD.findall(self.text))

    @property
    def alone(self) -> bool:
        """Whether no word of it can be a subject."""
        return all(map(_harmless, _WORD.findall(pattern("manner").sub(" ", self.text))))


def _by_shared(folded: str) -> list[Evidence]:
    """Evidence in forms that are third person too: short clauses without any other subject, up to the first
    that has one.
    """
    found: list[Evidence] = []
    for clause in _clauses(folded):
        if any(map(forms().other, clause.words)):
            return _respectful(found) if clause.called else []
        if len(clause.words) <= _SHORT and (clause.called or not pattern("when").search(clause.text)):
            found += (Evidence(w, label) for w in clause.words if (label := _shared(w, clause)))
    return _respectful(found)


def _clauses(folded: str) -> list[_Clause]:
    """The clauses of a text."""
    known = forms()
    calls = [m.group() for m in known.called.finditer(folded)]
    parts = [part.strip() for part in _CLAUSE.split(known.called.sub(". ", folded)) if part.strip()]
    asked = "?" in folded or any("," in call for call in calls)
    short = sum(len(_WORD.findall(part)) for part in parts) <= _SHORT + 2 * bool(calls)
    return [_Clause(part, asked, bool(calls), short) for part in parts]


def _shared(word: str, clause: _Clause) -> str | None:
    """The address of a form that is third person too, where the clause makes it the addressee's."""
    label = forms().maybe(word)
    if label is None or (label == "tumi" and not clause.called):
        return None
    last = word in _closing(clause.text)
    if last and word in words("asked") and clause.alone:
        return label
    if not clause.called and _of_others(word, clause):
        return None
    near = clause.short or clause.called
    asked = clause.asked and (near or len(clause.words) <= _FEW)
    return label if asked or (last and near and word.endswith(_REQUEST)) else None


def _of_others(word: str, clause: _Clause) -> bool:
    """Whether the form is as often a third person's where nobody is called: "has done", "did"."""
    if word.endswith(_PERFECT):
        return pattern("asking").search(clause.text) is None
    return word.endswith(_PAST) and not clause.alone


def _respectful(found: list[Evidence]) -> list[Evidence]:
    """Only the respectful forms if there are any: beside them -be is something else's ("the bus goes")."""
    return [e for e in found if e.value == "apni"] or found


def _harmless(word: str) -> bool:
    """Whether a word beside a verb can be no subject of it."""
    return bool(
        word in words("asked")
        or pattern("oblique").fullmatch(word)
        or pattern("asking").fullmatch(word)
        or forms().maybe(word)
    )


def _told(before: str) -> bool:
    """Whether the words before a verb have a third person as its subject."""
    known = forms()
    return any(known.other(word) for word in _WORD.findall(known.called.sub(" ", f"{before}-")))


def _calls(match: "regex.Match[str]") -> bool:
    """Whether a bare stem is a word that calls: "বস," is a boss."""
    after: str = match.string[match.end() :]
    return after.startswith(",") and match.group(1) in words("nouns")


def _closing(clause: str) -> list[str]:
    """The word a clause closes with, particles aside."""
    return [word for word in _WORD.findall(clause) if word not in words("particles")][-1:]


def _most(found: list[Evidence]) -> Finding:
    if not found:
        return UNKNOWN
    (label, most), *rest = Counter(str(e.value) for e in found).most_common()
    tied = bool(rest) and rest[0][1] == most
    return Finding(None if tied else label, tuple(found))
