"""Small stance releases whose answers a test chooses, and files of whoever sends them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
from tests.support.tiny import TINY_KEY, tiny_manifest, tiny_rows

from earmark.manifests.building import building
from earmark.manifests.families.stance import STANCE
from earmark.manifests.release import Gold, Release, open_release


def write_release(out: Path, golds: Sequence[bool], *, gold: Gold = "hidden", transcripts: bool = False) -> Release:
    """A release of one dimension.

    Args:
        out: Folder to be made.
        golds: For each item whether its answer is P.
        gold: What the manifest says of the answers.
        transcripts: Whether it offers the protocol of transcripts as well.
    """
    rows = tiny_rows(items=len(golds), transcripts=transcripts)
    for answer, positive in zip(rows["answers"], golds, strict=True):
        answer["gold"] = "P" if positive else "N"
    for n, source in enumerate(rows["sources"]):
        source["speaker"], source["conversation"] = f"Toy/{n:03d}", f"Toy/c{n:03d}"
    key = out.with_name(f"{out.name}.key")
    key.write_bytes(TINY_KEY)
    with building(out, STANCE, key=key) as work:
        for name, table in rows.items():
            work.write_table(name, table)
        work.write_manifest(msgspec.structs.replace(tiny_manifest(work, rows), gold=gold))
    return open_release(out)


def write_file(path: Path, release: Release, says: Sequence[bool]) -> Path:
    """A file that says of each item, in the order of `write_release`, whether it is P."""
    items = [str(row["item_id"]) for row in tiny_rows(items=len(says))["items"]]
    said = dict(zip(items, says, strict=True))
    table = release.table("presentations")
    rows = zip(table["presentation_id"].to_pylist(), table["item_id"].to_pylist(), strict=True)
    lines = (json.dumps({"presentation_id": id, "choice": "P" if said[item] else "N"}) for id, item in rows)
    path.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
    return path
