"""Building in `OUT.partial`: nothing half-written is ever taken for whole, and a killed build resumes.

The folder holds a lock while a process is at work on it, the key, and a journal of what is done. It becomes OUT by one
rename, after everything was written and found sound.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import filelock

from earmark.manifests.canonical import Json, canonical_json, json_text
from earmark.manifests.errors import Busy, DestinationExists, EarmarkError
from earmark.manifests.family import Family
from earmark.manifests.hashes import content_hash, file_hash
from earmark.manifests.keys import new_key, read_key
from earmark.manifests.release import MANIFEST, Manifest, TableEntry
from earmark.manifests.tables import Side

if TYPE_CHECKING:
    import pyarrow as pa

JOURNAL, LOCK, PID = "journal.jsonl", "lock", "pid"

WorkT = TypeVar("WorkT", bound="WorkFolder")


@dataclass
class WorkFolder:
    """A folder that is worked in until it is whole.

    Args:
        partial: The folder that is worked in.
        out: What it becomes.
    """

    partial: Path
    out: Path

    def note_done(self, entry: Mapping[str, Json], *, sync: bool = True) -> None:
        """Append one line to the journal.

        Args:
            entry: The line.
            sync: Whether it must be on disk before this returns, so that not even a power cut loses it. What another run looks
                at again, and can do again for nothing, need not.
        """
        with (self.partial / JOURNAL).open("ab+") as journal:
            if journal.tell() and not _ends_with_newline(journal):
                journal.write(b"\n")  # a kill cut the last line; the next must not be lost with it
            journal.write(canonical_json(entry) + b"\n")
            journal.flush()
            if sync:
                os.fsync(journal.fileno())

    def done(self) -> Iterator[Mapping[str, Json]]:
        """What the journal of an earlier run says; a line cut by a kill is dropped."""
        path = self.partial / JOURNAL
        for line in path.read_bytes().splitlines() if path.is_file() else []:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict):
                yield entry

    def discard_if_nothing_is_done(self) -> None:
        """Remove the folder unless its journal has something that another run need not do again."""
        if not any(self.done()):
            # The lock's file goes last, and its holder removes it: some systems keep what is open.
            shutil.rmtree(self.partial / Side.PUBLIC.value, ignore_errors=True)
            shutil.rmtree(self.partial / Side.PRIVATE.value, ignore_errors=True)
            for name in (MANIFEST, JOURNAL, PID):
                (self.partial / name).unlink(missing_ok=True)


@dataclass
class Building(WorkFolder):
    """A release being built.

    Args:
        partial: The folder that is worked in.
        out: What it becomes.
        key: The release key.
        family: The family, whose tables may be written.
    """

    key: bytes
    family: Family
    entries: dict[str, TableEntry] = field(default_factory=dict)

    def write_table(self, name: str, rows: list[dict[str, object]]) -> TableEntry:
        """Write one table, rows in key order, and keep its hashes for the manifest."""
        return self.write_rows(name, self.family.tables()[name].from_rows(rows))

    def write_rows(self, name: str, arrow: pa.Table) -> TableEntry:
        """Write one table whose rows are in key order and as its declaration has them, and keep its hashes for the manifest."""
        table = self.family.tables()[name]
        folder = self.partial / table.side.value
        folder.mkdir(exist_ok=True)
        path = folder / table.filename
        write_parquet(arrow, path)
        public = table.side is Side.PUBLIC
        self.entries[name] = TableEntry(
            side=table.side,
            rows=arrow.num_rows,
            content_hash=content_hash(table, arrow, salt=b"" if public else self.key),
            file_hash=file_hash(path) if public else None,
        )
        return self.entries[name]

    def write_page(self, name: str, page: str) -> None:
        """Write a page about the build on the private side."""
        folder = self.partial / Side.PRIVATE.value
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(page, encoding="utf-8", newline="\n")

    def write_manifest(self, manifest: Manifest) -> None:
        """Write `release.json`."""
        (self.partial / MANIFEST).write_text(json_text(manifest.as_json()), encoding="utf-8", newline="\n")


@contextmanager
def building(
    out: Path, family: Family, *, key: Path | None = None, resume: bool = False, force: bool = False
) -> Iterator[Building]:
    """Work in `OUT.partial`, and rename it to OUT when the block ends without an error.

    An error before the first line of the journal, such as a wrong recipe, leaves no `OUT.partial`: there is nothing in it that
    would be done twice.

    Args:
        out: The release to be made.
        family: Its family.
        key: File with the release line's key; a fresh one is drawn without it.
        resume: Continue what an earlier run left in `OUT.partial`.
        force: Move an existing OUT aside to `OUT.old`, `OUT.old2`, …

    Raises:
        DestinationExists: If OUT exists without `force`, or `OUT.partial` without `resume`.
        Busy: If another process is at work on it.
        EarmarkError: If the key file is absent or bad, or `OUT.partial` was begun with another key.
    """

    def begin(partial: Path) -> Building:
        return Building(partial, out, _settle_key(partial, given, key), family)

    _require_free(out, force)
    given = read_key(key) if key is not None else None
    with _working(out, begin, resume=resume, force=force) as work:
        yield work


@contextmanager
def working(out: Path, *, resume: bool = False, force: bool = False) -> Iterator[WorkFolder]:
    """Work in `OUT.partial` on what needs no key: a copy of a release that is there already.

    Args:
        out: The release to be made.
        resume: Continue what an earlier run left in `OUT.partial`.
        force: Move an existing OUT aside to `OUT.old`, `OUT.old2`, …

    Raises:
        DestinationExists: If OUT exists without `force`, or `OUT.partial` without `resume`.
        Busy: If another process is at work on it.
    """
    with _working(out, lambda partial: WorkFolder(partial, out), resume=resume, force=force) as work:
        yield work


@contextmanager
def _working(out: Path, begin: Callable[[Path], WorkT], *, resume: bool, force: bool) -> Iterator[WorkT]:
    _require_free(out, force)
    partial = partial_of(out)
    if partial.exists() and not resume:
        _require_idle(partial, out)
        raise DestinationExists(f"{partial} is left from an earlier run; continue it with --resume or remove it")
    partial.mkdir(parents=True, exist_ok=True)
    with _locked(partial, out):
        work = begin(partial)
        try:
            yield work
        except (Exception, KeyboardInterrupt):
            work.discard_if_nothing_is_done()
            raise
        (partial / JOURNAL).unlink(missing_ok=True)
    (partial / PID).unlink(missing_ok=True)
    (partial / LOCK).unlink(missing_ok=True)
    _require_free(out, force)
    if out.exists():
        out.replace(_aside(out))
    partial.replace(out)


def partial_of(out: Path) -> Path:
    """The folder that a release is built in."""
    return out.with_name(f"{out.name}.partial")


def write_parquet(rows: pa.Table, path: Path) -> None:
    """Write rows with settings that are the same everywhere, so that equal tables are equal bytes."""
    import pyarrow.parquet as pq

    scratch = path.with_name(path.name + ".tmp")
    pq.write_table(rows, scratch, compression="zstd", version="2.6", row_group_size=1 << 16)
    scratch.replace(path)


def _require_idle(partial: Path, out: Path) -> None:
    """Say so where another process is at work in a folder, before anybody is told to remove it."""
    if (partial / LOCK).exists():
        lock = filelock.FileLock(partial / LOCK)
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout:
            raise Busy(f"another process is building {out}{_holder(partial)}") from None
        lock.release()


@contextmanager
def _locked(partial: Path, out: Path) -> Iterator[None]:
    """Hold the lock of a folder and say in it who does; the lock itself cannot be written to on every system."""
    lock = filelock.FileLock(partial / LOCK)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise Busy(f"another process is building {out}{_holder(partial)}") from None
    try:
        (partial / PID).write_text(f"{os.getpid()}\n", encoding="ascii", newline="\n")
        yield
    finally:
        lock.release()
        if not any(path.name != LOCK for path in partial.iterdir()):
            (partial / LOCK).unlink(missing_ok=True)
            with suppress(OSError):  # somebody else has begun in it
                partial.rmdir()


def _holder(partial: Path) -> str:
    try:
        pid = (partial / PID).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
    return f" (process {pid})" if pid.isdecimal() else ""


def _require_free(out: Path, force: bool) -> None:
    if out.exists() and not force:
        raise DestinationExists(f"{out} exists; choose another folder or move it aside with --force")


def _ends_with_newline(journal: BinaryIO) -> bool:
    journal.seek(-1, os.SEEK_END)
    return journal.read(1) == b"\n"


def _settle_key(partial: Path, given: bytes | None, key: Path | None) -> bytes:
    """The key of this build: an earlier run's, else the given one, else a fresh one; stored before it is used."""
    stored = partial / Side.PRIVATE.value / "key"
    if stored.is_file():
        kept = read_key(stored)
        if given is not None and given != kept:
            raise EarmarkError(f"{partial} was begun with another key than {key}")
        return kept
    stored.parent.mkdir(mode=0o700, exist_ok=True)
    settled = given or new_key()
    scratch = stored.with_name("key.tmp")
    scratch.write_bytes(settled)
    scratch.chmod(0o600)  # whoever can read the key can make the ids
    scratch.replace(stored)
    return settled


def _aside(out: Path) -> Path:
    """The first free name to move an old release to."""
    aside, n = out.with_name(f"{out.name}.old"), 1
    while aside.exists():
        n += 1
        aside = out.with_name(f"{out.name}.old{n}")
    return aside
