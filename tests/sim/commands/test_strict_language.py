"""`--strict-language[=ours|study]`: alone it takes no value, and settings and old runs say it their way."""

import argparse
import json

import pytest

from sim.commands import options
from sim.commands.main import main
from sim.runs.plan import RunPlan

SCENARIO = "kor-ind-clinic-fasting"


@pytest.mark.parametrize(
    ("flag", "signed"), [("--strict-language", "ours"), ("--strict-language=study", "study")]
)
def test_the_gate_is_signed_and_takes_no_word_that_follows(
    flag: str, signed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["watch", flag, SCENARIO, "--interpreter", "copy", "--json", "--language-check", "lid176:0.6"])
        == 0
    )
    held = json.loads(capsys.readouterr().out)
    assert held["signature"]["strict_language"] == signed
    assert held["signature"]["language_check"]["threshold"] == 0.6
    assert held["scores"]["overall"] == 0.0


def test_another_gate_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "--strict-language=mine", SCENARIO]) == 2
    assert "ours, study" in capsys.readouterr().err


def test_another_detector_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", SCENARIO, "--interpreter", "copy", "--plain", "--language-check", "cld3"]) == 2
    assert "lid176" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "meant"), [("true", "ours"), ("True", "ours"), ("False", None), ("study", "study")]
)
def test_settings_say_it_as_true_or_by_name(said: str, meant: str | None) -> None:
    assert options.strict_gate(said) == meant


def test_nothing_else_is_a_gate() -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        options.strict_gate("0.9")


@pytest.mark.parametrize(("before", "now"), [(True, "ours"), (False, None), ("study", "study")])
def test_runs_of_before_there_were_two_gates_are_read(before: object, now: str | None) -> None:
    held = {
        "scenarios": [],
        "systems": [],
        "modes": ["scripted"],
        "judge": "rules",
        "strict_language": before,
    }
    assert RunPlan.read(held).strict_language == now
