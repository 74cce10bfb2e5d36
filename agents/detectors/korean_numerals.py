"""Korean numbers in words: native (하나, 둘, 스물) and Sino-Korean (일, 이, 이십), written with a counter.

Most number syllables are also parts of other words (이 사람, 일이 많다, 만약, 오늘), so a numeral counts
where a counter or the end of the word says that it is one. Native numerals go with native counters and
hours, Sino-Korean ones with money, minutes, dates and measures (Sohn 1999, *The Korean Language*, 6.3.2).
A bare 이 or 한 that may be "this" or "about one" is not settled.
"""

from collections.abc import Iterator
from decimal import Decimal

import regex

from agents.detectors.numerals import Atom, Placed, Said, compose

_NATIVE_TENS = {
    "열": 10,
    "스물": 20,
    "스무": 20,
    "서른": 30,
    "마흔": 40,
    "쉰": 50,
    "예순": 60,
    "일흔": 70,
    "여든": 80,
    "아흔": 90,
}
_NATIVE = {
    "하나": 1, "한": 1, "첫": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "넷": 4, "네": 4, "넉": 4,
    "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip
_SINO = {
    "영": 0,
    "공": 0,
    "일": 1,
    "이": 2,
    "삼": 3,
    "사": 4,
    "오": 5,
    "육": 6,
    "륙": 6,
    "칠": 7,
    "팔": 8,
    "구": 9,
}
_SMALL = {"십": 10, "백": 100, "천": 1000}
_BIG = {"만": 10**4, "억": 10**8, "조": 10**12}

_NATIVE_COUNTERS = "개월|개|명|분|시간|시|살|권|병|잔|마리|대|장|벌|켤레|송이|그루|채|번째|번|달|가지|사람|알|그릇|접시|봉지|상자|박스|자루|쌍|곳|군데|줄|조각|판|통|포기|모금|숟갈|숟가락|국자|큰술|꼬집|줌|움큼|바퀴|걸음|밤|끼|배|정거장|식구|남매|형제|자리|자매|해|주일|포|캔|스푼|방울|달치|마디|팀|차례|쪽|페이지|평|부|컵|팩|문제|과목|곡|편|모|단|근|테이블|세트|다발|묶음|블록|정류장|학기|뼘|뿌리|톨|칸|종류|조|돌|타|봉|토막|덩이|덩어리|뭉치|꼬치|대접|되|말|관|가마|가마니|두름|필|척|량|석|회|마당|꼭지|문장|단어|글자|줄기|가닥|움큼|스푼|자리|골|승|세대|가구|팔레트|상|접|쾌"
_SINO_COUNTERS = "개월|호실|인실|인용|인승|번방|번 ?국도|번길|학번|호관|층짜리|원|달러|층|년|월|일|분|초|번|세|권|주|회|학년|도|배|킬로|킬로그램|그램|미터|센티|퍼센트|프로|호선|호|인분|점|박|시간|시|리터|주일|명|개|유로|엔|위안|루피아|타카|디나르|리얄|평|인|차|대|장|단계|밀리|번지|쪽|페이지|과|등|급|강|교시|동|세기|칼로리|살|가지|병|팩|킬로미터|센티미터|밀리미터|제곱미터|밀리리터|톤|헥타르|기가|메가|와트|볼트|데시벨|학점|승|패|골|박자|주년|주기|주차|라운드|퍼센트포인트|포인트|프로|행|열|칸|반|미터|백|루피"
_CLOSE = "인실|인용|층|년|월|분|초|번|개월|학년|주일|시간|퍼센트|인분|호선|리터|킬로|킬로그램|원|달러|미터|센티|세기|교시|단계|그램|등"
"""Counters that make a numeral of the one syllable they are written together with."""
_TIED = "개월|개|명|분|시간|시|살|번째|번|달|잔|병|장|권|마리|가지|사람|그릇|알|주일|박스|상자|봉지|군데|켤레|송이|그루|조각|접시|자루|방울|마디|정거장|스푼|숟갈|식구|남매|형제|자매|차례|방울|캔"
"""Counters that are written together with a native numeral."""
_RUN_COUNTERS = "명|개|도|배|세|번지|점|호|쪽|페이지|살|파운드|유로|루피아|타카|강|연승|연패|관왕|인승|부작"
_PARTICLE = r"(?:이나|나|이|가|을|를|은|는|도|만|쯤|씩|과|와|하고|이랑|랑|으로|로|에|의|밖에|부터|까지|짜리|이에요|예요|이야|입니다|이다|입니까|인데|인가요|요|이요|뿐|이고|정도|여|이서|서|째|다|이다|구나|까진|부턴|에선|엔|꺼정|꺼지|까정|까장|부텀|버텀|한테|에서|에다|마다|마저|조차|보다|처럼|같이|더라|더라고요?|였다|라더라|이더라|래도|이라며|에선|에는|에도|까지는|까지만|이면|면|이신데도?|이셔요?|이세요|이시고|이십니다|이시네요?|이라서?|이라고|이라는|이라도|이래요?|래요?|이랍니다|이니까?|이지만|이지요?|이지|이죠|죠|지|이었[가-힣]{0,3}|였[가-힣]{0,3}|이네요?|네요|이구나|이군요?|이거든요?|이며|인가|일까요?|이든|이래|네|잖아[가-힣]*|라더니|이라더니|라니|이라니|라며|이라며|라던데|이라던데|라는데|이라는데|일걸요?|걸요?|거든요?|니까요?|라|라도|라야|란|이란|랬[가-힣]*|이랬[가-힣]*|던데|라서|고|지만|이신|이시래요?|이시라고|인|일)"
_END = rf"(?=(?:{_PARTICLE}{{0,2}})(?![\p{{Hangul}}]))"
_TENS = "|".join(_NATIVE_TENS)
_UNITS = "|".join(sorted(_NATIVE, key=len, reverse=True))
_DIGIT = "[일이삼사오육칠팔구십백천만억]"
_SPELT = "[공영일이삼사오육륙칠팔구]"
_SINO_RUN = r"[영공일이삼사오육륙칠팔구십백천만억조]+"

_NUMERAL = regex.compile(
    rf"""(?<![\p{{Hangul}}\d.,])(?:
      (?P<digits>\d[\d,]*(?:\.\d+)?)\s?(?P<scale>[십백천만억조]+)(?:\s?(?P<more>\d[\d,]*)\s?(?P<more_scale>[십백천만]+)?|\s?(?P<rest>{_SINO_RUN}))?(?=\s?(?:{_SINO_COUNTERS})|{_END})
    | (?P<point>{_SINO_RUN})\s점\s?(?P<decimals>{_SINO_RUN}(?:\s{_SINO_RUN})*)(?=\s?(?:{_SINO_COUNTERS}))
    | (?P<dial>공일[공일육칠팔구][\s-]?(?:에\s)?{_SPELT}{{3,4}}[\s-]?(?:에\s)?{_SPELT}{{4}}|일일[구이](?=(?:에|로)\s|\s(?:신고|전화|불러|구급|번)))
    | (?<=[월달]\s)(?P<day>[일이삼사오육칠팔구])일{_END}
    | (?<=[영일이삼사오육칠팔구]\s대\s)(?P<score>[영일이삼사오육칠팔구]){_END}
    | (?P<native>(?:(?:{_TENS})\s?)?(?:{_UNITS})|{_TENS})\s(?:{_NATIVE_COUNTERS}){_END}
    | (?P<tied>(?:(?:{_TENS})\s?)?(?:{_UNITS})|{_TENS})(?:{_TIED}){_END}
    | (?P<alone>(?:{_TENS})?(?:다섯|여섯|일곱|여덟|아홉)|(?:{_TENS})(?:하나|둘|셋|넷)|(?:스물|서른|마흔|쉰|예순|일흔|여든|아흔)|하나|둘|셋|넷){_END}
    | (?P<sino>{_SINO_RUN}(?:(?<=[만억조])\s{_SINO_RUN}|\s[일이삼사오육칠팔구십백천]*[십백천만]){{0,2}})\s(?:{_SINO_COUNTERS}){_END}
    | (?P<run>{_DIGIT}{{2,}})(?:{_CLOSE}|{_RUN_COUNTERS}){_END}
    | (?P<single>[일이삼사오육칠팔구십백천만])(?:{_CLOSE}){_END}
    | (?P<sino_alone>(?=[일이삼사오육칠팔구]*[십백천만억])[일이삼사오육칠팔구십백천만][일이삼사오육칠팔구십백천만억]+){_END}
    )""",
    regex.X,
)
_NEVER = regex.compile(
    r"이번|이분|쉰(?:다|대|단|데|적)|(?<=몸 ?)둘 바|(?<=몸)둘|오 주(?:여|님)|이 (?:동(?:네|안|생|물|작|료|갑|아리|영상|백)|시(?!까|부|쯤|경|반|정각))|(?<=(?:야|안|뭘|뭐|서|을|를|도|게|은|는|왜|제|로|못|지|잘|면) )하나(?:요|봐요?| ?봐요?| ?보[네다군]\S*)?(?=[?,.]|$)|사원|(?<=(?:여기|거기|저기|에|을|를|로|[아어해여놔겨려]) )두시(?=[고면지는던게죠니기네]|려)|(?<=[을를말일짓] )한 (?:사람|분)|(?<=[가이은는께서] )한 (?:말|대답|문제|편|조|부|과|곡)(?!\p{Hangul}{3})|[한두세네] ?시(?:인(?:이|의|은|을|들|과|도)|민(?:이|의|은|을|들)|누이)|이 ?시간|만원(?= (?:버스|전철|지하철|열차|사례))|[한네] ?쪽|이천(?=(?:까지|에서|으로|에|의|서)(?!\p{Hangul})| (?![영일이삼사오육칠팔구십백천만]+(?!\p{Hangul})|[영일이삼사오육칠팔구십백천만]*(?:원|명|개|년|월|세대|가구|평|미터|킬로|그램|칼로리|호|번|점|표|장|권|대|건|쪽|페이지|달러|루피|엔|밀리|리터|톤|볼트|와트|회|석|여|쯤|정도|줄|주|배|분|자|도(?!자기)|만(?!두)))\p{Hangul})|사천(?=(?:에서|으로|에|성)(?!\p{Hangul})| ?(?:요리|짜장|탕면|탕수육|음식|공항|시내|시청|사는|가는|식))|한번|한동안|한참|한창|한편|하나같이|하나(?= (?:씨|언니|누나|선생님|데리러|데려|엄마|아빠|이모))|한 ?가지(?= 더)|두어|여러|제일"
    r"|한둘|한두|(?:수|몇) ?[십백천만]\w*|몇"
)
"""What counts nothing, or nothing exactly."""
_UNSURE = regex.compile(
    r"(?<!\p{Hangul})(?:[천백열] ?번(?=[ 을은도이][^.?!]{0,24}? ?한 ?번)[^.?!]{0,24}? ?한 ?번|한 ?번(?:의)? (?:실수|뱉은|엎지른|엎질러진|쏟은|해병|떠난|흘러간|가면 그만|사는 인생|뿐인 인생|한 말은)|(?:인생|죽는 건|목숨은|청춘은?) (?:은 |은)?한 ?번|[천백열] ?번,? 만 ?번|세 살 버릇(?:은|이)? ?(?:여든(?:까지)?)?|천 ?리 ?길도?(?: 한 걸음)?|하나를 (?:보면|알면|가르치면|들으면)[^.?!]{0,4} ?열(?:을|은)?|하나(?:만)? 알고 둘|열 ?손가락|두 ?마리 토끼|둘도 없|하나부터 열까지|(?:만의|만에|천에) 하나|한 귀로[^.?!]*|한 ?(?:입|말)(?:으로|로)? 두 ?말|두 ?말(?=할|하면|없|않| 말| 할| 필요| 없| 않)|세 ?치 혀|두 ?다리 (?:쭉|뻗)|한 ?우물|한 ?배를? (?:탔|탄|타)|한술 더|두 ?눈 (?:뜨고|부릅|시퍼)|열 번 찍|백 ?번 (?:듣|찍|양보|옳|맞|잘)|(?:백|천) ?마디 ?말|(?:열|천) ?길 물속|십 ?년이면 강산|십 ?년 감수|오만 ?가지|두 ?팔 (?:걷|벌)|두 ?손 (?:들|모|두 발|놓)|두 ?발 (?:뻗|벗)|한 ?발 (?:앞|물러|늦|뒤)|한 ?푼|한 ?마디도|한 ?턱|한 ?몫|한 ?눈(?: 팔| 판|에)|한 ?치 앞|입이 열 개|열 개라도 할 말|한 ?다리 건너|열에 (?:아홉|여덟)|콩 한 ?쪽|두 ?번 다시|네 ?발로|네 ?박자|세 ?박자|한 ?입만|한 ?(?:명|개|번|방울|사람|군데|대|장|마리|분|가지|톨|알)도(?= (?:안|못|없|빠|남|\p{Hangul}+지))|(?:술|소주|맥주|커피|차) 한 ?잔(?= ?(?:하|어때|할|해|합|살))|한잔(?= ?(?:하|할|해|했))|백 ?(?:프로|퍼센트)(?= (?:확실|맞|장담|진짜|동의|공감|이해|내 |네 )))"
    r"|(?<!\p{Hangul})(?:반의 ?반|네 (?:말|편|자리|차례|팀|문제|조|글자|방|단어|돌)(?=[이가은는을를도만에의]?(?!\p{Hangul}))|[이삼사오육칠팔구십백천]+ ?분의 ?[일이삼사오육칠팔구십]+|(한 ?\p{Hangul}{1,2}) ?\1(?!\p{Hangul}{3})|(?:백|천|만) ?번(?! ?(?:째|버스|문제|출구|채널|까지|답|길|도로|국도))|오십 ?보 ?백 ?보|한 ?지붕 (?:두|세|네)|두 ?(?:얼굴의|집 살림|마음|주먹 불끈|볼이 (?:미어|발그)|다리 뻗|귀를 의심|눈이 휘둥|눈을 의심)|세 ?치 혀|(?:둘|셋|넷)이 먹다(?:가)? (?:하나|둘|셋)(?:이|가)? (?:죽|가)\S*|하나 ?(?:같이|되어|되는|된)|하나만 낳|천 ?냥 ?빚|말 ?한 ?마디로 천 ?냥|십 ?년 묵은|십 ?년은 (?:늙|젊)|십 ?년 ?지기|(?:백|천)만 ?(?:불짜리|년 만|년만|대군)|(?:천|만) ?(?:년 만 ?년|년만년)|만만의|제 ?(?:이|삼|2|3)의|제 ?(?:삼|3)자|(?:백|구십구|백이십) ?(?:프로|퍼센트)(?! ?(?:할인|세일|충전|인상|올|떨|감소|증가))|일 ?퍼센트도|일 ?프로도|일 ?도 ?(?:없|모르|관심)|열 ?(?:일 ?제|번 죽|손가락|사람이 지켜|여자 마다|길)|열두 ?(?:번도 더|제자|폭 치마)|일 ?년 열두 ?달|스물네 ?시간 내내|십팔 ?번(?=[이은을]|인| 노래|$)|한 ?(?:치의|획을|숨도|통속|솥밥|배를|식구나|뜻으로|목소리로|마음으로|데 모|자리에|걸음에 달|방에|큐에|물간|수 위|풀 꺾|시름|가닥 하|고비|다리 걸|시도)|세 ?(?:손가락 안|끼 밥보다))"
    r"|삼겹살|오겹살|구구단|삼각|사각|오각형|육각|팔각|삼거리|사거리|오거리|사계절|사물놀이|오곡|오장육부|오감|육감|칠석|칠순|팔순|구순|육순|백일 ?(?:잔치|사진|떡|파티|상|반지|기도|기념)|삼일절|삼시 ?세 ?끼|사시사철|닷새|엿새|(?<!\p{Hangul})(?:이레|여드레|아흐레|열흘|보름|초하루|초이틀|초사흘)(?!\p{Hangul}{3})|스무고개|스무 ?고개|삼박자|오지선다|사지선다|이중|삼중|이인자|일인자|이판사판|사사건건|일언반구|일확천금|일망타진|일대일|일당백|이인삼각|삼위일체|삼총사|삼형제|사형제|오형제|오남매|칠남매|팔남매|삼남매|사남매|육남매|사인방|칠공주|팔도강산|팔자(?=[가는를 ]|소관|도)|팔불출|팔등신|구미호|구만리|구절판|구중궁궐|십자가|십자수|십계명|십이지|십대 소|백년가약|백년대계|백발|백전노장|백배 ?사죄|천년만년|천신만고|천생연분|천리안|천리 ?길|만리장성|만병통치|만능|만점|만물상|만수무강|억만장자|억만금|삼천포|삼천리|팔만대장경|육이오|오일팔|사일구|삼팔선|육삼빌딩|이류|삼류|일순위|영순위|네잎 ?클로버|네 ?잎 ?클로버|세발자전거|두발자전거|네발자전거|구공탄|세쌍둥이|네쌍둥이|삼색|오색|칠색|이단 ?옆차기|백팔번뇌|백팔배"
    r"|작심삼일|삼삼오오|사방팔방|팔방미인|칠전팔기|오리무중|십시일반|백발백중|백전백승|천편일률|만사형통|일거양득|일석이조|일편단심|이심전심|이열치열|이구동성|삼고초려|사통팔달|구구절절|십년감수|십인십색|각인각색|백해무익|백년해로|백년 ?손님|백문이|천고마비|천군만마|천방지축|만장일치|일사천리|일취월장|일심동체|사면초가|오만 정|육하원칙|백지장도|가지가지"
    r"|(?<!\p{Hangul})(?:(?:두세(?!요)|서너|너댓|네댓|네다섯|네대여섯|대여섯|예닐곱|일고여덟|엳아홉|여남은)(?! ?시(?! ?간))|(?:이삼|삼사|사오|오륙|육칠|칠팔|팔구)(?=(?:십|백|천|만|억)? ?(?:일|년|명|개월|개|분|주|번|킬로|원|층|세|미터|인분|회)(?!\p{Hangul}{3})))"
    r"|(?<!\p{Hangul})(?:절반|반값|반년|반나절|반쪽|반반|반은 \S+ 반은|반토막|반 ?평생|반세기|반달치)(?!\p{Hangul}{4})|(?<!(?:우리|저희|같은|무슨|어느|몇|옆|다른|너희|\d|[일이삼사오육칠팔구십한두세네섯곱덟홉열]|시|님|의|윗|아랫) ?)(?<!\p{Hangul})반(?:으로|만|씩|쯤|만큼|밖에|이나|이라도|도)(?!\p{Hangul})|\p{Hangul} 반 \p{Hangul}+ 반(?!\p{Hangul})"
    r"|(?<!\p{Hangul})\p{Hangul}{1,4} ?(?:시간|년|달|개월|배|주|개|컵|잔|봉지|숟갈|스푼|근) 반(?:이나|은|을|동안|쯤|정도|만|도|이면|이)?(?!\p{Hangul})"
    r"|하나도|어느 한|(?<!\p{Hangul})한 사람이|(?<![\p{Hangul}\d])이 (?:분|번|년|달|주일|층|개|대|장|병|과|동(?!네|안|생|물|작|료|갑|아리|영상|백| ?[\d영공일이삼사오육칠팔구십백천만]+ ?호)|배|일)(?!\d|장|간|대|절|기)"
    r"|첫(?! ?번째|눈|사랑|인상|차|돌|마디|걸음|발|날밤|단추|맛)|(?<!시 )반 ?(?:통|개|판|마리|병|근|잔|컵|그릇|모|단|쪽)(?!\p{Hangul}{2})"
    r"|(?<=\p{Hangul} )(?<!(?:우리|저희|같은|무슨|어느|몇|옆|다른|너희|그|이|저) )반(?:은|을|이)(?= (?:내가|네가|니가|제가|누가|엄마|아빠|동생|형|언니|먹|남|버|썼|떼|덜|나눠|줬|주[고었]|날|없어|비었|잘라|냉동|너 |네 |내 ))|이틀|사흘|나흘|천만에|(?<!\p{Hangul})[백천만] ?번(?= (?:말|양보|들|생각|죽|고마|잘|이야기|얘기|타일|미안))|일석이조|십중팔구|칠전팔기|구사일생|천차만별|천만다행|만에 하나|오십보|두 손 (?:들|두 발)|한 시간 반(?!\p{Hangul}{2})"
)
"""What may be a number and may not, and halves."""
_WORDS = regex.compile(
    r"(?<!\p{Hangul})(?:만일|일이|이것|이일|사이|이사|오이|구이|사구|이사오|오일|만사|조사|일조|천사|백일몽|이만|오만하|일일이|사사|사오|구사|만나|만이|일만|일도|일은|일을|일과|일만|천만에|이천시|조만|십일조|이오|구조|공사|일사|사조|이조|육이오|공이|공일)(?=\P{Hangul}|이|을|은|가|를|는|도|에|네|래|라|야|지|죠|고|니|던|거|란|랬|다|였|처|보|까|더|같|한)"
)


def said(text: str) -> Iterator[Said]:
    """The numbers said in words, or in digits with a scale word; plain digits are left to the caller."""
    hidden = [m.span() for m in _UNSURE.finditer(text)]
    for match in _NUMERAL.finditer(text):
        at = match.start()
        unsettled = any(start <= at < end for start, end in hidden)
        if not (unsettled or _NEVER.match(text, at) or _vague(text, at) or _other_word(text, match)):
            yield from _values(match)


def unsure(text: str) -> list[str]:
    """What may be a number and may not."""
    return [m.group() for m in _UNSURE.finditer(text)]


def _vague(text: str, start: int) -> bool:
    """Whether "some" or "several" stands before (몇 십, 수 천), or it is one of many (셋 중 하나)."""
    before = text[:start].rstrip()
    one_of = before.endswith((" 중", " 중에", " 중의", " 가운데")) and text.startswith(("하나", "한 "), start)
    return one_of or before.endswith(("몇", "수"))


def _other_word(text: str, match: "regex.Match[str]") -> bool:
    return match["sino_alone"] is not None and _WORDS.match(text, match.start()) is not None


def _values(match: "regex.Match[str]") -> Iterator[Said]:
    start = match.start()
    if match["dial"]:
        digits = "".join(str(_SINO[char]) for char in match["dial"] if char in _SINO)
        yield Said(Decimal(digits), start, match.end("dial"))
        return
    if match["digits"]:
        parts = [*_digits(match["digits"]), *_sino(match["scale"])]
        parts += _digits(match["more"] or "") + _sino((match["more_scale"] or "") + (match["rest"] or ""))
        end = max(match.end(name) for name in ("scale", "more", "more_scale", "rest"))
    elif match["point"]:
        parts = [*_sino(match["point"]), Atom("point"), *_sino(match["decimals"])]
        end = match.end("decimals")
    else:
        name = next(
            n
            for n in ("native", "tied", "alone", "sino", "run", "single", "sino_alone", "day", "score")
            if match[n]
        )
        run = match[name]
        if name == "sino_alone" and run.endswith("일이"):
            run = run[:-2]  # the day of a date as a subject: 십육일이 is 16
        parts = _native(run) if name in ("native", "tied", "alone") else _sino(run)
        end = start + len(run) if name == "sino_alone" else match.end(name)
    values = list(compose([Placed((part,), start, end) for part in parts]))
    if match["sino_alone"] and len(values) == 2 and match["sino_alone"].endswith("일"):
        values.pop()  # the day of a date: 십오일 is 15
    for value in values:
        yield Said(value.value, start, end)


def _digits(run: str) -> list[Atom]:
    return [Atom("unit", Decimal(run.replace(",", "")))] if run else []


def _native(run: str) -> list[Atom]:
    tens = next((t for t in _NATIVE_TENS if run.startswith(t)), "")
    unit = run[len(tens) :].strip()
    value = _NATIVE_TENS.get(tens, 0) + _NATIVE.get(unit, 0)
    return [Atom("unit", Decimal(value))]


def _sino(run: str) -> list[Atom]:
    found = []
    for char in run:
        if char in _SINO:
            found.append(Atom("unit", Decimal(_SINO[char])))
        elif char in _SMALL:
            found.append(Atom("small", Decimal(_SMALL[char])))
        elif char in _BIG:
            found.append(Atom("big", Decimal(_BIG[char])))
    return found
