from collections.abc import Iterable
from itertools import combinations

import pytest

from agents.detectors.registry import LANGUAGES, detector, functions
from tests.agents.detectors.labelled import PARTS, VALUED, Answer, answer, by_detector, rows

EVERY = [(language, name) for language in LANGUAGES for name in functions(language)]


@pytest.fixture(scope="module")
def development() -> dict[tuple[str, str], list[Answer]]:
    own, others = by_detector("development"), by_detector("others-development")
    return {key: [*own[key], *others[key]] for key in own}


def _precision(answers: Iterable[Answer]) -> float:
    given = [a for a in answers if a.label is not None]
    return sum(a.right for a in given) / len(given)


@pytest.mark.parametrize("key", EVERY, ids="-".join)
def test_answers_are_right_where_given(
    key: tuple[str, str], development: dict[tuple[str, str], list[Answer]]
) -> None:
    assert _precision(development[key]) >= 0.95


@pytest.mark.parametrize("key", EVERY, ids="-".join)
def test_labels_are_found(key: tuple[str, str], development: dict[tuple[str, str], list[Answer]]) -> None:
    for label in detector(*key).labels:
        gold = [a for a in development[key] if a.row.label == label]
        assert sum(a.right for a in gold) >= 0.85 * len(gold), label


@pytest.mark.parametrize("key", EVERY, ids="-".join)
def test_neutral_sentences_are_not_known(
    key: tuple[str, str], development: dict[tuple[str, str], list[Answer]]
) -> None:
    neutral = [a for a in development[key] if a.row.label is None]
    wrong = [a.row.text for a in neutral if a.label is not None]
    assert len(wrong) <= max(0.1 * len(neutral), 1), wrong


def test_held_out_sentences_are_answered_about_as_well() -> None:
    held = [answer(row) for row in rows("held-out")]
    assert _precision(held) >= 0.97
    neutral = [a for a in held if a.row.label is None]
    assert sum(a.label is None for a in neutral) >= 0.9 * len(neutral)


def test_every_label_has_twenty_sentences_for_it_and_against_it() -> None:
    both = [row for part in PARTS for row in rows(part)]
    for language, name in EVERY:
        own = [row for row in both if (row.language, row.function) == (language, name)]
        for label in detector(language, name).labels:
            positive = sum(row.label == label for row in own)
            assert positive >= 20, (language, name, label, positive)
            assert len(own) - positive >= 20, (language, name, label)


def test_no_sentence_is_in_two_parts_of_one_hand() -> None:
    for hand in (PARTS[:3], PARTS[3:5]):
        texts = [{(r.language, r.function, r.text) for r in rows(part)} for part in hand]
        assert not any(first & second for first, second in combinations(texts, 2))


def test_values_are_named_for_every_number_time_and_name() -> None:
    for part in PARTS:
        for row in rows(part):
            assert bool(row.values) == (row.function in VALUED and row.label == "yes"), row
