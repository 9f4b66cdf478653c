"""What the target's words alone say of a stance, to a reader who never hears them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING

from earmark.manifests.families.stance import NEGATIVE, POSITIVE
from earmark.manifests.rows import text, whole
from earmark.scoring.baselines.answers import read_answers
from earmark.scoring.baselines.reader import (
    NAME,
    NO_PRIVATE_SIDE,
    NO_WORDS,
    Asked,
    Known,
    Spoken,
    fitting,
    log_odds,
    read_spoken,
    undecided,
)
from earmark.scoring.baselines.rule import Baseline, Guess, Guesses

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Owed

LEAST_SURE = 0.500001
"""Probability of a coin's choice: with 0.5 the score would be 0, which is wrong, and a reader who cannot tell would get none."""


def transcript_only(release: Release, owed: Owed) -> Guesses | str:
    """P where the target's words stand with P more often than with N, among other items of the dimension."""
    if not release.has_private_side:
        return NO_PRIVATE_SIDE
    spoken = read_spoken(release)
    if not any(each.words for each in spoken.values()):
        return NO_WORDS
    gold = read_answers(release, owed)
    facets = {text(row, "item_id"): text(row, "facet") for row in release.table("items").to_pylist()}
    said = {
        item: reduce(Spoken.with_other, [spoken[clip] for clip in clips])
        for item, clips in targets(release).items()
        if item in gold
    }
    known = [Known(facets[item], said[item], gold[item] == POSITIVE) for item in gold]
    asked = [Asked(facets[item], (said[item],)) for item in gold]
    guess = {item: _guess(release, item, odds) for item, (odds,) in zip(gold, log_odds(known, asked), strict=True)}
    return {id: guess[item] for id, item in zip(owed.ids, owed.item, strict=True)}


def _guess(release: Release, item: str, odds: float) -> Guess:
    if odds == 0:
        return Guess(undecided(release, item, (POSITIVE, NEGATIVE)), LEAST_SURE)
    return Guess(POSITIVE if odds > 0 else NEGATIVE, max(LEAST_SURE, round(fitting(abs(odds)), 6)))


def targets(release: Release) -> Mapping[str, tuple[str, ...]]:
    """The target's clips of each item, in their order."""
    rows = [row for row in release.table("item_clips").to_pylist() if row["role"] == "target"]
    clips: dict[str, tuple[str, ...]] = {}
    for row in sorted(rows, key=lambda row: whole(row, "position")):
        item = text(row, "item_id")
        clips[item] = (*clips.get(item, ()), text(row, "clip_id"))
    return clips


TRANSCRIPT_ONLY = Baseline(
    NAME,
    "Never hears: says P where the target's words stand with P more often than with N, among items that share nothing with it.",
    transcript_only,
    knows="answers",
)
