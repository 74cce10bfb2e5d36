"""When an Arabic name that is also a word is a person's: somebody called, doing something, or beside a word
that wants a person.

For `name_arabic`, of one folded word in its sentence (`Seen`). It must not become a list of words, which are in
`name.toml`, nor a parser: every rule looks at a few words beside the name.
"""

from functools import cache

import regex

from agents.detectors.name_words import Seen, following, of_kind, pattern, words

ALI, _LINA = "علي", "لينا"
"""Names that are also *on me* and *to us*."""
_AGE = "عمر"
"""Omar, and the age of one's kin."""
_DEFINITE = r" (?!{articleless}(?!\p{L}))ال\p{L}"
"""A word with its article, after a word that may belong to it."""
_ACTS = (
    r" (?!{verbless}|يا\b|تاخر\p{L})"
    r"(?:[يت]|تي|كي|كت|كاي|كات(?!ب)|{doing}|{particles} |ما (?=[يتبحك]))\p{L}{2,}(?!\p{L})(?<!ين|ون|ات|ه)",
    r" (?!ال)\p{L}{2,5}ت(?= )(?<!{verbless_t}| ست)",
    r" است\p{L}{2,4}(?= )",
    r" (?!{verbless_her})\p{L}{3,}ها(?= )",
    r" ما \p{L}{2,4}ت(?= )",
    r" حصلت? ع",
    r" {expecting}(?:ك|كي|كم|كو|كن|ني|نا|ه|ها|هم)(?!\p{L})",
)
"""A verb after its subject: what one does or will do; what she did; what was asked for; what was done to her;
what she did not do; what she or he got; whom one waits for or needs."""
_WILL = regex.compile(r"س[يت]\p{L}{3,}")
"""A verb of the future in the standard."""
_OBJECT = r"(?<=\p{L}{3}){object_endings}\Z"
"""Whom a verb is about, written together with it."""
_NOT_DONE = r" ما (?!{verbless_not})\p{L}{2,}"
"""What somebody has not done, after the subject."""
_PLURAL = r" (?:\p{L}{2,}وا|[يت]\p{L}{3,}ان|\p{L}{3,}ين|{together})(?!\p{L})"
"""What two people do together."""
_CALLED = r"، ?(?:{bidden}|{bidden_words} |(?:لا|ما) ت)"
"""What follows the name of somebody called."""
_CALLING = regex.compile(r"[،,] ?(?!و|\p{L}+(?:\Z|[،,.!؟?] ?\Z|[،,]))\p{L}")
"""A sentence after the name of somebody called: no list, no single word."""
_TO_HER = r"[،,] ?(?!{not_to_her})\p{L}{2,6}ي(?= )|[،,].*(?: لا ت|\p{L}{2,}(?:تي|لك)(?!\p{L}))"
"""Something said to a woman after a comma."""
_ON_ME = r"(?:[يتنا]|بي|بت)?{upon_me}\p{L}{0,2}"
"""What somebody does to me, or what is hard for me: علي after it is no Ali."""
_TO_US = r"(?:[يتنا]|كي|كت|غادي )?{to_us}\p{L}{0,3}"
"""What somebody does to or for us: لينا after it is no Lina."""
_GETTING = r"{getting}\p{L}{0,2}"
"""What is done to things: a flower bought is no Zahra."""


def person(seen: Seen) -> bool:
    """Whether somebody is meant: called, doing something, or beside a word that wants a person."""
    if seen.opens and _called(seen):
        return True
    if seen.form == _LINA and not seen.clitic:
        return not _pronominal(seen)
    if _second_of_two(seen):
        return True
    if (seen.opens or _after_opener(seen)) and seen.clitic in ("", "و", "ف"):
        return _acts(seen.after) or (seen.opens and (_kindred(seen) or _undone(seen)))
    return len(seen.form) > 2 and _beside(seen)


def _called(seen: Seen) -> bool:
    """Whether the name at the start of a clause calls somebody."""
    bidden = pattern("arb", _CALLED).match(seen.after) or pattern("arb", _TO_HER).match(seen.after)
    return bidden is not None or (_CALLING.match(seen.after) is not None and _calls(seen))


def _calls(seen: Seen) -> bool:
    """Whether a name alone before a comma calls somebody: not a quality or a greeting."""
    wordy = of_kind("arb", seen.form, "qualities", "greetings", "endearing", "uncalled")
    return not seen.clitic and (not wordy or seen.form == ALI)


def _second_of_two(seen: Seen) -> bool:
    """Whether the name stands after another that is also a word and *and*, before what two do together."""
    after_name = seen.clitic == "و" and seen.last in words("arb")["homographs"]
    return after_name and pattern("arb", _PLURAL).match(seen.after) is not None


def _after_opener(seen: Seen) -> bool:
    """Whether kin or a word that opens a clause stands before."""
    return of_kind("arb", seen.last, "kin", "openers") or of_kind("arb", seen.last_two, "kin")


def _kindred(seen: Seen) -> bool:
    """Whether somebody's kin follows a name that is no thing one's kin has: age, hope, life."""
    return seen.form != _AGE and not _thing(seen) and of_kind("arb", following(seen.after), "kin")


def _undone(seen: Seen) -> bool:
    """Whether a name that is no thing is said not to have done something."""
    return not _thing(seen) and pattern("arb", _NOT_DONE).match(seen.after) is not None


def _thing(seen: Seen) -> bool:
    """Whether the word is mostly one for a thing or a quality."""
    return of_kind("arb", seen.form, "abstract", "uncalled", "qualities")


def _acts(after: str) -> bool:
    """Whether what follows says what somebody does or is."""
    if any(pattern("arb", verb).match(after) for verb in _ACTS):
        return True
    said = [word.strip("،,.؟?!") for word in after.split()[:2]] if after.startswith(" ") else []
    verb = "".join(said[-1:] if said[:1] == ["ما"] else said[:1])
    stem = pattern("arb", _OBJECT).sub("", verb)
    done = {verb, stem} & past_verbs() or of_kind("arb", verb, "acts")
    return bool(done) or (len(stem) > 3 and of_kind("arb", stem, "acts"))


@cache
def past_verbs() -> frozenset[str]:
    """Folded verbs of what people did, of a man and of a woman."""
    past: frozenset[str] = words("arb")["past"]
    weak = {f"{verb[:-1]}ت" for verb in past if verb.endswith(("ي", "ا"))}
    return past | {f"{verb}ت" for verb in past} | weak


# The word before a person


def _beside(seen: Seen) -> bool:
    """Whether the words before want a person: somebody's kin, somebody met, told or called."""
    if _pronominal(seen):
        return False
    if seen.clitic:
        return _attached(seen)
    for rule in (_after_kin, _after_title, _after_greeting, _after_preposition, _after_company, _after_start):
        answer = rule(seen)
        if answer is not None:
            return answer
    return _after_verb(seen)


def _pronominal(seen: Seen) -> bool:
    """Whether the name is *on me* or *to us* after this verb."""
    verb = {ALI: _ON_ME, _LINA: _TO_US}.get(seen.form)
    return verb is not None and pattern("arb", verb).fullmatch(seen.last) is not None


def _attached(seen: Seen) -> bool:
    """Whether somebody is given something or called, with a preposition written together with the name."""
    wanted = {"ل": "giving", "ب": "calling"}.get(seen.clitic)
    return wanted is not None and of_kind("arb", seen.last, wanted) and not _possessed(seen)


def _after_kin(seen: Seen) -> bool | None:
    """My brother Karim; None after another word."""
    if not (of_kind("arb", seen.last, "kin") or of_kind("arb", seen.last_two, "kin")):
        return None
    return not of_kind("arb", seen.form, "qualities") and not _possessed(seen)


def _after_title(seen: Seen) -> bool | None:
    """Doctor Karim; None after another word."""
    if not of_kind("arb", seen.last, "titles"):
        return None
    return not _possessed(seen) and not (qualifies(seen) and "يا" not in seen.before.split())


def _after_greeting(seen: Seen) -> bool | None:
    """A greeting and a name at the end; None after another word."""
    return _ends(seen) if of_kind("arb", seen.last, "greetings") else None


def _after_preposition(seen: Seen) -> bool | None:
    """Whether somebody is called on or taken from; None after another word than these prepositions."""
    verb = "".join(seen.before.split()[-2:-1])
    if not verb or seen.last not in (ALI, "من"):
        return None
    if seen.last == ALI:
        return of_kind("arb", verb, "calling")
    return of_kind("arb", verb.removesuffix("ه").removesuffix("ها"), "taking") and not _possessed(seen)


def _after_company(seen: Seen) -> bool | None:
    """With Karim, at Karim's; None after another word."""
    if not of_kind("arb", seen.last.removeprefix("و").removeprefix("ف"), "beside"):
        return None
    return not of_kind("arb", seen.form, "abstract") and not _possessed(seen)


def _after_start(seen: Seen) -> bool | None:
    """A word that opens a clause and a name at the end; None after another word."""
    return _ends(seen) if of_kind("arb", seen.last, "openers") else None


def _after_verb(seen: Seen) -> bool:
    """Whether the verb before is done by the name or to it, as only to people."""
    last = seen.last
    if of_kind("arb", seen.form, "uncalled") and pattern("arb", _GETTING).fullmatch(last):
        return False
    she_did = len(last) > 3 and last[-1] == "ت" and last in past_verbs()
    acting = (
        she_did
        or of_kind("arb", last, "acts")
        or of_kind("arb", seen.last_two, "acts")
        or _WILL.fullmatch(last) is not None
    )
    anybody = of_kind("arb", last, "modals") or last.startswith("عند")
    moving = of_kind("arb", seen.form, "states") and of_kind("arb", last.removesuffix("ت"), "moving")
    return acting and not anybody and not _possessed(seen) and not moving


def _ends(seen: Seen) -> bool:
    """Whether the name ends its clause and is no quality."""
    return not of_kind("arb", seen.form, "qualities") and seen.ends


def _possessed(seen: Seen) -> bool:
    """Whether the word belongs to the next one: *the light of the house*, *the life of my mother*."""
    beside = following(seen.after)
    return of_kind("arb", beside, "kin") or (definite(seen.after) and not of_kind("arb", beside, "ordinals"))


def qualifies(seen: Seen) -> bool:
    """Whether the word says what the titled person is: a happy lady, no Mrs Saida."""
    data = words("arb")
    return seen.form in data["qualities"] and seen.last in data["indefinite"]


def definite(after: str) -> bool:
    """Whether the next word has its article."""
    return pattern("arb", _DEFINITE).match(after) is not None
