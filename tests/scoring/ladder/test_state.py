"""The state: one transaction a marking, for one release and protocol, and the same amount written whatever comes of it."""

from __future__ import annotations

import os
import signal
import sqlite3
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from earmark.scoring.ladder import state
from earmark.scoring.ladder.credit import Credits
from earmark.scoring.ladder.rule import Standing
from earmark.scoring.ladder.state import About, LadderError, Quotas, climb, units_hash

N = 400
ABOUT = About("tiny@1.0.0", "blake2b-256:aa", "blake2b-256:bb", "both-orders", "cc")


def file(right: int) -> Credits:
    """A file that gets the first units right."""
    return Credits(tuple(map(str, range(N))), np.full(N, 1 / N), (np.arange(N) < right) * 1.0, np.full(N, 0.5))


def send(path: Path, right: int, name: str = "ann", quotas: Quotas = Quotas()) -> float | None:  # noqa: B008 - frozen
    return climb(path, ABOUT, name, right.to_bytes(16, "big"), file(right), quotas).score


def kept(path: Path, table: str = "submitters") -> list[tuple[object, ...]]:
    database = sqlite3.connect(path)
    rows = database.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()  # noqa: S608 - our own word
    database.close()
    return rows


def test_everybody_climbs_by_themselves(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    assert send(path, 210) is None
    assert send(path, 300) == 0.75
    assert send(path, 305) == 0.75  # no more than noise
    assert send(path, 320) == 0.8
    assert send(path, 300) == 0.8
    assert send(path, 300, "bob") == 0.75
    (ann, ann_score, ann_credit, ann_files, ann_released), (bob, *_, bob_released) = kept(path)
    assert (ann, ann_score, ann_files, ann_released, bob, bob_released) == ("ann", 0.8, 4, 2, "bob", 1)
    assert isinstance(ann_credit, bytes)
    assert np.frombuffer(ann_credit).tolist() == file(320).credit.tolist()


def test_the_same_file_gets_no_other_number(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    # Of two files that say the same the second is not looked at, whatever it gets.
    assert climb(path, ABOUT, "ann", b"one", file(210), Quotas()).score is None
    assert climb(path, ABOUT, "ann", b"one", file(400), Quotas()).score is None
    assert climb(path, ABOUT, "ann", b"two", file(400), Quotas()).score == 1.0
    assert kept(path)[0][3] == 2
    assert len(kept(path, "files")) == 2


def test_a_state_serves_what_it_was_made_for(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    send(path, 300)
    before = path.read_bytes()
    for about, says in (
        (replace(ABOUT, release="tiny@1.1.0"), "is of tiny@1.0.0, protocol both-orders, and not of tiny@1.1.0"),
        (replace(ABOUT, protocol="one-order"), "not of tiny@1.0.0, protocol one-order"),
        (replace(ABOUT, answers_hash="blake2b-256:dd"), "is of another tiny@1.0.0"),
        (replace(ABOUT, content_hash="blake2b-256:dd"), "is of another tiny@1.0.0"),
        (replace(ABOUT, units="dd"), "marks otherwise"),
    ):
        with pytest.raises(LadderError, match=says):
            climb(path, about, "ann", b"one", file(400), Quotas())
    assert path.read_bytes() == before


def test_what_is_no_state_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(
        "these are my notes, and they are long enough to be looked at as a database " * 20, encoding="utf-8"
    )
    with pytest.raises(LadderError, match="cannot be read or written"):
        send(path, 300)
    other = tmp_path / "other.sqlite"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE things (name TEXT)")
    database.close()
    with pytest.raises(LadderError, match="no state of a ladder"):
        send(other, 300)
    state = tmp_path / "state.sqlite"
    send(state, 300)
    database = sqlite3.connect(state)
    database.execute("PRAGMA user_version=2")
    database.close()
    with pytest.raises(LadderError, match="has the format 2"):
        send(state, 300)
    with pytest.raises(LadderError, match="cannot be read or written"):
        send(tmp_path / "absent" / "state.sqlite", 300)
    with pytest.raises(LadderError, match="cannot be read or written"):
        send(tmp_path, 300)


def test_a_link_to_nothing_is_refused_and_one_to_a_state_is_followed(tmp_path: Path) -> None:
    link, target = tmp_path / "link.sqlite", tmp_path / "state.sqlite"
    link.symlink_to(target)
    with pytest.raises(LadderError, match="is a link to a file that is not there"):
        send(link, 300)
    assert not target.exists()
    assert send(target, 300) == send(link, 10)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE submitters SET credit = x'00'",
        "UPDATE submitters SET credit = 'text'",
        "UPDATE submitters SET credit = cast(replace(hex(zeroblob(3200)), '00', 'z') as blob)",
        "UPDATE submitters SET score = 'high'",
        "UPDATE submitters SET score = 9e999",
        "UPDATE submitters SET score = -3.0",
        "UPDATE submitters SET files = 'many'",
        "UPDATE submitters SET files = 9223372036854775807",
        "UPDATE submitters SET files = -1",
        "DELETE FROM ladder",
    ],
)
def test_a_state_that_was_changed_by_hand_is_said_to_be_damaged(change: str, tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    send(path, 300)
    database = sqlite3.connect(path)
    database.execute(change)
    database.commit()
    database.close()
    before = path.read_bytes()
    with pytest.raises(LadderError, match="is damaged"):
        send(path, 310)
    assert path.read_bytes() == before


def test_a_state_that_is_called_what_sqlite_calls_memory_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    send(Path(":memory:"), 300)
    assert send(Path(":memory:"), 305) == 0.75


def test_quotas_do_not_look_at_the_file(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    for right in (200, 300):
        send(path, right, quotas=Quotas(files=2))
    assert send(path, 300, quotas=Quotas(files=2)) == 0.75  # no new file
    before = path.read_bytes()
    for right in (100, 400):
        with pytest.raises(LadderError, match="ann has had 2 files marked"):
            send(path, right, quotas=Quotas(files=2))
        with pytest.raises(LadderError, match="1 score of this release was given out"):
            send(path, right, "bob", quotas=Quotas(scores=1))
    assert path.read_bytes() == before
    assert send(path, 400, "bob", quotas=Quotas(files=2, scores=2)) == 1.0


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    send(tmp_path / "state.sqlite", 300)
    assert (tmp_path / "state.sqlite").stat().st_mode & 0o077 == 0


def test_as_much_is_written_whether_or_not_a_score_is_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[list[str]] = []
    connect = sqlite3.connect

    def traced(*words: object, **named: object) -> sqlite3.Connection:
        database = connect(*words, **named)  # type: ignore[call-overload]
        said: list[str] = []
        told.append(said)
        database.set_trace_callback(lambda statement: said.append(" ".join(statement.split()[:3])))
        assert isinstance(database, sqlite3.Connection)
        return database

    monkeypatch.setattr("earmark.scoring.ladder.state.sqlite3.connect", traced)
    for right in (200, 300, 301, 400, 10):
        send(tmp_path / "state.sqlite", right)
    assert len(told) == 5
    assert all(said == told[1] for said in told[2:])
    assert any(statement.startswith("INSERT INTO submitters") for statement in told[1])


def test_a_marking_has_the_state_to_itself_before_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "state.sqlite"
    send(path, 300)
    monkeypatch.setattr(state, "WAIT_S", 0.0)
    with state._opened(path), pytest.raises(LadderError, match="locked"):
        send(path, 400)
    assert send(path, 400) == 1.0


def test_markings_at_once_come_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    with ThreadPoolExecutor(8) as pool:
        scores = list(pool.map(lambda right: send(path, right), range(280, 400, 5)))
    (row,) = kept(path)
    assert (row[0], row[3]) == ("ann", 24)
    assert row[1] == max(score for score in scores if score is not None)
    assert isinstance(row[2], bytes)
    assert row[1] == np.frombuffer(row[2]).mean()
    assert row[4] == len({score for score in scores if score is not None})
    assert sorted(name.name for name in tmp_path.iterdir()) == ["state.sqlite"]


class Dying(sqlite3.Connection):
    """A connection whose process is killed before a certain statement."""

    statements, kill_at = 0, 0

    def execute(self, *words: Any) -> sqlite3.Cursor:
        Dying.statements += 1
        if Dying.statements == Dying.kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(*words)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is forked and killed as on POSIX")
@pytest.mark.parametrize("new", [True, False])
def test_a_run_that_is_killed_has_happened_or_has_not(new: bool, tmp_path: Path) -> None:
    connect = sqlite3.connect

    def run(kill_at: int, path: Path) -> int:
        """Send a perfect file from a process of its own; how it ended."""
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # threads of others do not matter to what the child does
            child = os.fork()
        if child:
            return os.waitpid(child, 0)[1]
        Dying.statements, Dying.kill_at = 0, kill_at
        sqlite3.connect = lambda *words, **named: connect(*words, factory=Dying, **named)
        try:
            send(path, 400)
        finally:
            os._exit(Dying.statements)

    whole = tmp_path / "whole.sqlite"
    if not new:
        send(whole, 300)
    statements = os.waitstatus_to_exitcode(run(0, whole))
    assert statements > 5
    for kill_at in range(1, statements + 1):
        path = tmp_path / f"{kill_at}.sqlite"
        if not new:
            send(path, 300)
        assert os.waitstatus_to_exitcode(run(kill_at, path)) == -signal.SIGKILL
        if not new:
            assert kept(path)[0][1] == 0.75
        assert send(path, 400) == 1.0
        assert (kept(path)[0][3], len(kept(path, "files"))) == ((1, 1) if new else (2, 2))


def test_units_are_told_apart_by_name_weight_and_chance() -> None:
    given = file(100)
    assert units_hash(given) == units_hash(file(300))
    for changed in (
        replace(given, units=given.units[::-1]),
        replace(given, weight=given.weight[::-1] * np.linspace(0.9, 1.1, N)),
        replace(given, chance=given.chance / 2),
    ):
        assert units_hash(changed) != units_hash(given)


def test_a_standing_is_kept_to_the_last_bit(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    credit = (np.arange(N) < 350) * np.linspace(1 / 3, 1, N)
    given = replace(file(0), credit=credit + (np.arange(N) >= 350))
    first = climb(path, ABOUT, "ann", b"one", given, Quotas())
    again = climb(path, ABOUT, "ann", b"one", given, Quotas())
    assert isinstance(first, Standing)
    assert (again.score, again.credit.tolist()) == (first.score, first.credit.tolist())
