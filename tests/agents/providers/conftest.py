"""Commands run in this process, against the providers' stubs."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.commands.main import main
from tests.agents.providers.uses import Done, Run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs one command in an empty folder, with directories of its own."""
    monkeypatch.setenv("SKOPOS_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SKOPOS_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Done:
        capfd.readouterr()
        code = main(list(words))
        out, err = capfd.readouterr()
        return Done(code, out, err)

    return run
