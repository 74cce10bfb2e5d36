"""Natural lines of the five languages: at most one a file is called wrong, whatever it was translated from."""

import itertools
import os
from pathlib import Path

import pytest

from agents.language_id.opening import open_detector
from agents.language_id.scripts import same_words
from tests.bench.language_texts import ntrex, written

DETECTOR = open_detector()
FIVE = ("arb", "ben", "eng", "ind", "kor")
DATA = Path(os.environ.get("SKOPOS_TEXTS", "none"))


@pytest.mark.parametrize("name", ["arb", "ben", *(f"mixed-{code}" for code in FIVE)])
def test_natural_lines_are_not_called_wrong(name: str) -> None:
    code, lines = name[-3:], written(name)
    assert len(lines) >= (50 if name.startswith("mixed") else 300)
    for source in (None, *FIVE):
        if source != code:
            wrong = [line for line in lines if DETECTOR.check(line, code, source).result == "wrong"]
            assert len(wrong) <= 1, (source, wrong)


@pytest.mark.parametrize("name", ["arb", "ben", *(f"mixed-{code}" for code in FIVE if code != "eng")])
def test_the_same_lines_left_untranslated_are_never_passed(name: str) -> None:
    code = name[-3:]
    for line, target in itertools.product(written(name), FIVE):
        if target != code:
            check = DETECTOR.check(line, target, code, line)
            passes = check.result == "ok" and (check.mass or 0.0) < 0.9
            assert not passes, (line, target, check)


@pytest.mark.skipif(
    not (DATA / "ntrex128").is_dir(), reason="NTREX-128 is not here (SKOPOS_TEXTS names the folder)"
)
@pytest.mark.parametrize(("source", "target"), list(itertools.permutations(FIVE, 2)))
def test_untranslated_news_is_wrong_in_every_direction(source: str, target: str) -> None:
    lines = [line for line in ntrex(DATA, source)[::10] if same_words(line, line)]
    found = [DETECTOR.check(line, target, source, line) for line in lines]
    assert not any(check.result in ("ok", "low") for check in found)
    assert sum(check.result == "wrong" for check in found) >= 0.99 * len(lines)
