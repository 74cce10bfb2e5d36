from decimal import Decimal

import pytest

from agents.detectors.quantity import clock_numbers
from agents.detectors.registry import detector


def _values(language: str, text: str) -> list[object]:
    return [e.value for e in detector(language, "number").detect(text).evidence]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("eng", "Wake me at half past six."),
        ("kor", "여섯 시 반에 깨워 줘."),
        ("ind", "Bangunkan aku jam setengah tujuh."),
        ("ben", "সাড়ে ছয়টায় ডেকো।"),
        ("arb", "أيقظني في السادسة والنصف."),
    ],
)
def test_the_hours_of_a_time_are_no_quantities(language: str, text: str) -> None:
    found = detector(language, "number").detect(text)
    assert (found.label, found.evidence) == ("no", ())


def test_a_quantity_beside_a_time_is_found_alone() -> None:
    assert _values("eng", "Two of us will come at 4:30.") == [Decimal(2)]
    assert _values("kor", "손님 네 분이 아홉 시 반에 오십니다.") == [Decimal(4)]


def test_the_numbers_of_a_time_can_be_asked_for() -> None:
    assert {e.value for e in clock_numbers("kor", "다섯 시는 너무 일러요.")} == {Decimal(5)}
    assert clock_numbers("eng", "Two of us.") == ()


def test_a_half_alone_is_not_known_but_has_its_value() -> None:
    found = detector("eng", "number").detect("Drink half a litre of water.")
    assert found.label is None
    assert Decimal("0.5") in {e.value for e in found.evidence}


def test_a_telephone_number_is_one_number() -> None:
    assert _values("eng", "Ring 555-1234.") == [Decimal(5551234)]


def test_what_is_quoted_is_not_said() -> None:
    assert detector("eng", "apology").detect('He told me, "I am sorry."').label == "no"
    assert detector("eng", "apology").detect('"I am sorry."').label == "yes"
