"""`report`: tables, JSON and CSV, honest with little, nothing and all alike."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.sim.commands.conftest import Skopos
from tests.sim.commands.made_run import conversation, study, verdict, write_run

SAME = [
    {**one, "key": {**one["key"], "system": name}, "system": {"id": name}}
    for one in study(["a"])
    for name in "ab"
]
CASES: dict[str, list[dict[str, Any]]] = {
    "none": [],
    "one": [conversation("a", "s", [True, False])],
    "no criteria": [conversation("a", "s", []), conversation("b", "s", [])],
    "identical systems": SAME,
    "all failed": [conversation(name, f"s{n}", [False] * 3) for name in "ab" for n in range(3)],
    "all unjudged": [conversation(name, f"s{n}", [None] * 3) for name in "ab" for n in range(3)],
    "all aborted": [conversation("a", f"s{n}", [True], end="user_fault") for n in range(2)],
}


def report(skopos: Skopos, *words: str) -> dict[str, Any]:
    done = skopos("report", "r", "--json", *words)
    assert (done.code, done.err) == (0, "")
    found: dict[str, Any] = json.loads(done.out, parse_constant=pytest.fail)
    return found


def by_system(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    (judge,) = document["judges"]
    return {row["system"]: row for row in judge["systems"]}


@pytest.mark.parametrize("name", CASES)
def test_every_face_holds(name: str, skopos: Skopos) -> None:
    write_run(Path("r"), CASES[name])
    report(skopos)
    plain = skopos("report", "r")
    written = skopos("report", "r", "--html", "p.html", "--csv", "tables")
    assert (plain.code, plain.err, written.code) == (0, "", 0)
    assert "nan" not in plain.out.casefold()
    assert Path("p.html").stat().st_size > 1000


def test_nothing_recorded_is_said_in_words(skopos: Skopos) -> None:
    write_run(Path("r"), [])
    assert skopos("report", "r").out.rstrip().endswith("there is nothing to score")
    write_run(Path("r"), [], planned=[("a", "s")])
    assert "(no conversation recorded; not ranked: 1 missing)" in skopos("report", "r").out


def test_two_identical_systems_share_a_rank_and_differ_by_nothing(skopos: Skopos) -> None:
    write_run(Path("r"), SAME)
    document = report(skopos)
    assert {row["rank"] for row in by_system(document).values()} == {1}
    (pair,) = document["judges"][0]["pairs"]
    assert (pair["difference"], pair["p"], pair["p_holm"]) == (0.0, None, None)
    assert pair["p_withheld"] == "6 scenarios, under 20"


def test_unjudged_systems_are_not_ranked_and_say_why(skopos: Skopos) -> None:
    write_run(Path("r"), CASES["all unjudged"])
    rows = by_system(report(skopos))
    assert [(row["rank"], row["scores"]["overall"]) for row in rows.values()] == [(None, None)] * 2
    out = skopos("report", "r").out
    assert "not ranked: only 0/9 judged" in out
    assert "undefined, nothing was judged" in out


def test_a_system_without_criteria_says_whether_any_could_count(skopos: Skopos) -> None:
    write_run(Path("r"), [conversation("a", "s", [], mode=mode) for mode in ("scripted", "dynamic-free")])
    rows = report(skopos)["judges"][0]["systems"]
    assert {row["mode"]: row["caveats"] for row in rows} == {
        "scripted": ["no criterion was asked"],
        "dynamic-free": ["live criteria are in no score"],
    }


def test_a_system_that_failed_everywhere_scores_zero_and_is_ranked(skopos: Skopos) -> None:
    write_run(Path("r"), CASES["all failed"])
    assert [row["scores"]["overall"] for row in by_system(report(skopos)).values()] == [0.0, 0.0]


def test_the_table_prints_intervals_seed_replicates_and_signatures(skopos: Skopos) -> None:
    write_run(Path("r"), study(["a", "b", "c"]))
    out = skopos("report", "r").out
    for words in ("10,000 paired replicates", "seed 0", "Holm over 3", "by layer", "by direction", "by turn"):
        assert words in out
    assert out.count("skopos 0.1.0 | scenario") == 3
    assert "Few scenarios" in out


def test_every_table_of_systems_is_in_the_order_of_the_ranks(skopos: Skopos) -> None:
    write_run(Path("r"), study("abc"))
    ranked = [
        row["system"] for row in sorted(report(skopos)["judges"][0]["systems"], key=lambda s: s["rank"])
    ]
    assert ranked == ["c", "b", "a"]
    tables = skopos("report", "r").out.split("\n\n")
    for title in ("scripted · ", "by layer", "by direction", "by turn"):
        (table,) = (table for table in tables if table.startswith(title))
        assert [line.split()[-1] for line in table.splitlines()[2:]] == ranked


def test_the_score_lies_in_its_interval_and_repeats_exactly(skopos: Skopos) -> None:
    write_run(Path("r"), study())
    first, second = report(skopos), report(skopos)
    assert first == second
    for row in by_system(first).values():
        span = row["intervals"]["overall"]
        assert span["low"] <= row["scores"]["overall"] <= span["high"]


def test_missing_conversations_bar_the_rank_until_they_count_as_zero(skopos: Skopos) -> None:
    held = [one for one in study() if (one["system"]["id"], one["scenario"]) != ("b", "s0")]
    write_run(Path("r"), held, planned=[("b", "s0")])
    plain, zeros = by_system(report(skopos))["b"], by_system(report(skopos, "--count-missing-as-zero"))["b"]
    assert (plain["missing"], plain["rank"], plain["caveats"]) == (1, None, ["1 missing"])
    assert (zeros["missing"], zeros["counted_as_zero"]) == (0, 1)
    assert zeros["rank"] is not None
    assert zeros["scores"]["overall"] == pytest.approx(plain["scores"]["overall"] * 5 / 6)
    assert "1 missing counted as 0" in skopos("report", "r", "--count-missing-as-zero").out


def test_a_missing_conversation_nobody_held_stays_missing(skopos: Skopos) -> None:
    write_run(Path("r"), study(), planned=[("a", "other")])
    row = by_system(report(skopos, "--count-missing-as-zero"))["a"]
    assert (row["missing"], row["counted_as_zero"], row["rank"]) == (1, 0, None)


def test_the_strict_gate_zeroes_a_wrong_language_and_signs_it(skopos: Skopos) -> None:
    write_run(Path("r"), [conversation("a", f"s{n}", [True] * 3, check="wrong") for n in range(3)])
    strict = report(skopos, "--strict-language")
    assert by_system(report(skopos))["a"]["scores"]["overall"] == 1.0
    assert by_system(strict)["a"]["scores"]["overall"] == 0.0
    assert strict["judges"][0]["signatures"][0]["signature"]["strict_language"] == "ours"


def test_a_system_whose_conversations_were_all_aborted_has_a_zero_beside_its_missing_score(
    skopos: Skopos,
) -> None:
    write_run(Path("r"), CASES["all aborted"])
    row = by_system(report(skopos))["a"]
    assert (row["scores"]["overall"], row["aborted_as_zero"], row["ranked"]) == (None, 0.0, False)


def test_trials_are_averaged_before_scenarios_are(skopos: Skopos) -> None:
    more = [conversation("a", "s0", [True, True], trial=n) for n in range(3)]
    write_run(Path("r"), [*more, conversation("a", "s1", [False, False])], trials=3)
    assert by_system(report(skopos))["a"]["scores"]["overall"] == 0.5


def test_what_the_safety_filter_removed_counts_for_no_system_and_is_said(skopos: Skopos) -> None:
    write_run(Path("r"), study(), planned=[("a", "s9")])
    plain = report(skopos)
    hits = [{"scenario": name, "mode": "scripted", "rule": "x"} for name in ("s0", "s9")]
    Path("r/exclusions.jsonl").write_text("".join(json.dumps(hit) + "\n" for hit in hits))
    document = report(skopos)
    assert (document["before_safety_filter"], document["conversations"]) == (12, 10)
    assert [(r["conversations"], r["missing"]) for r in by_system(document).values()] == [(5, 0), (5, 0)]
    assert "12 conversations before, 10 after; 2 scenarios left out" in skopos("report", "r").out
    assert "10 after" in skopos("compare", "r", "a", "b").out
    assert document["judges"][0]["signatures"] != plain["judges"][0]["signatures"]
    skopos("report", "r", "--html", "p.html")
    assert "10 after" in Path("p.html").read_text(encoding="utf-8")


def test_a_run_that_went_on_with_something_changed_says_so_and_signs_both(skopos: Skopos) -> None:
    write_run(Path("r"), study())
    plain = report(skopos)
    head = json.loads(Path("r/run.json").read_text())
    changed = [{**row, "signature": {**row["signature"], "version": "0.2.0"}} for row in head["signatures"]]
    parts = [{"held_before": 7, "differences": [], "signatures": changed}]
    Path("r/run.json").write_text(json.dumps({**head, "parts": parts}))
    assert "After 7 conversations the run went on" in skopos("report", "r").out
    mixed = report(skopos)
    assert mixed["judges"][0]["signatures"] != plain["judges"][0]["signatures"]
    assert mixed["judges"][0]["systems"] == plain["judges"][0]["systems"]


def test_different_procedures_are_warned_of(skopos: Skopos) -> None:
    single = [
        conversation("a", f"s{n}", [True], mode="single-turn", turn=0, procedure="single") for n in range(2)
    ]
    write_run(Path("r"), [*study(["a"]), *single])
    document = report(skopos)
    assert any("scripted: turn; single-turn: single" in line for line in document["judges"][0]["warnings"])
    assert [row["other"] for row in document["judges"][0]["modes"]] == ["single-turn"]
    assert "warning: Modes differ" in skopos("report", "r").out


def test_another_judges_verdicts_are_a_table_of_their_own(skopos: Skopos) -> None:
    from sim.core.identity import digest

    records = study(["a"], scenarios=2)
    write_run(Path("r"), records)
    rows = [
        {
            "conversation": digest(one["key"]),
            "procedure": "turn",
            "turn": turn["index"],
            "verdict": verdict(turn["verdicts"][0]["criterion"], turn["verdicts"][0]["layer"], True, "k"),
        }
        for one in records
        for turn in one["turns"]
    ]
    Path("r/verdicts").mkdir()
    Path("r/verdicts/k-01234567.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    own, other = report(skopos)["judges"]
    assert (own["judge"], other["judge"]) == ("j", "k (01234567)")
    assert other["systems"][0]["scores"]["overall"] == 1.0 > own["systems"][0]["scores"]["overall"]
    assert other["signatures"][0]["signature"]["judge"] == {"name": "k", "digest": "01234567"}


def test_csv_guards_formulas_and_says_so_in_its_header(skopos: Skopos) -> None:
    write_run(
        Path("r"), [conversation(name, f"s{n}", [True, False]) for name in ("=1+1", "b") for n in range(2)]
    )
    assert skopos("report", "r", "--csv", "tables").code == 0
    with Path("tables/systems.csv").open(encoding="utf-8-sig", newline="") as file:
        head, first, _ = csv.reader(file)
    assert "leading apostrophe" in head[-1]
    assert first[head.index("system")] == "'=1+1"
    assert first[head.index("scores_overall")] == "0.5"
    with Path("tables/pairs.csv").open(encoding="utf-8-sig", newline="") as file:
        head, pair = csv.reader(file)
    assert len(head) == len(pair)


def test_one_csv_file_holds_every_table(skopos: Skopos) -> None:
    write_run(Path("r"), study())
    assert skopos("report", "r", "--csv", "all.csv").code == 0
    with Path("all.csv").open(encoding="utf-8-sig", newline="") as file:
        tables = {row["table"] for row in csv.DictReader(file)}
    assert tables == {
        "systems", "pairs", "sensitivity", "strict_gate", "positions", "decline", "concordance",
        "deviations", "costs", "cuts", "signatures", "warnings",
    }  # fmt: skip


def test_what_cannot_be_written_is_one_message(skopos: Skopos) -> None:
    write_run(Path("r"), study())
    done = skopos("report", "r", "--html", "no/such/folder/p.html")
    assert done.code == 2
    assert "cannot be written" in done.err


def test_one_conversation_is_shown_without_numpy(skopos: Skopos, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", [conversation("a", "s", [True, False])])
    code = (
        "import sys\nfrom sim.commands.main import main\n"
        f"main(['report', {str(folder)!r}])\nprint('NUMPY', 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "NUMPY False"
    assert "0.500" in done.stdout


def test_tables_stand_in_the_order_of_the_plan_whatever_finished_first(skopos: Skopos) -> None:
    records = [conversation(name, f"s{n}", [n % 2 > 0, name == "a"]) for n in range(4) for name in "ba"]
    folder = write_run(Path("r"), records, planned=[("c", "s0")])
    first, text = report(skopos), skopos("report", "r").out
    file = folder / "conversations.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(reversed(lines)), encoding="utf-8")
    assert report(skopos) == first
    assert skopos("report", "r").out == text
    assert list(by_system(first)) == ["b", "a", "c"], "as planned, also what was never held"
    (pair,) = first["judges"][0]["pairs"]
    assert (pair["first"], pair["second"]) == ("b", "a")
    # the first system's first conversation is missing: it keeps its place
    file.write_text("".join(line for line in lines if '"s0"' not in line), encoding="utf-8")
    assert list(by_system(report(skopos))) == ["b", "a", "c"]


def test_p_of_few_scenarios_is_withheld_and_the_interval_shown(skopos: Skopos) -> None:
    write_run(
        Path("r"), [conversation(name, f"s{n}", [n % 2 > 0, name == "a"]) for n in range(19) for name in "ab"]
    )
    (pair,) = report(skopos)["judges"][0]["pairs"]
    assert (pair["p"], pair["p_holm"], pair["p_withheld"]) == (None, None, "19 scenarios, under 20")
    assert pair["interval"] is not None
    out = skopos("report", "r").out
    assert (
        "Few scenarios (scripted: 19); with fewer than 20, intervals are too narrow and p is withheld." in out
    )
    row = next(line for line in out.splitlines() if "a − b" in line)
    assert row.split("]")[1].split()[:3] == ["few", "few", "19"]
    write_run(
        Path("r"), [conversation(name, f"s{n}", [n % 2 > 0, name == "a"]) for n in range(20) for name in "ab"]
    )
    (pair,) = report(skopos)["judges"][0]["pairs"]
    assert pair["p"] is not None


def test_one_thing_has_one_signature_in_watch_run_report_and_a_later_judging(skopos: Skopos) -> None:
    words = ("--interpreter", "copy", "--turns", "1")
    watched = skopos("watch", "kor-ind-clinic-fasting", *words, "--plain").out
    run = ("run", "--scenarios", "kor-ind-clinic-fasting", "--interpreters", "copy", "--turns", "1")
    held = skopos(*run, "--out", "r").out
    later = skopos(*run, "--judge", "none", "--out", "later")
    assert later.code == 0
    rejudged = skopos("judge", "later", "--judge", "rules").out
    texts = (watched, held, skopos("report", "r", "--csv", "x.csv").out + Path("x.csv").read_text(), rejudged)
    signed = [
        set(re.findall(r"skopos \S+ \| [^\n\"]*judge rules [^\n\"]*#[0-9a-f]{8}", text)) for text in texts
    ]
    assert len(signed[0]) == 1
    assert all(found == signed[0] for found in signed)
