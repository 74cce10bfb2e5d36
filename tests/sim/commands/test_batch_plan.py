"""`skopos run PLAN`: the plan's words, flags before them, and what a dry run foretells."""

import json
from pathlib import Path
from typing import Any

import pytest

from scenarios.loader import shipped_files
from sim.commands.planning import planned
from sim.core.values import Mode
from sim.runs.book import Book
from sim.runs.store import Run
from tests.sim.commands.conftest import Skopos

CLINIC = "kor-ind-clinic-fasting"


def fake(name: str, reply: Any = "Baik, Bu, jangan makan.", **rule: Any) -> str:
    Path(name).write_text(json.dumps({"fake": 1, "rules": [{"reply": reply, **rule}]}), encoding="utf-8")
    return f"fake:{name}"


def written(text: str) -> str:
    Path("p.toml").write_text("schema = 1\n" + text, encoding="utf-8")
    return "p.toml"


def test_a_plan_is_held_as_it_says(skopos: Skopos) -> None:
    fake("f.json")
    plan = written(
        f"""
        scenarios = ["{CLINIC}"]
        modes = ["scripted", "single-turn"]
        turn = 1
        turns = 2
        trials = 2
        judges = ["none", "rules"]
        [[systems]]
        model = ["fake:f.json", "reference"]
        brief = ["direct", "cultural"]
        parameters = {{temperature = 0.5}}
        """
    )
    done = skopos("run", plan, "--out", "r")
    assert done.code == 0, done.err
    run = Run(Path("r"))
    held = {(row["key"]["system"], row["key"]["mode"], row["key"]["turn"]) for row in run.conversations()}
    assert len(held) == 3 * 2
    assert {(mode, turn) for _, mode, turn in held} == {("scripted", None), ("single-turn", 1)}
    assert len({name for name, *_ in held if name.startswith("fake:f.json/direct/")}) == 1
    assert len(list(run.conversations())) == 12
    assert "judge rules" in done.out
    assert len(run.verdict_files()) == 1
    assert f"{CLINIC} single-turn reference trial 1: completed" in done.err
    tables = done.out.split("\n\n")[-2].split("mode ")
    assert [table.split("\n")[0] for table in tables[1:]] == ["scripted", "single-turn"]
    for table in tables[1:]:
        rows = [line for line in table.splitlines()[2:] if not line.startswith("floor of rules")]
        names = [row.split()[8].split("/")[0] for row in rows]
        assert names == ["fake:f.json", "fake:f.json", "reference"], "as planned"
    signed = done.out.rpartition("signatures\n")[2]
    assert signed.count("  skopos ") == 2 * 6, "each system in each mode, under each judge"


def test_a_conversation_that_a_user_spoils_is_told_with_the_reason_and_no_score(skopos: Skopos) -> None:
    user = fake("u.json", "As an AI language model I cannot continue.")
    words = ("--scenarios", CLINIC, "--mode", "dynamic-guided", "--user-a", "script", "--user-b", user)
    done = skopos("run", *words, "--turns", "2", "--interpreters", "reference", "--out", "r")
    line = next(line for line in done.err.splitlines() if line.startswith("1/1 "))
    assert line.endswith("user_fault: user B: User B broke character; left out of the scores")


def test_flags_go_before_the_plan(skopos: Skopos) -> None:
    fake("f.json")
    plan = written('trials = 5\nmodes = ["single-turn"]\n[[systems]]\nmodel = "copy"\n')
    words = ("--scenarios", CLINIC, "--trials", "1", "--mode", "scripted", "--turns", "1", "--judge", "none")
    done = skopos("run", plan, *words, "--interpreters", "reference", "--out", "r")
    assert done.code == 0, done.err
    (row,) = Run(Path("r")).conversations()
    assert (row["key"]["system"], row["key"]["mode"]) == ("reference", "scripted")


def test_a_plan_goes_before_settings_and_settings_before_defaults(
    skopos: Skopos, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("skopos.toml").write_text(
        'trials = 4\njudge = "none"\nmode = "single-turn"\nbrief = "direct"\ninterpreters = "copy"\n'
        'seed = 9\nconcurrency = 7\nbudget = "1USD"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("SKOPOS_SEED", "8")
    monkeypatch.setenv("SKOPOS_TURNS", "2")
    fake("f.json")
    plan = written(
        f'scenarios = "{CLINIC}"\nmodes = "scripted"\ntrials = 2\nbudget = "2USD"\n'
        '[[systems]]\nmodel = "fake:f.json"\nbrief = "cultural"\n[[systems]]\nmodel = "reference"\n'
    )
    assert skopos("run", plan, "--trials=1", "--out", "r").code == 0
    head = Run(Path("r")).head
    planned, limits = head["plan"], head["limits"]
    assert [(s["model"], s["brief"]) for s in planned["systems"]] == [
        ("fake:f.json", "cultural"),
        ("reference", None),
    ]
    assert (planned["trials"], planned["modes"], planned["judge"]) == (1, ["scripted"], "none")
    assert (planned["seed"], planned["turns"]) == (8, 2)
    assert (limits["budget"], limits["concurrency"]) == ("2USD", 7)


def test_problems_of_plan_and_models_are_told_together(skopos: Skopos) -> None:
    plan = written('scenarios = ["zzz*", "yyy*"]\nturn = 1\n[[systems]]\nbrief = "direct"\n')
    done = skopos("run", plan, "--out", "r")
    assert done.code == 2
    for part in ("'zzz*'", "'yyy*'", "--turn 1", "names no models"):
        assert part in done.err
    plan = written(
        f'scenarios = "{CLINIC}"\n[[systems]]\nmodel = ["fake:no.json", "gguf:no.gguf"]\nbrief = "free"\n'
    )
    done = skopos("run", plan, "--out", "r")
    assert done.code == 2
    for part in ("no.json", "no.gguf"):
        assert part in done.err
    assert not Path("r").exists()


@pytest.mark.parametrize(
    ("name", "systems", "modes"),
    [
        ("brief-ablation", 4, ("single-turn",)),
        ("history", 2, ("scripted",)),
        ("scripted-dynamic", 1, ("scripted", "dynamic-guided", "dynamic-free")),
        ("group-ab", 1, ("scripted",)),
        ("strict-language", 2, ("scripted",)),
    ],
)
def test_the_plans_that_ship_run(name: str, systems: int, modes: tuple[str, ...], skopos: Skopos) -> None:
    model = fake("f.json")
    user = fake("u.json", {"text": "Baik, saya mengerti, terima kasih banyak.", "end": False})
    words = ["--interpreters", model, "--scenarios", CLINIC, "--judge", "none", "--out", "r"]
    if "dynamic-guided" in modes:
        words += ["--user-a", user, "--user-b", user]
    done = skopos("run", f"plan:{name}", *words)
    assert done.code == 0, done.err
    rows = list(Run(Path("r")).conversations())
    assert {row["key"]["mode"] for row in rows} == set(modes)
    assert len({row["key"]["system"] for row in rows}) == systems
    assert len(rows) == systems * len(modes)


def test_a_dry_run_foretells_calls_tokens_cost_and_time_and_holds_nothing(skopos: Skopos) -> None:
    model = fake("f.json")
    judge = fake("j.json", {"verdicts": []})
    words = ("--scenarios", CLINIC, "--interpreters", f"{model},copy", "--judge", judge, "--trials", "3")
    done = skopos("run", *words, "--dry-run")
    assert done.code == 0, done.err
    assert "6 conversations (1 scenario, 2 systems, 3 trials, mode scripted)\n" in done.out
    assert "fake:f.json: 18 calls" in done.out, "six turns, three trials"
    assert "fake:j.json: 42 calls" in done.out, "six turns and the whole, two systems, three trials"
    assert "0.0000 USD" in done.out
    assert "time: about" in done.out
    assert not Path("r").exists()


def test_a_dry_run_of_many_conversations_leaves_no_system_out(skopos: Skopos) -> None:
    models = [fake(f"f{n}.json") for n in range(2)]
    words = ("--interpreters", f"{','.join(models)},copy,reference", "--trials", "2")
    done = skopos("run", *words, "--mode", "single-turn", "--dry-run")
    assert done.code == 0, done.err
    for model in models:
        assert f"{model}: 56 calls" in done.out, "28 scenarios, two trials"
    assert "all: 112 calls" in done.out


def test_a_dry_run_prices_what_has_a_price_and_names_what_has_none(
    skopos: Skopos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nothing")
    words = ("--scenarios", CLINIC, "--interpreters", "gpt-4o-mini,openai/nobodys", "--dry-run")
    done = skopos("run", *words)
    assert done.code == 0, done.err
    assert "openai/nobodys: 6 calls" in done.out
    assert "unknown for openai/nobodys" in done.out
    line = next(line for line in done.out.splitlines() if "gpt-4o-mini" in line)
    assert 0 < float(line.split()[-2]) < 1


def test_defaults_fill_what_neither_says(skopos: Skopos) -> None:
    import argparse

    from sim.commands import run

    parser = argparse.ArgumentParser()
    run.add_arguments(parser)
    given = argparse.Namespace(given=frozenset(), book=Book())
    plan, limits, _ = planned(parser.parse_args([], given))
    assert (plan.modes, plan.judge, plan.trials, plan.seed) == ((Mode.SCRIPTED,), "rules", 1, 0)
    assert [system.model for system in plan.systems] == ["local"]
    assert limits.concurrency == 4


def test_limits_of_a_provider_nobody_is_of_are_refused(skopos: Skopos) -> None:
    plan = written(
        f'scenarios = "{CLINIC}"\n[[systems]]\nmodel = "copy"\n[limits.opnai]\nrequests_per_minute = 1\n'
    )
    done = skopos("run", plan, "--judge", "none", "--out", "r")
    assert done.code == 2
    assert "'opnai'" in done.err
    assert not Path("r").exists()


def test_limits_of_a_plan_stay_with_the_run(skopos: Skopos) -> None:
    model = fake("f.json")
    plan = written(
        f'scenarios = "{CLINIC}"\nturns = 2\n[[systems]]\nmodel = "{model}"\n'
        f'[limits."{model}"]\nrequests_per_minute = 6000\ntokens_per_minute = 100000000\n'
    )
    done = skopos("run", plan, "--judge", "none", "--no-cache", "--out", "r")
    assert done.code == 0, done.err
    assert Run(Path("r")).head["limits"]["providers"][model]["requests_per_minute"] == 6000


def test_each_conversation_has_a_seed_of_its_own_whatever_runs_beside_it(skopos: Skopos) -> None:
    model = fake("f.json")
    words = ("--scenarios", CLINIC, "--interpreters", f"{model},copy", "--judge", "none", "--trials", "3")
    seeds = []
    for out, more in (("a", ("--concurrency", "1")), ("b", ("--concurrency", "64")), ("c", ("--seed", "1"))):
        assert skopos("run", *words, *more, "--out", out).code == 0
        rows = Run(Path(out)).conversations()
        seeds.append({json.dumps(row["key"]): row["conversation"]["seed"] for row in rows})
    assert len(set(seeds[0].values())) == 6
    assert seeds[0] == seeds[1]
    assert not set(seeds[0].values()) & set(seeds[2].values())


@pytest.mark.parametrize(("turn", "systems"), [("0", 1), ("1", 2)])
def test_histories_are_told_apart_only_where_there_is_a_past(turn: str, systems: int, skopos: Skopos) -> None:
    model = fake("f.json")
    plan = written(f'[[systems]]\nmodel = "{model}"\nhistory = ["full", "none"]\n')
    words = ("--scenarios", CLINIC, "--mode", "single-turn", "--turn", turn, "--judge", "none", "--out", "r")
    done = skopos("run", plan, *words)
    assert done.code == 0, done.err
    held = [row["key"]["system"] for row in Run(Path("r")).conversations()]
    assert held == [f"{model}/cultural/{history}" for history in ("full", "none")[:systems]]
    assert f"holding {systems} conversation" in done.err
    dry = skopos("run", plan, *words[:-2], "--dry-run")
    assert f"{model}: {systems} call" in dry.out


def test_one_turn_alone_is_one_system_whatever_history_is_asked_for(skopos: Skopos) -> None:
    model = fake("f.json")
    words = ("watch", CLINIC, "--interpreter", model, "--mode", "single-turn", "--judge", "none", "--json")
    told = [json.loads(skopos(*words, "--history", history).out) for history in ("none", "last:2", "full")]
    assert {one["conversation"]["system"]["id"] for one in told} == {f"{model}/cultural/full"}


def test_without_scenarios_and_pack_the_pack_core_is_held(
    skopos: Skopos, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = shipped_files()
    other = Path("kor-ind-other.yaml").resolve()
    text = core[0].read_text(encoding="utf-8").replace(f"id: {core[0].stem}", f"id: {other.stem}")
    other.write_text(text.replace("pack: core", "pack: spare"), encoding="utf-8")
    monkeypatch.setattr("scenarios.loader.shipped_files", lambda: (*core, other))
    dry = ("--interpreters", "copy", "--judge", "none", "--dry-run")
    assert skopos("run", *dry).out.startswith("28 conversations (28 scenarios,")
    assert skopos("run", "--pack", "core", *dry).out.startswith("28 conversations (28 scenarios,")
    assert skopos("run", "--pack", "spare", *dry).out.startswith("1 conversation (1 scenario,")
    assert skopos("run", "--scenarios", "*", *dry).out.startswith("29 conversations (29 scenarios,")
    assert skopos("run", written('pack = "spare"'), *dry).out.startswith("1 conversation (1 scenario,")
    assert skopos("run", "--scenarios", CLINIC, "--pack", "spare", *dry).code == 2
