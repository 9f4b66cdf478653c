"""Published folders made of the golden releases, with bytes that are no audio in place of audio, and their croissant.json."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
from tests.support.facts import golden_facts
from tests.support.golden import GOLDENS

from earmark.builders.publishing.croissant import DataFile, croissant
from earmark.builders.publishing.data.configs import configs_of
from earmark.builders.publishing.data.dataset import copy_public_side, write_items
from earmark.builders.publishing.data.shards import shard_schema
from earmark.builders.publishing.texts.facts import Facts, LicenceShare
from earmark.manifests.release import Gold, open_release

if TYPE_CHECKING:
    import mlcroissant

_SOUND = b"fLaC "


def sound(clip: object) -> bytes:
    """What stands for the audio of a clip."""
    return _SOUND + str(clip).encode()


@dataclass(frozen=True)
class Copy:
    """A published folder.

    Args:
        folder: Where it is.
        facts: What is known of it.
    """

    folder: Path
    facts: Facts

    @property
    def files(self) -> list[DataFile]:
        """Its files of data."""
        paths = [path for path in sorted(self.folder.rglob("*")) if path.is_file() and path.suffix != ".json"]
        return [
            DataFile(
                path.relative_to(self.folder).as_posix(),
                hashlib.sha256(path.read_bytes()).hexdigest(),
                path.stat().st_size,
            )
            for path in paths
        ]

    def describe(self) -> None:
        """Write its croissant.json."""
        (self.folder / "croissant.json").write_text(croissant(self.facts, self.files), encoding="utf-8")

    def opened(self) -> mlcroissant.Dataset:
        """The folder as mlcroissant opens it."""
        import mlcroissant

        return mlcroissant.Dataset(jsonld=self.folder / "croissant.json")

    def stored(self, *paths: str) -> list[Mapping[str, object]]:
        """The rows of some of its Parquet files."""
        return [row for path in paths for row in pq.read_table(self.folder / path).to_pylist()]


def readable(value: object) -> object:
    """What mlcroissant gives as Arrow would: texts for bytes that are no audio, names of columns for ids of fields."""
    match value:
        case bytes():
            return value if value.startswith(_SOUND) else value.decode()
        case dict():
            return {str(name).rpartition("/")[2]: readable(entry) for name, entry in value.items()}
        case list():
            return [readable(entry) for entry in value]
        case _:
            return value


def published_copy(
    folder: Path, family: str, gold: Gold = "hidden", *, shipped: int | None = None, shards: int = 2
) -> Copy:
    """A published folder of a golden release.

    Args:
        folder: Where to; must be empty.
        family: Whose golden release.
        gold: Whether its answers are published.
        shipped: How many clips have their audio in it; None for all.
        shards: In how many files.
    """
    release = open_release(GOLDENS[family].path / "release")
    rows = sorted(release.table("clips").to_pylist(), key=lambda row: str(row["clip_id"]))
    facts = golden_facts(family, gold=gold)
    if shipped is not None:
        share = LicenceShare(licence="CC-BY-NC-4.0", clips=len(rows), shipped=shipped, recipes=0)
        configs = configs_of(release.family, facts.facets, gold=gold, audio=bool(shipped))
        facts = replace(facts, licences=(share,), configs=configs)
    copy_public_side(release, folder)
    write_items(release, facts.configs, folder)
    if gold == "open":
        (folder / "private").mkdir()
        shutil.copyfile(release.file("answers"), folder / "private" / "answers.parquet")
    _write_clips(folder / "data" / "clips", rows[:shipped], shards)
    (folder / "webdataset").mkdir()
    (folder / "webdataset" / "test-000000.tar").write_bytes(bytes(1024))
    copy = Copy(folder, facts)
    copy.describe()
    return copy


def _write_clips(folder: Path, rows: list[dict[str, object]], shards: int) -> None:
    folder.mkdir()
    heard = [{**row, "audio": {"bytes": sound(row["clip_id"]), "path": f"{row['clip_id']}.flac"}} for row in rows]
    size = -(-len(heard) // shards)
    for number in range(shards if heard else 0):
        part = pa.Table.from_pylist(heard[number * size : (number + 1) * size], schema=shard_schema())
        pq.write_table(part, folder / f"test-{number:05d}-of-{shards:05d}.parquet")
