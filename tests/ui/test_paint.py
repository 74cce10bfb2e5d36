import pytest
from rich.cells import cell_len
from rich.style import Style

from ui.paint import paint
from ui.render import Line, Page, Span, prose
from ui.text import most_cells


def painted(line: Line, width: int) -> list[str]:
    return [s.text for s in paint(line, width, lambda _: Style.null(), Style.null())]


@pytest.mark.parametrize(
    "text", ["plain", "안녕하세요", "আমি বাংলায়", "مرحبا", "[/] [bold [data: /m?s=b-609b-]"]
)
@pytest.mark.parametrize("code", ["eng", "arb"])
def test_a_painted_line_has_exactly_its_width(text: str, code: str) -> None:
    for line in prose(text, Page(24), code=code):
        strip = paint(line, 24, lambda _: Style.null(), Style.null())
        assert strip.cell_length == 24
        assert sum(cell_len(s.text) for s in strip if not s.control) == 24


def test_after_text_of_uncertain_width_the_cursor_is_put_where_it_belongs() -> None:
    text = "বাংলায়"
    segments = painted(Line((Span(text),)), 20)
    assert segments[0] == "\x1b7"
    most = most_cells(text)
    assert segments[-2] == f"\x1b8\x1b[{most}C"
    assert segments[-1] == " " * (20 - most)


def test_text_of_certain_width_needs_no_cursor_movement() -> None:
    assert "\x1b" not in "".join(painted(Line((Span("안녕 ok"),)), 20))


def test_what_does_not_fit_is_cut_with_a_sign() -> None:
    assert painted(Line((Span("abc"), Span("defghij"))), 6)[:2] == ["abc", "de…"]


def test_right_to_left_lines_stand_at_the_right_edge() -> None:
    (line,) = prose("سلام", Page(12), code="arb", lead=Span("→  "))
    assert line.right
    assert "".join(painted(line, 12)) == "     مالس  ←"


def test_what_does_not_fit_is_cut_between_characters_as_readers_count_them() -> None:
    (shown,) = [text for text in painted(Line((Span("👩\u200d👧" * 40),)), 8) if "…" in text]
    assert shown == "👩\u200d👧…"
    (shown,) = [text for text in painted(Line((Span("x" + "ক্ষ" * 40),)), 6) if "…" in text]
    assert shown.endswith("ক্ষ…")
