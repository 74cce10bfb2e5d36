"""Korean questions and negation, by morphology.

Questions: endings that only ask (-습니까, -느냐, -니, -나요, -(으)ㄹ까, -(으)ㄹ래), as in Sohn 1999, ch. 9.
The polite and intimate endings -어요 and -어 ask by intonation alone: with a full stop they state, without
any mark nobody can say; -나 and -(으)ㄴ가 without a mark ask. Negation: short (안, 못), long (-지 않다,
-지 못하다), prohibitive (-지 말다), and the negative 아니다 and 없다 (Sohn 1999, ch. 9.6). Set phrases that
hold a negative and deny nothing (할 수 없이, 틀림없이, -뿐만 아니라), an exclaiming 아니 and the inviting
-지 않을래 are don't know; 없이, "without", and 말고 after a noun deny.
"""

import re

from agents.detectors.clause import asked_by_mark, ended
from agents.detectors.korean import Morpheme, Sentence, analyser, standard
from agents.detectors.port import NO, UNKNOWN, YES, Detector, Evidence, Finding, Rule
from sim.core.text import letters

_ASKS = re.compile(
    r"([습ᆸ]니까|ᆯ까|을까|ᆯ까요|을까요|느냐|으냐|냐|니|나요|ᆫ가요|은가요|는가요|ᆯ래요?|을래요?|던가요)$"
)
_WONDERS = re.compile(r"^(나|ᆫ가|은가|는가|던가)$")
"""Endings that ask, be it oneself; with a full stop they muse."""
_STATES = re.compile(
    r"(니다|다|라|자|십시오|ᆸ시오|구나|네요?|ᆯ게요?|을게요?|거든요?|[다라]니까요?|더라|군요|시다|마|세요)$"
)
_TELLS = re.compile(r"(ᆯ게요?|을게요?|ᆫ다|는다)$")
_ASKING = re.compile(
    r"(?<![가-힣])(?:뭐|뭔|무엇|어디|언제|누구|몇 ?[시살명개층번분])(?:예요|에요|이에요|이야|야|죠|니|냐|지|임|인지요|래|인가|이?세요|이셔요)(?=요?\s*$)|"
    r"(?<![가-힣])(?:뭐가 [가-힣]{1,5}(?:야|예요|이야|이에요)|언제 [가-힣]{1,4}|누구 (?:거|것)(?:야|예요|이야|죠|지))(?=\s*$)|"
    r"^(?:야 )?(?:너|넌|니|너는|너희|너네|당신|자네)(?:도|들)? (?:[가-힣]+ ){0,4}(?:누구|누가|뭐|뭘|어디|언제|몇)(?![가-힣]*(?:든지|든|도)(?![가-힣]))|"
    r"(?<![가-힣])(?:뭐|뭣|뭘) (?:해|하고 있어|하는 중이야|하는 거야|하고 놀아)(?=요?\s*$)|"
    r"(?<![가-힣])(?:몇 ?[가-힣]{1,3}이나|얼마에)(?![가-힣])|"
    r"(?<![가-힣])(?:어디서|어디까지|언제부터|언제까지|누구한테|누구랑|누구하고)(?![가-힣])(?!.*(?:같아|나 봐|모르|적 있|인지|는지|텐데))|"
    r"(?<![가-힣])(?:어때|어떄|어떠세요|어때요|어떨까)(?![가-힣])|"
    r"(?<![가-힣])(왜|얼마(?=면|예요|에요|야|죠|지|나|입)|어떻게|어느|무슨|몇 시|누구(?=세요|예요|야|죠|십))(?![가-힣]*(든지|든|도))"
)
"""Words that ask; 누구, 뭐, 언제, 어디 and 몇 are also "somebody", "something", "some time"."""
_EXCLAIMS = re.compile(
    r"(?<![가-힣])(어쩌면|어쩜|어찌나|얼마나|이리도|그리도|웬|이게 웬|이럴 수가|세상에)(?![가-힣]).*!\s*$"
)
"""An exclamation in the shape of a question."""
_INDIRECT = re.compile(
    r"(는지|ㄴ지|은지|인지|을지|할지|ㄹ지).*(알고 싶어요|궁금해서|궁금한데|여쭤|묻고 싶)|(으면|면) (해요|합니다|하는데|좋겠)"
)
_DIALECT = re.compile(
    r"[가-힣](?:능교|는교|당가|랑가|습디까|답디까|능가|우꽈|수과|우깡)(?![가-힣])|(?<![가-힣])(?:뭣|뭘|뭐|워디|어디|언제) [가-힣]+겨[\s.…]*$|"
    r"(?<![가-힣])(?:어떡하지|어떡하죠|어쩌지|어쩌죠|어쩐대)(?![가-힣])"
)
"""Dialect endings that only ask, and words that ask oneself."""
_OWN_WILL = re.compile(
    r"(?<![가-힣])(?:나|난|나는|내가|저|전|저는|내는|내사|지는)(?![가-힣]).*래(?![가-힣])|(?<![가-힣])(?:안|못) [가-힣]+래(?:요)? [가-힣]"
)
"""-(으)ㄹ래 of the speaker, or one that a reason follows."""
_OWN_STATE = re.compile(
    r"^(?:나|난|나는|나도|내가|저는|전|저도|제가)(?![가-힣])(?!.*(?:왜|뭐|뭘|뭔|무슨|어디|언제|누구|어떻게))"
    r".*(?:적 ?없어|(?<![가-힣])몰라|모르겠어|(?<![가-힣])(?:안|못) (?:먹어|마셔|해|가|봐|사|타)|[가-힣] (?:거야|거예))요?\s*$"
)
"""What the speaker says of himself: never done, not known, not wanted, intended."""
_CALLED = re.compile(r"[가-힣]!+\s*$|[가-힣]{2,} [가-힣 ,]*[가-힣]\.\s*$")
"""A note or a call without an ending."""
_RAISED_STATE = re.compile(r"(?:주무|계|편찮으|아프|바쁘|건강하|괜찮으)세요\s*$")
"""-세요 of what cannot well be ordered: said or asked."""
_ORDERS = re.compile(
    r"(?:좀 [가-힣 ]{0,12}(?:줘|주라|줘라|다오)|지 ?마(?:라|요)?|말 ?것|할 ?것|금지)[.!…]*\s*$"
)
"""An order or a ban that has no mark and needs none."""
_SET = re.compile(
    r"만 [^.!?]{1,16}(?:게|것이|건) ?아니라|만이? ?아니라|"
    r"(?:장난|보통|예사|이만저만)(?:이|일이)? ?아(?:니(?!라)|닙니다|녜요)|(?:참|참말로|정말|너무|하도|다니) 안됐|말도 ?마(?![가-힣])|말도 마세요|"
    r"(할|어쩔|하는) 수 ?없이|할 것 ?없이 (?:모두|다|전부|누구나)|틀림 ?없|뿐만? ?아니라|뿐 아니라|문제 ?없|상관 ?없|별말씀|별 ?거 ?아니|다름(이|도)? ?아니라|수 ?밖에 ?없|"
    r"말할 것도 ?없|아닌 게 아니라|아니나 다를까|두말 ?없이|끊임 ?없이|쓸데 ?없|어이 ?없|잖아|"
    r"(어김|다름|변함|아낌|빠짐|끝|한|난데|느닷|터무니|어처구니|꾸밈|거침|숨김|서슴|유례|하염|속절|꼼짝|영락|부질|스스럼|거리낌|더없|그지|"
    r"손색|진배|여지|빈틈|허물|밤낮|너나|철|맥|실|뜬금|정신|시도 때도|쉴 새|눈코 뜰 새|둘도|더할 나위|말할 나위도?|두말할 나위도?|두말할 것도?|"
    r"두말할 필요도?|의심할 여지|남김|막힘|스스럼|어쩔 도리|볼품|보잘것|염치|아랑곳|가차|기탄|격의|구김살|후회|더할 수) ?(없이|없는|없습|없다|없어|없네|없었|없었던|없고|없죠|없지|없구|없을)|"
    r"(기|하기) (짝이|그지|이를 데|한이) 없|(분|여부)(가|야) (있|없)|못지 ?않|여간 .{1,14}(?:게|것이|건) ?아니|여간.{0,8}지 않|얼마 (?:안|지나지 않|있지 않)|(머|오래)지 ?않아|(그렇|안 그|그러)(지|래|렇)?\s?않?아도|"
    r"안 그래도|마지(못해| ?않)|아무렇지(도)? ?않|못(생겼|생긴|됐|된|돼|난|내)(?![ ])|못 ?말|고 ?말고|말고 말고|에도 불구|"
    r"지 않(?:을래|으실래|으련|겠니|겠냐|으시겠어요|으시겠습니까|을 수 없|을 수가 없|을 리가? 없|으면 안 ?[되돼됩된될])|(?<![가-힣])(?:안|못) [가-힣]+면 안 ?[되돼됩된될]|아니 ?(글쎄|땐 굴뚝)|"
    r"(?:^|(?<=[.!?…] ))아니(?=[,!…]|\s+(?:이게|이건|벌써|왜|어떻게|무슨|그게|웬|세상에|근데|그런데|뭐|도대체|누가|그래서|진짜|정말|대체|언제|어디))"
)
_OR = re.compile(r"(?<![이가] )(?<![가-힣])아니면")
"""아니면 between two choices: "or"."""
_STOP = re.compile(
    r"(걱정|염려|신경|근심|오해|착각|실망|간섭|참견|거짓말|장난|농담|소리|생각|고민|부담)(을|은|도|일랑|일랑은)? ?(마|말)(세요|셔요|십시오|시오|아요?|라|요|게|고|소)?(?![가-힣])"
)
"""Prohibition of a noun."""
_INSTEAD = re.compile(r"(?<![고을를다거] )(?<![고을를다거])\s?말고(?:[는도요]|서)?(?![가-힣])")
"""말고 after a noun: "not that one"."""
_WITHOUT = re.compile(r"(?<![가-힣])(?:말|소리|예고|이유|대책|소식|연락|눈치|생각)없이")
"""-없이 that the analyser takes for one adverb."""
_NEGATIVE_ADVERBS = ("안", "못")
_INSIDE = (
    "들여다보",
    "뒤지",
    "뛰어다니",
    "돌아다니",
    "들어가",
    "들어오",
    "살피",
    "살펴보",
    "둘러보",
    "보",
    "비추",
)
"""Verbs beside which 안 after a noun is "inside"."""


def open_detector(language: str, name: str) -> Detector:
    """`question` or `negation`."""
    return Rule(name, language, (YES, NO), question if name == "question" else negation)


def question(text: str) -> Finding:
    """Whether `text` asks."""
    marked = asked_by_mark(text)
    if marked is not None:
        return marked
    sentences = analyser().sentences(standard(text))
    if _INDIRECT.search(text) and not _TELLS.search(_last(sentences)):
        return UNKNOWN
    asking = [form for s in sentences for form in _endings(s) if _ASKS.search(form)]
    if _OWN_WILL.search(text):
        asking = [form for form in asking if "래" not in form]
    if asking and _EXCLAIMS.search(text):
        return Finding(NO)
    if asking:
        return Finding(YES, tuple(Evidence(form) for form in asking))
    if _ASKING.search(text) and not ended(text) and not _states(_last(sentences)):
        return Finding(YES, tuple(Evidence(m.group()) for m in _ASKING.finditer(text)))
    if _DIALECT.search(text) and not ended(text):
        return Finding(YES, tuple(Evidence(m.group()) for m in _DIALECT.finditer(text)))
    return _unmarked(text, sentences)


def _unmarked(text: str, sentences: tuple[Sentence, ...]) -> Finding:
    endings = [form for s in sentences for form in _endings(s)]
    if _ORDERS.search(text) or _OWN_STATE.search(text):
        return Finding(NO)
    if not endings:
        return Finding(NO) if _CALLED.search(text) else UNKNOWN
    if not ended(text) and _WONDERS.search(endings[-1]):
        return Finding(YES, (Evidence(endings[-1]),))
    if _RAISED_STATE.search(text):
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
    phrases += _OR.finditer(text)
    covered = _OR.sub(" ", _SET.sub(" ", standard(text)))
    found = [form for s in analyser().sentences(covered) for form in _negatives(s)]
    found += [m.group().strip() for p in (_INSTEAD, _STOP, _WITHOUT) for m in p.finditer(covered)]
    if found:
        return Finding(YES, tuple(Evidence(form) for form in found))
    return Finding(None, tuple(Evidence(m.group()) for m in phrases)) if phrases else Finding(NO)


def _negatives(sentence: Sentence) -> list[str]:
    words = sentence.words
    found = []
    for before, word, after in zip((None, *words), words, (*words[1:], None), strict=False):
        adverb = (word.tag == "MAG" and word.form in _NEGATIVE_ADVERBS) or _not_inside(word, after)
        auxiliary = word.form in ("않", "못하", "말") and word.tag in ("VX", "VV") and _after_ji(before)
        absent = word.form in ("없", "없이") or (word.form == "아니" and word.tag == "VCN")
        if adverb or auxiliary or absent:
            found.append(word.form)
    return found


def _not_inside(word: Morpheme, after: Morpheme | None) -> bool:
    """Whether a 안 that the analyser takes for the noun "inside" stands alone before a verb it denies."""
    if after is None or (word.form, word.tag, after.tag) != ("안", "NNG", "VV"):
        return False
    return after.start > word.end and after.form not in _INSIDE


def _after_ji(before: object) -> bool:
    form = getattr(before, "form", "")
    return form in ("지", "질", "지는", "진", "지도", "를", "도", "는", "ᆯ")
