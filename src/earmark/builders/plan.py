"""A plan: the whole content of a release before any audio is cut. A family makes it; the rest of a build is the same for all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from earmark.manifests.canonical import Json
from earmark.manifests.release import SourceEntry
from earmark.manifests.rows import texts

Rows = list[dict[str, object]]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a release will hold.

    Args:
        facets: Facet ids and what people call them, in order.
        tables: Rows of every table by name; `pcm_hash` and `level` of sources may still be None.
        roots: Where each corpus lies on this machine; never stored.
        sources: What the manifest says of the corpora.
        recipe: The resolved recipe, without a path of this machine.
        report: What people want to know of the build: counts, shares, drops.
        exact: Whether the release is what was planned or none: no item of it may be lost.
        media: Whether the audio is part of the release though nobody asked for it: what was synthesised is nowhere else.
        pages: Further files of the private side, by name: what came of the build, in full.
    """

    facets: Mapping[str, str]
    tables: Mapping[str, Rows]
    roots: Mapping[str, Path]
    sources: tuple[SourceEntry, ...]
    recipe: Mapping[str, Json]
    report: Mapping[str, Json]
    exact: bool = False
    media: bool = False
    pages: Mapping[str, str] = field(default_factory=dict)

    def without_clips(self, lost: Collection[str]) -> Plan:
        """The plan without some clips and without every item, presentation and answer that needs one of them."""
        if not lost:
            return self
        gone = {row["item_id"] for row in self.tables["item_clips"] if row["clip_id"] in lost}
        tables = dict(self.tables)
        for name in ("items", "item_clips", "presentations", "answers"):
            tables[name] = [row for row in tables[name] if row["item_id"] not in gone]
        tables["presentations"] = [row for row in tables["presentations"] if not set(texts(row, "clips")) & set(lost)]
        clips = {row["clip_id"] for row in tables["item_clips"]}
        prompts = {row["prompt_id"] for row in tables["presentations"]}
        for name in ("clips", "sources"):
            tables[name] = [row for row in tables[name] if row["clip_id"] in clips]
        tables["prompts"] = [row for row in tables["prompts"] if row["prompt_id"] in prompts]
        return replace(self, tables=tables)
