"""Rules that judge pairs without hearing what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from earmark.manifests.families.pairs import EQUAL, FIRST, STORED, TIE, A, B
from earmark.manifests.keys import rank
from earmark.manifests.rows import optional_real, text
from earmark.scoring.baselines import Baseline, Guess, Guesses, always
from earmark.scoring.pairs.gold import offered_choices, shown, stored_clips
from earmark.scoring.pairs.reading import TRANSCRIPT_ONLY

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Owed

NO_PRIVATE_SIDE = "this copy has no private side"


def uniform(release: Release, owed: Owed) -> Guesses:
    """Every choice that a prompt offers with the same chance, drawn by hash with the release's public seed."""
    offered, seed = offered_choices(release), release.manifest.seed
    guesses = {}
    for id in owed.ids:
        choices = [choice for choice in release.family.choices if choice in offered[id]]
        guesses[id] = Guess(choices[rank(b"", seed, "baseline uniform", id) % len(choices)])
    return guesses


def perfect_never_tie(release: Release, owed: Owed) -> Guesses | str:
    """The preferred clip where there is one, and A where there is none: what discrimination without a criterion gets."""
    if not release.has_private_side:
        return f"{NO_PRIVATE_SIDE}, where the answers stand"
    gold = {text(row, "item_id"): text(row, "gold") for row in release.table("answers").to_pylist()}

    def letter(right: str, order: str) -> str:
        return A if right == TIE or (right == FIRST) == (order == STORED) else B

    return {
        id: Guess(letter(gold[item], order)) for id, item, order in zip(owed.ids, owed.item, owed.order, strict=True)
    }


def more(measure: str, unmeasured: str) -> Callable[[Release, Owed], Guesses | str]:
    """The clip with more of a measure; Tie where both have as much. What has none of it, such as F0 in a whisper, has less.

    Args:
        measure: A column of sources, or the duration of clips.
        unmeasured: What is said where no clip has it.
    """

    def guess(release: Release, owed: Owed) -> Guesses | str:
        values = _measured(release, measure)
        if values is None:
            return f"{NO_PRIVATE_SIDE}, where measures stand"
        if all(value is None for value in values.values()):
            return unmeasured
        clips = stored_clips(release)
        guesses = {}
        for id, item, order in zip(owed.ids, owed.item, owed.order, strict=True):
            first, second = (_at_least(values.get(clip)) for clip in shown(order, clips[item]))
            guesses[id] = Guess(EQUAL if first == second else A if first > second else B)
        return guesses

    return guess


def _measured(release: Release, measure: str) -> Mapping[str, float | None] | None:
    if measure == "duration":
        return {text(row, "clip_id"): optional_real(row, measure) for row in release.table("clips").to_pylist()}
    if not release.has_private_side:
        return None
    return {text(row, "clip_id"): optional_real(row, measure) for row in release.table("sources").to_pylist()}


def _at_least(value: float | None) -> float:
    return -float("inf") if value is None else value


BASELINES = (
    Baseline("uniform", "Draws every choice that the prompt offers with the same chance.", uniform),
    always(EQUAL),
    always(A),
    Baseline("longer", "Takes the longer clip.", more("duration", "no duration is known")),
    Baseline(
        "louder", "Takes the louder clip.", more("loudness", "no loudness was measured; build the release with --media")
    ),
    Baseline(
        "higher-pitched",
        "Takes the clip with the higher median F0.",
        more("f0_median", "no F0 was measured; build the release with --media"),
    ),
    Baseline(
        "perfect, never Tie",
        "Takes the preferred clip, and A of a pair that is a tie: it never says Tie.",
        perfect_never_tie,
        knows="gold",
    ),
)

FURTHER_BASELINES = (always(B), TRANSCRIPT_ONLY)
"""Rules that stand in no report, and are written as files alone."""
