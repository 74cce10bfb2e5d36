import unicodedata
from itertools import combinations

import pytest

from prompts.loader import TOPICS, Culture, content_hash, cultural_context, culture, pair_culture

LANGUAGES = ("arb", "ben", "eng", "ind", "kor")
PAIRS = list(combinations(LANGUAGES, 2))


def headings(document: Culture | None) -> list[str]:
    assert document is not None
    assert all(section.text for section in document.sections)
    return [section.heading for section in document.sections]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_document_follows_the_outline(lang: str) -> None:
    directions = [f"What goes wrong: into {lang}", f"What goes wrong: out of {lang}"]
    assert headings(culture(lang)) == [*TOPICS, *directions]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_a_pair_document_follows_the_outline(a: str, b: str) -> None:
    directions = [f"What goes wrong: {a} to {b}", f"What goes wrong: {b} to {a}"]
    assert headings(pair_culture(a, b)) == [*TOPICS, *directions]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_a_pair_is_found_in_either_order(a: str, b: str) -> None:
    assert pair_culture(a, b) is pair_culture(b, a) or pair_culture(a, b) == pair_culture(b, a)


def test_documents_are_normalised_and_without_words_of_two_scripts() -> None:
    documents = [culture(lang) for lang in LANGUAGES] + [pair_culture(a, b) for a, b in PAIRS]
    for document in documents:
        assert document is not None
        assert unicodedata.is_normalized("NFC", document.text)
        assert not [word for word in document.text.split() if len(scripts(word)) > 1]


def scripts(word: str) -> set[str]:
    known = ("ARABIC", "BENGALI", "HANGUL")
    return {name for c in word for name in known if unicodedata.name(c, "").startswith(name)}


def test_a_direction_gets_both_languages_the_pair_and_only_its_own_faults() -> None:
    text, digest = cultural_context("kor", "ind")
    assert [line for line in text.splitlines() if line.startswith("# ")] == [
        "# Korean (kor)",
        "# Indonesian (ind)",
        "# Indonesian and Korean (ind-kor)",
    ]
    assert [line for line in text.splitlines() if line.startswith("## What goes wrong")] == [
        "## What goes wrong: out of kor",
        "## What goes wrong: into ind",
        "## What goes wrong: kor to ind",
    ]
    assert digest == content_hash(text) != cultural_context("ind", "kor")[1]


def test_what_is_not_written_is_left_out() -> None:
    assert cultural_context("fra", "deu") == ("", content_hash(""))
    text, _ = cultural_context("fra", "kor")
    assert text.startswith("# Korean (kor)")
    assert text.count("# Korean") == 1


@pytest.mark.parametrize("code", ["fra", "zzz", "", "KOR", "../", "pairs/arb-ben", "kor\n", "x" * 1000])
def test_an_unwritten_or_odd_code_has_no_document(code: str) -> None:
    assert culture(code) is None
    assert pair_culture(code, "kor") is None
