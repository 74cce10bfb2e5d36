"""The call cache: shared, bounded, first answer stays."""

from pathlib import Path

import pytest

from sim.core.errors import UsageProblem
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


def test_a_file_that_is_no_cache_is_a_clear_problem(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    path.write_text("not a database, but long enough to be looked at as one" * 20)
    with pytest.raises(UsageProblem, match=r"c\.sqlite"):
        SqliteCache(path)
