"""Bad input gets one message that names the thing, the reason and the valid choices; nothing is run."""

from pathlib import Path

import pytest

from tests.sim.commands.conftest import Skopos

CASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "command": (("wach",), ("'wach'", "watch")),
    "scenario": (("watch", "kor-ind-clinic"), ("'kor-ind-clinic'", "kor-ind-clinic-fasting")),
    "mode": (("watch", "--mode", "scriptd"), ("'scriptd'", "scripted")),
    "brief": (("watch", "--interpreter", "fake:f.yaml", "--brief", "free"), ("'free'", "cultural")),
    "history": (("watch", "--interpreter", "fake:f.yaml", "--history", "last:0"), ("'last:0'", "full")),
    "language": (("chat", "--me", "korean", "--other", "ind"), ("'korean'", "kor")),
    "model": (("watch", "--interpreter", "gpt-surely-not"), ("'gpt-surely-not'", "gguf:PATH")),
    "key": (("watch", "--interpreter", "openai/gpt-5-mini"), ("openai/gpt-5-mini", "OPENAI_API_KEY")),
    "gguf missing": (("watch", "--interpreter", "gguf:nowhere.gguf"), ("nowhere.gguf",)),
    "gguf that is none": (("watch", "--interpreter", "gguf:f.yaml"), ("f.yaml", "GGUF")),
    "fake missing": (("watch", "--interpreter", "fake:nowhere.yaml"), ("nowhere.yaml",)),
    "judge": (("watch", "--judge", "rules,rules"), ("'rules,rules'", "more than once")),
    "panel": (("watch", "--judge", "rules,none"), ("'none'", "rules")),
    "dynamic without users": (("watch", "--mode", "dynamic-guided"), ("--user-a and --user-b",)),
    "dynamic with one user": (
        ("watch", "--mode", "dynamic-free", "--user-a", "fake:f.yaml"),
        ("give --user-b",),
    ),
    "users in scripted mode": (("watch", "--user-a", "local"), ("--user-a local", "dynamic-guided")),
    "user of no kind": (
        ("watch", "--mode", "dynamic-free", "--user-a", "rules", "--user-b", "local"),
        ("'rules'", "gguf:PATH"),
    ),
    "brief for a baseline": (("watch", "--interpreter", "copy", "--brief", "direct"), ("--brief", "'copy'")),
    "turn out of range": (("watch", "--mode", "single-turn", "--turn", "9"), ("no turn 9", "0 to 5")),
    "turn in scripted": (("watch", "--turn", "1"), ("--turn 1", "single-turn")),
    "turns": (("watch", "--turns", "0"), ("--turns", "whole number")),
    "local language": (("chat", "--me", "swh", "--other", "ind", "--hotseat"), ("swh", "kor")),
    "chat without languages": (("chat",), ("--me and --other",)),
    "one language": (("chat", "--me", "kor", "--other", "kor", "--hotseat"), ("both kor",)),
    "chat seat": (
        ("chat", "--scenario", "kor-ind-clinic-fasting", "--me", "ben"),
        ("--me ben", "kor", "ind"),
    ),
    "hotseat with partner": (
        ("chat", "--me", "kor", "--other", "ind", "--hotseat", "--with", "script"),
        ("--hotseat", "--with"),
    ),
    "script without scenario": (
        ("chat", "--me", "kor", "--other", "ind", "--with", "script"),
        ("'script'", "--scenario"),
    ),
    "reference for a person": (
        ("chat", "--me", "kor", "--other", "ind", "--interpreter", "reference"),
        ("'reference'", "gguf:PATH"),
    ),
    "run without folder": (("run",), ("--out",)),
    "run without scenario": (
        ("run", "--scenarios", "zzz*", "--out", "r"),
        ("'zzz*'", "arb-ben-neighbour-condolence"),
    ),
    "run twice the same": (("run", "--interpreters", "copy,copy", "--out", "r"), ("copy,copy",)),
    "no such run": (("report", "nowhere"), ("'nowhere'",)),
    "run of an endless name": (("report", "a" * 5000), ("neither a folder",)),
    "gguf of an endless name": (("watch", "--interpreter", "gguf:" + "a" * 5000), ("missing",)),
    "fake of an endless name": (("watch", "--interpreter", "fake:" + "a" * 5000), ("cannot be read",)),
    "gguf of nobody's home": (("watch", "--interpreter", "gguf:~no-such-user/x"), ("~no-such-user/x",)),
    "fake of nobody's home": (("watch", "--interpreter", "fake:~no-such-user/x"), ("~no-such-user/x",)),
    "person without a keyboard": (
        ("watch", "--mode", "dynamic-free", "--user-a", "person", "--user-b", "script"),
        ("'person'", "skopos chat"),
    ),
    "person in a run": (
        ("run", "--out", "r", "--mode", "dynamic-free", "--user-a", "script", "--user-b", "person"),
        ("'person'", "skopos chat"),
    ),
    "unknown option": (("watch", "--speed", "3"), ("--speed", "skopos watch --help")),
    "two faces": (("watch", "--json", "--plain"), ("not allowed with",)),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input_is_named_explained_and_answered_with_what_is_valid(name: str, skopos: Skopos) -> None:
    Path("f.yaml").write_text("fake: 1\nrules:\n  - reply: x\n", encoding="utf-8")
    words, parts = CASES[name]
    done = skopos(*words)
    assert done.code == 2, done
    assert done.out == ""
    for part in parts:
        assert part in done.err
    assert "Traceback" not in done.err
    assert not Path("r").exists()


def test_several_problems_are_told_at_once(skopos: Skopos) -> None:
    Path("s.yaml").write_text(
        "schema: 1\nid: Bad Id\npair: [kor, xyz]\nsurprise: 1\nsetting: x\n", encoding="utf-8"
    )
    done = skopos("watch", "s.yaml")
    assert done.code == 2
    for part in ("surprise", "id", "turns"):
        assert part in done.err


def test_settings_come_from_flags_then_environment_then_file(
    skopos: Skopos, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("skopos.toml").write_text('interpreter = "copy"\nmode = "nonsense"\n', encoding="utf-8")
    assert "'nonsense'" in skopos("watch", "--json").err
    monkeypatch.setenv("SKOPOS_MODE", "scripted")
    assert '"id":"copy"' in skopos("watch", "--json").out
    assert '"id":"reference"' in skopos("watch", "--json", "--interpreter", "reference").out
    monkeypatch.setenv("SKOPOS_TURNS", "many")
    assert "SKOPOS_TURNS is 'many'" in skopos("watch", "--json").err
    Path("skopos.toml").write_text('interpretr = "copy"\n', encoding="utf-8")
    misspelt = skopos("watch", "--json")
    assert misspelt.code == 2
    assert "interpretr" in misspelt.err
    assert "interpreter" in misspelt.err.split("Valid:")[1]
    Path("skopos.toml").write_text('trials = "3"\n', encoding="utf-8")
    assert "trials" not in skopos("watch", "--json", "--turns", "1").err
    Path("skopos.toml").write_text("not toml", encoding="utf-8")
    assert "skopos.toml" in skopos("watch", "--json").err


def test_without_a_word_the_help_is_shown(skopos: Skopos) -> None:
    done = skopos()
    assert done.code == 2
    assert "skopos watch" in done.out


def test_a_face_that_is_set_gives_way_to_a_flag_and_a_file_to_the_environment(
    skopos: Skopos, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("watch", "--interpreter", "copy", "--judge", "none", "--turns", "1")
    (tmp_path / "skopos.toml").write_text("json = true\n", encoding="utf-8")
    assert skopos(*words).out.startswith('{"schema"')
    assert skopos(*words, "--plain").out.startswith("Scenario ")
    monkeypatch.setenv("SKOPOS_EVENTS", "1")
    assert skopos(*words).out.startswith('{"v"')
    assert skopos(*words, "--plain").out.startswith("Scenario ")
