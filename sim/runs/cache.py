"""The call cache: completions by content, in one SQLite file that concurrent runs share.

It fills the `Cache` port and knows nothing of calls: the key and what may enter are decided by the
client that wraps it. Size-bounded: the entries read longest ago go first. It is a help, never a need:
no fault of its file may reach a conversation, so a fault costs the cache, or one entry, and is told in
one line. It must not become a place that anything has to be read back from.
"""

import contextlib
import logging
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sim.runs import private

_log = logging.getLogger(__name__)

VERSION = 1
"""Of the table; a file of another one is set aside."""
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS calls (
  key TEXT PRIMARY KEY, document TEXT NOT NULL, size INTEGER NOT NULL, used REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS calls_used ON calls (used);
PRAGMA user_version = {VERSION};
"""
_COLUMNS = {"key", "document", "size", "used"}
_TRIM_EVERY = 500
"""Entries between two looks at the size."""
_PATIENCE = 0.2
"""Seconds to wait for another program's lock: the loop waits too."""
_LOCKED_OUT = 5
"""Locked calls in a row after which the cache is left alone."""

T = TypeVar("T")


class _Foreign(Exception):
    """The file is a database, but not this cache."""


class SqliteCache:
    """A `Cache` in a file. Not for use from several threads. Nothing it does raises."""

    def __init__(self, path: Path, *, limit: int = 1 << 30) -> None:
        """Open or make the cache; `limit` is in bytes of stored documents.

        A file that is damaged, or of another version, is set aside under another name.
        """
        self._path = path
        self._limit = limit
        self._puts = 0
        self._locked = 0
        self._db: sqlite3.Connection | None = None
        try:
            self._db = self._opened()
        except (OSError, sqlite3.Error) as failure:
            self._off(failure)

    @property
    def off(self) -> bool:
        """Whether a fault has switched it off."""
        return self._db is None

    def get(self, key: str) -> str | None:
        """The stored document, None where there is none."""

        def read(db: sqlite3.Connection) -> str | None:
            row = db.execute("SELECT document FROM calls WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            db.execute("UPDATE calls SET used = ? WHERE key = ?", (time.time(), key))
            return str(row[0])

        return self._tried(read)

    def put(self, key: str, document: str) -> None:
        """Store one document; the first under a key stays."""

        def write(db: sqlite3.Connection) -> None:
            row = (key, document, len(document.encode()), time.time())
            db.execute("INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?)", row)
            self._puts += 1
            if self._puts % _TRIM_EVERY == 0:
                self._trim(db)

        self._tried(write)

    def close(self) -> None:
        """Close the file."""
        db, self._db = self._db, None
        if db is not None:
            with contextlib.suppress(sqlite3.Error):
                db.close()

    def _opened(self) -> sqlite3.Connection:
        try:
            return _connected(self._path)
        except (sqlite3.DatabaseError, _Foreign) as failure:
            if isinstance(failure, sqlite3.OperationalError):
                raise
            aside = _set_aside(self._path)
            _log.warning("call cache: %s; the file is set aside as %s", failure, aside)
            return _connected(self._path)

    def _tried(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        if self._db is None:
            return None
        try:
            done = action(self._db)
        except (OSError, sqlite3.Error, UnicodeError) as failure:
            self._failed(failure)
            return None
        self._locked = 0
        return done

    def _failed(self, failure: Exception) -> None:
        """A lock costs one entry, and only many of them the cache; a damaged file is set aside."""
        if isinstance(failure, UnicodeError):
            return  # what cannot be written as UTF-8 is one document's fault
        if _is_lock(failure) and self._locked < _LOCKED_OUT:
            self._locked += 1
            return
        self._off(failure)
        if isinstance(failure, sqlite3.DatabaseError) and not isinstance(failure, sqlite3.OperationalError):
            with contextlib.suppress(OSError):
                _log.warning("call cache: the damaged file is set aside as %s", _set_aside(self._path))

    def _off(self, failure: Exception) -> None:
        self.close()
        _log.warning(
            "call cache off, every call is made anew: %s: %s. Go without it by --no-cache.",
            self._path,
            failure,
        )

    def _trim(self, db: sqlite3.Connection) -> None:
        """Delete the least recently used entries until nine tenths of the limit are left."""
        (size,) = db.execute("SELECT coalesce(sum(size), 0) FROM calls").fetchone()
        if size <= self._limit:
            return
        surplus = size - self._limit * 9 // 10
        for key, length in db.execute("SELECT key, size FROM calls ORDER BY used").fetchall():
            if surplus <= 0:
                return
            db.execute("DELETE FROM calls WHERE key = ?", (key,))
            surplus -= length


def _connected(path: Path) -> sqlite3.Connection:
    """The open database, its file readable by its owner alone. Raises OSError, sqlite3.Error, _Foreign."""
    private.opened(path, "ab").close()  # SQLite gives its side files the same mode
    db = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        _refuse_foreign(db)
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=OFF")
        db.executescript(_SCHEMA)
    except BaseException:
        db.close()
        raise
    return db


def _refuse_foreign(db: sqlite3.Connection) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    columns = {row[1] for row in db.execute("PRAGMA table_info(calls)").fetchall()}
    if columns not in (set(), _COLUMNS) or version not in (0, VERSION):
        raise _Foreign("it was written by another version")


def _set_aside(path: Path) -> Path:
    """Give the file another name, and its side files with it; nothing is deleted. Raises OSError."""
    number = 1
    while (aside := path.with_name(f"{path.name}.aside-{number}")).exists():
        number += 1
    path.replace(aside)
    for ending in ("-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + ending).replace(aside.with_name(aside.name + ending))
    return aside


def _is_lock(failure: Exception) -> bool:
    code = getattr(failure, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
