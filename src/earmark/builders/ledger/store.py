"""The ledger's tables: calls, and every time that one was sent.

SQLite in write-ahead mode: a process that is killed leaves whole rows. A row of `tries` is committed before a call is sent and
changed once after it. Only a power failure may undo the newest rows, unless `power_safe` is asked for, at some
milliseconds a row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from earmark.builders.ledger.calls import Answer, CallRequest, Usage
from earmark.manifests.errors import EarmarkError

FORMAT = 1
"""Version of the tables, `PRAGMA user_version`."""

APPLICATION = 0x4541524C
"""`PRAGMA application_id`: "EARL"."""


class LedgerError(EarmarkError):
    """The ledger cannot be read or written."""


class State(StrEnum):
    """What became of a try."""

    SENT = "sent"
    """Intent: it is under way, or its process was killed; it may be billed."""

    ANSWERED = "answered"
    """The whole answer is recorded."""

    FAILED = "failed"
    """The server said that it failed, or it was never reached: not billed."""

    LOST = "lost"
    """It was sent and no whole answer came: it may be billed."""

    KILLED = "killed"
    """Its process ended while it was under way: it may be billed."""


BILLABLE = (State.SENT, State.LOST, State.KILLED)
"""States in which a call may be billed although there is no answer."""

_TABLES = """
CREATE TABLE calls (
    key TEXT PRIMARY KEY, stage TEXT NOT NULL, provider TEXT NOT NULL, endpoint TEXT NOT NULL, model TEXT NOT NULL,
    dialogue TEXT NOT NULL, turn INTEGER, option INTEGER, attempt INTEGER NOT NULL, request BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE tries (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL REFERENCES calls, number INTEGER NOT NULL, state TEXT NOT NULL,
    started REAL NOT NULL, bound INTEGER, cost INTEGER, bounded INTEGER, latency REAL, status INTEGER, reason TEXT,
    input_tokens INTEGER, output_tokens INTEGER, characters INTEGER, seconds REAL, served TEXT, provider_id TEXT,
    form TEXT, data BLOB, UNIQUE (key, number)
);
CREATE UNIQUE INDEX answered_once ON tries (key) WHERE state = 'answered';
CREATE INDEX by_state ON tries (state);
"""


class TryId(NamedTuple):
    """A try that was written down.

    Attributes:
        row: Its row.
        number: How many tries of the call there are with it.
    """

    row: int
    number: int


@dataclass(frozen=True, kw_only=True)
class Kept:
    """An answered try as it is kept."""

    answer: Answer
    cost: int | None
    bounded: bool
    latency_s: float
    tries: int


class Store:
    """One connection to a ledger's file; every method that writes is one transaction.

    Args:
        path: The file; it is made where there is none.
        power_safe: Whether each row is on the disk, and not only with the operating system, before the next step.

    Raises:
        LedgerError: If the file is no ledger or cannot be written.
    """

    def __init__(self, path: Path, *, power_safe: bool = False) -> None:
        self.path = path
        with self._clear("opened"):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=60.0, isolation_level=None)
        try:
            with self._clear("opened"):
                self._prepare(power_safe=power_safe)
        except BaseException:
            self._database.close()
            raise

    def _prepare(self, *, power_safe: bool) -> None:
        run = self._database.execute
        version, application = (int(run(f"PRAGMA {name}").fetchone()[0]) for name in ("user_version", "application_id"))
        if run("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            if application != APPLICATION:
                raise LedgerError(f"{self.path} is a database and no ledger of calls")
            if version != FORMAT:
                raise LedgerError(f"{self.path} has the format {version}; this version of Earmark reads {FORMAT}")
        run("PRAGMA page_size=16384")  # an answer of speech is hundreds of kilobytes
        run("PRAGMA journal_mode=WAL")
        run(f"PRAGMA synchronous={'FULL' if power_safe else 'NORMAL'}")
        if application != APPLICATION:
            with self._transaction():
                for statement in filter(str.strip, _TABLES.split(";")):
                    run(statement)
                run(f"PRAGMA application_id={APPLICATION}")
                run(f"PRAGMA user_version={FORMAT}")

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def adopt_orphans(self) -> None:
        """Mark as killed what a process that is no more had under way; whoever calls holds the lock."""
        with self._clear("written"):
            self._database.execute("UPDATE tries SET state = ? WHERE state = ?", (State.KILLED, State.SENT))

    def intend(self, request: CallRequest, bound: int | None, started: float) -> TryId:
        """Commit that a call is about to be sent.

        Args:
            request: The call.
            bound: The most that it can cost.
            started: Seconds since 1970.
        """
        at = request.place
        place = (at.dialogue, at.turn, at.option, at.attempt)
        call = (request.key, request.stage, request.provider, request.endpoint, request.model, *place, request.written)
        with self._clear("written"), self._transaction():
            run = self._database.execute
            run("INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", call)
            ((number,),) = run("SELECT 1 + count(*) FROM tries WHERE key = ?", (request.key,))
            cursor = run(
                "INSERT INTO tries (key, number, state, started, bound) VALUES (?, ?, ?, ?, ?)",
                (request.key, number, State.SENT, started, bound),
            )
            return TryId(int(cursor.lastrowid or 0), int(number))

    def answered(self, id: TryId, answer: Answer, latency_s: float, cost: int | None, *, bounded: bool) -> None:
        """Commit the answer of a try, and what it cost."""
        used = answer.usage
        found = (used.input_tokens, used.output_tokens, used.characters, used.seconds)
        said = (answer.model, answer.id, answer.form, answer.data)
        with self._clear("written"):
            self._database.execute(
                "UPDATE tries SET state = ?, latency = ?, cost = ?, bounded = ?, input_tokens = ?, output_tokens = ?,"
                " characters = ?, seconds = ?, served = ?, provider_id = ?, form = ?, data = ? WHERE id = ?",
                (State.ANSWERED, latency_s, cost, bounded, *found, *said, id.row),
            )

    def failed(self, id: TryId, state: State, latency_s: float, status: int | None, reason: str) -> None:
        """Commit that no answer came to a try."""
        with self._clear("written"):
            self._database.execute(
                "UPDATE tries SET state = ?, latency = ?, status = ?, reason = ? WHERE id = ?",
                (state, latency_s, status, reason, id.row),
            )

    def find(self, key: str) -> Kept | None:
        """The recorded answer of a call; None where there is none."""
        with self._clear("read"):
            row = self._database.execute(
                "SELECT data, form, input_tokens, output_tokens, characters, seconds, served, provider_id, cost, bounded,"
                " latency, (SELECT count(*) FROM tries WHERE key = ?) FROM tries WHERE key = ? AND state = 'answered'",
                (key, key),
            ).fetchone()
        if row is None:
            return None
        data, form, read, written, characters, seconds, served, id, cost, bounded, latency, tries = row
        usage = Usage(input_tokens=read, output_tokens=written, characters=characters, seconds=seconds)
        answer = Answer(data=data, form=form, usage=usage, model=served, id=id)
        return Kept(answer=answer, cost=cost, bounded=bool(bounded), latency_s=latency, tries=tries)

    def rows(self, statement: str, values: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
        """The rows of a question."""
        with self._clear("read"), closing(self._database.execute(statement, values)) as found:
            yield from found

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    @contextmanager
    def _clear(self, doing: str) -> Iterator[None]:
        """One clear error for whatever the database or the disk says."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise LedgerError(f"the ledger {self.path} cannot be {doing}: {error}") from error
