"""What the words of two options alone say of which fits, to a reader who never hears them: nothing where they are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.manifests.families.dialogues import FIRST, SECOND
from earmark.manifests.rows import text
from earmark.scoring.baselines.answers import choice_for, read_answers
from earmark.scoring.baselines.reader import (
    NAME,
    NO_PRIVATE_SIDE,
    NO_WORDS,
    Asked,
    Known,
    log_odds,
    read_spoken,
    undecided,
)
from earmark.scoring.baselines.rule import Baseline, Guess, Guesses
from earmark.scoring.dialogues.gold import stored_options

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Owed

SAME_WORDS = (
    "both options of every item have the same words, and what was said before does not tell which is which: whoever has only the "
    "words guesses"
)


def transcript_only(release: Release, owed: Owed) -> Guesses | str:
    """The option whose words fit better, among other dialogues of the subscale; a coin by item where they are the same.

    What was said before is the same for both options and stands in no favour of either.
    """
    if not release.has_private_side:
        return NO_PRIVATE_SIDE
    spoken, options = read_spoken(release), stored_options(release)
    if not any(each.words for each in spoken.values()):
        return NO_WORDS
    gold = read_answers(release, owed)
    if all(spoken[one].words == spoken[other].words for one, other in map(options.__getitem__, gold)):
        return SAME_WORDS
    facets = {text(row, "item_id"): text(row, "facet") for row in release.table("items").to_pylist()}
    known = [
        Known(facets[item], spoken[clip], gold[item] == which)
        for item in gold
        for clip, which in zip(options[item], (FIRST, SECOND), strict=True)
    ]
    asked = [Asked(facets[item], tuple(spoken[clip] for clip in options[item])) for item in gold]
    decided = {}
    for item, (first, second) in zip(gold, log_odds(known, asked), strict=True):
        apart = (FIRST, SECOND) if first > second else (SECOND, FIRST)
        decided[item] = undecided(release, item, apart) if first == second else apart[0]
    return {
        id: Guess(choice_for(release.family, order, decided[item]) or "")
        for id, item, order in zip(owed.ids, owed.item, owed.order, strict=True)
    }


TRANSCRIPT_ONLY = Baseline(
    NAME,
    "Never hears: takes the option whose words fit better, among dialogues that share nothing with it.",
    transcript_only,
    knows="answers",
)
