"""What was measured already, by the hash of the samples: a renamed or copied file is known again, an edited one is not.

One SQLite database in write-ahead mode per folder. Several processes may use it at a time, and one that is killed leaves
whole rows or none. A row that cannot be read counts as absent: the cache saves time and never decides a result.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from earmark.audio.acoustics.measures import Acoustics

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

VARIABLE = "EARMARK_CACHE"
"""Environment variable that names the folder of all caches."""

_FILE = "acoustics.sqlite"
_WAIT = 60.0  # s, for another process that writes
_TABLE = """CREATE TABLE IF NOT EXISTS acoustics (
    pcm_hash TEXT NOT NULL, settings TEXT NOT NULL, measured BLOB NOT NULL, PRIMARY KEY (pcm_hash, settings)
) WITHOUT ROWID"""


def cache_folder() -> Path | None:
    """The folder that `EARMARK_CACHE` names; None, no cache, where it is not set."""
    named = os.environ.get(VARIABLE, "").strip()
    return Path(named) if named else None


class Cache:
    """Acoustics by PCM hash, under one digest of the settings. Words are no part of what is kept: see `Acoustics.with_words`.

    Args:
        folder: where the database is or will be.
        settings: `earmark.audio.acoustics.settings.Settings.digest`.

    Raises:
        OSError: the folder cannot be made.
        sqlite3.Error: the database cannot be opened, or is none.
    """

    def __init__(self, folder: Path, settings: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._settings = settings
        self._database = sqlite3.connect(folder / _FILE, timeout=_WAIT)
        try:
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=NORMAL")
            with self._database:
                self._database.execute(_TABLE)
        except sqlite3.Error:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def get(self, pcm_hash: str) -> Acoustics | None:
        """What was measured of these samples under these settings; None where nothing was, or it cannot be read."""
        try:
            with closing(
                self._database.execute(
                    "SELECT measured FROM acoustics WHERE pcm_hash = ? AND settings = ?", (pcm_hash, self._settings)
                )
            ) as found:
                row = found.fetchone()
            return None if row is None else msgspec.json.decode(row[0], type=Acoustics)
        except (sqlite3.DatabaseError, msgspec.DecodeError, TypeError):
            return None

    def put(self, measured: Iterable[tuple[str, Acoustics]]) -> None:
        """Keep what was measured, all of it or, where the process is killed, nothing.

        Raises:
            sqlite3.Error: the disk is full, or another process holds the database for a minute.
        """
        rows = [(pcm, self._settings, msgspec.json.encode(found)) for pcm, found in measured]
        if rows:
            with self._database:
                self._database.executemany("INSERT OR REPLACE INTO acoustics VALUES (?, ?, ?)", rows)

    def known(self) -> Mapping[str, Acoustics]:
        """Everything kept under these settings, by PCM hash."""
        with closing(
            self._database.execute("SELECT pcm_hash FROM acoustics WHERE settings = ?", (self._settings,))
        ) as found:
            hashes = [str(row[0]) for row in found]
        return {pcm: kept for pcm in sorted(hashes) if (kept := self.get(pcm)) is not None}
