"""Reading a run slim: what is kept is as on the disk, what is left out changes no number."""

import json
from pathlib import Path
from typing import Any

from sim.commands.reading import held
from tests.sim.commands.conftest import Skopos
from tests.sim.commands.made_run import NASTY, conversation, study, write_run

RECORDS = [
    *study(),
    conversation("a", "wrong", [True, None, False], check="wrong", said=NASTY, cost=0.25),
    conversation("b", "aborted", [True], end="user_fault"),
    conversation("b", "single", [False], mode="single-turn", turn=0, procedure="single"),
]
_TURN = ("index", "direction", "flags", "criteria", "fault", "cost")
_VERDICT = ("criterion", "layer", "met", "basis", "reason")


def read(*, words: bool) -> list[dict[str, Any]]:
    (records,) = held(Path("r"), words=words).judges.values()
    return records


def _without_checks(criteria: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "check"} for row in criteria]


def test_with_words_a_record_is_as_on_the_disk(skopos: Skopos) -> None:
    write_run(Path("r"), RECORDS)
    # system by system, as the plan names them; a system's own stay in order
    in_plan = sorted(RECORDS, key=lambda one: "abcdefghij".index(one["system"]["id"]))
    for found, written in zip(read(words=True), in_plan, strict=True):
        for name in ("key", "scenario", "pair", "mode", "system", "judge", "end_reason"):
            assert found[name] == written[name]
        for turn, said in zip(found["turns"], written["turns"], strict=True):
            expected = {**said, "criteria": _without_checks(said["criteria"])}
            for name in (*_TURN, "source", "translation", "response", "language_check"):
                assert turn[name] == expected[name]
            assert turn["verdicts"] == [{name: v[name] for name in _VERDICT} for v in said["verdicts"]]


def test_without_words_no_text_and_no_reason_is_held(skopos: Skopos) -> None:
    nothing = conversation("a", "failed", [False])
    nothing["turns"][0]["translation"] = None
    write_run(Path("r"), [*RECORDS, nothing])
    records = read(words=False)
    texts = json.dumps([one["turns"] for one in records], ensure_ascii=False)
    assert "because" not in texts
    assert "terjemahan" not in texts
    assert "source 0" not in texts
    said = {one["scenario"]: turn["translation"] for one in records for turn in one["turns"]}
    assert set(said.values()) == {"", None}
    assert said["failed"] is None


def test_a_report_is_the_same_with_words_and_without(skopos: Skopos) -> None:
    write_run(Path("r"), RECORDS)
    plain = json.loads(skopos("report", "r", "--json").out)
    assert plain == json.loads(skopos("report", "r", "--json", "--html", "p.html").out)


def test_what_records_share_is_held_once(skopos: Skopos) -> None:
    write_run(Path("r"), [conversation("a", f"s{n}", [True, True]) for n in range(3)])
    first, second, _ = read(words=False)
    assert first["system"] is second["system"]
    assert first["turns"][0]["criteria"] is second["turns"][0]["criteria"]
    assert first["turns"][0]["verdicts"] is second["turns"][0]["verdicts"]


def test_lists_of_one_word_and_of_none_are_not_mistaken(skopos: Skopos) -> None:
    one = conversation("a", "s", [True, True])
    one["turns"][0]["flags"] = ["echo"]
    write_run(Path("r"), [one, conversation("a", "t", [])])
    found, empty = read(words=False)
    assert [turn["flags"] for turn in found["turns"]] == [["echo"], []]
    assert (empty["turns"], empty["criteria"], empty["verdicts"]) == ([], [], [])
