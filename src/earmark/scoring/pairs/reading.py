"""What the words of two clips alone say of which fits a target, to a reader who never hears them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from earmark.manifests.families.pairs import BOTH_BAD, BOTH_GOOD, EQUAL, FIRST, SECOND, TIE
from earmark.manifests.rows import optional_text, text
from earmark.scoring.baselines.answers import choice_for, read_answers
from earmark.scoring.baselines.reader import (
    NAME,
    NO_PRIVATE_SIDE,
    NO_WORDS,
    Asked,
    Known,
    fitting,
    log_odds,
    read_spoken,
    undecided,
)
from earmark.scoring.baselines.rule import Baseline, Guess, Guesses
from earmark.scoring.pairs.gold import offered_choices, stored_clips

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Owed

_DIGITS = 12


def transcript_only(release: Release, owed: Owed) -> Guesses | str:
    """What is likeliest if each clip fits as its words do: the one, the other, or both or neither.

    So it is Tie where the words are the same. Where the prompt does not offer Tie it is the clip whose words fit better.
    """
    if not release.has_private_side:
        return NO_PRIVATE_SIDE
    spoken = read_spoken(release)
    if not any(each.words for each in spoken.values()):
        return NO_WORDS
    gold, clips, offered = read_answers(release, owed), stored_clips(release), offered_choices(release)
    cells = {text(row, "item_id"): f"{row['facet']} {row.get('target')}" for row in release.table("items").to_pylist()}
    kinds = {text(row, "item_id"): optional_text(row, "kind") for row in release.table("answers").to_pylist()}
    # A clip recurs under its target, and is one text there.
    fits: dict[tuple[str, str], bool] = {}
    for item, right in gold.items():
        fits.update({(cells[item], clips[item][n]): fit for n, fit in _fits(right, kinds[item])})
    known = [Known(cell, spoken[clip], fit) for (cell, clip), fit in fits.items()]
    asked = [Asked(cells[item], tuple(spoken[clip] for clip in clips[item])) for item in gold]
    odds = dict(zip(gold, log_odds(known, asked), strict=True))
    guesses = {}
    for id, item, order in zip(owed.ids, owed.item, owed.order, strict=True):
        decided = likeliest(*odds[item]) if EQUAL in offered[id] else better(*odds[item])
        decided = decided or undecided(release, item, (FIRST, SECOND))
        guesses[id] = Guess(choice_for(release.family, order, decided) or EQUAL)
    return guesses


def likeliest(first: float, second: float) -> str:
    """What is right of two clips that fit with some log odds, independently of each other.

    >>> likeliest(3.0, -3.0), likeliest(-3.0, 3.0), likeliest(3.0, 3.0), likeliest(0.1, -0.1)
    ('first', 'second', 'tie', 'tie')
    """
    one, other = fitting(first), fitting(second)
    tie = round(one * other + fitting(-first) * fitting(-second), _DIGITS)
    if round(one * fitting(-second), _DIGITS) > tie:
        return FIRST
    return SECOND if round(fitting(-first) * other, _DIGITS) > tie else TIE


def better(first: float, second: float) -> str | None:
    """Which of two clips fits with the higher odds; None if neither does."""
    return None if first == second else FIRST if first > second else SECOND


def _fits(gold: str, kind: str | None) -> Sequence[tuple[int, bool]]:
    """Which of the two clips satisfies the target and which does not, as far as the answers say so."""
    if gold != TIE:
        return ((0, gold == FIRST), (1, gold == SECOND))
    return ((0, kind == BOTH_GOOD), (1, kind == BOTH_GOOD)) if kind in (BOTH_GOOD, BOTH_BAD) else ()


TRANSCRIPT_ONLY = Baseline(
    NAME,
    "Never hears: takes the clip whose words stand with the target more often in pairs that share nothing with it, or says Tie.",
    transcript_only,
    knows="answers",
)
