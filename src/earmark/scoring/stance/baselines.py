"""Rules that judge stance without hearing how anything was said."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from statistics import median

from earmark.manifests.families.stance import NEGATIVE, POSITIVE
from earmark.manifests.keys import rank
from earmark.manifests.release import Release
from earmark.manifests.rows import real, text
from earmark.scoring.baselines import UNIFORM, Baseline, Guess, Guesses, always
from earmark.scoring.decisions import Owed


def coin(release: Release, owed: Owed) -> Guesses:
    """P or N with the same chance and no probability, drawn by hash with the release's public seed.

    It shows what an inconsistent guesser gets, which is less than chance: a tie of the two orders is wrong.
    """
    choices, seed = (POSITIVE, NEGATIVE), release.manifest.seed
    return {id: Guess(choices[rank(b"", seed, "baseline coin", id) % len(choices)]) for id in owed.ids}


def louder(release: Release, owed: Owed) -> Guesses | str:
    """P for a target that is louder than the median of its dimension, N for the others.

    The probability grows from 0.5 at the median to 1 at the ends of the dimension's ranks.
    """
    if not release.has_private_side:
        return "this copy has no private side, where levels stand"
    sources = {text(row, "clip_id"): row for row in release.table("sources").to_pylist()}
    target = {
        text(row, "item_id"): sources[text(row, "clip_id")]
        for row in release.table("item_clips").to_pylist()
        if row["role"] == "target"
    }
    if any(source["level"] is None for source in target.values()):
        return "no level was measured; build the release with --media"
    here: dict[str, dict[str, float]] = defaultdict(dict)
    for row in release.table("items").to_pylist():
        here[text(row, "facet")][text(row, "item_id")] = real(target[text(row, "item_id")], "level")
    guess: dict[str, Guess] = {}
    for levels in here.values():
        middle, ranked = median(levels.values()), sorted(levels.values())
        for item, level in levels.items():
            # Ranks from 0, equal levels sharing the mean of theirs.
            share = (bisect_left(ranked, level) + bisect_right(ranked, level) - 1) / 2 / max(1, len(ranked) - 1)
            sure = 0.5 if level == middle else max(share, 1 - share)
            guess[item] = Guess(POSITIVE if level > middle else NEGATIVE, round(sure, 4))
    return {id: guess[item] for id, item in zip(owed.ids, owed.item, strict=True)}


BASELINES = (
    UNIFORM,
    Baseline(
        "coin",
        "Flips a coin for every presentation; where the two orders of an item differ the score is 0, which is wrong.",
        coin,
    ),
    always(POSITIVE),
    always(NEGATIVE),
    Baseline("louder is positive", "Says P where the target is louder than the median of its dimension.", louder),
)
