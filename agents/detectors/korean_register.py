"""Korean speech level and subject honorific.

`level` is the level of the sentence endings: hapsyo (formal polite), haeyo (informal polite), hae
(intimate), haera (plain), as in Sohn 1999, *The Korean Language*, ch. 10.2.3, and the National Institute of
Korean Language's 한국어 어문 규범 on 상대 높임법. The waning hage and hao levels (-게, -는가, -(으)오; any ending beside 자네)
have no label: don't know. A text of several sentences has the level of most of them, none in a tie; a
clause that ends before a comma counts as a sentence. A noun with 요 is haeyo (Sohn 1999, 10.2.3); a text
without ending or 요 has no level.

`honorific` is yes where the prefinal ending -(으)시- or a verb that carries it (계시다, 드시다, 주무시다,
잡수시다, 돌아가시다, 편찮으시다) raises a subject, and no where every predicate, one before a noun too, goes without,
or where a note without any has many words or speaks of the speaker.
"""

import re
from collections import Counter
from collections.abc import Iterator
from unicodedata import normalize

from agents.detectors.korean import Morpheme, Sentence, analyser, standard
from agents.detectors.phrasal import own_words
from agents.detectors.port import NO, UNKNOWN, YES, Detector, Evidence, Finding, Rule

LEVELS = ("hapsyo", "haeyo", "hae", "haera")
"""From the most formal to the plain one."""

_HAPSYO = re.compile(r"(니다|[습ᆸ]니까|[십ᆸ]시오|[십ᆸ]시요|읍시오|읍시다|ᆸ시다|올시다|나이다|소서)$")
_HAERA = re.compile(
    r"(다|느냐|으냐|냐|니|으니|어라|아라|거라|너라|여라|라|으라|자|구나|로구나|렴|으렴|려무나|으마|마|도다|노라|더냐|련다|더라)$"
)
_HAE = re.compile(
    r"(어|아|여|야|지|네|ᆯ게|을게|ㄹ게|ᆯ께|ᆯ래|을래|거든|는데|은데|ᆫ데|군|는군|걸|는걸|ᆯ걸|잖아|던데|(?<!구)나|라고|다고|냐고|자고|다며|다면서|라면서|까|든지|고|니까|으니까|더라고|구만|대|래|거야)$"
)
_HONORIFIC = re.compile(r"^(으시|시|셔|으셔|셨|으셨)$")
_ENDING = re.compile(r"^(으)?(세(?!$)|셔|시|십|셨|신)")
_VERBS = re.compile(
    r"^(계시|드시|주무시|잡수시|돌아가시|편찮으시|자시|드세|오시|가시|보시|하시|나오시|앉으시)$"
)
_HAGE = re.compile(r"(?<![ᆯ을])게$|(ᆫ가|은가|는가|던가|세|(?<!어)오|소|구려|구먼)$")
_FORMAL = re.compile(normalize("NFD", r"ᆸ니까[?!.…~\s]*$"))
_TO_AN_INFERIOR = re.compile(r"자네|여보게|이 사람아")
_POLITE_NOUN = re.compile(r"(?<=[가-힣])(?<!아니)요[.!?…]*$")
_ASIDE = re.compile(r",\s*[\w\s]{1,12}(?=[.!?…]*$)")
"""A vocative after the ending."""
_CLOSES = re.compile(
    r"(니다|[습ᆸ]니까|[어아해여세네예에워와줘돼봐죠]요|죠|[가-힣]지요|[었았했]다|는다|냐|[어아]라|구나|시게|시오|하오|[었았했겠]소|"
    r"[었았했왔갔됐났봤]어|거야|잖아|거든|고마워|미안해|괜찮아|알았어)$"
)
"""Endings that close a clause before a comma."""
_REASON = re.compile(r"(니까|는데|ᆫ데|은데|고|면|서|려고)$")
"""Endings that add to a clause said before."""
_SPOKEN = re.compile(r"(?<=[가-힣])데[?!.…ㅋㅎㅠㅜ~\s]*$")
"""-는데, which the analyser takes for a noun at times."""
_THERE = re.compile(r"계(?:세요|셔|십니|신다)")
"""계시다, which the analyser takes for a noun after some particles."""
_NOMINAL = re.compile(
    r"(?<![가-힣])(?:나|내|저|제)(?:[는도가를]|한테)? |(?:완료|도착|출발|불가|금지|별도|지참|부탁|중|휴무|취소|마감|환영)(?=[.!\s]*$)"
)
"""The speaker, or a noun that ends a note as its predicate."""
_LONG = 6
_PREDICATE = ("VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA")


def open_detector(language: str, name: str) -> Detector:
    """`level` or `honorific`."""
    if name == "level":
        return Rule(name, language, LEVELS, level)
    return Rule(name, language, (YES, NO), honorific)


def level(text: str) -> Finding:
    """The speech level of `text`."""
    said = standard(own_words(text))
    found = [(label, quote) for s in analyser().sentences(said) for label, quote in _levels(s)]
    if not found:
        return UNKNOWN
    (most, number), *rest = Counter(label for label, _ in found).most_common()
    tied = bool(rest) and rest[0][1] == number
    return Finding(None if tied else most, tuple(Evidence(quote, label) for label, quote in found))


def honorific(text: str) -> Finding:
    """Whether a subject is raised in `text`."""
    sentences = analyser().sentences(standard(text))
    raised = [Evidence(m.group()) for s in sentences for m in _THERE.finditer(s.text)]
    raised += [Evidence(m.form) for s in sentences for m in s.words if _raises(m) and not _begins(s, m)]
    if raised:
        return Finding(YES, tuple(raised))
    return Finding(NO) if any(_plain(s) for s in sentences) else UNKNOWN


def _plain(sentence: Sentence) -> bool:
    """Whether a sentence that raises nobody had the occasion: a predicate, the speaker, or many words."""
    predicate = any(m.tag in ("VV", "XSV", "ETN") for m in sentence.words)
    long = len(sentence.text.split()) >= _LONG
    return bool(sentence.final) or predicate or long or _NOMINAL.search(sentence.text) is not None


def _levels(sentence: Sentence) -> Iterator[tuple[str | None, str]]:
    """The level of a sentence: None for one without a label; nothing where there is no ending."""
    if sentence.final is None and (aside := _ASIDE.search(sentence.text)):
        for part in analyser().sentences(sentence.text[: aside.start()]):
            yield from _levels(part)
        return
    before = list(_before_commas(sentence))
    yield from before
    final = sentence.final
    if final is None:
        if _SPOKEN.search(sentence.text):
            yield "hae", sentence.text[-12:]
        elif sentence.words and _POLITE_NOUN.search(sentence.text):
            yield "haeyo", sentence.text[-12:]
        return
    if _asks_formally(sentence.text):
        yield "hapsyo", sentence.text[-12:]
        return
    if before and _REASON.search(final.form) and not _polite(sentence, final):
        return
    label = _level(final.form, _polite(sentence, final))
    if label in ("hae", None) and (_TO_AN_INFERIOR.search(sentence.text) or _HAGE.search(final.form)):
        label = None if not _polite(sentence, final) else label
        yield label, sentence.text[-12:]
    elif label:
        yield label, sentence.text[-12:]


def _asks_formally(text: str) -> bool:
    """Whether `text` ends in -ㅂ니까, which the analyser takes for -(으)니까 after some stems."""
    return _FORMAL.search(normalize("NFD", text)) is not None


def _before_commas(sentence: Sentence) -> Iterator[tuple[str | None, str]]:
    """The levels of clauses that a comma closes, where their ending cannot be a connective one."""
    for part in re.split(r",\s+", sentence.text)[:-1]:
        for clause in analyser().sentences(part):
            final = clause.final
            if final is None or final.tag != "EF":
                continue
            if _CLOSES.search(clause.text):
                yield _level(final.form, _polite(clause, final)), clause.text[-12:]


def _begins(sentence: Sentence, morpheme: Morpheme) -> bool:
    """Whether a 시 begins its word: then it is "sour" and raises nobody."""
    before = sentence.text[: morpheme.start]
    return morpheme.tag == "EP" and (not before or before[-1].isspace())


def _polite(sentence: Sentence, final: Morpheme) -> bool:
    """Whether the particle 요 follows the ending."""
    after = [m for m in sentence.words if m.start >= final.end]
    return any(m.form == "요" for m in after[:1])


def _level(form: str, polite: bool) -> str | None:
    if _HAPSYO.search(form):
        return "hapsyo"
    if polite or form.endswith(("요", "죠")):
        return "haeyo"
    if _HAE.search(form) and not form.endswith(("어라", "아라")):
        return "hae"
    return "haera" if _HAERA.search(form) else None


def _raises(morpheme: Morpheme) -> bool:
    if morpheme.tag == "EP":
        return _HONORIFIC.match(morpheme.form) is not None
    if morpheme.tag == "EF":
        return _ENDING.match(morpheme.form) is not None
    return morpheme.tag in _PREDICATE and _VERBS.match(morpheme.form) is not None
