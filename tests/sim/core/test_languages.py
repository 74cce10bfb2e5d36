"""Languages by code; unknown ones are told with what was probably meant."""

import pytest

from sim.core.errors import UsageProblem
from sim.core.languages import language, name_of


def test_any_language_of_the_standard_works() -> None:
    assert language("kor").script == "Hangul"
    assert language("arb").right_to_left
    assert language("swh").name.startswith("Swahili")
    assert language("quz").script is None


@pytest.mark.parametrize(
    ("code", "nearest"),
    [("ko", "kor"), ("korean", "kor"), ("indonesian", "ind"), ("KOR", "kor"), ("xx1", "arb")],
)
def test_an_unknown_code_lists_the_nearest(code: str, nearest: str) -> None:
    with pytest.raises(UsageProblem) as unknown:
        language(code)
    assert any(choice.startswith(nearest) for choice in unknown.value.problems[0].choices)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("ko", "Korean"),
        ("kor_Hang", "Korean"),
        ("ar", "Arabic"),
        ("arz", "Egyptian Arabic"),
        ("id", "Indonesian"),
        ("ms", "Malay"),
        ("el", "Modern Greek"),
        ("sh", "sh"),
        ("[/]", "[/]"),
        ("", ""),
    ],
)
def test_a_detectors_label_is_called_by_its_name(label: str, name: str) -> None:
    assert name_of(label) == name
