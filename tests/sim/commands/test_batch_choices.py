"""What a run may be made of: scenario files beside ids, and users by the language they speak."""

import json
from pathlib import Path
from typing import Any

import pytest

from scenarios import loader
from sim.runs.store import Run
from tests.sim.commands.conftest import Skopos

CLINIC = "kor-ind-clinic-fasting"
NOISE = "kor-ind-neighbour-noise"
TURN = {"text": "Baik, saya mengerti, terima kasih banyak.", "end": False}


def copied(name: str, new: str, source: str = CLINIC) -> Path:
    """A scenario of one's own under another id."""
    text = loader.find_file(source).read_text(encoding="utf-8")
    path = Path(name)
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text.replace(f"id: {source}", f"id: {new}", 1), encoding="utf-8")
    return path


def fake(name: str, reply: Any = "Baik, Bu, jangan makan.") -> str:
    Path(name).write_text(json.dumps({"fake": 1, "rules": [{"reply": reply}]}), encoding="utf-8")
    return f"fake:{name}"


def held(out: str = "r") -> list[str]:
    return sorted(row["key"]["scenario"] for row in Run(Path(out)).conversations())


def test_files_folders_and_globs_are_held_beside_ids(skopos: Skopos) -> None:
    copied("mine/one.yaml", "my-one")
    copied("mine/two.yml", "my-two", NOISE)
    copied("other.yaml", "my-other")
    words = ("--interpreters", "copy", "--judge", "none", "--turns", "1")
    assert skopos("run", "--scenarios", "mine/*.y*ml", *words, "--out", "a").code == 0
    assert held("a") == ["my-one", "my-two"]
    assert skopos("run", "--scenarios", "other.yaml", *words, "--out", "b").code == 0
    Path("p.toml").write_text(
        f'schema = 1\nscenarios = ["mine", "{CLINIC}"]\n[[systems]]\nmodel = "copy"\n', encoding="utf-8"
    )
    assert skopos("run", "p.toml", "--judge", "none", "--turns", "1", "--out", "c").code == 0
    assert held("c") == [CLINIC, "my-one", "my-two"]


def test_scenarios_are_named_with_commas_and_only_the_wrong_one_is_refused(skopos: Skopos) -> None:
    copied("mine/one, two.yaml", "my-one")
    words = ("--interpreters", "copy", "--judge", "none", "--turns", "1")
    assert skopos("run", "--scenarios", f"{CLINIC}, {NOISE}", *words, "--out", "a").code == 0
    assert held("a") == sorted([CLINIC, NOISE])
    assert skopos("run", "--scenarios", "mine/one, two.yaml", *words, "--out", "b").code == 0
    assert held("b") == ["my-one"]
    done = skopos("run", "--scenarios", f"{CLINIC},nowhere", *words, "--out", "c")
    assert done.code == 2
    assert "'nowhere'" in done.err


def test_a_run_over_files_is_reported_judged_filtered_and_resumed_from_anywhere(
    skopos: Skopos, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copied("one.yaml", "my-one")
    words = ("--interpreters", "reference", "--judge", "none", "--trials", "2")
    assert skopos("run", "--scenarios", "one.yaml", *words, "--out", "r").code == 0
    lines = Path("r/conversations.jsonl").read_bytes().splitlines(keepends=True)
    Path("r/conversations.jsonl").write_bytes(lines[0])
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert skopos("resume", "../r").code == 0
    assert held("../r") == ["my-one", "my-one"]
    done = skopos("judge", "../r", "--judge", "rules")
    assert done.code == 0, done.err
    assert "2/2  reference" in done.out
    assert skopos("filter", "../r").code == 0
    changed = Path("..") / path
    changed.write_text(changed.read_text(encoding="utf-8").replace("fast", "quick", 1), encoding="utf-8")
    done = skopos("resume", "../r")
    assert done.code == 2
    assert "my-one: scenario was" in done.err


def test_a_watched_file_can_be_judged_later(skopos: Skopos, tmp_path: Path) -> None:
    copied("one.yaml", "my-one")
    assert skopos("watch", "one.yaml", "--interpreter", "reference", "--judge", "none", "--json").code == 0
    (record,) = (tmp_path / "data/records").iterdir()
    done = skopos("judge", record.name, "--judge", "rules")
    assert done.code == 0, done.err


def test_all_problems_of_scenarios_are_told_at_once(skopos: Skopos) -> None:
    copied("same.yaml", NOISE, NOISE)
    Path("bad.yaml").write_text("id: Bad Id\n", encoding="utf-8")
    Path("p.toml").write_text(
        f'schema = 1\nscenarios = ["same.yaml", "{NOISE}", "bad.yaml", "none/*.yaml", "zzz"]\n',
        encoding="utf-8",
    )
    done = skopos("run", "p.toml", "--interpreters", "copy", "--out", "r")
    assert done.code == 2
    for part in (f"the id '{NOISE}' of a shipped scenario", "bad.yaml:1", "'none/*.yaml'", "'zzz'"):
        assert part in done.err
    assert not Path("r").exists()


def test_users_by_language_take_the_live_seats_of_their_language(skopos: Skopos) -> None:
    korean, indonesian, other = (fake(f"{name}.json", TURN) for name in ("k", "i", "o"))
    Path("p.toml").write_text(
        f"""
        schema = 1
        scenarios = ["{CLINIC}", "ind-arb-clinic-blood-sugar"]
        modes = ["dynamic-guided", "single-turn"]
        turns = 2
        [[systems]]
        model = "{fake("f.json")}"
        [users]
        A = "{other}"
        [users.kor]
        model = "{korean}"
        [users.ind]
        model = "{indonesian}"
        [users.arb]
        model = "{other}"
        """,
        encoding="utf-8",
    )
    done = skopos("run", "p.toml", "--judge", "none", "--out", "r")
    assert done.code == 2, "in single-turn mode user A speaks the scenario's own words"
    text = Path("p.toml").read_text(encoding="utf-8").replace(f'A = "{other}"', "")
    Path("p.toml").write_text(text, encoding="utf-8")
    done = skopos("run", "p.toml", "--judge", "none", "--out", "r")
    assert done.code == 0, done.err
    users = {
        (row["key"]["scenario"], row["key"]["mode"]): row["key"]["users"]
        for row in Run(Path("r")).conversations()
    }
    assert users[CLINIC, "dynamic-guided"] == f"{korean}|{indonesian}"
    assert users[CLINIC, "single-turn"] == f"script|{indonesian}"
    assert users["ind-arb-clinic-blood-sugar", "dynamic-guided"] == f"{indonesian}|{other}"


def test_users_by_language_are_flags_too_and_a_seat_goes_before_them(skopos: Skopos) -> None:
    korean, indonesian, other = (fake(f"{name}.json", TURN) for name in ("k", "i", "o"))
    words = ["--scenarios", CLINIC, "--mode", "dynamic-guided", "--turns", "2", "--judge", "none"]
    words += ["--interpreters", fake("f.json"), "--users", f"kor={korean},ind={indonesian}"]
    assert skopos("run", *words, "--user-b", other, "--out", "r").code == 0
    (row,) = Run(Path("r")).conversations()
    assert row["key"]["users"] == f"{korean}|{other}"
    assert skopos("resume", "r").code == 0


@pytest.mark.parametrize(
    ("users", "said"),
    [
        ("korean=local", "'korean' is not an ISO 639-3"),
        ("local", "not LANGUAGE=MODEL"),
        ("kor=person", "'person' cannot be a user"),
    ],
)
def test_users_that_cannot_be_are_refused(users: str, said: str, skopos: Skopos) -> None:
    done = skopos("run", "--mode", "dynamic-free", "--users", users, "--out", "r")
    assert done.code == 2
    assert said in done.err


def test_problems_of_users_in_a_plan_name_their_place(skopos: Skopos) -> None:
    Path("p.toml").write_text(
        'schema = 1\n[users.korean]\nmodel = "local"\n[users.kor]\nmodell = "local"\n', encoding="utf-8"
    )
    done = skopos("run", "p.toml", "--out", "r")
    assert done.code == 2
    for part in ("users.korean", "kor (Korean)", "users.kor.modell is no key of a plan", "Valid: model"):
        assert part in done.err


def test_nobody_can_type_in_a_run(skopos: Skopos) -> None:
    Path("p.toml").write_text(
        'schema = 1\nmodes = "dynamic-free"\n[users]\nA = "person"\nB = "local"\n[[systems]]\nmodel = "copy"\n',
        encoding="utf-8",
    )
    done = skopos("run", "p.toml", "--scenarios", CLINIC, "--out", "r")
    assert done.code == 2
    assert "'person' cannot be a user of a run" in done.err
    done = skopos(
        "run", "--scenarios", CLINIC, "--mode", "dynamic-free", "--interpreters", "copy", "--out", "r"
    )
    assert done.code == 2
    assert "Users needed" in done.err
    assert "person" not in done.err.split("Valid:")[1]


@pytest.mark.parametrize(
    ("option", "value", "valid"),
    [
        ("--trials", "0", "from 1 to 10000"),
        ("--trials", "1000000", "from 1 to 10000"),
        ("--trials", "9" * 5000, "from 1 to 10000"),
        ("--seed", "-1", "from 0 to 2147483647"),
        ("--seed", "2147483648", "from 0 to 2147483647"),
        ("--concurrency", "0", "from 1 to 10000"),
        ("--turns", "x", "from 1 to 10000"),
        ("--turn", "-1", "from 0 to 9999"),
    ],
)
def test_numbers_out_of_bounds_are_refused_with_the_bounds(
    option: str, value: str, valid: str, skopos: Skopos
) -> None:
    done = skopos("run", f"{option}={value}", "--out", "r")
    assert done.code == 2
    assert valid in done.err
    assert option in done.err


def test_numbers_of_a_plan_have_the_same_bounds(skopos: Skopos) -> None:
    Path("p.toml").write_text("schema = 1\ntrials = 10001\nseed = 2147483648\n", encoding="utf-8")
    done = skopos("run", "p.toml", "--out", "r")
    for part in ("trials (10001)", "seed (2147483648)", "less than or equal to 10000"):
        assert part in done.err


@pytest.mark.parametrize(
    ("words", "first", "also"),
    [
        (("--interpreters", "referense"), "reference", ("copy", "local")),
        (("--interpreters", "gpt-nope"), None, ("reference", "copy", "local", "gguf:PATH")),
        (("--judge", "rule"), "rules", ("none",)),
        (("--mode", "dynamic-free", "--user-a", "scrip", "--user-b", "script"), "script", ("local",)),
    ],
)
def test_an_unknown_model_names_what_else_its_role_may_be(
    words: tuple[str, ...], first: str | None, also: tuple[str, ...], skopos: Skopos
) -> None:
    more = () if "--interpreters" in words else ("--interpreters", "copy")
    done = skopos("run", "--scenarios", CLINIC, *words, *more, "--out", "r")
    assert done.code == 2
    assert "Unknown model" in done.err
    choices = done.err.split("Valid: ")[1].strip().split(", ")
    assert first is None or choices[0] == first
    assert set(also) <= set(choices)


def test_watch_asks_anew_without_the_cache_and_takes_users_by_language(skopos: Skopos) -> None:
    korean, indonesian = fake("k.json", TURN), fake("i.json", TURN)
    words = ["watch", CLINIC, "--json", "--mode", "dynamic-guided", "--turns", "2", "--judge", "none"]
    words += ["--interpreter", fake("f.json"), "--users", f"kor={korean},ind={indonesian}"]
    record = json.loads(skopos(*words).out)["conversation"]
    assert record["users"] == {"A": korean, "B": indonesian}

    def cached(*more: str) -> set[bool]:
        done = skopos("watch", CLINIC, "--events", "--turns", "2", "--interpreter", "fake:f.json", *more)
        events = map(json.loads, done.out.splitlines())
        return {event["cached"] for event in events if event["type"] == "CallFinished"}

    assert cached() == {False}
    assert cached() == {True}
    assert cached("--no-cache") == {False}
