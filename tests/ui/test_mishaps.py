import logging
from pathlib import Path

from ui.mishaps import noted


def test_what_fails_is_noted_for_its_owner_alone_and_said_at_the_end(tmp_path: Path) -> None:
    said: list[str] = []
    path = tmp_path / "logs" / "screen.log"
    with noted(path, said.append):
        logging.getLogger("ui.x").error("a \ud800 line")
        assert not said
    assert "ui.x: a \\ud800 line" in path.read_text(encoding="utf-8")
    assert path.stat().st_mode & 0o777 == 0o600
    assert str(path) in said[0]


def test_where_nothing_fails_there_is_no_file_and_no_word(tmp_path: Path) -> None:
    said: list[str] = []
    with noted(tmp_path / "screen.log", said.append):
        logging.getLogger("ui.x").info("all is well")
        logging.getLogger("elsewhere").error("what a library says")
    assert not said
    assert not list(tmp_path.iterdir())


def test_notes_that_cannot_be_written_are_no_reason_to_fail(tmp_path: Path) -> None:
    (tmp_path / "logs").write_text("a file")
    said: list[str] = []
    with noted(tmp_path / "logs" / "screen.log", said.append):
        logging.getLogger("sim.x").error("lost")
    assert not said
