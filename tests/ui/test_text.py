import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ui.text import Bidi, graphemes, most_cells, reorder, room, wrap

SAMPLES = [
    "আমি বাংলায় কথা বলি",
    "ٱللَّهِ",
    "السعر 150 دولار (USD)",
    "مرحبا Dr. Kim 안녕",
    "👩\u200d👧 가족이 왔어요",
    "한글" * 30,
]


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("text", SAMPLES)
@pytest.mark.parametrize("width", [8, 20, 21])
def test_wrapping_loses_nothing_and_cuts_no_grapheme(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert squeezed("".join(lines)) == squeezed(text)
    assert [c for line in lines for c in graphemes(line) if not c.isspace()] == [
        c for c in graphemes(text) if not c.isspace()
    ]
    assert all(room(line) <= width for line in lines)


@given(st.text(max_size=60), st.integers(1, 30))
def test_wrapping_any_text(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert squeezed("".join(lines)) == squeezed(text)
    assert all(room(line) <= width or len(graphemes(line)) == 1 for line in lines)


def test_a_bengali_word_has_room_for_both_ways_of_counting() -> None:
    assert cell_len("বাংলায়") == 3
    assert most_cells("বাংলায়") >= 5


def test_right_to_left_lines_are_put_into_visual_order_with_mirrored_brackets() -> None:
    assert reorder("السعر 150 دولار (USD)", right_to_left=True) == "(USD) رالود 150 رعسلا"
    assert reorder("plain 안녕 বাংলা", right_to_left=True) == "plain 안녕 বাংলা"


@pytest.mark.parametrize("text", SAMPLES)
def test_reordering_keeps_every_cluster_whole(text: str) -> None:
    for right_to_left in (True, False):
        shown = reorder(text, right_to_left=right_to_left)
        assert sorted(graphemes(shown)) == sorted(graphemes(text))
        assert not shown or unicodedata.category(shown[0])[0] != "M"


def test_auto_leaves_reordering_to_terminals_that_do_it() -> None:
    assert Bidi.AUTO.active({})
    assert not Bidi.AUTO.active({"VTE_VERSION": "7600"})
    assert Bidi.AUTO.active({"VTE_VERSION": "7600", "TMUX": "x"})
    assert Bidi.ON.active({"MLTERM": "3"})
    assert not Bidi.OFF.active({})
