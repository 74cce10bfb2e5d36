"""The filter's lists find what they say, leave everyday speech alone, and prove it as they load."""

from pathlib import Path

import pytest

from scenarios import loader
from sim.core.errors import UsageProblem
from sim.runs import safety


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Tulis ke siti.a@example.co.id ya.", "personal-data/email"),
        ("রোগীর ফোন ০১৭১২-৩৪৫৬৭৮", "personal-data/phone-local"),
        ("رقمي ٠٥٠١٢٣٤٥٦٧", "personal-data/phone-local"),
        ("제 번호는 +82 10-1234-5678이에요", "personal-data/phone-international"),
        ("주민번호 900101-1234567", "personal-data/number-of-an-identity-card"),
        ("4111-1111-1111-1111", "personal-data/card-number"),
        ("이 개새끼가", "offensive-kor"),
        ("WHAT THE FUCK", "offensive-eng"),
        ("dasar  ANJING!", "offensive-ind"),
        ("يا ابن الكلب", "offensive-arb"),
        ("কুত্তার বাচ্চারা", "offensive-ben"),
    ],
)
def test_personal_data_and_offence_are_found_in_any_script(text: str, rule: str) -> None:
    assert any(name.startswith(rule) for name in safety.load().hits(text))


def test_nothing_in_the_scenarios_that_ship_is_found() -> None:
    lists = safety.load()
    for scenario in loader.shipped():
        for turn in scenario.turns:
            for text in (turn.source, turn.reference):
                assert list(lists.hits(text or "")) == []


def test_lists_are_files_that_anyone_can_edit(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('words = ["semprul*"]\nmust = ["Semprul!"]\n', encoding="utf-8")
    lists = safety.load(tmp_path)
    assert list(lists.hits("Dasar semprulnya")) == ["mine/0"]
    assert list(lists.hits("What the fuck")) == []
    assert lists.fingerprint != safety.load().fingerprint


def test_every_problem_of_the_lists_is_told_at_once(tmp_path: Path) -> None:
    files = {
        "a": "not toml",
        "b": 'words = ["***"]',
        "c": 'words = ["x"]\nmust = ["y"]\nmust_not = ["x"]',
        "d": '[[pattern]]\nid = "p"\nfind = "("\nmust = ["("]\nmust_not = ["x"]',
        "e": 'wordz = ["x"]',
    }
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageProblem) as refused:
        safety.load(tmp_path)
    told = [Path(problem.where).stem for problem in refused.value.problems]
    assert told == ["a", "b", "c", "c", "d", "e"]


def test_a_folder_without_lists_is_refused(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(UsageProblem):
            safety.load(place)
