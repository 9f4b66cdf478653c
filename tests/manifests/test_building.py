"""Building: whatever kills it, nothing half-written is named OUT, and a second run continues the first."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.support.tiny import TINY_KEY, tiny_manifest, tiny_rows, write_tiny_release

from earmark.manifests import building as module
from earmark.manifests.building import JOURNAL, LOCK, PID, Building, building
from earmark.manifests.errors import Busy, DestinationExists, EarmarkError
from earmark.manifests.families.stance import STANCE
from earmark.manifests.release import open_release


class Killed(BaseException):
    """What no handler of the code under test may take for its own."""


def build(out: Path, *tables: str, **options: Any) -> None:
    rows = tiny_rows()
    with building(out, STANCE, **options) as work:
        for name in tables or rows:
            work.write_table(name, rows[name])
            work.note_done({"table": name})
        work.write_manifest(tiny_manifest(work, rows))


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "line.key"
    path.write_bytes(TINY_KEY)
    return path


def test_a_whole_build_leaves_a_release_and_nothing_else(tmp_path: Path, key: Path) -> None:
    build(tmp_path / "deep" / "out", key=key)
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out"]
    tables = {f"{table.side.value}/{table.filename}" for table in STANCE.tables().values()}
    assert names(tmp_path / "deep" / "out") == {"release.json", "private/key", *tables}


# Every system call that changes what is on disk, in the modules that make it.
STEPS = ("mkdir", "replace", "unlink", "write_bytes", "write_text", "open")


def kill_at(monkeypatch: pytest.MonkeyPatch, step: int, *, after: bool) -> Callable[[], int]:
    """Die before or after the given step; what comes back counts the steps that were made."""
    made = 0

    def wrap(name: str) -> None:
        real = getattr(Path, name)

        def wrapped(self: Path, *args: object, **kwargs: object) -> object:
            nonlocal made
            made += 1
            this = made
            if this == step and not after:
                raise Killed
            result = real(self, *args, **kwargs)
            if this == step:
                if name == "open":
                    result.close()  # as the system does with what a dead process held open
                raise Killed
            return result

        monkeypatch.setattr(Path, name, wrapped)

    for name in STEPS:
        wrap(name)
    return lambda: made


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("force", [False, True])
def test_a_kill_between_any_two_steps_leaves_nothing_or_a_whole(
    tmp_path: Path, key: Path, force: bool, after: bool
) -> None:
    some = ("items", "answers")  # one table of each side will do
    whole = tmp_path / "whole"
    build(whole, *some, key=key)
    wanted = {name: (whole / name).read_bytes() for name in names(whole)}
    step = 0
    while True:
        step += 1
        folder = tmp_path / f"{step}"
        folder.mkdir()
        out = folder / "out"
        if force:
            out.mkdir()
            (out / "old").touch()
        killed = False
        with pytest.MonkeyPatch.context() as patch:
            made = kill_at(patch, step, after=after)
            try:
                build(out, *some, key=key, force=force)
            except Killed:
                killed = True
        finished = not (force and (out / "old").exists()) and out.exists()
        if finished:
            assert {name: (out / name).read_bytes() for name in names(out)} == wanted
        if force:
            assert (out / "old").exists() or (folder / "out.old" / "old").exists(), "what was there is kept"
        if not killed:
            assert finished
            assert made() < step
            break
        if not finished:
            build(out, *some, key=key, resume=True, force=force)
            assert {name: (out / name).read_bytes() for name in names(out)} == wanted
            assert not (folder / "out.partial").exists()
    assert step > 20


def test_an_error_leaves_no_out_and_resume_continues_with_the_same_key(tmp_path: Path) -> None:
    out, partial = tmp_path / "out", tmp_path / "out.partial"
    with suppress(Killed), building(out, STANCE) as work:
        first = work.key
        work.note_done({"table": "items"})
        raise Killed
    assert not out.exists()
    with pytest.raises(DestinationExists, match="left from an earlier run; continue it with --resume"):
        build(out)
    with building(out, STANCE, resume=True) as work:
        assert work.key == first
        assert list(work.done()) == [{"table": "items"}]
    assert not partial.exists()
    assert (out / "private" / "key").read_bytes() == first


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_before_anything_is_done_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    out = tmp_path / "out"

    def fail() -> None:
        with building(out, STANCE) as work:
            work.write_table("items", tiny_rows()["items"])
            raise error

    with pytest.raises(error):
        fail()
    assert list(tmp_path.iterdir()) == []
    build(out)
    assert out.is_dir()


def test_what_an_earlier_run_did_outlives_an_error_at_the_start_of_the_next(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with suppress(Killed), building(out, STANCE) as work:
        work.note_done({"n": 1})
        raise Killed
    with pytest.raises(ValueError, match="wrong"), building(out, STANCE, resume=True):
        raise ValueError("wrong")
    with building(out, STANCE, resume=True) as work:
        assert list(work.done()) == [{"n": 1}]


def test_without_a_key_each_build_draws_its_own(tmp_path: Path) -> None:
    keys = set()
    for name in ("one", "other"):
        with building(tmp_path / name, STANCE) as work:
            keys.add(work.key)
    assert len(keys) == 2


def test_a_build_is_not_continued_with_another_key(tmp_path: Path, key: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(Killed), building(out, STANCE):
        raise Killed
    with pytest.raises(EarmarkError, match=r"out\.partial was begun with another key than .*line\.key"):
        build(out, key=key, resume=True)


def test_a_bad_key_file_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(EarmarkError, match="cannot read the key file"):
        build(tmp_path / "out", key=tmp_path / "absent")
    assert list(tmp_path.iterdir()) == []


def test_out_must_not_exist(tmp_path: Path, key: Path) -> None:
    out = tmp_path / "out"
    build(out, key=key)
    before = names(out)
    with pytest.raises(DestinationExists, match="out exists; choose another folder or move it aside with --force"):
        build(out, key=key)
    assert names(out) == before
    assert not (tmp_path / "out.partial").exists()


def test_force_moves_the_old_one_aside(tmp_path: Path, key: Path) -> None:
    out = tmp_path / "out"
    for n in range(4):
        build(out, key=key, force=True)
        (out / f"mark{n}").touch()
    assert {path.name for path in tmp_path.iterdir()} == {"line.key", "out", "out.old", "out.old2", "out.old3"}
    assert (tmp_path / "out.old" / "mark0").exists()
    assert (tmp_path / "out.old3" / "mark2").exists()


def test_an_out_that_appears_meanwhile_is_not_moved(tmp_path: Path) -> None:
    out = tmp_path / "out"
    work = building(out, STANCE)
    work.__enter__()
    out.mkdir()
    (out / "theirs").touch()
    with pytest.raises(DestinationExists):
        work.__exit__(None, None, None)
    assert (out / "theirs").exists()
    assert (tmp_path / "out.partial").exists()


def test_a_second_process_is_told_who_is_at_work(tmp_path: Path) -> None:
    out = tmp_path / "out"
    script = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from earmark.manifests.building import building
        from earmark.manifests.errors import Busy
        from earmark.manifests.families.stance import STANCE
        try:
            with building(Path(sys.argv[1]), STANCE, resume=True):
                print("built")
        except Busy as busy:
            print("busy:", busy)
        """
    )

    def other() -> str:
        run = subprocess.run([sys.executable, "-c", script, str(out)], capture_output=True, text=True, check=True)
        return run.stdout.strip()

    with building(out, STANCE):
        assert other() == f"busy: another process is building {out} (process {os.getpid()})"
        (tmp_path / "out.partial" / PID).write_text("rubbish")
        assert other() == f"busy: another process is building {out}"
        (tmp_path / "out.partial" / PID).unlink()
        assert other() == f"busy: another process is building {out}"
    assert out.is_dir(), "the one that came second did no harm"
    assert not (out / LOCK).exists()


def test_the_lock_of_a_dead_process_holds_nobody_up(tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import os, sys
        from pathlib import Path
        from earmark.manifests.building import building
        from earmark.manifests.families.stance import STANCE
        with building(Path(sys.argv[1]), STANCE) as work:
            work.note_done({"n": 1})
            os._exit(9)
        """
    )
    out = tmp_path / "out"
    assert subprocess.run([sys.executable, "-c", script, str(out)], check=False).returncode == 9
    assert (tmp_path / "out.partial" / LOCK).exists()
    with building(out, STANCE, resume=True) as work:
        assert list(work.done()) == [{"n": 1}]
    assert out.is_dir()


def test_busy_in_one_process_too(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with building(out, STANCE):
        with pytest.raises(Busy, match=rf"process {os.getpid()}"):
            build(out, resume=True)
        with pytest.raises(Busy, match=rf"process {os.getpid()}"):
            build(out)  # and nobody is told to remove what somebody works in
        (tmp_path / "out.partial" / PID).unlink()
        with pytest.raises(Busy, match=r"building .*out$"):
            build(out, resume=True)


@pytest.mark.parametrize("cut", range(1, 13))
def test_a_journal_cut_anywhere_loses_at_most_its_last_line(tmp_path: Path, cut: int) -> None:
    work = Building(tmp_path, tmp_path / "out", TINY_KEY, STANCE)
    assert list(work.done()) == []
    work.note_done({"n": 1})
    work.note_done({"n": "é"})
    journal = tmp_path / JOURNAL
    whole = journal.read_bytes()
    assert whole == b'{"n":1}\n{"n":"\xc3\xa9"}\n'
    journal.write_bytes(whole[:-cut])
    kept = list(work.done())
    assert kept == [{"n": 1}, {"n": "é"}][: 2 if cut == 1 else 1]
    work.note_done({"n": 3})
    assert list(work.done()) == [*kept, {"n": 3}]


def test_a_journal_line_of_another_kind_is_no_entry(tmp_path: Path) -> None:
    work = Building(tmp_path, tmp_path / "out", TINY_KEY, STANCE)
    (tmp_path / JOURNAL).write_bytes(b'3\n\xff\n{"n":1}\n')
    assert list(work.done()) == [{"n": 1}]


def test_a_journal_entry_is_on_disk_before_it_is_relied_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    monkeypatch.setattr(module.os, "fsync", lambda handle: synced.append(os.fstat(handle).st_size))
    Building(tmp_path, tmp_path / "out", TINY_KEY, STANCE).note_done({"n": 1})
    assert synced == [len(b'{"n":1}\n')]


def test_the_rows_given_are_the_rows_opened(tmp_path: Path) -> None:
    release = write_tiny_release(tmp_path / "out")
    again = open_release(tmp_path / "out")
    assert again.table("answers").equals(release.table("answers"))
    levels = sorted(again.table("sources")["level"].to_pylist())
    assert levels == [-20.67, -20.33, -20.0]


def test_a_partial_folder_that_nobody_ever_locked_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out.partial").mkdir()
    with pytest.raises(DestinationExists, match="left from an earlier run"):
        build(tmp_path / "out")
    assert list((tmp_path / "out.partial").iterdir()) == []
