"""`compare`: two systems of one run, paired."""

import json
from pathlib import Path

from tests.sim.commands.conftest import Skopos
from tests.sim.commands.made_run import conversation, study, write_run


def test_the_difference_is_paired_with_interval_p_and_layers(skopos: Skopos) -> None:
    write_run(Path("r"), study())
    done = skopos("compare", "r", "b", "a", "--json")
    (mode,) = json.loads(done.out)["modes"]
    effect = mode["overall"]["effect"]
    assert done.code == 0
    assert effect["value"] > 0
    assert effect["interval"]["low"] <= effect["value"] <= effect["interval"]["high"]
    assert 0 < effect["p"] <= 1
    assert [row["group"] for row in mode["layers"]] == ["L1", "L2", "L3"]
    assert all(row["p_holm"] is not None for row in mode["layers"])


def test_only_scenarios_that_both_have_count(skopos: Skopos) -> None:
    both = [conversation(name, f"s{n}", [True, name == "a"]) for name in "ab" for n in range(3)]
    write_run(Path("r"), [*both, conversation("a", "alone", [False, False])])
    (mode,) = json.loads(skopos("compare", "r", "a", "b", "--json").out)["modes"]
    assert (mode["overall"]["effect"]["units"], mode["overall"]["effect"]["value"]) == (3, 0.5)


def test_the_criteria_where_they_part_are_named_with_the_reason(skopos: Skopos) -> None:
    write_run(
        Path("r"), [conversation(name, f"s{n}", [True, name == "a"]) for name in "ab" for n in range(2)]
    )
    out = skopos("compare", "r", "a", "b").out
    assert "2 of 4 criteria that both have judged came out differently" in out
    assert "1.000 0.000  L2 s0, turn 1, t1" in out
    assert "not met: because t1" in out
    assert out.count("skopos 0.1.0 | scenario") == 2


def test_no_interval_is_said_where_there_is_none(skopos: Skopos) -> None:
    write_run(Path("r"), [conversation(name, "s", [True, name == "a"]) for name in "ab"])
    assert "No interval" in skopos("compare", "r", "a", "b").out


def test_nothing_judged_is_undefined_and_valid(skopos: Skopos) -> None:
    write_run(Path("r"), [conversation(name, f"s{n}", [None, None]) for name in "ab" for n in range(2)])
    (mode,) = json.loads(skopos("compare", "r", "a", "b", "--json").out)["modes"]
    assert (mode["overall"]["effect"]["value"], mode["overall"]["effect"]["p"]) == (None, None)
    done = skopos("compare", "r", "a", "b")
    assert done.code == 0
    assert "No difference: no scenario that both systems have was judged for both." in done.out


def test_an_unknown_system_names_the_known_ones(skopos: Skopos) -> None:
    write_run(Path("r"), study())
    done = skopos("compare", "r", "a", "x")
    assert done.code == 2
    assert "'x'" in done.err
    assert "Valid: a, b" in done.err


def test_a_system_is_not_compared_with_itself_nor_across_modes(skopos: Skopos) -> None:
    write_run(
        Path("r"),
        [conversation("a", "s", [True]), conversation("b", "s", [True], mode="single-turn", turn=0)],
    )
    assert "cannot differ from itself" in skopos("compare", "r", "a", "a").err
    assert "share no mode" in skopos("compare", "r", "a", "b").err


def test_a_judge_is_chosen_by_name(skopos: Skopos) -> None:
    write_run(Path("r"), study())
    done = skopos("compare", "r", "a", "b", "--judge", "nobody")
    assert done.code == 2
    assert "Valid: j" in done.err


def test_checklists_of_different_procedures_are_warned_of(skopos: Skopos) -> None:
    records = [
        conversation(name, f"s{n}", [True, name == "a"], procedure=way)
        for name, way in (("a", "turn"), ("b", "outline"))
        for n in range(3)
    ]
    write_run(Path("r"), records)
    out = skopos("compare", "r", "a", "b").out
    assert "warning: Checklists come from different procedures (outline, turn)." in out
    write_run(Path("r"), study())
    assert "warning" not in skopos("compare", "r", "a", "b").out
