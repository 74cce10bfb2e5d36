import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.detectors.port import Detector, Evidence, Finding
from agents.detectors.registry import LANGUAGES, detector, functions
from sim.core.errors import UsageProblem

EVERY = [(language, name) for language in LANGUAGES for name in functions(language)]
HOSTILE = (
    "", " \n\t", "\x00", "\ud800", "؟", "?", "9" * 400, "1.2.3.4,5", "{0.__class__} %s $x", "\u202e\u200d\u0300",
    "👩‍👧 ㅋㅋㅋ", "한" * 5000, "ا" * 5000, "كم " * 2000, "ক্ষ" * 3000, "one " * 3000, "만 억 조 천만", "ـــ", "১২৩ লাখ কোটি", "\n.\n.",
)  # fmt: skip
MIXED = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from("안녕하세요이만억시반 আপনিনাকেটা ؟السلامعليكم the no?.1٣৫\n"),
    ),
    max_size=60,
)


@pytest.mark.parametrize(("language", "name"), EVERY)
def test_a_detector_says_what_it_is(language: str, name: str) -> None:
    found: Detector = detector(language, name)
    assert (found.language, found.name) == (language, name)
    assert found.labels
    assert len(set(found.labels)) == len(found.labels)


@pytest.mark.parametrize(("language", "name"), EVERY)
def test_hostile_text_gets_one_of_the_labels_or_none(language: str, name: str) -> None:
    for text in HOSTILE:
        found = detector(language, name).detect(text)
        assert found.label is None or found.label in detector(language, name).labels


@settings(max_examples=150, deadline=None)
@given(text=MIXED)
def test_any_text_gets_the_same_answer_twice(text: str) -> None:
    for language, name in EVERY:
        assert detector(language, name).detect(text) == detector(language, name).detect(text)


def test_wordless_text_is_not_known() -> None:
    for language, name in EVERY:
        if name not in ("number", "time"):
            assert detector(language, name).detect(" … ").label is None, (language, name)


@pytest.mark.parametrize(
    ("text", "order"), [("চুপ কর!", "কর"), ("পালা, বাঘ!", "পালা"), ("শোন তো।", "শোন"), ("দূর হ এখান থেকে", "হ")]
)
def test_an_order_is_quoted_once_however_it_is_found(text: str, order: str) -> None:
    assert detector("ben", "address").detect(text).evidence == (Evidence(order, "tui"),)


def test_an_unknown_function_names_those_there_are() -> None:
    with pytest.raises(UsageProblem) as caught:
        detector("ben", "level")
    assert "address" in caught.value.problems[0].choices
    with pytest.raises(UsageProblem) as caught:
        detector("tlh", "number")
    assert caught.value.problems[0].choices == LANGUAGES


def test_a_finding_answers_in_three_ways() -> None:
    assert Finding("haeyo").says("haeyo") is True
    assert Finding("haeyo").says("hae") is False
    assert Finding(None).says("hae") is None


@pytest.mark.parametrize(
    "code",
    [
        "import agents.detectors.registry",
        "from agents.detectors.registry import *; [functions(c) for c in LANGUAGES]",
        "from agents.detectors.registry import detector; detector('kor', 'level'); detector('kor', 'name')",
        "from agents.detectors.registry import detector; print(detector('kor', 'number').detect('세 개').label)",
        "from agents.detectors.registry import detector; print(detector('ben', 'address').detect('তুমি').label)",
    ],
)
def test_the_analyser_is_loaded_by_the_first_korean_sentence_only(code: str) -> None:
    check = f"{code}\nimport sys\nprint(sorted({{'kiwipiepy', 'numpy'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]", done.stdout
