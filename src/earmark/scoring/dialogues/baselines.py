"""Rules that judge dialogues without hearing what was said before: what position, level, length and pitch give away."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from earmark.manifests.families.dialogues import ONE, STORED, TWO
from earmark.manifests.keys import rank
from earmark.scoring.baselines import Baseline, Guess, Guesses, always
from earmark.scoring.dialogues.gold import LEVEL, LOUDNESS, NEITHER, less, measured, stored_options
from earmark.scoring.dialogues.reading import TRANSCRIPT_ONLY

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Owed

NO_PRIVATE_SIDE = "this copy has no private side, where measures stand"
CHOICES = (ONE, TWO)


def uniform(release: Release, owed: Owed) -> Guesses:
    """Both choices with the same chance, drawn by hash with the release's public seed."""
    return {id: Guess(coin(release, id)) for id in owed.ids}


def coin(release: Release, id: str) -> str:
    """What the uniform rule says of a presentation."""
    return CHOICES[rank(b"", release.manifest.seed, "baseline uniform", id) % len(CHOICES)]


def with_less(*measures: str, called: str, more: bool = False) -> Callable[[Release, Owed], Guesses | str]:
    """The option with less of a measure; a coin where both have as much, or it is not known of one.

    Args:
        measures: Columns of sources, or the duration of clips; the first that both options have counts.
        called: What the measure is called where no clip has it.
        more: Whether the option with more of it is taken.
    """

    def guess(release: Release, owed: Owed) -> Guesses | str:
        table = "clips" if measures == ("duration",) else "sources"
        if table == "sources" and not release.has_private_side:
            return NO_PRIVATE_SIDE
        rows = measured(release, table, measures)
        found = {
            item: less([rows.get(clip, {}) for clip in clips], measures)
            for item, clips in stored_options(release).items()
        }
        taken = {item: 1 - which if more else which for item, which in found.items() if which != NEITHER}
        if not taken:
            return f"no item has options that differ in a known {called}"
        guesses = {}
        for id, item, order in zip(owed.ids, owed.item, owed.order, strict=True):
            if item in taken:
                guesses[id] = Guess(ONE if (taken[item] == 0) == (order == STORED) else TWO)
            else:
                guesses[id] = Guess(coin(release, id))
        return guesses

    return guess


BASELINES = (
    Baseline("uniform", "Draws both choices with the same chance.", uniform),
    Baseline("always-first", "Says 1 to everything.", always(ONE).guess),
    Baseline("quieter", "Takes the quieter option.", with_less(LOUDNESS, LEVEL, called="level")),
    Baseline("longer", "Takes the longer option.", with_less("duration", called="duration", more=True)),
    Baseline("lower", "Takes the option with the lower median F0.", with_less("f0_median", called="F0")),
)

FURTHER_BASELINES = (
    Baseline("always-second", "Says 2 to everything.", always(TWO).guess),
    Baseline("louder", "Takes the louder option.", with_less(LOUDNESS, LEVEL, called="level", more=True)),
    Baseline("higher", "Takes the option with the higher median F0.", with_less("f0_median", called="F0", more=True)),
    TRANSCRIPT_ONLY,
)
"""Rules that stand in no report, and are written as files alone."""
