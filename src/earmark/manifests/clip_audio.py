"""The audio of a release's clips, as FLAC: from `public/audio`, or from the shards of a published copy.

Somebody else's shards may be hostile, so no link is followed, and what a shard comes to is known before memory is taken.
"""

from __future__ import annotations

import re
import shutil
import stat
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from earmark.manifests.clip_shards import Group, Place, clip_shards
from earmark.manifests.damage import damage_of, repeats_of
from earmark.manifests.declarations import RECIPES
from earmark.manifests.errors import ReleaseError
from earmark.manifests.hashes import bytes_hash
from earmark.manifests.keys import ID_PATTERN
from earmark.manifests.tables import Side

if TYPE_CHECKING:
    import pyarrow as pa

    from earmark.manifests.release import Release

MOST_CLIP_BYTES = 1 << 26
"""Bytes of the largest audio file that is read; half an hour of speech at 48 kHz is no more."""

KEPT_BYTES = 1 << 26
"""Bytes of row groups that stay in memory; the newest always does."""


_MOST_SECONDS = 86_400.0


class _Cell(NamedTuple):
    """Where a clip stands in the shards."""

    group: Group
    row: int


class ClipAudio:
    """The audio of a release's clips, found when it is first asked for.

    Args:
        release: The release.
    """

    def __init__(self, release: Release) -> None:
        self._release = release
        self._groups: OrderedDict[Group, pa.ChunkedArray] = OrderedDict()
        self._read: set[Group] = set()
        self._places: dict[Group, list[Place | None]] = {}

    def has(self, clip: str) -> bool:
        """Whether a clip's audio is in the release.

        Raises:
            ReleaseError: If the id is none, what should be its file is a link or no file, or the shards cannot be read.
        """
        return self._file(clip) is not None or clip in self._cells

    def read(self, clip: str) -> bytes:
        """A clip's FLAC file.

        Raises:
            ReleaseError: As of `has`; also if the release has no audio of it, or more than 64 MiB.
        """
        path = self._file(clip)
        if path is None:
            return self._of_shards(clip)
        try:
            with path.open("rb") as stream:
                content = stream.read(MOST_CLIP_BYTES + 1)
        except OSError as error:
            raise ReleaseError(f"cannot read {path}: {error.strerror}") from error
        if len(content) > MOST_CLIP_BYTES:
            raise ReleaseError(f"{path} has more than {MOST_CLIP_BYTES} bytes, the most that is read of a clip")
        return content

    def copy(self, clip: str, target: Path) -> None:
        """Put a clip's FLAC file somewhere else.

        Raises:
            ReleaseError: As of `read`.
            OSError: If it cannot be written.
        """
        path = self._file(clip)
        if path is None:
            target.write_bytes(self._of_shards(clip))
        else:
            shutil.copyfile(path, target)

    def clips(self) -> frozenset[str]:
        """The ids of all clips whose audio is in the release.

        Raises:
            ReleaseError: As of `has`.
        """
        return self._of_files | self._cells.keys()

    def hashes(self, told: Callable[[int], None] = lambda _: None) -> dict[str, str]:
        """The sha256 of each clip's FLAC file, by its name, as `earmark.manifests.hashes.files_hash` takes it.

        Args:
            told: Told of the bytes of each clip that was hashed.

        Raises:
            ReleaseError: As of `read`.
        """
        found = {}
        for clip in sorted(self.clips(), key=self._place):
            content = self.read(clip)
            found[f"{clip}.flac"] = bytes_hash(content)
            told(len(content))
        return found

    def in_turn(self, clips: frozenset[str]) -> Iterator[str]:
        """Clips in the order in which they lie, so that no part of a shard is read twice.

        Raises:
            ReleaseError: As of `has`.
        """
        yield from sorted(clips, key=self._place)

    @cached_property
    def doubles(self) -> tuple[str, ...]:
        """Clips that stand more than once in the shards, or there and in a file.

        Raises:
            ReleaseError: As of `has`.
        """
        return tuple(sorted(self._of_files & self._cells.keys() | self._index[1]))

    @cached_property
    def _of_files(self) -> frozenset[str]:
        folder = self._release.side(Side.PUBLIC) / "audio"
        try:
            stems = (path.stem for path in folder.iterdir() if path.suffix == ".flac")
            return frozenset(stem for stem in stems if re.fullmatch(ID_PATTERN, stem))
        except FileNotFoundError:
            return frozenset()
        except OSError as error:
            raise ReleaseError(f"cannot read {folder}: {error.strerror}") from error

    @property
    def _cells(self) -> Mapping[str, _Cell]:
        return self._index[0]

    @cached_property
    def _index(self) -> tuple[Mapping[str, _Cell], frozenset[str]]:
        """Where each clip stands in the shards, the first place counting, and those that have several."""
        cells: dict[str, _Cell] = {}
        twice = set[str]()
        most = 2 * self._release.manifest.tables["clips"].rows + (1 << 16)
        for shard in clip_shards(self._release.path):
            for group, clips in shard.groups(most - len(cells) - len(twice)):
                for row, clip in enumerate(clips):
                    if clip in cells:
                        twice.add(clip)
                    else:
                        cells[clip] = _Cell(group, row)
        return cells, frozenset(twice)

    def _place(self, clip: str) -> tuple[str, int, int, str]:
        cell = self._cells.get(clip)
        return ("", 0, 0, clip) if cell is None else (cell.group.shard.name, cell.group.number, cell.row, clip)

    def _file(self, clip: str) -> Path | None:
        """A clip's file on the public side; None where it has none."""
        path = self._release.audio_file(clip)
        try:
            status = path.lstat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ReleaseError(f"cannot read {path}: {error.strerror}") from error
        if stat.S_ISLNK(status.st_mode):
            raise ReleaseError(f"{path} is a link; audio is taken from the release itself only")
        if not stat.S_ISREG(status.st_mode):
            raise ReleaseError(f"{path} is no file")
        return path

    def _of_shards(self, clip: str) -> bytes:
        cell = self._cells.get(clip)
        if cell is None:
            raise ReleaseError(f"{self._release.path} has no audio of the clip {clip}")
        content = self._by_itself(cell)
        if content is None:
            cells = self._group(cell.group)
            content = cells[cell.row].as_py() if cell.row < len(cells) else None
        if content is None:
            raise ReleaseError(f"{cell.group.shard} has no audio of the clip {clip}")
        if len(content) > MOST_CLIP_BYTES:
            raise ReleaseError(f"the clip {clip} has more than {MOST_CLIP_BYTES} bytes, the most that is read of one")
        return bytes(content)

    def _by_itself(self, cell: _Cell) -> bytes | None:
        """A cell of a row group that was read twice and went, without the others; None where that cannot be done."""
        if cell.group in self._groups or cell.group not in self._places:
            return None
        places = self._places[cell.group]
        place = places[cell.row] if cell.row < len(places) else None
        return None if place is None or place.size > MOST_CLIP_BYTES else place.read()

    def _group(self, group: Group) -> pa.ChunkedArray:
        if group in self._groups:
            self._groups.move_to_end(group)
            return self._groups[group]
        self._groups[group] = cells = group.audio()
        # Whoever comes back to a group goes through clips in another order than that in which they lie.
        if group in self._read:
            self._places[group] = group.places(cells)
        self._read.add(group)
        while sum(kept.nbytes for kept in self._groups.values()) > KEPT_BYTES and len(self._groups) > 1:
            self._groups.popitem(last=False)
        return cells


def most_frames(duration: float, rate: int) -> int:
    """How many samples a clip's file may have, going by its row: a second more, so that rounding is no fault.

    Args:
        duration: s; NaN and more than a day are as good as nothing.
        rate: Hz.
    """
    return int((min(max(duration, 0.0), _MOST_SECONDS) + 1) * rate) if duration == duration else rate


def recipe_rows(release: Release) -> pa.Table | None:
    """The table of recipes, with the columns that it should have and maybe others; None where a release has none.

    Raises:
        ReleaseError: If it is absent, unreadable or damaged.
    """
    if release.manifest.recipes is None:
        return None
    import pyarrow as pa

    from earmark.manifests.parquet.stored import read_stored

    path = release.side(RECIPES.side) / RECIPES.filename
    if path.is_symlink() or not path.is_file():
        raise ReleaseError(f"{path} is not there, or no file")
    try:
        rows = read_stored(path, rows=release.manifest.recipes.rows, table=RECIPES)
        rows.validate(full=True)
    except (pa.ArrowException, OSError, ValueError, LookupError) as error:  # all come of damage
        said = " ".join(str(error).split())[:300]
        raise ReleaseError(f"{path} cannot be read: {said}") from error
    damages = (damage for column in RECIPES.columns if (damage := damage_of(column, rows)) is not None)
    if damage := next(damages, None) or repeats_of(RECIPES, rows):
        raise ReleaseError(f"{path} is damaged: {damage}; {release.remedy}")
    return rows


def recipe_clips(release: Release) -> frozenset[str]:
    """The clips that whoever has the corpora is to cut.

    Raises:
        ReleaseError: As of `recipe_rows`.
    """
    rows = recipe_rows(release)
    return frozenset() if rows is None else frozenset(rows["clip_id"].to_pylist())
