"""Rules that judge stance without hearing how anything was said."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping
from statistics import median

from earmark.manifests.families.stance import NEGATIVE, POSITIVE
from earmark.manifests.keys import rank
from earmark.manifests.release import Release
from earmark.manifests.rows import optional_real, real, text
from earmark.scoring.baselines import UNIFORM, Baseline, Guess, Guesses, always
from earmark.scoring.decisions import Owed
from earmark.scoring.stance.reading import TRANSCRIPT_ONLY, targets


def coin(release: Release, owed: Owed) -> Guesses:
    """P or N with the same chance and no probability, drawn by hash with the release's public seed.

    It shows what an inconsistent guesser gets, which is less than chance: a tie of the two orders is wrong.
    """
    choices, seed = (POSITIVE, NEGATIVE), release.manifest.seed
    return {id: Guess(choices[rank(b"", seed, "baseline coin", id) % len(choices)]) for id in owed.ids}


def louder(release: Release, owed: Owed) -> Guesses | str:
    """P for a target that is louder than the median of its dimension, N for the others."""
    if not release.has_private_side:
        return "this copy has no private side, where levels stand"
    levels = {text(row, "clip_id"): optional_real(row, "level") for row in release.table("sources").to_pylist()}
    target = {item: levels[clips[-1]] for item, clips in targets(release).items()}
    if any(level is None for level in target.values()):
        return "no level was measured; build the release with --media"
    return more_is_positive(release, owed, {item: level for item, level in target.items() if level is not None})


def longer(release: Release, owed: Owed) -> Guesses:
    """P for a target that is longer than the median of its dimension, N for the others."""
    durations = {text(row, "clip_id"): real(row, "duration") for row in release.table("clips").to_pylist()}
    target = {item: sum(durations[clip] for clip in clips) for item, clips in targets(release).items()}
    return more_is_positive(release, owed, target)


def more_is_positive(release: Release, owed: Owed, values: Mapping[str, float]) -> Guesses:
    """P for an item that has more of something than the median of its dimension, N for the others.

    The probability grows from 0.5 at the median to 1 at the ends of the dimension's ranks.
    """
    here: dict[str, dict[str, float]] = defaultdict(dict)
    for row in release.table("items").to_pylist():
        here[text(row, "facet")][text(row, "item_id")] = values[text(row, "item_id")]
    guess: dict[str, Guess] = {}
    for of_facet in here.values():
        middle, ranked = median(of_facet.values()), sorted(of_facet.values())
        for item, value in of_facet.items():
            # Ranks from 0, equal values sharing the mean of theirs.
            share = (bisect_left(ranked, value) + bisect_right(ranked, value) - 1) / 2 / max(1, len(ranked) - 1)
            sure = 0.5 if value == middle else max(share, 1 - share)
            guess[item] = Guess(POSITIVE if value > middle else NEGATIVE, round(sure, 4))
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

FURTHER_BASELINES = (
    Baseline("longer is positive", "Says P where the target is longer than the median of its dimension.", longer),
    TRANSCRIPT_ONLY,
)
"""Rules that stand in no report, and are written as files alone."""
