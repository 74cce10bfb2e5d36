import pytest

from agents.phrases import pattern, plain_words


def found(phrase: str, text: str, **sets: list[str]) -> bool:
    return pattern([phrase], sets).search(plain_words(text)) is not None


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("(only|can only) speak", "I ONLY\u00a0speak, you know", True),
        ("only speak", "only spoken", False),
        ("only speak*", "only speaking", True),
        ("*speak", "bespeak", True),
        ("speak", "bespeak", False),
        ("i (am |)sorry", "i sorry", True),
        ("don't go", "Don’t go!", True),
        ("not … here", "not now and not ever here", True),
        ("not … here", "not here", True),
        ("not … here", "not now. Here", False),
        ("not … here", "not a b c d e f g here", False),
        ("^note", "Note: take it", True),
        ("^note", "a note", False),
        ("ai .", "I am an AI!", True),
        ("ai .", "I am an AI", True),
        ("ai .", "an AI course", False),
        ("이해할 수 없*", "이해할수없어요", True),
        ("أنا هنا", "انا هُنا", True),
        ("ভাষা মডেল*", "ভাষা মডেলের", True),
        ("a.b", "axb", False),
        ("(hear) (* |)thanks", "heartfelt thanks", False),
        ("*(সম্ভব) (না)*", "সম্ভাবনা আছে", False),
        ("(못|안) (가요|와요)", "못가요", True),
        ("tabe mauka", "Tabe', mauka' lewat", True),
    ],
)
def test_phrase_syntax(phrase: str, text: str, expected: bool) -> None:
    assert found(phrase, text) == expected


def test_a_set_stands_for_its_words() -> None:
    assert found("speak {own}", "speak Korean", own=["english", "korean"])
    with pytest.raises(KeyError):
        pattern(["speak {own}"])


@pytest.mark.parametrize("text", ["", "\x00", "\ud800", "((((", "[/]", "a" * 100_000])
def test_any_text_can_be_searched(text: str) -> None:
    assert not found("only … speak*", text)
