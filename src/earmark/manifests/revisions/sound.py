"""What two versions differ in in sound: by the hashes of native samples, by the hash of all files, or file by file.

Two FLAC files that are not the same bytes may hold the same samples: each says in its head what hash those have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from earmark.manifests.clip_audio import ClipAudio
from earmark.manifests.copies.published import RECIPES as RECIPES_FILE
from earmark.manifests.declarations import RECIPES
from earmark.manifests.errors import ReleaseError
from earmark.manifests.revisions.ids import Ids
from earmark.manifests.revisions.matching import cells_at, differing, matched
from earmark.manifests.revisions.records import AudioDifference
from earmark.manifests.revisions.tables import Pair
from earmark.manifests.tables import Side

if TYPE_CHECKING:
    from earmark.manifests.release import Release

_COLUMNS = ["clip_id", "pcm_hash"]
_HEAD, _SAMPLES, _HASHED = b"fLaC\0\0\0\x22", slice(18, 42), slice(26, 42)
"""How a FLAC file begins, and where in it rate, channels, length and the hash of its samples stand."""

_UNKNOWN = "the hashes of all audio files differ, and {} of the clips are not at hand in both versions"


def audio_difference(pair: Pair, *, files: bool = True) -> AudioDifference:
    """What differs in the sound of clips that both versions have.

    Args:
        pair: The two versions.
        files: Whether audio files are read, where hashes do not tell.

    Raises:
        ReleaseError: If a file cannot be read.
    """
    media = pair.old.manifest.media, pair.new.manifest.media
    rates = media[0].rate if media[0] else None, media[1].rate if media[1] else None
    counts = media[0].files if media[0] else 0, media[1].files if media[1] else 0
    old_clips, new_clips = (clips["clip_id"] for clips in pair.public("clips"))
    common = new_clips.filter(pc.is_in(new_clips, value_set=old_clips)).combine_chunks()
    told, changed = _by_samples(pair)
    encoded: list[str] = []
    why = None
    if media[0] is not None and media[1] is not None and rates[0] == rates[1]:
        if media[0].hash == media[1].hash:
            told = pa.concat_arrays([told, common])
        elif files:
            here, other, encoded = _by_files(pair, common)
            told, changed = pa.concat_arrays([told, here]), pa.concat_arrays([changed, pa.array(other, pa.string())])
            if missing := len(common) - len(here):
                why = _UNKNOWN.format(missing)
    known = int(pc.sum(pc.is_in(common, value_set=told)).as_py() or 0)
    return AudioDifference(
        rates=rates,
        files=counts,
        changed=Ids.of(changed),
        encoded=Ids.of(pa.array(encoded, pa.string())),
        compared=known,
        unknown=len(common) - known,
        why=why,
    )


def _by_samples(pair: Pair) -> tuple[pa.Array, pa.Array]:
    """Clips whose native samples have a hash in both versions, and those of them whose hashes differ."""
    nothing = pa.array([], pa.string())
    tables = [_hashes(release, pair.tables["sources"][at]) for at, release in enumerate((pair.old, pair.new))]
    old, new = tables
    if old is None or new is None:
        return nothing, nothing
    match = matched(("clip_id",), old, new)
    hashes = cells_at(old, "pcm_hash", match.old), cells_at(new, "pcm_hash", match.new)
    known = pc.and_(hashes[0].is_valid(), hashes[1].is_valid())
    ids = cells_at(new, "clip_id", match.new)
    apart = pa.array(differing(*hashes) & known.to_numpy(zero_copy_only=False))
    return ids.filter(known), ids.filter(apart)


def _hashes(release: Release, sources: pa.Table | None) -> pa.Table | None:
    """The hash of each clip's samples, from the private side or from published recipes."""
    from earmark.manifests.parquet.stored import read_stored

    if sources is not None:
        return sources.select(_COLUMNS)
    file = release.side(Side.PUBLIC) / RECIPES_FILE
    if release.manifest.recipes is None or not file.is_file():
        return None
    try:
        rows = read_stored(file, rows=release.manifest.recipes.rows, table=RECIPES)
    except (pa.ArrowException, OSError, ValueError, LookupError) as error:
        raise ReleaseError(f"{file} cannot be read: {str(error)[:200]}; {release.remedy}") from error
    if any(rows.schema.get_field_index(name) < 0 or rows[name].type != pa.string() for name in _COLUMNS):
        raise ReleaseError(f"{file} has not the columns {', '.join(c.name for c in RECIPES.columns)}; {release.remedy}")
    return rows.select(_COLUMNS)


def _by_files(pair: Pair, clips: pa.Array) -> tuple[pa.Array, list[str], list[str]]:
    """Of some clips those whose files are at hand in both, those of other samples, and those of the same in other files."""
    old, new = ClipAudio(pair.old), ClipAudio(pair.new)
    here = frozenset(clips.to_pylist()) & old.clips() & new.clips()
    changed: list[str] = []
    encoded: list[str] = []
    for clip in new.in_turn(here):
        one, other = old.read(clip), new.read(clip)
        if one != other:
            (encoded if _same_samples(one, other) else changed).append(clip)
    return pa.array(sorted(here), pa.string()), sorted(changed), sorted(encoded)


def _same_samples(one: bytes, other: bytes) -> bool:
    """Whether two FLAC files say that they hold the same samples."""
    flac = all(data[:4] == _HEAD[:4] and data[5:8] == _HEAD[5:] and data[4] & 0x7F == 0 for data in (one, other))
    return flac and any(one[_HASHED]) and one[_SAMPLES] == other[_SAMPLES]
