"""The files of a folder, however many and large, and their sha256, several at a time.

Links are not followed and nothing but plain files is opened, so that a folder somebody else made can be walked.
"""

from __future__ import annotations

import hashlib
import os
import stat
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

_BLOCK = 1 << 18
"""Bytes read at a time: a block is hashed while it is still in the processor's cache."""

_MEGABYTE = 1_000_000
_TELL = 0.1


@dataclass
class Walked:
    """What a folder holds, by POSIX path from it.

    Args:
        files: Plain files and their sizes in bytes.
        links: Symbolic links, to whatever.
        special: Sockets, pipes and devices.
        unreadable: Folders that could not be listed, and why.
    """

    files: dict[str, int] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)
    special: list[str] = field(default_factory=list)
    unreadable: dict[str, str] = field(default_factory=dict)


def walk(folder: Path, besides: Collection[str] = ()) -> Walked:
    """List a folder and all below it.

    Args:
        folder: The folder.
        besides: Names right below it that are left out.
    """
    walked = Walked()
    waiting = [""]
    while waiting:
        below = waiting.pop()
        try:
            with os.scandir(folder / below) as entries:
                for entry in entries:
                    if below or entry.name not in besides:
                        _sort_in(entry, f"{below}{entry.name}", walked, waiting)
        except OSError as error:
            walked.unreadable[below.removesuffix("/") or "."] = error.strerror or str(error)
    return walked


def _sort_in(entry: os.DirEntry[str], path: str, walked: Walked, waiting: list[str]) -> None:
    if entry.is_symlink():
        walked.links.append(path)
    elif entry.is_dir(follow_symlinks=False):
        waiting.append(f"{path}/")
    elif entry.is_file(follow_symlinks=False):
        walked.files[path] = entry.stat(follow_symlinks=False).st_size
    else:
        walked.special.append(path)


@dataclass
class Digests:
    """The hashes of files, by their path as given.

    Args:
        hashes: `sha256:` and 64 hex digits.
        errors: What became of those that could not be read.
    """

    hashes: dict[str, str] = field(default_factory=dict)
    errors: dict[str, OSError] = field(default_factory=dict)

    def required(self, path: str) -> str:
        """The hash of a file.

        Raises:
            OSError: If it could not be read.
        """
        if path in self.errors:
            raise self.errors[path]
        return self.hashes[path]


def digests(
    folder: Path,
    files: Mapping[str, int],
    *,
    jobs: int,
    progress: Callable[[str, int, int], None] = lambda *_: None,
    what: str = "hashing files, MB",
) -> Digests:
    """Hash files, each read once and never held in memory.

    Args:
        folder: Where they are.
        files: Their POSIX paths from there, and sizes in bytes.
        jobs: How many are read at a time, at least 1.
        progress: Told how many megabytes are done, from this thread.
        what: What it is told is being done.
    """
    made, total = Digests(), sum(files.values()) // _MEGABYTE
    # The largest first, so that no thread is left alone with one at the end.
    read = _Read(iter(sorted(files, key=lambda name: (-files[name], name))))
    progress(what, 0, total)
    pool = ThreadPoolExecutor(max_workers=max(1, jobs))
    try:
        waiting = {pool.submit(_work, folder, read, made) for _ in range(max(1, jobs))}
        while waiting:
            done, waiting = wait(waiting, timeout=_TELL, return_when=FIRST_EXCEPTION)
            for worker in done:
                worker.result()
            progress(what, min(read.bytes // _MEGABYTE, total), total)
    finally:
        read.stopped = True
        pool.shutdown(wait=True)
    return made


class _Read:
    """What threads share: the files that are left, the bytes read so far, and whether to stop."""

    def __init__(self, left: Iterator[str]) -> None:
        self.bytes = 0
        self.stopped = False
        self._left = left
        self._lock = threading.Lock()

    def next(self) -> str | None:
        """A file that nobody has begun; None where none is left."""
        with self._lock:
            return None if self.stopped else next(self._left, None)

    def add(self, count: int) -> int:
        """Count bytes; 0, for who counts on."""
        with self._lock:
            self.bytes += count
        return 0


def _work(folder: Path, read: _Read, made: Digests) -> None:
    block = bytearray(_BLOCK)
    while (name := read.next()) is not None:
        try:
            made.hashes[name] = _digest(folder / name, read, block)
        except OSError as error:
            made.errors[name] = error


def _digest(path: Path, read: _Read, block: bytearray) -> str:
    digest, view, since = hashlib.sha256(), memoryview(block), 0
    # Whatever took the file's place since it was listed: a link is not followed, and a pipe not waited for.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    with os.fdopen(descriptor, "rb", buffering=0) as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{path.name} is no file any more")
        while not read.stopped and (count := stream.readinto(block)):
            digest.update(view[:count])
            since += count
            if since >= _MEGABYTE:
                since = read.add(since)
        read.add(since)
    return f"sha256:{digest.hexdigest()}"
