import re
from collections.abc import Iterator

import pytest

from agents.judges.forms import FormError, Text, compile_form
from sim.core.values import Pattern
from tests.scenarios.parts import GUIDE


def code_spans(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def form_rows() -> Iterator[tuple[str, list[str], list[str]]]:
    table = GUIDE.read_text(encoding="utf-8").split("| form | finds | does not find |\n")[1].split("\n\n")[0]
    for row in table.splitlines()[1:]:
        form, finds, misses = (code_spans(cell) for cell in row.strip("|").split("|"))
        yield form[0].strip('"'), finds, misses


def refused() -> list[str]:
    part = GUIDE.read_text(encoding="utf-8").split("so these are refused:\n\n")[1].split("\n\n")[0]
    return [
        token for line in part.splitlines() for token in re.findall(r"\\[a-zA-Z]", line.split("write")[0])
    ]


@pytest.mark.parametrize(("form", "finds", "misses"), list(form_rows()))
def test_the_table_of_forms_is_true(form: str, finds: list[str], misses: list[str]) -> None:
    find = compile_form(form)
    assert finds
    assert [text for text in finds if find(Text(text)) is None] == []
    assert [text for text in misses if find(Text(text)) is not None] == []


def test_what_the_guide_calls_refused_is_refused() -> None:
    assert len(refused()) == 10
    for token in refused():
        with pytest.raises(FormError):
            compile_form(Pattern(re=token, yes="a", no="b"))
