"""What `report` shows beside the scores: history, languages, several judges, metrics of others."""

import csv
import json
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from sim.core.identity import digest
from tests.sim.commands.conftest import Skopos
from tests.sim.commands.made_run import conversation, study, verdict, write_run

PAIRS = (("kor", "ind"), ("arb", "ben"))


def report(skopos: Skopos, *words: str) -> dict[str, Any]:
    done = skopos("report", "r", "--json", *words)
    assert (done.code, done.err) == (0, "")
    found: dict[str, Any] = json.loads(done.out, parse_constant=pytest.fail)
    return found


def histories() -> list[dict[str, Any]]:
    records = []
    for history in ("full", "none"):
        for pair in PAIRS:
            for n in range(20):
                name = f"m|cultural|{history}"
                met = [n % 5 > 1, history == "full" or n % 5 > 3]
                one = conversation(name, f"{'-'.join(pair)}-{n}", met, pair=pair)
                one["system"] = {"id": name, "model": "m", "brief": "cultural", "history": history}
                records.append(one)
    return records


def judged_by(judge: str, records: Iterable[dict[str, Any]], met: Sequence[bool | None]) -> None:
    """Another judge's verdicts, turn by turn the same for all conversations."""
    rows = [
        {
            "conversation": digest(one["key"]),
            "procedure": "turn",
            "turn": turn["index"],
            "verdict": verdict(turn["verdicts"][0]["criterion"], turn["verdicts"][0]["layer"], said, judge),
        }
        for one in records
        for turn, said in zip(one["turns"], met, strict=False)
    ]
    Path("r/verdicts").mkdir(exist_ok=True)
    name = Path(f"r/verdicts/{digest(judge, 8)}-{digest(judge, 8)}.jsonl")
    name.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_history_on_and_off_are_compared_by_language_pair(skopos: Skopos) -> None:
    write_run(Path("r"), histories())
    rows = report(skopos)["judges"][0]["history"]
    assert [(row["first"], row["second"], row["pair"], row["units"]) for row in rows] == [
        ("m|cultural|full", "m|cultural|none", pair, units)
        for pair, units in ((None, 40), ("arb-ben", 20), ("ind-kor", 20))
    ]
    assert [row["difference"] for row in rows] == pytest.approx([0.4] * 3)
    assert rows[0]["p_holm"] is None
    assert all(row["p_holm"] >= row["p"] for row in rows[1:])
    out = skopos("report", "r").out
    assert (
        "history on against off: m|cultural|full − m|cultural|none (paired by conversation, Holm over 2 "
        "language pairs)"
    ) in out


def test_the_strict_gate_and_the_languages_stand_beside_the_scores(skopos: Skopos) -> None:
    wrong = [conversation("a", f"w{n}", [True, True], check="wrong") for n in range(2)]
    write_run(Path("r"), [*study(), *wrong])
    judge = report(skopos)["judges"][0]
    gate = {row["system"]: row for row in judge["strict_gate"]}
    assert gate["a"]["change"]["difference"] < 0 == gate["b"]["change"]["difference"]
    assert gate["a"]["interval"]["low"] <= gate["a"]["strict"] <= gate["a"]["interval"]["high"]
    assert [(row["by"], row["systems"], row["levels"]) for row in judge["concordance"]] == [
        ("target", 2, 2), ("source", 2, 2),
    ]  # fmt: skip
    assert {row["level"] for row in judge["deviations"]} == {"kor", "ind"}
    out = skopos("report", "r").out
    for words in ("under the strict language gate (paired, 2,000", "Kendall's W", "hardest first"):
        assert words in out
    strict = report(skopos, "--strict-language")["judges"][0]
    assert strict["strict_gate"] == []


def test_two_judges_are_set_side_by_side_on_every_face(skopos: Skopos) -> None:
    records = study(["a", "b", "c"])
    for one in records:
        one["system"]["model"] = "acme/zeta-1" if one["system"]["id"] == "a" else "other"
    write_run(Path("r"), records)
    assert report(skopos)["between_judges"] is None
    judged_by("acme/zeta-judge", records, [True, False, True, None, True, True])
    between = report(skopos)["between_judges"]
    overall = between["agreement"][0]
    assert (overall["level"], overall["items"]) == ("overall", 90)
    (preference,) = between["self_preference"]
    assert preference["family"] == ["a"]
    assert preference["other"] == "j"
    out = skopos("report", "r").out
    for words in ("between judges", "Cohen's κ", "Kendall's τ", "self-preference", "acme/zeta-judge ("):
        assert words in out
    skopos("report", "r", "--html", "p.html", "--csv", "tables")
    page = Path("p.html").read_text(encoding="utf-8")
    assert "<h2>Between judges</h2>" in page
    with Path("tables/judges_agreement.csv").open(encoding="utf-8-sig", newline="") as file:
        assert next(csv.DictReader(file))["items"] == "90"


def test_metrics_of_others_are_related_to_the_scores(skopos: Skopos) -> None:
    write_run(Path("r"), study())
    lines = [
        f"{system},s{n},{turn},{(n + turn) % 5},{n * turn}"
        for system in "ab"
        for n in range(6)
        for turn in range(6)
    ]
    Path("m.csv").write_text("\n".join(["system,scenario,turn,chrF,errors:lower", *lines, "a,nowhere,0,1,"]))
    found = report(skopos, "--metrics", "m.csv")
    rows = found["judges"][0]["metrics"]
    assert [(row["metric"], row["system"], row["points"]) for row in rows] == [
        (metric, system, points)
        for metric in ("chrF", "errors")
        for system, points in (("a", 36), ("b", 36), (None, 72))
    ]
    file, left = found["remarks"]
    assert file == f"Metrics are from m.csv, SHA-256 {sha256(Path('m.csv').read_bytes()).hexdigest()[:16]}."
    assert left == "chrF: 1 of 73 values belong to no output that j scored."
    out = skopos("report", "r", "--metrics", "m.csv").out
    assert "note: chrF: 1 of 73 values" in out
    assert "chrF against the score (2,000 replicates over scenarios)" in out
    assert report(skopos)["judges"][0]["metrics"] == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("system,scenario\na,s0\n", "no column of a metric"),
        ("scenario,chrF\ns0,1\n", "no column 'system'"),
        ("", "no column 'system'"),
        ("system,scenario,chrF\na,s0,high\na,s1,nan\n", "m.csv:3"),
        ("system,scenario,chrF\na,s0,1\na,s0,2\n", "second value of chrF"),
        ("system,scenario,turn,chrF\na,s0,first,1\n", "'first' is no turn"),
        ("system,scenario,mode,chrF\na,s0,free,1\n", "none of this run's modes: scripted"),
        ("system,scenario,chrF\n,s0,1\n", "names no system"),
        ('system,scenario,chrF\na,"s0,1\n', "cannot be read"),
        ("system,scenario,chrF\na,s\udcff,1\n", "cannot be read"),
        ("system,scenario,chrF,chrF\na,s0,1,2\n", "Two columns are named 'chrF'"),
        ("system,scenario,chrF, \na,s0,1,2\n", "A column has no name"),
        ("system,scenario,chrF\na,s0,1,2\n", "more cells than there are columns"),
    ],
)
def test_a_file_of_metrics_that_cannot_be_used_is_told_by_line(
    content: str, said: str, skopos: Skopos
) -> None:
    write_run(Path("r"), study())
    Path("m.csv").write_bytes(content.encode("utf-8", "surrogateescape"))
    done = skopos("report", "r", "--metrics", "m.csv")
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_file_of_metrics_that_is_not_there_is_said(skopos: Skopos) -> None:
    write_run(Path("r"), study())
    assert "nowhere.csv cannot be read" in skopos("report", "r", "--metrics", "nowhere.csv").err


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("met", [[None] * 6, [True] * 6, [False] * 6])
def test_a_second_judge_that_says_nothing_or_always_the_same_breaks_nothing(
    met: list[bool | None], skopos: Skopos
) -> None:
    records = study()
    write_run(Path("r"), records)
    judged_by("k", records, met)
    report(skopos)
    done = skopos("report", "r", "--html", "p.html", "--csv", "tables")
    assert done.code == 0
    out = skopos("report", "r").out
    assert "nan" not in out.casefold()


def test_a_fallback_judge_fills_what_was_left_open_and_is_marked(skopos: Skopos) -> None:
    records = [conversation(name, f"s{n}", [True, None, False]) for name in "ab" for n in range(2)]
    write_run(Path("r"), records)
    judged_by("k", records, [False, False, True])
    plain = report(skopos)["judges"][0]
    found = report(skopos, "--fallback", "k")
    filled = found["judges"][0]
    assert (plain["systems"][0]["ranked"], plain["systems"][0]["by_fallback_judge"]) == (False, 0)
    assert filled["judge"] == "j, else k"
    for row in filled["systems"]:
        assert (row["ranked"], row["by_fallback_judge"]) == (True, 2)
        assert (row["scores"]["judged"], row["scores"]["overall"]) == (6, pytest.approx(1 / 3))
    assert filled["signatures"] != plain["signatures"]
    (overall, *_) = found["between_judges"]["agreement"]
    assert (overall["items"], overall["raw"]) == (8, 0.0)
    assert "2 of 6 verdicts by the fallback judge" in skopos("report", "r", "--fallback", "k").out
    skopos("report", "r", "--fallback", "k", "--html", "p.html")
    assert Path("p.html").read_text(encoding="utf-8").count('"basis":"fallback_judge"') == 4


def test_systems_are_compared_with_what_a_fallback_judge_filled(skopos: Skopos) -> None:
    records = [conversation(name, f"s{n}", [True, None, False]) for name in "ab" for n in range(2)]
    write_run(Path("r"), records)
    judged_by("k", records, [False, False, True])
    plain = json.loads(skopos("compare", "r", "a", "b", "--json").out)
    filled = json.loads(skopos("compare", "r", "a", "b", "--fallback", "k", "--json").out)
    assert (plain["judge"], filled["judge"]) == ("j", "j, else k")
    assert (plain["modes"][0]["shared"], filled["modes"][0]["shared"]) == (4, 6)


def test_a_fallback_judge_that_never_judged_is_refused_with_those_that_did(skopos: Skopos) -> None:
    records = study()
    write_run(Path("r"), records)
    judged_by("k", records, [True] * 6)
    done = skopos("report", "r", "--fallback", "nobody")
    assert done.code == 2
    assert "'nobody' has not judged this run" in done.err
    assert f"Valid: k ({digest('k', 8)})" in done.err
