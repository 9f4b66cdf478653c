"""A judge of words: what it says of a stance when it has only the transcript, and says nothing of where there is too little."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections import defaultdict
from statistics import median
from typing import TYPE_CHECKING

from earmark.manifests.families.stance import NEGATIVE, POSITIVE
from earmark.manifests.rows import text
from earmark.scoring.decisions import owed_presentations

if TYPE_CHECKING:
    from pathlib import Path

    from earmark.manifests.canonical import Json
    from earmark.manifests.release import Release

NAME, STEM = "wordier is positive", "wordier-is-positive"
"""What the judge is called, and its files."""

PROTOCOL = "both-orders-transcript"
"""What it answers: the items of the first protocol, with words in place of clips."""

FEWEST = 10
"""Of fewer words than these it says nothing."""


def read_words(release: Release, path: Path) -> None:
    """Write its prediction file: P where a target has more words than the median of its dimension, N for the others.

    The probability grows from 0.5 at the median to 1 at the ends of the dimension's ranks, as that of `louder is positive` does.

    Args:
        release: A release of stance with its private side, where the words stand.
        path: The file to write.
    """
    manifest = release.manifest
    owed = owed_presentations(release, release.protocol(PROTOCOL))
    said = {row["clip_id"]: len(text(row, "text").split()) for row in release.table("sources").to_pylist()}
    counts = {
        text(row, "item_id"): said[row["clip_id"]]
        for row in release.table("item_clips").to_pylist()
        if row["role"] == "target"
    }
    here: dict[str, list[int]] = defaultdict(list)
    facets = {text(row, "item_id"): text(row, "facet") for row in release.table("items").to_pylist()}
    for item, facet in facets.items():
        here[facet].append(counts[item])
    ranked = {facet: sorted(found) for facet, found in here.items()}
    answers = {item: _answer(counts[item], ranked[facet]) for item, facet in facets.items()}
    header: dict[str, Json] = {
        "release": f"{manifest.name}@{manifest.version}",
        "content_hash": manifest.content_hash,
        "protocol": owed.protocol,
        "judge": {"name": NAME, "architecture": "rule"},
    }
    rows: list[dict[str, Json]] = [
        {"earmark": header},
        *({"presentation_id": id, **answers[item]} for id, item in zip(owed.ids, owed.item, strict=True)),
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8", newline="\n")


def _answer(words: int, ranked: list[int]) -> dict[str, Json]:
    """What it says of a target, from its own number of words and those of all in the dimension."""
    if words < FEWEST:
        return {"status": "abstained"}
    middle = median(ranked)
    share = (bisect_left(ranked, words) + bisect_right(ranked, words) - 1) / 2 / max(1, len(ranked) - 1)
    sure = 0.5 if words == middle else max(share, 1 - share)
    return {"choice": POSITIVE if words > middle else NEGATIVE, "probability": round(sure, 4)}
