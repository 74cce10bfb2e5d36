"""Commands run in this process, with directories of their own."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from sim.commands.main import main


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Skopos = Callable[..., Done]


@pytest.fixture
def skopos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Skopos:
    """Runs one command in an empty folder."""
    monkeypatch.setenv("SKOPOS_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SKOPOS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SKOPOS_CONFIG", str(tmp_path / "config"))
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Done:
        capfd.readouterr()
        code = main(list(words))
        out, err = capfd.readouterr()
        return Done(code, out, err)

    return run
