"""The call cache: shared, bounded, first answer stays, and no fault of its file reaches a caller."""

import logging
import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from sim.runs import cache
from sim.runs.cache import SqliteCache


def test_two_runs_share_one_file(tmp_path: Path) -> None:
    one, two = SqliteCache(tmp_path / "c.sqlite"), SqliteCache(tmp_path / "c.sqlite")
    one.put("k", "first")
    two.put("k", "second")
    assert (one.get("k"), two.get("k"), one.get("other")) == ("first", "first", None)
    one.close()
    two.close()


def test_the_entries_read_longest_ago_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_TRIM_EVERY", 1)
    ticks = iter(range(1000))
    monkeypatch.setattr("sim.runs.cache.time.time", lambda: float(next(ticks)))
    store = SqliteCache(tmp_path / "c.sqlite", limit=300)
    store.put("a", "x" * 100)
    store.put("b", "x" * 100)
    assert store.get("a")
    store.put("c", "x" * 150)
    assert store.get("b") is None
    assert store.get("a")
    assert store.get("c")
    store.close()


def _no_database(path: Path) -> None:
    path.write_text("not a database, but long enough to be looked at as one" * 20, encoding="utf-8")


def _cut(path: Path) -> None:
    SqliteCache(path).close()
    path.write_bytes(path.read_bytes()[:1500])


def _of_another_table(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE calls (key TEXT PRIMARY KEY, value BLOB)")
    db.close()


def _of_another_version(path: Path) -> None:
    SqliteCache(path).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()


@pytest.mark.parametrize("spoil", [_no_database, _cut, _of_another_table, _of_another_version])
def test_a_file_that_is_no_cache_is_set_aside_and_a_new_one_begun(
    spoil: Callable[[Path], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "c.sqlite"
    spoil(path)
    before = path.read_bytes()
    store = SqliteCache(path)
    store.put("k", "document")
    assert store.get("k") == "document"
    store.close()
    assert (tmp_path / "c.sqlite.aside-1").read_bytes() == before
    (said,) = [record.getMessage() for record in caplog.records]
    assert "set aside as" in said


def test_a_file_damaged_while_in_use_costs_the_cache_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "c.sqlite"
    store = SqliteCache(path)
    for number in range(200):
        store.put(f"k{number}", "x" * 500)
    store.close()
    store = SqliteCache(path)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 4096))
    assert [store.get(f"k{number}") for number in range(200)].count(None) > 0
    store.put("new", "document")
    assert store.off
    assert sum("call cache off" in record.getMessage() for record in caplog.records) == 1
    assert SqliteCache(path).get("k0") is None, "the next one begins anew"


def test_what_cannot_be_written_is_gone_without(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    store = SqliteCache(tmp_path / "file" / "c.sqlite")
    assert store.off
    store.put("k", "document")
    assert store.get("k") is None
    assert len(caplog.records) == 1
    (tmp_path / "folder.sqlite").mkdir()
    assert SqliteCache(tmp_path / "folder.sqlite").off


def test_a_full_disk_switches_it_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = SqliteCache(tmp_path / "c.sqlite")
    store.put("before", "document")
    assert store._db is not None
    store._db.execute(f"PRAGMA max_page_count = {store._db.execute('PRAGMA page_count').fetchone()[0]}")
    for number in range(50):
        store.put(f"k{number}", "x" * 10_000)
    assert store.off
    assert "full" in caplog.records[0].getMessage()
    assert SqliteCache(tmp_path / "c.sqlite").get("before") == "document", "a full disk is no damage"


def test_a_lock_held_by_another_program_costs_entries_then_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cache, "_PATIENCE", 0.01)
    store = SqliteCache(tmp_path / "c.sqlite")
    other = sqlite3.connect(tmp_path / "c.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    store.put("lost", "document")
    assert not store.off
    other.execute("ROLLBACK")
    store.put("kept", "document")
    assert (store.get("lost"), store.get("kept")) == (None, "document")
    other.execute("BEGIN EXCLUSIVE")
    for number in range(10):
        store.put(f"k{number}", "document")
    assert store.off
    assert len(caplog.records) == 1
    other.close()


def test_an_unpaired_surrogate_costs_nothing_else(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    store = SqliteCache(tmp_path / "c.sqlite")
    store.put("k", "\ud800")
    store.put("other", "document")
    assert (store.get("k"), store.get("other")) == (None, "document")
    store.close()


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_only_its_owner_may_read_it_also_where_it_was_open_before(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "c.sqlite"
    path.touch(mode=0o644)
    path.chmod(0o644)
    before = os.umask(umask)
    try:
        store = SqliteCache(path)
        store.put("k", "document")
    finally:
        os.umask(before)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}
    assert "c.sqlite-wal" in modes
    store.close()
