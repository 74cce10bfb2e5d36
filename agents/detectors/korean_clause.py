"""Korean questions and negation, by morphology.

Questions: endings that only ask (-습니까, -느냐, -니, -나요, -(으)ㄹ까, -(으)ㄹ래), as in Sohn 1999, ch. 9.
The polite and intimate endings -어요 and -어 ask by intonation alone: with a full stop they state, without
any mark nobody can say. Negation: short (안, 못), long (-지 않다, -지 못하다), prohibitive (-지 말다), and
the negative 아니다 and 없다 (Sohn 1999, ch. 9.6). Set phrases that hold a negative and deny nothing
(할 수 없이, 틀림없이, -뿐만 아니라), and a negated question that may be a tag, are don't know.
"""

import re

from agents.detectors.clause import asked_by_mark, ended
from agents.detectors.korean import Sentence, analyser
from agents.detectors.port import NO, UNKNOWN, YES, Detector, Evidence, Finding, Rule
from sim.core.text import letters

_ASKS = re.compile(
    r"(니까|ᆯ까|을까|ᆯ까요|을까요|느냐|으냐|냐|니|나요|ᆫ가요|은가요|는가요|ᆯ래요?|을래요?|던가요)$"
)
_STATES = re.compile(r"(니다|다|라|자|십시오|구나|네요?|ᆯ게요?|을게요?|거든요?|더라|군요|시다|마|세요)$")
_WH = re.compile(r"^(누구|뭐|무엇|언제|어디|왜|얼마|어떻게|몇|무슨|어느)$")
_INDIRECT = re.compile(
    r"(는지|ㄴ지|은지|인지|을지|할지|ㄹ지).*(알고 싶|궁금|여쭤|묻고 싶|알려)|(으면|면) (해요|합니다|하는데|좋겠)"
)
_SET = re.compile(
    r"(할|어쩔) 수 ?없이|틀림 ?없|뿐만? ?아니라|뿐 아니라|문제 ?없|상관 ?없|별말씀|별 ?거 ?아니|다름 ?아니라|밖에|하는 수 ?없이|"
    r"말할 것도 ?없|아닌 게 아니라|끊임 ?없이|쓸데 ?없|어이 ?없|"
    r"지 ?않(아요|아|니|나요|습니까|을까요|았어요|았나요|죠)\?|안 그래요?\?|잖아"
)
_ALREADY_ASKED = re.compile(r"왜|누구|언제|어디|뭐|뭘|무엇|어떻게|누가|몇|모르지")
_NEGATIVE_ADVERBS = ("안", "못")


def open_detector(language: str, name: str) -> Detector:
    """`question` or `negation`."""
    return Rule(name, language, (YES, NO), question if name == "question" else negation)


def question(text: str) -> Finding:
    """Whether `text` asks."""
    marked = asked_by_mark(text)
    if marked is not None:
        return marked
    if _INDIRECT.search(text):
        return UNKNOWN
    sentences = analyser().sentences(text)
    asking = [form for s in sentences for form in _endings(s) if _ASKS.search(form)]
    if asking:
        return Finding(YES, tuple(Evidence(form) for form in asking))
    return _unmarked(text, sentences)


def _unmarked(text: str, sentences: tuple[Sentence, ...]) -> Finding:
    endings = [form for s in sentences for form in _endings(s)]
    if not endings:
        return UNKNOWN
    if ended(text) or _STATES.search(endings[-1]):
        return Finding(NO)
    return UNKNOWN


def _endings(sentence: Sentence) -> list[str]:
    found = [m.form for m in sentence.words if m.tag == "EF"]
    return found or ([sentence.final.form] if sentence.final else [])


def negation(text: str) -> Finding:
    """Whether a clause of `text` is negated."""
    if not letters(text):
        return UNKNOWN
    phrases = list(_SET.finditer(text))
    if phrases and _ALREADY_ASKED.search(text):
        phrases = [m for m in phrases if "않" not in m.group()]
    covered = _SET.sub(" ", text) if phrases else text
    found = [form for s in analyser().sentences(covered) for form in _negatives(s)]
    if found:
        return Finding(YES, tuple(Evidence(form) for form in found))
    return Finding(None, tuple(Evidence(m.group()) for m in phrases)) if phrases else Finding(NO)


def _negatives(sentence: Sentence) -> list[str]:
    words = sentence.words
    found = []
    for before, word in zip((None, *words), words, strict=False):
        adverb = word.tag == "MAG" and word.form in _NEGATIVE_ADVERBS
        auxiliary = word.form in ("않", "못하", "말") and word.tag in ("VX", "VV") and _after_ji(before)
        absent = word.form == "없" or (word.form == "아니" and word.tag == "VCN")
        if adverb or auxiliary or absent:
            found.append(word.form)
    return found


def _after_ji(before: object) -> bool:
    form = getattr(before, "form", "")
    return form in ("지", "질", "지는", "진", "지도", "를", "도", "는", "ᆯ")
