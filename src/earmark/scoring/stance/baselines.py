"""Rules that judge stance without hearing how anything was said."""

from __future__ import annotations

from statistics import median

from earmark.manifests.families.stance import NEGATIVE, POSITIVE
from earmark.manifests.release import Release
from earmark.manifests.rows import text
from earmark.scoring.baselines import UNIFORM, Baseline, Guess, Guesses, always
from earmark.scoring.decisions import Owed


def louder(release: Release, owed: Owed) -> Guesses | str:
    """P for a target that is louder than the median of its dimension, N for the others.

    The probability grows from 0.5 at the median to 1 at the ends of the dimension's ranks.
    """
    levels = {text(row, "clip_id"): row["level"] for row in release.table("sources").to_pylist()}
    target = {
        text(row, "item_id"): levels[text(row, "clip_id")]
        for row in release.table("item_clips").to_pylist()
        if row["role"] == "target"
    }
    if any(level is None for level in target.values()):
        return "no level was measured; build the release with --media"
    facet = {text(row, "item_id"): text(row, "facet") for row in release.table("items").to_pylist()}
    guess: dict[str, Guess] = {}
    for name in sorted(set(facet.values())):
        here = {item: float(str(target[item])) for item in facet if facet[item] == name}
        middle = median(here.values())
        ranked = sorted(here.values())
        for item, level in here.items():
            below = sum(other < level for other in ranked) + 0.5 * (ranked.count(level) - 1)
            share = below / max(1, len(ranked) - 1)
            choice = POSITIVE if level > middle else NEGATIVE
            guess[item] = Guess(choice, round(max(share, 1 - share), 4))
    return {id: guess[item] for id, item in zip(owed.ids, owed.item, strict=True)}


BASELINES = (
    UNIFORM,
    always(POSITIVE),
    always(NEGATIVE),
    Baseline("louder is positive", "Says P where the target is louder than the median of its dimension.", louder),
)
