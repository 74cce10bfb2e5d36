from collections.abc import Iterator
from decimal import Decimal

import pytest
from num2words import num2words

from agents.detectors.registry import detector

NUMBERS = (*range(2, 130), *range(130, 1200, 7), *range(1200, 10_001, 37), 12_345, 250_000, 3_456_789)
MINUTES = (5, 10, 20, 25)
FRAMES = {
    "eng": ("en", "We need {} boxes."),
    "ind": ("id", "Kami butuh {} kotak."),
    "ben": ("bn", "আমাদের {} টাকা লাগবে।"),
    "arb": ("ar", "نحتاج إلى {} كتاب."),
    "kor": ("ko", "우리는 {} 원이 필요해요."),
}
ARABIC_HOURS = [
    "الواحدة",
    "الثانية",
    "الثالثة",
    "الرابعة",
    "الخامسة",
    "السادسة",
    "السابعة",
    "الثامنة",
    "التاسعة",
    "العاشرة",
]
KOREAN_HOURS = ["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두"]


@pytest.mark.parametrize("language", FRAMES)
def test_cardinals_in_words_are_read(language: str) -> None:
    code, frame = FRAMES[language]
    number = detector(language, "number")
    for value in NUMBERS:
        said = [e.value for e in number.detect(frame.format(num2words(value, lang=code))).evidence]
        assert said == [Decimal(value)]


def test_english_ordinals_are_read() -> None:
    for value in range(3, 2_000, 7):
        text = f"She came {num2words(value, to='ordinal')} in the race."
        said = [e.value for e in detector("eng", "number").detect(text).evidence]
        assert said == [Decimal(value)], text


@pytest.mark.parametrize("language", FRAMES)
def test_clock_times_in_words_are_read_and_count_nothing(language: str) -> None:
    for text, told in TIMES[language]():
        assert [e.value for e in detector(language, "time").detect(text).evidence] == [told], text
        assert detector(language, "number").detect(text).label == "no", text


def _told(hour: int, minutes: int) -> str:
    return f"{(hour - 1) % 12 + 1}:{minutes:02d}"


def _english() -> Iterator[tuple[str, str]]:
    for hour in range(1, 13):
        said = num2words(hour)
        yield f"Let's meet at half past {said}.", _told(hour, 30)
        yield f"It's a quarter to {said} already.", _told(hour - 1, 45)
        yield f"See you at {said} o'clock?", _told(hour, 0)
        yield f"Shall we say {said} thirty?", _told(hour, 30)
        for minutes in MINUTES:
            yield f"By {num2words(minutes)} past {said} they had left.", _told(hour, minutes)
            yield f"We start at {num2words(minutes)} to {said}.", _told(hour - 1, 60 - minutes)


def _indonesian() -> Iterator[tuple[str, str]]:
    for hour in range(1, 13):
        said = num2words(hour, lang="id")
        yield f"Kita ketemu jam {said} ya.", _told(hour, 0)
        yield f"Besok jam setengah {said} pagi.", _told(hour - 1, 30)
        yield f"Sekarang jam {said} seperempat.", _told(hour, 15)
        for minutes in MINUTES:
            spoken = num2words(minutes, lang="id")
            yield f"Kereta berangkat pukul {said} lewat {spoken}.", _told(hour, minutes)
            yield f"Datang jam {said} kurang {spoken}.", _told(hour - 1, 60 - minutes)


def _bengali() -> Iterator[tuple[str, str]]:
    for hour in range(1, 13):
        said = num2words(hour, lang="bn")
        yield f"কাল {said}টায় দেখা হবে।", _told(hour, 0)
        yield f"ডাক্তার সোয়া {said}টায় আসবেন।", _told(hour, 15)
        yield f"আমি পৌনে {said}টায় উঠি।", _told(hour - 1, 45)
        for minutes in MINUTES:
            spoken = num2words(minutes, lang="bn")
            yield f"{said}টা {spoken} মিনিটে মিটিং আছে।", _told(hour, minutes)
            yield f"{said}টা বাজতে {spoken} মিনিটে ট্রেন ছাড়ে।", _told(hour - 1, 60 - minutes)


def _arabic() -> Iterator[tuple[str, str]]:
    for hour, said in enumerate(ARABIC_HOURS, 1):
        yield f"نلتقي الساعة {said} أمام المسجد.", _told(hour, 0)
        for words, minutes in (("النصف", 30), ("الربع", 15), ("ثلث", 20), ("عشر دقائق", 10), ("خمسة", 5)):
            yield f"وصل القطار في الساعة {said} و{words}", _told(hour, minutes)
        for words, minutes in (("ربعا", 45), ("ثلثا", 40), ("عشر دقائق", 50)):
            yield f"أراك الساعة {said} إلا {words}.", _told(hour - 1, minutes)


def _korean() -> Iterator[tuple[str, str]]:
    for hour, said in enumerate(KOREAN_HOURS, 1):
        yield f"{said} 시에 만나요.", _told(hour, 0)
        yield f"지금 {said}시 반입니다.", _told(hour, 30)
        for minutes in (1, 7, 10, 12, 35, 59):
            spoken = num2words(minutes, lang="ko")
            yield f"내일 {said}시 {spoken}분까지 오세요.", _told(hour, minutes)
            yield f"{said}시{spoken}분 기차예요.", _told(hour, minutes)


TIMES = {"eng": _english, "ind": _indonesian, "ben": _bengali, "arb": _arabic, "kor": _korean}
