"""What `datasets` loads besides clips: the public tables as they are, and the items of each facet with their clips."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.builders.publishing.data.configs import ITEM_CLIPS_COLUMN, Config
from earmark.builders.publishing.data.features import with_features
from earmark.manifests.building import write_parquet
from earmark.manifests.copies.published import ITEM_SHARDS, WITHDRAWN
from earmark.manifests.errors import ReleaseError
from earmark.manifests.rows import text
from earmark.manifests.tables import Side

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

    from earmark.manifests.release import Release


def copy_public_side(release: Release, folder: Path) -> None:
    """Copy the public tables, byte for byte, and the list of what was withdrawn where there is one.

    Args:
        release: The release.
        folder: The copy.

    Raises:
        ReleaseError: If a table is a link or no file.
    """
    public = folder / Side.PUBLIC.value
    public.mkdir(parents=True, exist_ok=True)
    names = [table.filename for table in release.family.tables().values() if table.side is Side.PUBLIC]
    if release.manifest.withdrawn is not None:
        names.append(WITHDRAWN)
    for name in names:
        copy_file(release.side(Side.PUBLIC) / name, public / name)


def copy_file(source: Path, target: Path) -> None:
    """Copy a file of a release or of what goes with it; nothing that lies elsewhere comes along.

    Raises:
        ReleaseError: If it is a link or no file.
    """
    if source.is_symlink() or not source.is_file():
        raise ReleaseError(f"{source} is a link or no file; only what lies in a folder itself is published")
    shutil.copyfile(source, target)


def write_items(release: Release, configs: Iterable[Config], folder: Path) -> None:
    """Write one file per facet: its items and, of each, the clips.

    Args:
        release: The release.
        configs: The configs; those that are about a facet have a file each.
        folder: The copy.
    """
    (folder / ITEM_SHARDS).mkdir(parents=True, exist_ok=True)
    items = items_with_clips(release)
    facet = items["facet"].to_pylist()
    for config in configs:
        if config.facet is not None:
            rows = items.take([row for row, name in enumerate(facet) if name == config.facet])
            write_parquet(rows, folder / config.files[0])


def items_with_clips(release: Release) -> pa.Table:
    """The items of a release in order, with a column of their clips: role, position and id of each."""
    import pyarrow as pa

    clips: dict[str, list[dict[str, object]]] = {}
    names = [field.name for field in ITEM_CLIPS_COLUMN.type.value_type]
    for row in release.table("item_clips").to_pylist():
        clips.setdefault(text(row, "item_id"), []).append({name: row[name] for name in names})
    table = release.family.tables()["items"]
    items = release.table("items").select([column.name for column in table.columns]).sort_by("item_id")
    heard = [
        sorted(clips.get(item, []), key=lambda clip: (str(clip["role"]), clip["position"]))
        for item in items["item_id"].to_pylist()
    ]
    field = pa.field(ITEM_CLIPS_COLUMN.name, ITEM_CLIPS_COLUMN.type, False, {"means": ITEM_CLIPS_COLUMN.means})
    items = items.append_column(field, pa.array(heard, ITEM_CLIPS_COLUMN.type))
    return items.cast(with_features(pa.schema([*table.arrow_schema(), field])))
