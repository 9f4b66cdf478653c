"""The folder that a copy is staged in, beside its place: a killed publication goes on with the shards that it finished."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from earmark.builders.media import Progress
from earmark.builders.publishing.data.shards import Shard, WrittenShard, write_shards
from earmark.manifests.building import JOURNAL, LOCK, PID, WorkFolder, partial_of, working
from earmark.manifests.canonical import Json
from earmark.manifests.copies.checksums import read_checksums
from earmark.manifests.copies.file_digests import Walked, walk
from earmark.manifests.copies.published import CHECKSUMS, CLIP_SHARDS
from earmark.manifests.errors import DestinationExists, EarmarkError, Refused
from earmark.manifests.findings import Findings
from earmark.manifests.hashes import file_hash, json_hash
from earmark.manifests.release import Manifest, open_release

_BEGUN = "publishing"
_OWN = frozenset({JOURNAL, LOCK, PID})


@dataclass
class Staging:
    """A copy being staged.

    Args:
        work: The folder that is worked in.
        finished: Shards that an earlier run finished, by name.
    """

    work: WorkFolder
    finished: Mapping[str, WrittenShard]

    @property
    def folder(self) -> Path:
        """Where the copy's files go."""
        return self.work.partial

    def write_shards(self, shards: Sequence[Shard], progress: Progress) -> list[WrittenShard]:
        """Write shards but for those that are finished.

        Args:
            shards: What to write.
            progress: Told how many clips are done.

        Raises:
            FileChanged: If a file is no longer as it was looked at.
            OSError: If a file cannot be read or written.
        """
        total = sum(len(shard.clips) for shard in shards)
        kept = [self.finished[shard.name] for shard in shards if shard.name in self.finished]
        done = sum(len(shard.files) for shard in kept)
        folder = self.folder / CLIP_SHARDS
        folder.mkdir(parents=True, exist_ok=True)
        written: list[WrittenShard] = []

        def note(shard: WrittenShard) -> None:
            written.append(shard)
            self.work.note_done(
                {"shard": shard.name, "size": shard.size, "hash": shard.hash, "files": dict(shard.files)}
            )

        def tell(more: int) -> None:
            nonlocal done
            done += more
            progress("writing clips", done, total)

        progress("writing clips", done, total)
        write_shards([shard for shard in shards if shard.name not in self.finished], folder, note, tell)
        return sorted([*kept, *written], key=lambda shard: shard.name)


@contextmanager
def staging(out: Path, plan: Json, of: Manifest | None = None) -> Iterator[Staging]:
    """Work in `OUT.partial`, and rename it to OUT when the block ends without an error.

    What a run left that was killed or failed, and was of the same plan, is continued; of another plan, it is removed. A copy
    that was refused leaves nothing.

    Args:
        out: The copy to be made.
        plan: All that the shards depend on.
        of: The manifest of the release. A whole copy of it that was killed just before it was renamed has no journal any more:
            with this it is known by its list and made anew.

    Raises:
        DestinationExists: If OUT exists, or `OUT.partial` is something else's.
        Busy: If another process is at work on it.
    """
    begun = {_BEGUN: json_hash(plan)}
    # Before it is worked in: whoever fails there removes what no journal speaks of, which may be the only key of a build.
    _require_own(WorkFolder(partial_of(out), out), of)
    with working(out, resume=True) as work:
        entries = list(work.done())
        if entries and entries[0] != begun:
            _clear(work.partial, journal=True)
            entries = []
        if not entries:
            work.note_done(begun)
        finished = _finished(work.partial, entries[1:])
        _clear(work.partial, finished)
        try:
            yield Staging(work, finished)
        except (Exception, KeyboardInterrupt) as error:
            if isinstance(error, Refused) or len(list(work.done())) == 1:
                _clear(work.partial, journal=True)
            raise


def _require_own(left: WorkFolder, of: Manifest | None) -> None:
    entry = next(left.done(), None)
    holds = left.partial.is_dir() and any(path.name not in _OWN for path in left.partial.iterdir())
    strange = holds if entry is None else _BEGUN not in entry
    if strange and (entry is not None or of is None or not _is_whole(left.partial, of)):
        raise DestinationExists(f"{left.partial} is left from something else; remove it, or choose another folder")


def _is_whole(folder: Path, of: Manifest) -> bool:
    """Whether a folder is a copy of a release that has all the files that it lists."""
    findings = Findings()
    listed = read_checksums(folder / CHECKSUMS, findings)
    found = walk(folder, _OWN)
    if findings.failed or found != Walked(files=found.files) or found.files.keys() != {*listed.hashes, CHECKSUMS}:
        return False
    try:
        manifest = open_release(folder).manifest
    except EarmarkError:
        return False
    return (manifest.content_hash, manifest.canary, listed.canary) == (of.content_hash, of.canary, of.canary)


def _finished(folder: Path, entries: Sequence[Mapping[str, Json]]) -> dict[str, WrittenShard]:
    """Shards that are as they were left."""
    finished = {}
    for entry in entries:
        match entry:
            case {"shard": str(name), "size": int(size), "hash": str(hash), "files": dict(files)}:
                path = folder / CLIP_SHARDS / name
                if path.is_file() and path.stat().st_size == size and file_hash(path) == hash:
                    finished[name] = WrittenShard(name, size, hash, files)
            case _:
                continue
    return finished


def _clear(folder: Path, kept: Mapping[str, WrittenShard] | None = None, *, journal: bool = False) -> None:
    """Remove everything but the lock, the journal unless that is to go, and shards that are kept."""
    for path in folder.iterdir():
        if path.name in (LOCK, PID) or (path.name == JOURNAL and not journal):
            continue
        if kept and path.name == Path(CLIP_SHARDS).parts[0] and not path.is_symlink():
            for file in [file for file in path.rglob("*") if not file.is_dir() or file.is_symlink()]:
                if file.parent != folder / CLIP_SHARDS or file.name not in kept:
                    file.unlink()
        elif path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
