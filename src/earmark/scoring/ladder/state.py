"""What the host keeps: of each submitter the best released score and the credits of its file, in one SQLite file.

The file tells the answers, so it stays on the host, and only its owner may read it. A marking is one transaction, which writes as
much whether or not a score is released: two at once come one after the other, and one that is killed has happened or has not.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from earmark.manifests.errors import EarmarkError
from earmark.scoring.ladder.rule import Standing, advanced, start

if TYPE_CHECKING:
    from earmark.scoring.ladder.credit import Credits

FORMAT = 1
"""Version of the tables, `PRAGMA user_version`."""

APPLICATION = 0x45414C41
"""`PRAGMA application_id`: "EALA"."""

WAIT_S = 60.0
"""Seconds to wait for another marking to end."""

_MOST_FILES = 1_000_000
"""More files than one submitter can have had marked."""

_Found: TypeAlias = tuple[object, object, object] | None
_Run: TypeAlias = "Callable[..., sqlite3.Cursor]"

_TABLES = (
    "CREATE TABLE ladder (release TEXT, content_hash TEXT, answers_hash TEXT, protocol TEXT, units TEXT)",
    "CREATE TABLE submitters (name TEXT PRIMARY KEY, score REAL, credit BLOB NOT NULL, files INTEGER NOT NULL,"
    " released INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE files (name TEXT, said BLOB, PRIMARY KEY (name, said)) WITHOUT ROWID",
)


class LadderError(EarmarkError):
    """A file cannot be marked with hidden answers, or the state cannot be read or written."""


@dataclass(frozen=True)
class About:
    """What a state is about; it serves nothing else.

    Args:
        release: Name and version of the release.
        content_hash: Hash of its public side.
        answers_hash: Salted hash of its answers.
        protocol: The protocol that is marked.
        units: Hash of the units, with their weights and chances.
    """

    release: str
    content_hash: str
    answers_hash: str
    protocol: str
    units: str


@dataclass(frozen=True)
class Quotas:
    """What a host gives out at most; None for no limit.

    Args:
        files: Different files of one submitter.
        scores: Released scores of all submitters together.
    """

    files: int | None = None
    scores: int | None = None


def units_hash(credits: Credits) -> str:
    """A hash of the units, their weights and chances."""
    digest = blake2b(digest_size=16)
    for unit in credits.units:
        digest.update(f"{unit}\n".encode())
    for column in (credits.weight, credits.chance):
        digest.update(np.round(column, 12).astype("<f8").tobytes())
    return digest.hexdigest()


def climb(path: Path, about: About, submitter: str, said: bytes, credits: Credits, quotas: Quotas) -> Standing:
    """Mark one file of a submitter, and remember it.

    Args:
        path: The state; it is made where there is none.
        about: What the file is held against.
        submitter: Whose file it is.
        said: A hash of what the file says. One that says the same as an earlier one of theirs changes nothing.
        credits: What it gets.
        quotas: What the host gives out at most.

    Returns:
        Where the submitter stands.

    Raises:
        LadderError: If the state is about something else, or none, or a quota is used up.
    """
    with _opened(path) as run:
        _require(path, run, about)
        row: _Found = run("SELECT score, credit, files FROM submitters WHERE name = ?", (submitter,)).fetchone()
        score, credit, files = row or (None, start(credits).credit.astype("<f8").tobytes(), 0)
        before = _standing(path, score, credit, credits)
        if not isinstance(files, int) or not 0 <= files < _MOST_FILES:
            raise LadderError(f"{path} is damaged: it does not say how many files {submitter} has had marked")
        known = run("SELECT count(*) FROM files WHERE name = ? AND said = ?", (submitter, said)).fetchone()[0]
        if not known:
            _require_quota(run, submitter, files, quotas)
        climbed = advanced(before, credits, files + 1)
        after = before if known else climbed
        # Written whether or not it changes anything, so that nobody reads from the time it takes whether it did.
        run("INSERT OR REPLACE INTO files VALUES (?, ?)", (submitter, said))
        run(
            "INSERT INTO submitters VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET score = excluded.score,"
            " credit = excluded.credit, files = excluded.files, released = released + excluded.released",
            (
                submitter,
                after.score,
                after.credit.astype("<f8").tobytes(),
                files + (0 if known else 1),
                int(after is not before),
            ),
        )
    return after


def _standing(path: Path, score: object, credit: object, credits: Credits) -> Standing:
    """Where a submitter stood, if the state says so; a column of SQLite holds whatever was put there."""
    possible = score is None or (isinstance(score, float) and 0 <= score <= 1)
    if possible and isinstance(credit, bytes) and len(credit) == 8 * len(credits.units):
        kept = np.frombuffer(credit, "<f8").astype(np.float64)
        if ((kept >= 0) & (kept <= 1)).all():  # neither holds for NaN
            return Standing(cast("float | None", score), kept)
    raise LadderError(f"{path} is damaged: what it keeps of a submitter is no standing")


def _require(path: Path, run: _Run, about: About) -> None:
    """Make sure that the state is about this, or make it so where it is new."""
    if not run("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        for statement in (*_TABLES, f"PRAGMA application_id={APPLICATION}", f"PRAGMA user_version={FORMAT}"):
            run(statement)
        run("INSERT INTO ladder VALUES (?, ?, ?, ?, ?)", astuple(about))
        return
    version, application = (run(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id"))
    if application != APPLICATION:
        raise LadderError(f"{path} is a database and no state of a ladder")
    if version != FORMAT:
        raise LadderError(f"{path} has the format {version}; this version of Earmark reads {FORMAT}")
    said = run("SELECT release, content_hash, answers_hash, protocol, units FROM ladder").fetchone()
    if said is None:
        raise LadderError(f"{path} is damaged: it does not say what it is of")
    kept = About(*said)
    if kept.release != about.release or kept.protocol != about.protocol:
        raise LadderError(
            f"{path} is of {kept.release}, protocol {kept.protocol}, and not of {about.release}, protocol {about.protocol}"
        )
    if (kept.content_hash, kept.answers_hash) != (about.content_hash, about.answers_hash):
        raise LadderError(f"{path} is of another {kept.release} with other hashes; begin a new state")
    if kept.units != about.units:
        raise LadderError(f"{path} was made by a version of Earmark that marks otherwise; begin a new state")


def _require_quota(run: _Run, submitter: str, files: int, quotas: Quotas) -> None:
    """Make sure that another file may be marked. Neither limit looks at the file."""
    if quotas.files is not None and files >= quotas.files:
        raise LadderError(
            f"{submitter} has had {files} file{'s' if files != 1 else ''} marked, which is all that the host allows"
        )
    released = run("SELECT coalesce(sum(released), 0) FROM submitters").fetchone()[0]
    if quotas.scores is not None and released >= quotas.scores:
        given = f"{released} scores of this release were" if released != 1 else "1 score of this release was"
        raise LadderError(f"{given} given out, which is all that the host allows")


@contextmanager
def _opened(path: Path) -> Iterator[_Run]:
    """One transaction; one clear error for whatever the database or the disk says."""
    if path.is_symlink() and not path.exists():
        raise LadderError(f"the state {path} is a link to a file that is not there: what was kept would begin anew")
    try:
        path.touch(mode=0o600)
        # Absolute, since SQLite keeps nothing of what is called `:memory:`.
        database = sqlite3.connect(path.absolute(), timeout=WAIT_S, isolation_level=None)
        try:
            database.execute("BEGIN IMMEDIATE")
            yield database.execute
            database.execute("COMMIT")
        finally:
            database.close()  # what was not committed has not happened
    except (sqlite3.Error, OSError) as error:
        raise LadderError(f"the state {path} cannot be read or written: {error}") from error
