"""The table of recipes: how each clip whose audio is not shipped is cut, and nothing else of what its source is known to be."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from earmark.builders.plan import Rows
from earmark.manifests.building import write_parquet
from earmark.manifests.declarations import RECIPES
from earmark.manifests.findings import Findings, Severity, declare
from earmark.manifests.hashes import content_hash, file_hash
from earmark.manifests.release import Release, TableEntry

NO_SOURCE = declare("recipes.no-source", Severity.ERROR, "a clip has no row in the sources, so it has no recipe")
NO_HASH = declare(
    "recipes.no-hash",
    Severity.ERROR,
    "a clip's samples were never hashed, so nobody could tell whether what they cut is the same",
)


def recipe_rows(release: Release, clips: Collection[str]) -> Rows:
    """Rows of the table of recipes, ascending by clip.

    Args:
        release: The release, with its private side.
        clips: Ids of the clips that are to be cut by whoever has the corpora.

    Raises:
        PrivateSideMissing: If this copy lacks the private side.
        Refused: If a clip has no source, or no hash of its samples, as in a release that was built without media.
    """
    columns = [column.name for column in RECIPES.columns]
    sources = release.table("sources")
    wanted, findings = set(clips), Findings()
    # A family whose clips never change their level has no column for it.
    kept = sources.select([name for name in columns if name in sources.column_names]).to_pylist()
    rows: Rows = [{name: row.get(name) for name in columns} for row in kept if row["clip_id"] in wanted]
    for clip in sorted(wanted - {str(row["clip_id"]) for row in rows}):
        findings.add(NO_SOURCE, file="private/sources.parquet", id=clip)
    for row in rows:
        if row["pcm_hash"] is None:
            findings.add(
                NO_HASH, file="private/sources.parquet", id=str(row["clip_id"]), expected="a release built with --media"
            )
    findings.require_none()
    return sorted(rows, key=lambda row: str(row["clip_id"]))


def write_recipes(rows: Rows, file: Path) -> TableEntry:
    """Write the table of recipes, and say what the manifest says of it under `recipes`.

    Args:
        rows: Rows as `recipe_rows` gives them.
        file: Where to; its folder must exist.
    """
    table = RECIPES.from_rows(rows)
    write_parquet(table, file)
    return TableEntry(
        side=RECIPES.side,
        rows=table.num_rows,
        content_hash=content_hash(RECIPES, table),
        file_hash=file_hash(file),
    )
