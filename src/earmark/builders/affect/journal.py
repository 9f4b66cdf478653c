"""What was heard already, beside the table that is being made: a run that is killed is continued by the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock
import msgspec

from earmark.audio.affect import Affect
from earmark.manifests.errors import Busy, EarmarkError


class HeardFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What became of an audio file.

    Args:
        file: Its hash.
        affect: Valence, arousal and dominance; None where it could not be heard.
        problem: Why not.
    """

    file: str
    affect: Affect | None = None
    problem: str | None = None


class _Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    model: str


class Journal:
    """A file of lines, each written whole; what another model heard is not used.

    Args:
        path: The file.
        model: Hash of the model.
    """

    def __init__(self, path: Path, model: str) -> None:
        self.known = {heard.file: heard for heard in _lines(path, model)}
        self._file = path.open("wb")
        self._write(_Head(model=model))
        for heard in self.known.values():
            self._write(heard)
        self._file.flush()

    def add(self, heard: HeardFile) -> None:
        """Keep what became of a file."""
        self.known[heard.file] = heard
        self._write(heard)
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, line: msgspec.Struct) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")


@contextmanager
def journal_beside(out: Path, model: str) -> Iterator[Journal]:
    """What is kept for a table; it is removed where the block ends well.

    Args:
        out: The table that is being made.
        model: Hash of the model.

    Raises:
        Busy: If another process makes it.
        EarmarkError: If nothing can be kept there.
    """
    path = out.with_name(f"{out.name}.partial")
    lock = filelock.FileLock(path.with_name(f"{path.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise Busy(f"another process makes {out}") from None
    except OSError as error:
        raise EarmarkError(f"cannot write beside {out}: {error.strerror or error}") from error
    try:
        try:
            journal = Journal(path, model)
        except OSError as error:
            raise EarmarkError(f"cannot write {path}: {error.strerror or error}") from error
        try:
            yield journal
        finally:
            journal.close()
        path.unlink(missing_ok=True)
    finally:
        lock.release()
        Path(lock.lock_file).unlink(missing_ok=True)


def _lines(path: Path, model: str) -> Iterator[HeardFile]:
    """What an earlier run left; a last line that breaks off is left out."""
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return
    try:
        if not lines or msgspec.json.decode(lines[0], type=_Head).model != model:
            return
        for line in lines[1:]:
            yield msgspec.json.decode(line, type=HeardFile)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
