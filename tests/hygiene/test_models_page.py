"""docs/models.md: each way to a model is typed as it stands there, against a stub of that server's shape."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.commands.main import main
from tests.agents.models.test_profiles import exaone
from tests.hygiene.transcripts import ROOT
from tests.stub.providers.server import KEY, Server

PAGE = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
_SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"^```(sh|toml)\n(.*?)^```", re.DOTALL | re.MULTILINE)
WAYS = {
    "Hosted": "openai",
    "Ollama": "ollama",
    "vLLM": "vllm",
    "LM Studio": "llamacpp",
    "llama.cpp": "llamacpp",
    "A gateway, or any other address": "openai",
}


def blocks(title: str) -> list[tuple[str, str]]:
    return [
        (kind, text)
        for name, body in _SECTION.findall(PAGE)
        if name == title
        for kind, text in _BLOCK.findall(body)
    ]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("DATA", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"SKOPOS_{name}", str(tmp_path / name.lower()))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(title: str, monkeypatch: pytest.MonkeyPatch, here: Callable[[str], str]) -> list[int]:
    """The exit codes of the section's `skopos` lines; other lines start what the stub stands for."""
    codes = []
    for kind, text in blocks(title):
        if kind == "toml":
            Path("skopos.toml").write_text(here(text), encoding="utf-8")
            continue
        lines = text.splitlines()
        assert len(lines) == 3
        for line in lines:
            words = shlex.split(line)
            if words[0] == "export":
                name, _, value = words[1].partition("=")
                monkeypatch.setenv(name, KEY if value else value)
            elif words[0] == "skopos":
                shorter = [] if "--mode" in words else ["--turns", "2"]
                shown = ["--plain", *shorter] if words[1] == "watch" else []
                codes.append(main([*words[1:], *shown]))
    return codes


@pytest.mark.parametrize("title", WAYS)
def test_three_lines_bring_a_model_to_a_first_dialogue(
    title: str,
    place: Path,
    providers: Server,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    shape = WAYS[title]
    monkeypatch.setenv("LM_STUDIO_API_BASE", f"{providers.url('llamacpp')}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "")
    codes = typed(
        title, monkeypatch, lambda text: text.replace("https://gateway.example", providers.url("openai"))
    )
    out, err = capfd.readouterr()
    assert codes == [0, 0], out + err
    assert len(re.findall(r"^  (?:whole|streamed|JSON) +ok", out, re.MULTILINE)) == 3
    assert f"127.0.0.1:{providers.port}, this machine" in out
    assert [sent.shape for sent in providers[shape].requests]
    assert not [one for name, one in providers.shapes.items() if name != shape and one.requests]


@pytest.mark.slow
def test_a_file_needs_no_server(
    place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    exaone(place).rename(place / "exaone.gguf")
    codes = typed("A GGUF file", monkeypatch, str)
    out, err = capfd.readouterr()
    assert len(codes) == 2
    assert codes[-1] == 0, out + err
    assert "goes to" not in out
    assert len(re.findall(r"^  (?:whole|streamed|JSON) +ok", out, re.MULTILINE)) == 3


def test_every_table_on_the_page_is_one(place: Path) -> None:
    from sim.runs import settings_file

    for kind, text in _BLOCK.findall(PAGE):
        if kind == "toml":
            Path("skopos.toml").write_text(text, encoding="utf-8")
            assert settings_file.read(Path("skopos.toml")).problems == ()
