"""What a folder's settings may decide, which settings go before which, and that nobody is ever asked."""

import json
import os
import stat
from pathlib import Path

import pytest

from tests.sim.commands.conftest import Skopos

CLINIC = "kor-ind-clinic-fasting"
WATCH = ("watch", CLINIC, "--turns", "1", "--json")


def script(name: str, reply: str) -> str:
    Path(name).write_text(json.dumps({"fake": 1, "rules": [{"reply": reply}]}), encoding="utf-8")
    return f"fake:{Path(name).resolve()}"


def project(text: str) -> None:
    Path("skopos.toml").write_text(text, encoding="utf-8")


def general(text: str) -> None:
    Path("config").mkdir(exist_ok=True)
    Path("config/skopos.toml").write_text(text, encoding="utf-8")


LAB = '[models.lab]\nmodel = "hosted_vllm/m"\napi_base = "http://127.0.0.1:9/v1"\napi_key_env = "LAB_KEY"\n'
AWAY = '[models.lab]\nmodel = "openai/gpt-4o"\napi_base = "http://10.0.0.1:9/v1"\n'


def said(out: str) -> str:
    return str(json.loads(out)["conversation"]["turns"][0]["translation"])


def test_addresses_and_keys_of_a_folder_are_ignored_with_one_line(skopos: Skopos) -> None:
    project(LAB)
    done = skopos("models")
    assert done.code == 0
    (line,) = done.err.splitlines()
    assert "api_base of lab, api_key_env of lab" in line
    assert "`skopos trust " in line
    assert "127.0.0.1:8000, your own server" in done.out
    assert "127.0.0.1:9" not in done.out


def test_what_a_folder_would_run_is_ignored(skopos: Skopos) -> None:
    project('interpreter = "command:rm -rf x"\njudge = "rules,python:m:C"\n[models.a]\nmodel = "command:x"\n')
    done = skopos("watch", CLINIC, "--turns", "1", "--interpreter", "copy", "--json")
    assert done.code == 0
    assert "interpreter, judge, model of a" in done.err
    assert json.loads(done.out)["conversation"]["judge"] == "rules"
    refused = skopos(*WATCH, "--interpreter", "a")
    assert refused.code == 2
    assert "Not trusted" in refused.err


def test_trust_holds_for_the_content_that_was_trusted_only(skopos: Skopos) -> None:
    project(LAB)
    done = skopos("trust", ".")
    assert done.code == 0
    assert "it decides: api_base of lab" in done.out
    trusted = skopos("models")
    assert trusted.err == ""
    assert "127.0.0.1:9, your own server" in trusted.out
    project(LAB + "# changed\n")
    assert "not trusted" in skopos("models").err
    store = Path("config/trusted.json")
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    assert "LAB_KEY" not in store.read_text()


def test_the_same_content_elsewhere_is_not_trusted(
    skopos: Skopos, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(LAB)
    assert skopos("trust", str(tmp_path)).code == 0
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    project(LAB)
    assert "not trusted" in skopos("models").err


def test_trust_for_once_is_said_on_the_command_line_and_never_in_the_file(skopos: Skopos) -> None:
    project(LAB)
    done = skopos("models", "--trust")
    assert done.err == ""
    assert "127.0.0.1:9" in done.out
    assert "not trusted" in skopos("models").err
    project("trust = true\n" + LAB)
    done = skopos("models")
    assert done.code == 2
    assert "No file can trust itself" in done.err


def test_a_damaged_store_trusts_nothing(skopos: Skopos) -> None:
    project(LAB)
    skopos("trust", ".")
    for content in ("[]", "{", "{}", '{"x": 1}'):
        Path("config/trusted.json").write_text(content)
        assert "not trusted" in skopos("models").err


def test_there_must_be_something_to_trust_and_it_must_be_whole(skopos: Skopos) -> None:
    done = skopos("trust", ".")
    assert done.code == 2
    assert "Nothing to trust" in done.err
    project("[models.A]\n")
    assert skopos("trust", ".").code == 2
    assert not Path("config/trusted.json").exists()


def test_text_for_an_address_that_is_not_trusted_goes_to_no_company(
    skopos: Skopos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    project(AWAY)
    done = skopos(*WATCH, "--interpreter", "lab")
    assert done.code == 2
    assert "api.openai.com" in done.err
    run = skopos("run", "--scenarios", CLINIC, "--interpreters", "lab", "--out", "r")
    assert run.code == 2
    assert "Not trusted" in run.err


def test_a_plan_on_the_command_line_is_trusted(skopos: Skopos, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_KEY", "lab-key-0123456789")
    project(AWAY)
    Path("p.toml").write_text(f'schema = 1\nscenarios = "{CLINIC}"\n[[systems]]\nmodel = "lab"\n{LAB}')
    done = skopos("run", "p.toml", "--dry-run")
    assert done.code == 0
    assert "lab: " in done.out


def test_nearer_settings_go_first(skopos: Skopos, monkeypatch: pytest.MonkeyPatch) -> None:
    general(f'interpreter = "copy"\n[models.it]\nmodel = "{script("g.json", "Umum.")}"\n')
    assert said(skopos(*WATCH).out).startswith("시티")
    assert said(skopos(*WATCH, "--interpreter", "it").out) == "Umum."
    project(f'interpreter = "it"\n[models.it]\nmodel = "{script("p.json", "Proyek.")}"\n')
    assert said(skopos(*WATCH).out) == "Proyek."
    monkeypatch.setenv("SKOPOS_INTERPRETER", "copy")
    assert said(skopos(*WATCH).out).startswith("시티")
    plan = f'schema = 1\nscenarios = "{CLINIC}"\n[[systems]]\nmodel = "it"\n[models.it]\nmodel = "{script("r.json", "Rencana.")}"\n'
    Path("p.toml").write_text(plan, encoding="utf-8")
    assert skopos("run", "p.toml", "--out", "r").code == 0
    lines = Path("r/conversations.jsonl").read_text(encoding="utf-8")
    assert "Rencana." in lines


def test_a_models_name_can_be_a_presets(skopos: Skopos) -> None:
    project(f'[models.gpt-4o]\nmodel = "{script("g.json", "Milikku.")}"\n')
    assert said(skopos(*WATCH, "--interpreter", "gpt-4o").out) == "Milikku."
    mine, _, shipped = skopos("models").out.partition("models that come with a name")
    assert "gpt-4o\n  fake:" in mine
    assert "gpt-4o:" not in shipped


def test_problems_of_both_files_and_of_options_are_told_at_once(skopos: Skopos) -> None:
    general("[models.A]\n" + 'model = "m"\n')
    project('interpretr = "copy"\n[models.b]\nmodle = "m"\n')
    done = skopos("watch", CLINIC)
    assert done.code == 2
    for words in (
        "config/skopos.toml:1",
        "skopos.toml:1",
        "interpretr",
        "skopos.toml:3",
        "models.b.modle",
        "models.b.model",
    ):
        assert words in done.err
    assert "Valid: interpreter" in done.err
    assert "Traceback" not in done.err


def test_a_file_that_cannot_be_read_is_told(skopos: Skopos) -> None:
    Path("skopos.toml").write_bytes(b"\xff\xfe\x00")
    done = skopos("models")
    assert done.code == 2
    assert "Unreadable settings" in done.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_trust_that_cannot_be_kept_is_told(skopos: Skopos) -> None:
    project(LAB)
    Path("config").mkdir(mode=0o500)
    assert skopos("trust", ".").code == 2
