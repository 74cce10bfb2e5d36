"""GlotLID's code table and label form, over a stand-in for its model file."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from agents.language_id.detector import FastTextDetector
from agents.language_id.opening import open_detector, trouble
from agents.language_id.tables import load_table
from sim.core.errors import UsageProblem

LABELS = frozenset(
    ["arb_Arab", "arz_Arab", "apc_Arab", "arb_Latn", "urd_Arab", "pes_Arab", "ind_Latn", "zsm_Latn", "bjn_Latn", "jav_Latn",
     "eng_Latn", "kor_Hang", "jje_Hang", "ben_Beng", "asm_Beng", "hau_Latn"]
)  # fmt: skip


class Says:
    """A model that gives every line the same probabilities."""

    labels = LABELS
    fingerprint = "stand-in"

    def __init__(self, **probabilities: float) -> None:
        self._probabilities = dict(sorted(probabilities.items(), key=lambda item: -item[1]))

    def probabilities(self, line: str) -> Mapping[str, float]:
        return self._probabilities


def glotlid(**probabilities: float) -> FastTextDetector:
    return FastTextDetector("glotlid", Says(**probabilities), load_table("glotlid"))


INDONESIAN = "Tolong minum obatnya dua kali sehari sesudah makan."
ARABIC = "من فضلك تناول الدواء مرتين في اليوم بعد الأكل."


def test_the_malay_cluster_counts_as_indonesian_together() -> None:
    check = glotlid(ind_Latn=0.45, zsm_Latn=0.4, bjn_Latn=0.1, jav_Latn=0.05).check(INDONESIAN, "ind")
    assert (check.result, check.label) == ("ok", "ind_Latn")
    assert check.mass == pytest.approx(0.95)


def test_dialects_count_as_arabic_together() -> None:
    check = glotlid(arz_Arab=0.5, apc_Arab=0.3, arb_Arab=0.2).check(ARABIC, "arb")
    assert (check.result, check.label) == ("ok", "arz_Arab")


def test_accepted_mass_under_its_threshold_is_low() -> None:
    assert glotlid(ind_Latn=0.5, jav_Latn=0.3, eng_Latn=0.2).check(INDONESIAN, "ind").result == "low"


def test_another_language_is_wrong_and_named() -> None:
    check = glotlid(jav_Latn=0.8, ind_Latn=0.2).check(INDONESIAN, "ind")
    assert (check.result, check.label) == ("wrong", "jav_Latn")


def test_labels_of_another_script_are_left_out() -> None:
    check = glotlid(arb_Latn=0.6, hau_Latn=0.1, urd_Arab=0.28, arb_Arab=0.02).check(ARABIC, "arb")
    assert (check.result, check.label) == ("wrong", "urd_Arab")
    assert check.mass == pytest.approx(0.02 / 0.3)


def test_a_language_without_a_row_is_mapped_through_the_standard() -> None:
    check = glotlid(pes_Arab=0.95, urd_Arab=0.05).check("حال شما چطور است؟ من امروز خوبم", "fas")
    assert (check.result, check.label) == ("ok", "pes_Arab")


def test_the_threshold_is_its_own() -> None:
    assert glotlid().identity["threshold"] == 0.9


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem) as caught:
        open_detector("glotlid", path=tmp_path / "model.bin")
    assert "model.bin" in caught.value.problems[0].what


def test_the_environment_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "model.bin"
    monkeypatch.setenv("SKOPOS_GLOTLID", str(model))
    with pytest.raises(UsageProblem):
        open_detector("glotlid")
    model.write_bytes((793712314).to_bytes(4, "little") + b"not asked yet")
    assert open_detector("glotlid").identity["detector"] == "glotlid"


def test_a_file_that_is_no_model_is_refused_before_it_is_asked(tmp_path: Path) -> None:
    pointer = tmp_path / "model.bin"
    pointer.write_text("version https://git-lfs.github.com/spec/v1\n", encoding="utf-8")
    with pytest.raises(UsageProblem) as caught:
        open_detector("glotlid:0.9", path=pointer)
    assert "not a fastText model file" in caught.value.problems[0].what


def test_what_keeps_a_detector_from_answering_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert trouble("lid176") is None
    monkeypatch.setenv("SKOPOS_GLOTLID", str(tmp_path / "none.bin"))
    assert "none.bin" in (trouble("glotlid") or "")
