"""What was found out of files, by the hash of their bytes, so that a build that goes on finds nothing out twice.

One SQLite database in a folder. It saves time and never decides a result: whoever cannot open or fill it works without.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from earmark.builders.measuring import CACHE
from earmark.manifests.findings import Findings

FILE = ".found.sqlite"
_WAIT = 60.0  # s, for another process that writes
_TABLE = """CREATE TABLE IF NOT EXISTS found (
    kind TEXT NOT NULL, file_hash TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (kind, file_hash)
) WITHOUT ROWID"""
_USABLE = "a folder that can be written, on a disk with room"


class FileCache:
    """Findings of one kind are what one measure, under one setting, said of files.

    Args:
        folder: Where the database is or will be.
        findings: Where it is said, once, that it cannot be used.
    """

    def __init__(self, folder: Path, findings: Findings) -> None:
        self._path = folder / FILE
        self._findings = findings
        self._usable = True
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with closing(self._open()) as database, database:
                database.execute("PRAGMA journal_mode=WAL")
                database.execute(_TABLE)
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def of(self, kind: str) -> dict[str, bytes]:
        """Everything of a kind, by file hash."""
        if not self._usable:
            return {}
        try:
            with closing(self._open()) as database:
                return dict(database.execute("SELECT file_hash, value FROM found WHERE kind = ?", (kind,)))
        except sqlite3.Error as error:
            self._give_up(error)
            return {}

    def keep(self, kind: str, values: Mapping[str, bytes]) -> None:
        """Keep what is new of a kind: all of it or, where the process is killed, nothing."""
        if not self._usable or not values:
            return
        rows = [(kind, file_hash, value) for file_hash, value in sorted(values.items())]
        try:
            with closing(self._open()) as database, database:
                database.executemany("INSERT OR REPLACE INTO found VALUES (?, ?, ?)", rows)
        except sqlite3.Error as error:
            self._give_up(error)

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=_WAIT)

    def _give_up(self, error: Exception) -> None:
        self._usable = False
        self._findings.add(CACHE, file=str(self._path), found=error, expected=_USABLE)
