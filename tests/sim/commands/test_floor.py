"""The floor beside every score by `rules`: on the scenarios it was measured on, and nowhere else."""

import json
import re
from pathlib import Path

from scenarios.loader import find_file
from tests.sim.commands.conftest import Skopos

FLOOR = "floor of rules on the pack core: 0.009 / 0.019 (another turn / another scenario); claimed "
UNKNOWN = "no floor of rules is known for these scenarios; claimed "
SHIPPED = "kor-ind-clinic-fasting"


def test_run_and_every_face_of_the_report_show_it(skopos: Skopos) -> None:
    ran = skopos("run", "--scenarios", SHIPPED, "--interpreters", "reference,copy", "--out", "r")
    assert ran.out.count(FLOOR) == 1
    report = skopos("report", "r")
    assert report.out.count(FLOOR) == 1
    assert "slips, blind: entity 1/1, negated 10/25" in report.out
    skopos("report", "r", "--html", "p.html")
    page = Path("p.html").read_text(encoding="utf-8")
    assert FLOOR in page
    assert "negated 10/25" in page
    (judge,) = json.loads(skopos("report", "r", "--json").out)["judges"]
    assert judge["floor"]["scripted"]["another_turn"] == 0.009
    assert judge["floor"]["scripted"]["caught"]["slips, blind: negated"] == [10, 25]


def test_watch_ends_with_it(skopos: Skopos) -> None:
    assert FLOOR in skopos("watch", SHIPPED, "--interpreter", "reference", "--plain").out
    document = json.loads(skopos("watch", SHIPPED, "--interpreter", "reference", "--json").out)
    assert document["floor"]["another_scenario"] == 0.019


def test_of_a_changed_scenario_or_another_judge_none_is_known(skopos: Skopos) -> None:
    text = find_file(SHIPPED).read_text(encoding="utf-8")
    changed = re.sub(r"(?m)^conversation_context: .*$", "conversation_context: It rains.", text)
    Path("mine.yaml").write_text(changed.replace(f"id: {SHIPPED}", "id: mine", 1), encoding="utf-8")
    out = skopos("run", "--scenarios", "mine.yaml", "--interpreters", "reference", "--out", "r").out
    assert UNKNOWN in out
    assert FLOOR not in out
    # the figures are of rules with the gate
    bare = skopos("watch", SHIPPED, "--interpreter", "reference", "--encoder", "none", "--plain").out
    assert UNKNOWN in bare
    none = skopos("watch", SHIPPED, "--interpreter", "reference", "--judge", "none", "--plain").out
    assert "floor" not in none
