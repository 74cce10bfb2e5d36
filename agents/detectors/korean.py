"""Korean morphemes, from an analyser that is loaded when the first Korean text is read.

Analyser: kiwipiepy (Kiwi; tags of the Sejong corpus: EF final ending, EP prefinal ending, VV verb …).
It takes about a second and 240 MB, so it is read without its extra dictionaries, once a process, and
never at import. This module turns text into sentences of morphemes and knows no function.

The analyser knows the standard language. `standard` spells endings of the dialects (Gyeongsang -심더,
-노, -데이; Jeolla -당께, -라우; Chungcheong -유, -겨, -디) and of chat (-여, -염, -슴다, -당, -엉) as it
does; sources: Lee & Ramsey 2000, *The Korean Language*, ch. 8.4; 이익섭 2006, 한국어 방언.
"""

import re
from dataclasses import dataclass
from functools import cache, cached_property
from threading import Lock
from typing import Any

import regex

_ENDS = regex.compile(r"(?<=[.!?…~\n])\s+|\n")
_UNREADABLE = regex.compile(r"[[\p{Cs}\p{Cc}\p{Cn}\p{Co}]--[\n]]", regex.V1)
_CODAS = " ᆨᆩᆪᆫᆬᆭᆮᆯᆰᆱᆲᆳᆴᆵᆶᆷᆸᆹᆺᆻᆼᆽᆾᆿᇀᇁᇂ"
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"


def _ending(codas: str) -> str:
    """A class of the syllables that end in one of `codas`."""
    wanted = {_CODAS.index(c) for c in codas}
    return "[" + "".join(chr(0xAC00 + i) for i in range(11172) if i % 28 in wanted) + "]"


def _open(vowels: str) -> str:
    """A class of the syllables that end in one of `vowels`."""
    wanted = {_VOWELS.index(v) for v in vowels}
    return "[" + "".join(chr(0xAC00 + i * 28) for i in range(399) if i % 21 in wanted) + "]"


_FULL = _ending("ᆻᆹᆽᇂᆭ")
_VOWEL = rf"(?:{_open('ㅏㅐㅓㅔㅕㅖㅘㅙㅚㅝㅞ')}|[지고든군걸먼만죠쥬잖])"
_NEVER_YO = r"(?<!뭐)(?<!거)(?<!하)(?<!^대)(?<! 대)(?<!^자)(?<! 자)(?<! 여)(?<!^여)(?<!^서)(?<! 서)"
_RESPELT = tuple(
    (re.compile(rf"{wrong}(?![가-힣])"), right)
    for wrong, right in (
        (r"(?<=[가-힣])잉", ""),
        (r"아(?:입|임)(?:니더|미더)", "아닙니다"),
        (rf"(?<={_ending('ᆸ')})(?:니더|미더|니댜|니돠|니당|니다요|니다만(?=[\s.…~]*$))", "니다"),
        (rf"(?<={_ending('ᆷ')})미더", "니다"),
        (rf"(?<={_ending('ᆸ')})시더", "시다"),
        (rf"(?<={_ending('ᆸ')})니꺼", "니까"),
        (rf"(?<={_ending('ᆻᆹᆭᆽᇂᆨᆸ')})(?:심더|심니더|십니더|심미더|슴다|심다|슴니다|슴미다|슴당|니더)", "습니다"),
        (rf"(?<={_ending('ᆻᆹᆭᆽᇂᆨᆸ')})(?:심꺼|심니꺼|십니꺼|슴까|심까|슴니까|슴미까)", "습니까"),
        (r"(?<=[가-힣])(?:심더|심니더)", "십니다"),
        (r"(?<=[가-힣])(?:심까|심니꺼|심꺼)", "십니까"),
        (rf"(?<={_VOWEL}){_NEVER_YO}(?<!소)(?<!보)(?<!치)(?:유|쥬)", "요"),
        (rf"(?<={_VOWEL}){_NEVER_YO}(?<!참)(?<!급)여", "요"),
        (rf"(?<={_VOWEL}){_NEVER_YO}(?<!명)(?<!연)예", "요"),
        (
            rf"(?<={_VOWEL})(?<!^사)(?<! 사)(?<!^내)(?<! 내)(?<!재사)(?<!^애)(?<! 애)(?:염|욤|용|욥|욧|얌|요오|옄)",
            "요",
        ),
        (rf"(?<={_ending('ᆻᆹ')})(?:슈|우유)", "어요"),
        (rf"(?<={_FULL})(?:져|졍|죵)|(?<=[그하])(?:져|죵)", "죠"),
        (r"(?<=[지어아해라네당게께])라우", "요"),
        (rf"(?<={_ending('ᆻᆹᆫᇂᆭ')})(?:당께|당게|당께로)|다(?:니께|카이|카니까|카니)|당께", "다니까"),
        (r"(?<=[가-힣])(?:랑께|랑게|라니께|라카이)", "라니까"),
        (r"(?:뭐|뭣)여", "뭐야"),
        (r"(?<=[ 거])거여", "거야"),
        (r"(?<=[가-힣])(?:아니여|이여)", "이야"),
        (r"^아니여", "아니야"),
        (rf"(?<={_ending('ᆫᆯ')})(?<!안)(?<!반)(?<!즐)(?<!헌)(?<!튼)겨", " 거야"),
        (r"지롱|지렁", "지"),
        (r"(?<![가-힣])혔어", "했어"),
        (r"몰러", "몰라"),
        (rf"(?<={_ending('ᇂᆭ')})여", "아"),
        (rf"(?<={_ending('ᆻ')})엉", "어"),
        (r"(?<=[싫없있])엉", "어"),
        (r"고팡", "고파"),
        (rf"(?<={_FULL})자나", "잖아"),
        (r"(?<=[하그러되가])자나", "잖아"),
        (rf"(?<={_FULL})제|(?<=[하되])제", "지"),
        (rf"(?<={_ending('ᆫ')})(?<!잔)(?<!캔)(?<!핸)(?<!샌)(?<!랜)(?<!신)디", "데"),
        (r"([가-힣])웡요", r"\1워요"),
        (r"시예", "세요"),
        (r"뭇[나니]", "먹었니"),
        (r"뭐라카노", "뭐라고 하니"),
        (r"(?<=[그이저])카노", "러니"),
        (r"(?:뭐|뭣|뭔)(?:꼬|고|노)(?=[?\s]*$)", "뭐니"),
        (r"누(?:고|꼬)(?=[?\s]*$)", "누구니"),
        (r"(?<=[가-힣])(?<!피아)(?<!메리카)(?<![지치미모분우나])노", "니"),
        (rf"(?<={_ending('ᆸᆻᆹᇂᆭᆨᆶᆯ')})데이", "다"),
        (rf"(?<={_ending('ᆫ')})(?<!인)(?<!선)(?<!먼)(?<!런)데이", "다"),
        (r"(?<=[이가])데이", "다"),
        (r"(?<=[거으그어아하지가보오])(?:래이|라이|그래이)", "라"),
        (r"온나", "와라"),
        (r"(?<=[다라]) ?아이가", "잖아"),
        (rf"(?<={_ending('ᆯ')}) ?(?:끼다|끼데이|기라)", " 거다"),
        (rf"(?<={_ending('ᆻᆹᇂᆭᆫ')})(?<!간)(?<!전)(?<!천)(?<!본)당", "다"),
    )
)
"""Endings, at the end of a word, in the order in which they are looked for."""
_GYEONGSANG = re.compile(
    r"(?<![가-힣])(?:니|느그|와|어데|우째|묵[가-힣]+|뭇나|무웃나|댕기[가-힣]+|그라[가-힣]*|카[더나]|인자|퍼뜩)(?![가-힣])"
)
_ASKS_PLAINLY = re.compile(r"(?<=[가-힣])(?<!온)나(?=[?.!…\s]*$)")
"""The -나 of Gyeongsang, which asks as plainly as the standard -니."""
_PLAIN_M = re.compile(rf"({_ending('ᆷ')})(다|당|까)(?![가-힣])")
_M_VERBS = "감남삼넘참숨심담품뿜머금듬닮젊굶곪옮짊검점"
"""Stems whose own -ㅁ stands before -다."""
_MOST = 4000
"""Characters that are read at once; a turn of talk is far shorter."""


def standard(text: str) -> str:
    """`text` with the endings of dialects and chat in the standard spelling."""
    text = text.replace("읎", "없")
    if _GYEONGSANG.search(text):
        text = _ASKS_PLAINLY.sub("니", text)
    for wrong, right in _RESPELT:
        text = wrong.sub(right, text)
    return _PLAIN_M.sub(_formal, text)


def _formal(match: re.Match[str]) -> str:
    """-ㅂ니다 for the -ㅁ다 of soldiers and chat, unless the -ㅁ is the verb's own."""
    syllable, ending = match.groups()
    if syllable in _M_VERBS:
        return match.group()
    return chr(ord(syllable) + 1) + ("니까" if ending == "까" else "니다")


@dataclass(frozen=True, slots=True)
class Morpheme:
    """One morpheme."""

    form: str
    """As written, in compatibility form; an ending without its stem's fusion."""
    tag: str
    """Sejong tag; irregularity marks left out."""
    start: int
    """Index in the sentence."""
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and its morphemes."""

    text: str
    morphemes: tuple[Morpheme, ...]

    @property
    def words(self) -> tuple[Morpheme, ...]:
        """The morphemes without punctuation and symbols."""
        return tuple(m for m in self.morphemes if not m.tag.startswith(("S", "W")) or m.tag in ("SN", "SL"))

    @property
    def final(self) -> Morpheme | None:
        """The ending the sentence closes with: the last EF, else a connective one left open at the end."""
        words = [m for m in self.words if m.tag != "IC" and m.form != "요"]
        closing = [m for m in words if m.tag == "EF"]
        if closing:
            return closing[-1]
        return words[-1] if words and words[-1].tag == "EC" else None


class Analyser:
    """The analyser, shared by all Korean detectors; safe to call from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        """Held while the analyser is loaded and while it reads."""

    @cached_property
    def _kiwi(self) -> Any:
        from kiwipiepy import Kiwi

        return Kiwi(num_workers=1, load_default_dict=False, load_typo_dict=False, load_multi_dict=False)

    def sentences(self, text: str) -> tuple[Sentence, ...]:
        """The sentences of `text`; none for a text without Hangul or digits."""
        clean = _UNREADABLE.sub(" ", text)[:_MOST]
        parts = [part.strip() for part in _ENDS.split(clean)]
        return tuple(self._sentence(part) for part in parts if regex.search(r"[\p{Hangul}\d]", part))

    def _sentence(self, text: str) -> Sentence:
        """One sentence; a full stop is lent to an open end, which is else taken for a connective."""
        lent = text if regex.search(r"\p{P}\Z", text) else f"{text}."
        with self._lock:
            tokens = self._kiwi.tokenize(lent)
        kept = (t for t in tokens if t.start < len(text))
        return Sentence(
            text,
            tuple(Morpheme(t.form, t.tag.partition("-")[0], t.start, t.start + t.len) for t in kept),
        )


@cache
def analyser() -> Analyser:
    """The process's analyser; it holds nothing until it is first asked."""
    return Analyser()
