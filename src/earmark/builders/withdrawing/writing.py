"""The next version's folder: what is left of every table, the audio of its clips, the list of what is gone, and the manifest."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import pyarrow.compute as pc

import earmark
from earmark.builders.media import Progress
from earmark.builders.withdrawing.remaining import Remaining
from earmark.manifests.building import Building
from earmark.manifests.clip_audio import ClipAudio
from earmark.manifests.copies.published import WITHDRAWN
from earmark.manifests.hashes import file_hash, files_hash
from earmark.manifests.release import FORMAT, FacetEntry, Manifest, MediaEntry, ProtocolEntry, WithdrawnEntry, canary
from earmark.manifests.revisions import Predecessor, Tombstone, Withdrawn
from earmark.manifests.revisions.withdrawn import read_withdrawn
from earmark.manifests.tables import Side

if TYPE_CHECKING:
    from earmark.manifests.canonical import Json


@dataclass(frozen=True, kw_only=True)
class Saying:
    """What the next version says of itself.

    Args:
        version: Its version.
        reason: Why items were withdrawn.
        published: Date on which it is published.
        url: Where; None for where the version before was.
    """

    version: str
    reason: str
    published: str | None
    url: str | None


def write(work: Building, left: Remaining, saying: Saying, progress: Progress) -> None:
    """Write a version into a folder that is worked in.

    Args:
        work: That folder, with the key of the version before.
        left: What is left of the version before.
        saying: What this one says of itself.
        progress: Told how far it is.
    """
    old = left.release.manifest
    media = _copy_audio(work, left, progress)
    progress("writing tables", 0, 1)
    for name in work.family.tables():
        work.write_rows(name, left.tables[name].combine_chunks())
    withdrawn = _tombstones(left, saying)
    listed = work.partial / Side.PUBLIC.value / WITHDRAWN
    listed.write_text(withdrawn.text(), encoding="utf-8", newline="\n")
    items = Counter(left.tables["items"]["facet"].to_pylist())
    owed = Counter(pc.list_flatten(left.tables["presentations"]["protocols"]).to_pylist())
    corpora = set(left.tables["sources"]["corpus"].to_pylist())
    lost = set(left.release.table("sources")["corpus"].to_pylist()) - corpora
    manifest = Manifest(
        format=FORMAT,
        name=old.name,
        version=saying.version,
        family=old.family,
        builder=f"earmark {earmark.__version__}",
        canary=canary(old.name, saying.version),
        seed=old.seed,
        gold="hidden" if old.gold == "derivable" else old.gold,
        recipe=cast("dict[str, object]", _recipe(left.recipe, saying)),
        sources=[source for source in old.sources if source.corpus not in lost],
        facets=[
            FacetEntry(id=facet.id, name=facet.name, items=items[facet.id]) for facet in old.facets if items[facet.id]
        ],
        protocols=[
            ProtocolEntry(name=entry.name, modality=entry.modality, orders=entry.orders, presentations=owed[entry.name])
            for entry in old.protocols
            if owed[entry.name]
        ],
        tables=dict(work.entries),
        media=media,
        withdrawn=WithdrawnEntry(items=len(withdrawn.withdrawn), file_hash=file_hash(listed)),
    )
    work.write_manifest(manifest)
    progress("writing tables", 1, 1)


def _copy_audio(work: Building, left: Remaining, progress: Progress) -> MediaEntry | None:
    media = left.release.manifest.media
    if media is None:
        return None
    folder = work.partial / Side.PUBLIC.value / "audio"
    folder.mkdir(parents=True)
    audio, hashes = ClipAudio(left.release), {}
    clips = frozenset(left.tables["clips"]["clip_id"].to_pylist())
    for n, clip in enumerate(audio.in_turn(clips)):
        progress("copying audio", n, len(clips))
        target = folder / f"{clip}.flac"
        audio.copy(clip, target)
        hashes[target.name] = file_hash(target)
    return MediaEntry(rate=media.rate, files=len(hashes), hash=files_hash(hashes))


def _tombstones(left: Remaining, saying: Saying) -> Withdrawn:
    """The list of the version before with what goes now."""
    manifest, known = left.release.manifest, read_withdrawn(left.release)
    gone = set(left.gone.items.to_pylist())
    sent, heard = (
        _of_items(left, gone, *of) for of in (("presentations", "presentation_id"), ("item_clips", "clip_id"))
    )
    lost = set(left.gone.clips.to_pylist())
    tombs = [
        Tombstone(
            item=item,
            presentations=tuple(sorted(sent[item])),
            clips=tuple(sorted(heard[item] & lost)),
            version=manifest.version,
            reason=saying.reason,
        )
        for item in gone
    ]
    before = Predecessor(version=manifest.version, content_hash=manifest.content_hash)
    return Withdrawn(
        predecessors=(*known.predecessors, before),
        withdrawn=tuple(sorted([*known.withdrawn, *tombs], key=lambda tomb: tomb.item)),
        canary=canary(manifest.name, saying.version),
    )


def _of_items(left: Remaining, items: set[str], table: str, column: str) -> Mapping[str, set[str]]:
    """By item, what a table of the version before names with it."""
    rows = left.release.table(table).select(["item_id", column])
    found: dict[str, set[str]] = defaultdict(set)
    for item, id in zip(rows["item_id"].to_pylist(), rows[column].to_pylist(), strict=True):
        if item in items:
            found[item].add(id)
    return found


def _recipe(recipe: Mapping[str, Json], saying: Saying) -> Mapping[str, Json]:
    """The recipe with what a publication says of itself set anew: the date of another version is none of this one."""
    section = recipe.get("release")
    if not isinstance(section, Mapping):
        return recipe
    url = section.get("url") if saying.url is None else saying.url
    return {**recipe, "release": {**section, "version": saying.version, "published": saying.published, "url": url}}
