"""Folding, digits and safe showing, in the scripts of the study."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.core.text import dumps, fold, numbers, visible

ANY_TEXT = st.text(alphabet=st.characters())


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("السَّلامُ عَلَيكُم", "السلام عليكم"),
        ("أحمد إلى الآن", "احمد الى الان"),
        ("مدرسـة", "مدرسه"),
        ("ٱللَّهِ", "الله"),
        ("মূল্য \u09af\u09bc", "মূল্য \u09df"),
        ("উৎসব", "উত্সব"),
        ("ক্\u200dষ", "ক্ষ"),
        ("한국어", "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165"),
        ("STRASSE", "straße"),
        ("১২:৩০", "12:30"),
        ("a \n\t b", "a b"),
    ],
)
def test_spelling_variants_fold_together(left: str, right: str) -> None:
    assert fold(left) == fold(right)


def test_different_words_stay_different() -> None:
    assert fold("তুমি") != fold("তুই")
    assert fold("أنتَ") != fold("أنتم")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,500 won", ["1500"]),
        ("Rp1.500.000,50", ["1500000.50"]),
        ("১,৫০,০০০ টাকা", ["150000"]),
        ("٢٫٥ كيلو", ["2.5"]),
        ("١٬٥٠٠", ["1500"]),
        ("2.5 kg", ["2.5"]),
        ("12:30, 3 days", ["12", "30", "3"]),
        ("3일 동안", ["3"]),
        ("no digits", []),
        ("2026-11-29", ["2026", "11", "29"]),
        ("1 000 000", ["1000000"]),
        ("5 10", ["5", "10"]),
    ],
)
def test_numbers_in_digits_of_any_script(text: str, found: list[str]) -> None:
    assert list(numbers(text)) == [Decimal(value) for value in found]


@given(ANY_TEXT)
def test_nothing_visible_drives_a_terminal_or_reorders_its_neighbours(text: str) -> None:
    shown = visible(text)
    unsafe = {*range(0x20), 0x7F, *range(0x80, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
    assert not unsafe & set(map(ord, shown))
    shown.encode()


@given(ANY_TEXT)
def test_fold_is_stable_and_never_raises(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    list(numbers(text))


@given(ANY_TEXT)
def test_json_gives_back_every_code_point(text: str) -> None:
    line = dumps({"t": text})
    assert json.loads(line) == {"t": text}
    assert len(line.splitlines()) == 1
    line.encode()


def test_scripts_stay_readable_in_json_and_on_screen() -> None:
    text = "السعر 150 দাম 값 👩‍👧 ক্ষ‌"
    assert text in dumps(text)
    assert visible(text) == text


def test_not_a_number_is_not_json() -> None:
    with pytest.raises(ValueError, match="JSON"):
        dumps(float("nan"))
