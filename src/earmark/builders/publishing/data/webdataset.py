"""Shards for judges that stream: tar files of samples, each with its presentations and the FLAC files that they name.

A sample is a group of items that are asked together, or an item without a group: `<key>.json`, and `<key>.0.flac`,
`<key>.1.flac` and so on for its distinct clips. Readers of WebDataset take what stands before the first dot for the key; ids
have none. Equal releases give equal bytes: members have no date and no owner.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from earmark.builders.media import Progress
from earmark.builders.presenting import Earlier
from earmark.builders.presenting.history import has_histories, histories_of
from earmark.manifests.canonical import Json, canonical_json
from earmark.manifests.clip_audio import ClipAudio
from earmark.manifests.declarations import AUDIO
from earmark.manifests.errors import EarmarkError
from earmark.manifests.release import Release
from earmark.manifests.rows import Row, optional_text, text, texts

if TYPE_CHECKING:
    from typing import BinaryIO

SHARD_BYTES = 500_000_000
"""About how many bytes a shard has."""

_BLOCK = 512
_FEW = 1024


@dataclass(frozen=True)
class WrittenTar:
    """A shard that was written.

    Args:
        name: Its file name.
        size: Its bytes.
        hash: `sha256:` and the hash of them.
    """

    name: str
    size: int
    hash: str


@dataclass(frozen=True)
class Streamed:
    """What was written.

    Args:
        shards: The shards in order.
        samples: How many samples they hold.
        presentations: How many presentations.
        protocols: The protocols that can be answered from them.
        items_left_out: How many items have a presentation that needs a clip which is not shipped, or one before it that does.
    """

    shards: tuple[WrittenTar, ...]
    samples: int
    presentations: int
    protocols: tuple[str, ...]
    items_left_out: int


def write_webdataset(
    release: Release,
    audio: ClipAudio,
    folder: Path,
    clips: frozenset[str],
    *,
    progress: Progress,
    shard_bytes: int = SHARD_BYTES,
) -> Streamed:
    """Write the shards of a release; one sample is in memory at a time.

    A protocol that shows right answers in its histories is left out, since shards tell none.

    Args:
        release: The release.
        audio: Where its audio is.
        folder: Where `test-000000.tar` and so on go; made if missing.
        clips: Ids of the clips that may be shipped.
        progress: Told how many samples are written.
        shard_bytes: Bytes beyond which a shard has no further sample.

    Raises:
        ReleaseError: If the release is damaged, or has no audio of a clip.
        OSError: If a shard cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    histories = _histories(release)
    prompts = {text(row, "prompt_id"): row for row in release.table("prompts").to_pylist()}
    rows = _in_samples(release, list(histories))
    total = len(pc.unique(rows["key"]))
    counted = _Counted()
    with closing(_Tars(folder, shard_bytes)) as tars:
        for done, (key, owed) in enumerate(_samples(rows), start=1):
            sample = _Sample(key, release.manifest.canary, clips)
            for row in _in_turn(owed):
                sample.add(row, prompts[text(row, "prompt_id")], histories)
            counted.left_out |= sample.left_out
            if sample.presentations:
                counted.samples += 1
                counted.presentations += len(sample.presentations)
                tars.write(sample.members(audio))
            progress("writing samples", done, total)
    return Streamed(
        tuple(tars.written), counted.samples, counted.presentations, tuple(histories), len(counted.left_out)
    )


@dataclass
class _Counted:
    samples: int = 0
    presentations: int = 0
    left_out: set[str] = field(default_factory=set)


def _histories(release: Release) -> dict[str, Mapping[str, Earlier]]:
    """By protocol that can be streamed, what stands in its histories."""
    heard = [entry.name for entry in release.manifest.protocols if entry.modality == AUDIO]
    if not has_histories(release):
        return {name: {} for name in heard}
    found = {}
    table = release.table("presentations")
    rows = table.filter(pc.equal(table["modality"], AUDIO)).to_pylist()
    for name in heard:
        owed = [row for row in rows if name in texts(row, "protocols")]
        with suppress(EarmarkError):  # it cannot be presented, or not without the private side
            histories = histories_of(release, name, owed)
            if all(earlier.told is None for earlier in histories.values()):
                found[name] = histories
    return found


def _in_samples(release: Release, protocols: Sequence[str]) -> pa.Table:
    """The presentations of protocols, in the order of their samples, with the key of each."""
    presentations, items = release.table("presentations"), release.table("items")
    lists = presentations["protocols"].combine_chunks()
    named = pc.is_in(pc.list_flatten(lists), value_set=pa.array(protocols, pa.string()))
    rows = presentations.take(pc.unique(pc.list_parent_indices(lists).filter(named)))
    of_item = items.take(pc.index_in(rows["item_id"], value_set=items["item_id"]))
    rows = rows.append_column("key", pc.coalesce(of_item["group"], of_item["item_id"]))
    return rows.sort_by([("key", "ascending"), ("presentation_id", "ascending")])


def _samples(rows: pa.Table) -> Iterator[tuple[str, list[Row]]]:
    few = (row for batch in rows.to_batches(max_chunksize=_FEW) for row in batch.to_pylist())
    for key, owed in groupby(few, key=lambda row: text(row, "key")):
        yield key, list(owed)


def _in_turn(rows: Sequence[Row]) -> Iterator[Row]:
    """Presentations, none before the one of the same sample that it goes on with; those in a circle come last."""
    left = {text(row, "presentation_id"): row for row in rows}
    while left:
        ready = [row for row in left.values() if optional_text(row, "after") not in left] or list(left.values())
        for row in ready:
            del left[text(row, "presentation_id")]
            yield row


class _Sample:
    """A sample in the making."""

    def __init__(self, key: str, canary: str, shipped: frozenset[str]) -> None:
        self.key = key
        self.presentations: list[Json] = []
        self.left_out: set[str] = set()
        self._canary = canary
        self._shipped = shipped
        self._files: dict[str, str] = {}
        self._told = set[str]()

    def add(self, row: Row, prompt: Row, histories: Mapping[str, Mapping[str, Earlier]]) -> None:
        """Add a presentation; those that others go on with come first."""
        id, after = text(row, "presentation_id"), optional_text(row, "after")
        protocols = [name for name in texts(row, "protocols") if name in histories]
        earlier = next((histories[name][id] for name in protocols if id in histories[name]), None)
        before = [] if earlier is None else list(earlier.clips.values())
        answered = after is None or after in self._told
        if not answered or not self._shipped.issuperset((*texts(row, "clips"), *before)):
            self.left_out.add(text(row, "item_id"))
            return
        self._told.add(id)
        clips: list[Json] = []
        for label, clip in zip(texts(row, "labels"), texts(row, "clips"), strict=True):
            if earlier is not None and earlier.before == label:
                options: dict[str, Json] = {choice: self._file(of) for choice, of in earlier.clips.items()}
                clips.append({"label": earlier.label, "chosen_in": earlier.chosen_in, "options": options})
            clips.append({"label": label, "audio": self._file(clip)})
        self.presentations.append(
            {
                "presentation_id": id,
                "item_id": text(row, "item_id"),
                "order": text(row, "order"),
                "after": after,
                "protocols": protocols,
                "system": text(prompt, "system"),
                "user": text(prompt, "user"),
                "answer": json.loads(text(prompt, "answer")),
                "clips": clips,
            }
        )

    def _file(self, clip: str) -> str:
        return self._files.setdefault(clip, f"{len(self._files)}.flac")

    def members(self, audio: ClipAudio) -> list[tuple[str, bytes]]:
        """Its files: names and contents."""
        told: Json = {"canary": self._canary, "presentations": self.presentations}
        files = [(f"{self.key}.{name}", audio.read(clip)) for clip, name in self._files.items()]
        return [(f"{self.key}.json", canonical_json(told) + b"\n"), *files]


class _Tars:
    """Shards, of which one is open."""

    def __init__(self, folder: Path, most: int) -> None:
        self.written: list[WrittenTar] = []
        self._folder = folder
        self._most = most
        self._size = 0
        self._open: tuple[_HashingFile, tarfile.TarFile] | None = None

    def write(self, members: Sequence[tuple[str, bytes]]) -> None:
        """Write a sample, into the next shard where this one would become too large."""
        size = sum(_BLOCK + -(-len(content) // _BLOCK) * _BLOCK for _, content in members)
        if self._size and self._size + size > self._most:
            self.close()
        if self._open is None:
            sink = _HashingFile((self._folder / f"test-{len(self.written):06d}.tar").open("wb"))
            # It only writes, and never asks where it is.
            self._open = sink, tarfile.open(fileobj=sink, mode="w|", format=tarfile.USTAR_FORMAT)  # type: ignore[call-overload]  # noqa: SIM115  # a sink that only writes; closed with the shard
        for name, content in members:
            info = tarfile.TarInfo(name)  # mode 0644, and neither date nor owner
            info.size = len(content)
            self._open[1].addfile(info, io.BytesIO(content))
        self._size += size

    def close(self) -> None:
        """Finish the open shard."""
        if self._open is None:
            return
        sink, tar = self._open
        try:
            tar.close()
        finally:
            sink.file.close()
        digest = sink.digest.hexdigest()
        self.written.append(WrittenTar(Path(sink.file.name).name, sink.size, f"sha256:{digest}"))
        self._open, self._size = None, 0


class _HashingFile:
    """A file that is hashed as it is written."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        """Write all of it."""
        self.digest.update(data)
        self.size += len(data)
        return self.file.write(data)
