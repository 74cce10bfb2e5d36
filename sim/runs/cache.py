"""The call cache: completions by content, in one SQLite file that concurrent runs share.

It fills the `Cache` port and knows nothing of calls: the key and what may enter are decided by the
client that wraps it. Size-bounded: the entries read longest ago go first.
"""

import sqlite3
import time
from pathlib import Path

from sim.core.errors import Problem, UsageProblem

_SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
  key TEXT PRIMARY KEY, document TEXT NOT NULL, size INTEGER NOT NULL, used REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS calls_used ON calls (used);
"""
_TRIM_EVERY = 500
"""Entries between two looks at the size."""


class SqliteCache:
    """A `Cache` in a file. Not for use from several threads."""

    def __init__(self, path: Path, *, limit: int = 1 << 30) -> None:
        """Open or make the cache; `limit` is in bytes of stored documents.

        Raises UsageProblem where the file cannot be used.
        """
        self._limit = limit
        self._puts = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._db = sqlite3.connect(path, timeout=30, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=OFF")
            self._db.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as failure:
            raise UsageProblem(
                Problem(
                    "Cache not usable", f"{path}: {failure}.", "Delete the file, or go without by --no-cache."
                )
            ) from failure

    def get(self, key: str) -> str | None:
        """The stored document, None where there is none."""
        row = self._db.execute("SELECT document FROM calls WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        self._db.execute("UPDATE calls SET used = ? WHERE key = ?", (time.time(), key))
        return str(row[0])

    def put(self, key: str, document: str) -> None:
        """Store one document; the first under a key stays."""
        self._db.execute(
            "INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?)",
            (key, document, len(document.encode()), time.time()),
        )
        self._puts += 1
        if self._puts % _TRIM_EVERY == 0:
            self._trim()

    def _trim(self) -> None:
        """Delete the least recently used entries until nine tenths of the limit are left."""
        (size,) = self._db.execute("SELECT coalesce(sum(size), 0) FROM calls").fetchone()
        if size <= self._limit:
            return
        surplus = size - self._limit * 9 // 10
        for key, length in self._db.execute("SELECT key, size FROM calls ORDER BY used").fetchall():
            if surplus <= 0:
                return
            self._db.execute("DELETE FROM calls WHERE key = ?", (key,))
            surplus -= length

    def close(self) -> None:
        """Close the file."""
        self._db.close()
