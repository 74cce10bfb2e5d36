"""Korean questions and negation, by morphology.

Questions: endings that only ask (-습니까, -느냐, -니, -나요, -(으)ㄹ까, -(으)ㄹ래), as in Sohn 1999, ch. 9.
The polite and intimate endings -어요 and -어 ask by intonation alone: with a full stop they state, without
any mark nobody can say. Negation: short (안, 못), long (-지 않다, -지 못하다), prohibitive (-지 말다), and
the negative 아니다 and 없다 (Sohn 1999, ch. 9.6). Set phrases that hold a negative and deny nothing
(할 수 없이, 틀림없이, -뿐만 아니라) are don't know; 없이, "without", denies.
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
_TELLS = re.compile(r"(ᆯ게요?|을게요?|ᆫ다|는다)$")
_ASKING = re.compile(
    r"(?<![가-힣])(왜|얼마(?=예요|에요|야|죠|지|나|입)|어떻게|어느|무슨|몇 시|누구(?=세요|예요|야|죠|십))(?![가-힣]*(든지|든|도))"
)
"""Words that ask; 누구, 뭐, 언제, 어디 and 몇 are also "somebody", "something", "some time"."""
_INDIRECT = re.compile(
    r"(는지|ㄴ지|은지|인지|을지|할지|ㄹ지).*(알고 싶|궁금|여쭤|묻고 싶|알려)|(으면|면) (해요|합니다|하는데|좋겠)"
)
_SET = re.compile(
    r"(할|어쩔) 수 ?없이|틀림 ?없|뿐만? ?아니라|뿐 아니라|문제 ?없|상관 ?없|별말씀|별 ?거 ?아니|다름 ?아니라|밖에|하는 수 ?없이|"
    r"말할 것도 ?없|아닌 게 아니라|끊임 ?없이|쓸데 ?없|어이 ?없|잖아"
)
_NEGATIVE_ADVERBS = ("안", "못")


def open_detector(language: str, name: str) -> Detector:
    """`question` or `negation`."""
    return Rule(name, language, (YES, NO), question if name == "question" else negation)


def question(text: str) -> Finding:
    """Whether `text` asks."""
    marked = asked_by_mark(text)
    if marked is not None:
        return marked
    sentences = analyser().sentences(text)
    if _INDIRECT.search(text) and not _TELLS.search(_last(sentences)):
        return UNKNOWN
    asking = [form for s in sentences for form in _endings(s) if _ASKS.search(form)]
    if asking:
        return Finding(YES, tuple(Evidence(form) for form in asking))
    if _ASKING.search(text) and not ended(text) and not _states(_last(sentences)):
        return Finding(YES, tuple(Evidence(m.group()) for m in _ASKING.finditer(text)))
    return _unmarked(text, sentences)


def _unmarked(text: str, sentences: tuple[Sentence, ...]) -> Finding:
    endings = [form for s in sentences for form in _endings(s)]
    if not endings:
        return UNKNOWN
    if ended(text) or _STATES.search(endings[-1]):
        return Finding(NO)
    return UNKNOWN


def _states(ending: str) -> bool:
    """Whether an ending states beside a word that asks; -세요 asks there."""
    return _STATES.search(ending) is not None and not ending.endswith("세요")


def _last(sentences: tuple[Sentence, ...]) -> str:
    endings = [form for s in sentences for form in _endings(s)]
    return endings[-1] if endings else ""


def _endings(sentence: Sentence) -> list[str]:
    found = [m.form for m in sentence.words if m.tag == "EF"]
    return found or ([sentence.final.form] if sentence.final else [])


def negation(text: str) -> Finding:
    """Whether a clause of `text` is negated."""
    if not letters(text):
        return UNKNOWN
    phrases = list(_SET.finditer(text))
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
        absent = word.form in ("없", "없이") or (word.form == "아니" and word.tag == "VCN")
        if adverb or auxiliary or absent:
            found.append(word.form)
    return found


def _after_ji(before: object) -> bool:
    form = getattr(before, "form", "")
    return form in ("지", "질", "지는", "진", "지도", "를", "도", "는", "ᆯ")
