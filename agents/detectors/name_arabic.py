"""What makes an Arabic word a name: how it is written, what stands before it, what follows it.

It reads one folded word in its sentence (`Seen`) and fills the protocol `name_uncased.Script`. It must not
become a list of words, which are in `name.toml` and `name_uncased.toml`, nor a parser: every rule looks at a
few words beside the name, and a name that is also a word is none until one of them says so.
"""

from collections.abc import Iterator
from functools import cache

import regex

from agents.detectors.name_table import known_names, persons, places, spellings
from agents.detectors.name_words import Seen, pattern, words
from sim.core.text import fold

JOINTS: tuple[str, ...] = (" ",)
"""What stands between two names of one text that go together."""
_PUNCTUATION = "،,.؟?!"
_ALI, _LINA = "علي", "لينا"
"""Names that are also *on me* and *to us*."""
_AGE = "عمر"
"""Omar, and the age of one's kin."""
_WHEN = "شوكت"
"""Shawkat, and Iraqi *when*."""

_PAUSE = regex.compile(r"(?:\A|[،,.؟?!:؛…] ?)\Z")
"""The start of a clause."""
_SHADDA = regex.compile("ي[\u0651\u064e]")
"""A doubled or vowelled yeh: *on me* rather than Ali."""
_SURELY_NAMED = regex.compile(r"اسم(?:ي|ه|ها|ك) \Z")
"""*My name is*, *his name is*."""
_COMPOUND = regex.compile(r"عبد|ابن |ابو ")
"""The beginning of a name of two words."""
_DEFINITE = r" (?!{articleless}(?!\p{L}))ال\p{L}"
"""A word with its article, after a word that may belong to it."""
_NAMELESS = r"{nameless_beginnings}|.{2,}{nameless_endings}\Z"
"""A word that names nobody, where it is unknown."""

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
what she did not do; what she or he got;
whom one waits for or needs."""
_ACTING = r"{doing}\p{L}{2,}"
"""A verb of what a titled person does or will do: nobody is called so."""
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


# How a name is written


def forms(word: str) -> Iterator[tuple[int, str]]:
    """The word, and without what is written together with it, each with where it starts."""
    yield 0, word
    for clitic in _clitics():
        form = word.removeprefix(clitic)
        if form != word and len(form) > 2 and (form in places("arb") or _carries(clitic, form)):
            yield len(clitic), form
    if word.startswith("لل") and len(word) > 4:
        yield 1, f"ال{word[2:]}"


@cache
def _clitics() -> tuple[str, ...]:
    """What is written together with a name, the shortest first."""
    return tuple(sorted(words("arb")["clitics"], key=len))


def _carries(clitic: str, form: str) -> bool:
    """Whether the clitic is written together with a person's name: not *at*, *like*; *so* with a long one."""
    return clitic in words("arb")["personal_clitics"] or (clitic == "ف" and len(form) > 4)


def bare(word: str) -> str:
    """The word itself: nothing is written after a name."""
    return word


def shown(form: str, word: str) -> str:
    """The letters of the word that are the name: after *to* the article has no alef."""
    return form if word.endswith(form) else form[1:]


def coupled(form: str, word: str) -> bool:
    """Whether the name is written together with *and*."""
    return word == f"و{form}"


def spelled_so(form: str, written: str) -> bool:
    """Whether the letters that folding merges are the name's: مني is not منى, أنا not آنا."""
    if form in words("arb")["long"] and "آ" not in written:
        return False
    if form == _ALI and _SHADDA.search(written):
        return False
    last = _last_letters().get(form)
    return last is None or written[-1:] not in "يى" or written[-1:] in last


@cache
def _last_letters() -> dict[str, str]:
    """Folded names on *yeh* → the letters of the table they end in: with or without its dots."""
    found: dict[str, str] = {}
    for form in spellings("arb"):
        if form.endswith(("ي", "ى")):
            found[fold(form)] = found.get(fold(form), "") + form[-1]
    return found


def joins(form: str, word: str, joint: str) -> bool:
    """Whether a name that is also a word is one after a name: not a quality without *and*, not *always*."""
    return word != form or not _is(form, "qualities", "unjoined")


# A word that a title or a call introduces


def nameable(seen: Seen) -> bool:
    """Whether a word after a title or a call can be a name."""
    data, known = words("arb"), seen.word in known_names("arb")
    if _names_nobody(seen):
        return False
    if _COMPOUND.match(seen.word):
        return True
    if seen.word in _verbs() or (seen.word in data["acts"] and not known):
        return False
    return (known and seen.word not in data["homographs"]) or _introduced(seen, known)


def _names_nobody(seen: Seen) -> bool:
    """Whether the word is a title, kin, a verb or the beginning of a saying."""
    data = words("arb")
    return (
        any(seen.word in data[kind] for kind in ("plain", "titles", "kin"))
        or pattern("arb", _ACTING).match(seen.word) is not None
        or f"{seen.word} {_following(seen.after)}" in data["idioms"]
    )


def _introduced(seen: Seen, known: bool) -> bool:
    """Whether the word is a name after this title or call; an unknown one only after sure ones."""
    data = words("arb")
    mother = seen.before.endswith("ام ") and seen.before.strip() != "ام"
    if seen.word.startswith("ال") or (mother and not known):
        return False
    if _qualifies(seen) and "يا " not in seen.before:
        return False
    if seen.before.endswith("يا "):
        return known and not _endearment(seen)
    surely = seen.last in data["surely"] or _SURELY_NAMED.search(seen.before) is not None
    return known or (surely and len(seen.word) > 2 and not pattern("arb", _NAMELESS).match(seen.word))


def _qualifies(seen: Seen) -> bool:
    """Whether the word says what the titled person is: a happy lady, no Mrs Saida."""
    data = words("arb")
    return seen.form in data["qualities"] and seen.last in data["indefinite"]


def _endearment(seen: Seen) -> bool:
    """Whether the called word is said to anybody, or to God, or belongs to the next word."""
    return seen.after.startswith(" يا رب") or _definite(seen.after) or seen.word in words("arb")["endearing"]


# A name that is also a word


def meant(seen: Seen) -> bool:
    """Whether a name that is also a word is meant: a place after a preposition, a person who acts."""
    if _is(seen.form, "surnames") or (seen.form == _WHEN and _asks_when(seen)):
        return False
    if _is(seen.form, "bound"):
        return not _bound(seen)
    if seen.form not in places("arb"):
        return _person(seen)
    return _placed(seen) or (seen.form in persons("arb") and _person(seen))


def _bound(seen: Seen) -> bool:
    """Whether the word belongs to the next one or does something to it: *measure the room*, *God's refuge*."""
    following = _following(seen.after)
    definite = _definite(seen.after) or following == "الله"
    return definite and not _is(following, "ordinals") and following not in known_names("arb")


def _asks_when(seen: Seen) -> bool:
    """Whether the time of something is asked for: no kin or title before, no verb of the past after."""
    if _is(seen.last, "kin", "titles", "beside"):
        return False
    return "؟" in seen.after or "?" in seen.after or _following(seen.after) not in _verbs()


def _person(seen: Seen) -> bool:
    """Whether somebody is meant: called, doing something, or beside a word that wants a person."""
    opening = _PAUSE.search(seen.before) is not None
    if opening and _called(seen):
        return True
    if seen.form == _LINA and not seen.clitic:
        return not _pronominal(seen)
    if _second_of_two(seen):
        return True
    if (opening or _after_opener(seen)) and seen.clitic in ("", "و", "ف"):
        return _acts(seen.after) or (opening and (_kindred(seen) or _undone(seen)))
    return len(seen.form) > 2 and _beside(seen)


def _called(seen: Seen) -> bool:
    """Whether the name at the start of a clause calls somebody."""
    bidden = pattern("arb", _CALLED).match(seen.after) or pattern("arb", _TO_HER).match(seen.after)
    return bidden is not None or (_CALLING.match(seen.after) is not None and _calls(seen))


def _calls(seen: Seen) -> bool:
    """Whether a name alone before a comma calls somebody: not a quality or a greeting."""
    wordy = _is(seen.form, "qualities", "greetings", "endearing", "uncalled")
    return not seen.clitic and (not wordy or seen.form == _ALI)


def _second_of_two(seen: Seen) -> bool:
    """Whether the name stands after another that is also a word and *and*, before what two do together."""
    after_name = seen.clitic == "و" and seen.last in words("arb")["homographs"]
    return after_name and pattern("arb", _PLURAL).match(seen.after) is not None


def _after_opener(seen: Seen) -> bool:
    """Whether kin or a word that opens a clause stands before."""
    return _is(seen.last, "kin", "openers") or _is(seen.last_two, "kin")


def _kindred(seen: Seen) -> bool:
    """Whether somebody's kin follows a name that is no thing one's kin has: age, hope, life."""
    return seen.form != _AGE and not _thing(seen) and _is(_following(seen.after), "kin")


def _undone(seen: Seen) -> bool:
    """Whether a name that is no thing is said not to have done something."""
    return not _thing(seen) and pattern("arb", _NOT_DONE).match(seen.after) is not None


def _thing(seen: Seen) -> bool:
    """Whether the word is mostly one for a thing or a quality."""
    return _is(seen.form, "abstract", "uncalled", "qualities")


def _acts(after: str) -> bool:
    """Whether what follows says what somebody does or is."""
    if any(pattern("arb", verb).match(after) for verb in _ACTS):
        return True
    said = [word.strip(_PUNCTUATION) for word in after.split()[:2]] if after.startswith(" ") else []
    following = "".join(said[-1:] if said[:1] == ["ما"] else said[:1])
    stem = pattern("arb", _OBJECT).sub("", following)
    done = {following, stem} & _verbs() or _is(following, "acts")
    return bool(done) or (len(stem) > 3 and _is(stem, "acts"))


@cache
def _verbs() -> frozenset[str]:
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
    verb = {_ALI: _ON_ME, _LINA: _TO_US}.get(seen.form)
    return verb is not None and pattern("arb", verb).fullmatch(seen.last) is not None


def _attached(seen: Seen) -> bool:
    """Whether somebody is given something or called, with a preposition written together with the name."""
    wanted = {"ل": "giving", "ب": "calling"}.get(seen.clitic)
    return wanted is not None and _is(seen.last, wanted) and not _possessed(seen)


def _after_kin(seen: Seen) -> bool | None:
    """My brother Karim; None after another word."""
    if not (_is(seen.last, "kin") or _is(seen.last_two, "kin")):
        return None
    return not _is(seen.form, "qualities") and not _possessed(seen)


def _after_title(seen: Seen) -> bool | None:
    """Doctor Karim; None after another word."""
    if not _is(seen.last, "titles"):
        return None
    return not _possessed(seen) and not (_qualifies(seen) and "يا" not in seen.before.split())


def _after_greeting(seen: Seen) -> bool | None:
    """A greeting and a name at the end; None after another word."""
    return _ends(seen) if _is(seen.last, "greetings") else None


def _after_preposition(seen: Seen) -> bool | None:
    """Whether somebody is called on or taken from; None after another word than these prepositions."""
    verb = "".join(seen.before.split()[-2:-1])
    if not verb or seen.last not in (_ALI, "من"):
        return None
    if seen.last == _ALI:
        return _is(verb, "calling")
    return _is(verb.removesuffix("ه").removesuffix("ها"), "taking") and not _possessed(seen)


def _after_company(seen: Seen) -> bool | None:
    """With Karim, at Karim's; None after another word."""
    if not _is(seen.last.removeprefix("و").removeprefix("ف"), "beside"):
        return None
    return not _is(seen.form, "abstract") and not _possessed(seen)


def _after_start(seen: Seen) -> bool | None:
    """A word that opens a clause and a name at the end; None after another word."""
    return _ends(seen) if _is(seen.last, "openers") else None


def _after_verb(seen: Seen) -> bool:
    """Whether the verb before is done by the name or to it, as only to people."""
    last = seen.last
    if _is(seen.form, "uncalled") and pattern("arb", _GETTING).fullmatch(last):
        return False
    she_did = len(last) > 3 and last[-1] == "ت" and last in _verbs()
    acting = she_did or _is(last, "acts") or _is(seen.last_two, "acts") or _WILL.fullmatch(last) is not None
    anybody = _is(last, "modals") or last.startswith("عند")
    moving = _is(seen.form, "states") and _is(last.removesuffix("ت"), "moving")
    return acting and not anybody and not _possessed(seen) and not moving


def _ends(seen: Seen) -> bool:
    """Whether the name ends its clause and is no quality."""
    return not _is(seen.form, "qualities") and (not seen.after or seen.after[0] in _PUNCTUATION)


def _possessed(seen: Seen) -> bool:
    """Whether the word belongs to the next one: *the light of the house*, *the life of my mother*."""
    following = _following(seen.after)
    return _is(following, "kin") or (_definite(seen.after) and not _is(following, "ordinals"))


# Places


def _placed(seen: Seen) -> bool:
    """Whether a place stands where one goes to, comes from or is, or what is said is true of a place."""
    data = words("arb")
    noun = seen.form in data["nouns"]
    if noun and {seen.last, seen.last[1:]} & data["weak"]:
        return _settled(seen, 4)
    if noun and seen.clitic in ("ب", "ل", "في"):
        return _from_place(seen) or (_settled(seen, 3) and not _definite(seen.after))
    if _is(seen.last, "choosing") and "".join(seen.before.split()[-2:-1]) in places("arb"):
        return True
    if seen.clitic == "و" and seen.last in places("arb"):
        return seen.last not in data["homographs"] or _is("".join(seen.before.split()[-2:-1]), "prepositions")
    return _after_place_word(seen) or (not noun and _towards(seen)) or _opens_place(seen)


def _settled(seen: Seen, reach: int) -> bool:
    """Whether one of the last words says that somebody lives, works or travels."""
    return bool(set(seen.before.split()[-reach:]) & words("arb")["settled"])


def _from_place(seen: Seen) -> bool:
    """From one place to this one."""
    said = seen.before.split()
    return said[-2:-1] == ["من"] and said[-1] in places("arb")


def _after_place_word(seen: Seen) -> bool:
    """Whether a preposition of place stands before, perhaps with something written together with it."""
    stem = seen.last[1:] if seen.last[:1] in "وبلف" else ""
    return bool({seen.last, stem} & words("arb")["prepositions"])


def _towards(seen: Seen) -> bool:
    """Whether a preposition of place is written together with the name."""
    to_article = seen.word.startswith("لل") and seen.form.startswith("ال")
    return to_article or _is(seen.clitic, "towards")


def _opens_place(seen: Seen) -> bool:
    """Whether the name opens the text, before what is said of places."""
    said = words("arb")["postpositions"]
    return not seen.last and any(seen.after.startswith(f" {word}") for word in said)


# Words


def _is(word: str, *kinds: str) -> bool:
    """Whether the word is one of these kinds."""
    data = words("arb")
    return any(word in data[kind] for kind in kinds)


def _following(after: str) -> str:
    """The next word, empty at the end."""
    return "".join(after.split()[:1]).strip(_PUNCTUATION)


def _definite(after: str) -> bool:
    """Whether the next word has its article."""
    return pattern("arb", _DEFINITE).match(after) is not None
