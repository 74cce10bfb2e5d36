"""What holds text is for its owner alone, whatever was there before and whatever the umask."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.core.errors import UsageProblem
from sim.runs import private


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("umask")
def test_a_new_folder_and_its_files_are_closed(tmp_path: Path) -> None:
    private.opened(private.folder(tmp_path / "r") / "journal" / "a.jsonl", "ab").close()
    assert [mode(tmp_path / part) for part in ("r", "r/journal", "r/journal/a.jsonl")] == [
        0o700,
        0o700,
        0o600,
    ]


@pytest.mark.usefixtures("umask")
def test_what_was_open_before_is_closed_and_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder, file = tmp_path / "r", tmp_path / "r" / "a.jsonl"
    folder.mkdir()
    file.write_text("before\n", encoding="utf-8")
    folder.chmod(0o755)
    file.chmod(0o644)
    for _ in range(2):
        private.folder(folder)
        private.opened(file, "ab").close()
    assert (mode(folder), mode(file)) == (0o700, 0o600)
    assert file.read_text(encoding="utf-8") == "before\n"
    assert [record.getMessage() for record in caplog.records] == [
        f"{folder} was open to others; now only you can read it"
    ]


def test_a_folder_that_others_could_swap_is_refused(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    with pytest.raises(UsageProblem, match="other users can write") as refused:
        private.folder(shared / "deep" / "r")
    assert "--shared-out" in refused.value.problems[0].why
    shared.chmod(0o1777)
    private.folder(shared / "r")
    shared.chmod(0o777)
    assert mode(private.folder(shared / "r", shared=True)) == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    os.chown(theirs, 12345, 12345)
    with pytest.raises(UsageProblem, match="belongs to user 12345"):
        private.folder(theirs)
    private.folder(theirs, shared=True)
    assert mode(theirs) == 0o755, "another user's folder stays as it is"


def test_a_device_keeps_its_mode() -> None:
    before = mode(Path(os.devnull))
    private.opened(Path(os.devnull), "ab").close()
    assert mode(Path(os.devnull)) == before
