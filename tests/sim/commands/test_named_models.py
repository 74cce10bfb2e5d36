"""Models by name, in every role, over real HTTP: what is asked where, with which parameters, under which id."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.sim.commands.conftest import Skopos
from tests.stub.providers.server import Server

CLINIC = "kor-ind-clinic-fasting"
KEY = "lab-key-0123456789"
ONE = ("--scenarios", CLINIC, "--turns", "1")


def project(*tables: str) -> None:
    Path("skopos.toml").write_text("\n".join(tables), encoding="utf-8")


def table(name: str, model: str, base: str = "", more: str = "") -> str:
    """A named model; the stub that plays OpenAI wants its key at whatever address."""
    address = f'api_base = "{base}"\n' if base else ""
    if base.endswith("/openai/v1"):
        address += 'api_key_env = "OPENAI_API_KEY"\n'
    return f'[models.{name}]\nmodel = "{model}"\n{address}{more}\n'


def bodies(providers: Server, shape: str) -> list[dict[str, Any]]:
    return [sent.body for sent in providers[shape].requests if sent.method == "POST"]


def systems(run: str) -> list[str]:
    rows = json.loads(Path(run, "run.json").read_text(encoding="utf-8"))["signatures"]
    return [row["system"] for row in rows]


def lines(run: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(run, "conversations.jsonl").read_text("utf-8").splitlines()]


def test_two_names_of_one_model_at_two_addresses_are_two_systems(skopos: Skopos, providers: Server) -> None:
    bases = [f"{providers.url(name)}/v1" for name in ("openai", "llamacpp")]
    project(
        *(table(name, "openai/gpt-4o", base) for name, base in zip(("here", "there"), bases, strict=True))
    )
    done = skopos("run", *ONE, "--interpreters", "here,there", "--out", "r", "--trust")
    assert done.code == 0, done.err
    assert systems("r") == ["here/cultural/full", "there/cultural/full"]
    assert [len(bodies(providers, shape)) for shape in ("openai", "llamacpp")] == [1, 1]
    assert f"here (at 127.0.0.1:{providers.port}, this machine)" in done.err
    # the second address was asked, too: the call cache takes them for two
    again = skopos("run", *ONE, "--interpreters", "here,there", "--out", "again", "--trust")
    assert again.code == 0
    assert [len(bodies(providers, shape)) for shape in ("openai", "llamacpp")] == [1, 1]


def test_an_address_gets_the_key_that_was_named_for_it_and_no_other(
    skopos: Skopos, providers: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB", KEY)
    base = f"{providers.url('llamacpp')}/v1"
    project(table("bare", "openai/x", base), table("keyed", "openai/x", base, 'api_key_env = "LAB"'))
    assert skopos("run", *ONE, "--interpreters", "bare,keyed", "--out", "r", "--trust").code == 0
    sent = [one.headers.get("authorization", "") for one in providers["llamacpp"].requests]
    assert sorted(sent) == ["", f"Bearer {KEY}"]


def test_parameters_reach_interpreter_judge_and_users(skopos: Skopos, providers: Server) -> None:
    roles = "interpreter = {seed = 11}\njudge = {seed = 22}\nuser = {seed = 33}\n"
    project(table("m", "openai/gpt-4o", more=f"[models.m.parameters]\ntop_p = 0.5\n{roles}"))
    done = skopos(
        *("run", "--scenarios", CLINIC, "--mode", "dynamic-guided", "--turns", "2", "--out", "r"),
        *("--interpreters", "m", "--judge", "m", "--user-a", "m", "--user-b", "m"),
    )
    assert done.code == 0, done.err
    sent = bodies(providers, "openai")
    assert {body["top_p"] for body in sent} == {0.5}
    by_seed = {seed: [b for b in sent if b["seed"] == seed] for seed in (11, 22, 33)}
    assert sum(map(len, by_seed.values())) == len(sent)
    assert all(by_seed.values())
    assert all("response_format" not in body for body in by_seed[11])


def test_parameters_are_part_of_ids_identities_and_signatures(skopos: Skopos, providers: Server) -> None:
    words = ("run", *ONE, "--interpreters", "openai/gpt-4o,openai/gpt-4o?top_p=0.5,openai/gpt-4o?top_p=0.6")
    judge = "openai/gpt-4o?top_p=0.7"
    done = skopos(*words, "--judge", f"rules,{judge}", "--out", "r")
    assert done.code == 0, done.err
    ids = systems("r")
    assert len(set(ids)) == 3
    assert all(one.startswith("openai/gpt-4o/cultural/full") for one in ids)
    row = json.loads(Path("r/run.json").read_text("utf-8"))["signatures"][1]["signature"]
    assert row["system"]["parameters"] == {"top_p": 0.5}
    assert row["models"]["judge"] == {judge: {"model": "openai/gpt-4o", "parameters": {"top_p": 0.7}}}
    assert lines("r")[0]["conversation"]["judge"] == f"rules,{judge}"
    assert row["judge"]["members"][1]["model"]["parameters"] == {"top_p": 0.7}


def test_a_panel_may_have_one_model_twice_with_different_parameters(
    skopos: Skopos, providers: Server
) -> None:
    panel = 'openai/gpt-4o?stop=["a","b"]&top_p=0.1,openai/gpt-4o?top_p=0.2'
    done = skopos("run", *ONE, "--interpreters", "reference", "--judge", panel, "--out", "r")
    assert done.code == 0, done.err
    assert {body["top_p"] for body in bodies(providers, "openai")} == {0.1, 0.2}
    twice = skopos("run", *ONE, "--interpreters", "copy", "--judge", "rules,rules", "--out", "s")
    assert twice.code == 2


def test_parameters_of_a_plans_grid_stand_between_a_names_and_inline_ones(
    skopos: Skopos, providers: Server
) -> None:
    plan = f"""schema = 1
    scenarios = "{CLINIC}"
    turns = 1
    [[systems]]
    model = ["m", "m?top_p=0.9"]
    parameters = {{top_p = 0.4, presence_penalty = 0.1}}
    """ + table("m", "openai/gpt-4o", more="parameters = {top_p = 0.1, seed = 5, presence_penalty = 0}")
    Path("p.toml").write_text(plan, encoding="utf-8")
    assert skopos("run", "p.toml", "--out", "r").code == 0
    sent = [(b["top_p"], b["seed"], b["presence_penalty"]) for b in bodies(providers, "openai")]
    assert sorted(sent) == [(0.4, 5, 0.1), (0.9, 5, 0.1)]


def test_a_run_is_resumed_without_the_settings_it_was_started_with(
    skopos: Skopos, providers: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB", KEY)
    more = 'api_key_env = "LAB"\nparameters = {seed = 4}'
    project(table("lab", "hosted_vllm/held/keyed", f"{providers.url('vllm')}/v1", more))
    assert skopos("run", *ONE, "--interpreters", "lab", "--trials", "2", "--out", "r", "--trust").code in (
        0,
        1,
    )
    Path("r/conversations.jsonl").write_text("", encoding="utf-8")
    # now the name means something else, and nothing is trusted
    project(table("lab", "openai/gpt-4o"))
    providers.forget()
    done = skopos("resume", "r", "--no-cache")
    assert "drifted" not in done.err
    assert bodies(providers, "openai") == []
    sent = providers["vllm"].requests
    assert {one.body["model"] for one in sent} == {"held/keyed"}
    assert {one.body["seed"] for one in sent} == {4}
    assert {one.headers["authorization"] for one in sent} == {f"Bearer {KEY}"}
    stored = [file.read_text("utf-8", "replace") for file in Path("r").rglob("*") if file.is_file()]
    assert not any(KEY in text for text in stored)


def test_a_judge_of_the_settings_judges_a_finished_run(skopos: Skopos, providers: Server) -> None:
    assert skopos("run", *ONE, "--interpreters", "reference", "--out", "r").code == 0
    project(table("strict", "openai/gpt-4o", more="parameters = {judge = {seed = 9}}"))
    done = skopos("judge", "r", "--judge", "strict")
    assert done.code == 0, done.err
    assert "text goes to: strict (at " in done.err
    assert {body["seed"] for body in bodies(providers, "openai")} == {9}
    assert "1.000" in skopos("report", "r").out
    assert skopos("compare", "r", "reference", "reference", "--judge", "strict").code == 2


def test_watch_and_chat_take_names_and_say_the_host(
    skopos: Skopos, providers: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(table("lab", "openai/gpt-4o", f"{providers.url('openai')}/v1"))
    done = skopos("watch", CLINIC, "--turns", "1", "--interpreter", "lab", "--trust", "--plain")
    first, _, _ = done.out.partition("Turn 0")
    assert f"goes to: lab (at 127.0.0.1:{providers.port}, this machine)" in first
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    chat = skopos(
        "chat", "--me", "kor", "--other", "ind", "--with", "lab", "--interpreter", "lab?top_p=1", "--trust"
    )
    assert f"lab?top_p=1 (at 127.0.0.1:{providers.port}, this machine), lab (at" in chat.out


def test_prices_of_ones_own_are_what_a_dry_run_foretells_and_a_budget_is_kept_by(
    skopos: Skopos, providers: Server
) -> None:
    base = f"{providers.url('llamacpp')}/v1"
    project(
        table("priced", "openai/nobody", base, "prices = {input = 1000, output = 1000}"),
        table("free", "openai/nobody", base),
    )
    words = ("run", *ONE, "--budget", "5USD", "--trust")
    refused = skopos(*words, "--interpreters", "free", "--out", "f")
    assert refused.code == 2
    assert "No price" in refused.err
    dry = skopos("run", *ONE, "--trust", "--interpreters", "priced", "--dry-run")
    assert "price unknown" not in dry.out
    assert skopos(*words, "--interpreters", "priced", "--out", "p").code == 3
    held = skopos("run", *ONE, "--interpreters", "priced", "--out", "h", "--trust")
    assert held.code == 0, held.err
    (journal,) = Path("h/journal").glob("*.jsonl")
    events = map(json.loads, journal.read_text("utf-8").splitlines())
    (call,) = [event for event in events if event["type"] == "CallFinished"]
    assert call["cost_status"] == "known"
    assert call["cost"] == pytest.approx((call["input_tokens"] + call["output_tokens"]) / 1000)


def test_limits_of_a_name_go_before_its_providers(skopos: Skopos, providers: Server) -> None:
    plan = f"""schema = 1
    scenarios = "{CLINIC}"
    turns = 1
    [[systems]]
    model = "slow"
    [limits.openai]
    requests_per_minute = 1
    """ + table("slow", "openai/gpt-4o", more="limits = {requests_per_minute = 6000}")
    Path("p.toml").write_text(plan, encoding="utf-8")
    done = skopos("run", "p.toml", "--dry-run")
    assert done.code == 2
    assert "Limit without effect" in done.err


def test_a_model_is_tried_in_every_way(skopos: Skopos, providers: Server) -> None:
    project(table("lab", "openai/gpt-4o", more="parameters = {judge = {seed = 8}}"))
    done = skopos("models", "check", "lab", "--role", "judge")
    place, whole, streamed, as_json, *_ = done.out.splitlines()
    assert place == f"lab (at 127.0.0.1:{providers.port}, this machine)"
    assert [line.split()[0] for line in (whole, streamed, as_json)] == ["whole", "streamed", "JSON"]
    sent = bodies(providers, "openai")
    assert [bool(body.get("stream")) for body in sent[:3]] == [False, True, False]
    assert {body["seed"] for body in sent} == {8}


def test_what_a_server_refused_is_named_as_left_out(skopos: Skopos, providers: Server) -> None:
    done = skopos("models", "check", "openai/gpt-5.4-mini?temperature=0.3&reasoning_effort=low")
    assert done.code == 0, done.out
    assert "left out, which the server refused: temperature\n" in done.out
    assert [body for body in bodies(providers, "openai") if body.get("reasoning_effort") == "low"]


def test_a_server_that_is_not_there_is_told_once(skopos: Skopos) -> None:
    project(table("gone", "hosted_vllm/m", "http://127.0.0.1:9/v1"))
    done = skopos("models", "check", "gone", "--trust")
    assert done.code == 1
    assert done.out.splitlines()[0] == "gone (at 127.0.0.1:9, this machine)"
    assert len(done.out.splitlines()) == 2
    assert "Traceback" not in done.out + done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("models", "check"), "No model was named"),
        (("models", "check", "rules"), "asks no model"),
        (("models", "check", "gpt-4oo"), "Valid: gpt-4o"),
        (("models", "check", "gpt-4o"), "There is no key for 'gpt-4o'"),
        (("models", "check", "m?x"), "KEY=VALUE"),
        (("models", "try"), "invalid choice"),
        (("models", "check", "gguf:nowhere.gguf"), "nowhere.gguf"),
    ],
)
def test_what_cannot_be_tried_is_told(skopos: Skopos, words: tuple[str, ...], said: str) -> None:
    done = skopos(*words)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_an_answer_that_is_no_document_fails_the_check(skopos: Skopos) -> None:
    Path("f.json").write_text('{"fake": 1, "rules": [{"reply": "no document at all"}]}', encoding="utf-8")
    done = skopos("models", "check", "fake:f.json")
    assert done.code == 1
    assert "but not the document asked for" in done.out


def test_the_list_says_whose_server_and_which_prices_are_unknown(skopos: Skopos) -> None:
    out = skopos("models").out
    tiny = out.partition("tiny-aya:")[2].partition("\ngrok")[0]
    assert "127.0.0.1:8000, your own server; price: unknown" in tiny
    assert "every role: temperature=0, max_tokens=256" in tiny
    pro = out.partition("gemini-3.1-pro:")[2].partition("\ngemini-3.1-flash")[0]
    assert "generativelanguage.googleapis.com; price: 2 in, 12 out" in pro
    assert "lowest is low" in pro


def test_doctor_names_keys_and_a_proxy_and_shows_neither_secret(
    skopos: Skopos, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (
        ("HTTPS_PROXY", "http://me:hunter22@proxy.example:3128"),
        ("GEMINI_API_KEY", "AIza-secret-0123"),
        ("XAI_API_KEY", ""),
        ("MISTRAL_API_KEY", "cut\nin two"),
    ):
        monkeypatch.setenv(name, value)
    Path("config").mkdir()
    Path("config/skopos.toml").write_text(table("lab", "openai/x", more='api_key_env = "LAB"'), "utf-8")
    out = skopos("doctor").out
    assert "keys: GEMINI_API_KEY; MISTRAL_API_KEY, XAI_API_KEY are empty or cannot be sent" in out
    assert "HTTPS_PROXY is http://[hidden]@proxy.example:3128" in out
    assert "key LAB: not set, empty or not to be sent; needed by lab" in out
    for secret in ("hunter22", "AIza-secret", "in two"):
        assert secret not in out
