"""What the printed tables say of transcripts within non-ties, where same and cross do not also differ in how many ties they hold.

A judge that seldom says Tie does worse wherever ties are many. The tables do not print how many pairs of one transcript are ties,
but the counts leave bounds: right answers in a part cannot outnumber the answers in it. Within those bounds the effect of the
transcript among non-ties alone is known for every division, and it is far from the printed one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from earmark.manifests.families.pairs import CROSS, NON_TIE, SAME, TIE
from earmark.scoring.papers.parapair.counts import candidates, solve

if TYPE_CHECKING:
    from earmark.scoring.papers.parapair.counts import Counts
    from earmark.scoring.papers.parapair.tables import Sizes


@dataclass(frozen=True)
class Effect:
    """How much better a judge does where both clips say the same, in shares.

    Args:
        judge: The judge.
        printed: Over all pairs, as printed.
        same: Accuracy among non-ties of one transcript, if as many of those pairs as can be are non-ties.
        cross: Accuracy among non-ties of two transcripts, then.
        lowest: The least that their difference can be, over every division that the tables allow.
        highest: The most that it can be.
    """

    judge: str
    printed: Fraction
    same: Fraction
    cross: Fraction
    lowest: Fraction
    highest: Fraction

    @property
    def within(self) -> Fraction:
        """The difference among non-ties, if as many pairs of one transcript as can be are non-ties."""
        return self.same - self.cross


def divisions(sizes: Sizes, criterion: str) -> tuple[int, ...]:
    """How many pairs of one transcript may be non-ties: each number that leaves every model counts in all four parts.

    Args:
        sizes: How many pairs each figure is over.
        criterion: One that Table 4 has.
    """
    judge = sizes.tables.models[0]
    most = min(sizes.pairs(judge, criterion, SAME), sizes.pairs(judge, criterion, NON_TIE))
    found = {model: candidates(sizes, model, criterion) for model in sizes.tables.models}
    return tuple(
        at
        for at in range(most + 1)
        if all(any(right_among(sizes, model, criterion, one, at) for one in found[model]) for model in found)
    )


def right_among(sizes: Sizes, judge: str, criterion: str, counts: Counts, division: int) -> range:
    """How many answers to non-ties of one transcript may be right, given counts and a division; empty where none may.

    Args:
        sizes: How many pairs each figure is over.
        judge: The judge.
        criterion: The criterion.
        counts: Right answers by part.
        division: How many pairs of one transcript are non-ties.
    """
    if counts.same is None:
        return range(0)
    shown = sizes.tables.shown(judge)
    here = {part: sizes.pairs(judge, criterion, part) for part in (NON_TIE, TIE, SAME, CROSS)}
    tie_same, non_tie_cross = here[SAME] - division, here[NON_TIE] - division
    tie_cross = here[TIE] - tie_same
    if min(tie_same, non_tie_cross, tie_cross) < 0:
        return range(0)
    least = max(
        0,
        counts.non_tie - shown * non_tie_cross,
        counts.same - shown * tie_same,
        counts.same - counts.tie,
    )
    most = min(
        counts.non_tie,
        counts.same,
        shown * division,
        shown * tie_cross - counts.tie + counts.same,
    )
    return range(least, most + 1)


def effects(sizes: Sizes, criterion: str) -> tuple[Effect, ...]:
    """The effect of the transcript on every model, over all pairs and within non-ties.

    Args:
        sizes: How many pairs each figure is over.
        criterion: One that Table 4 has.

    Raises:
        ValueError: If the tables allow no division.
    """
    allowed = divisions(sizes, criterion)
    if not allowed:
        raise ValueError(f"no division of the {criterion} pairs fits the tables")
    cells = sizes.tables.by_place
    found = []
    for judge in sizes.tables.models:
        counts = candidates(sizes, judge, criterion)
        by_division = {at: list(shares_within(sizes, judge, criterion, at, counts)) for at in allowed}
        gaps = [same - cross for shares in by_division.values() for same, cross in shares]
        printed = cells[judge, criterion, SAME].tenths - cells[judge, criterion, CROSS].tenths
        solved = solve(sizes, judge)[criterion]
        same, cross = next(shares_within(sizes, judge, criterion, allowed[-1], [solved]), max(by_division[allowed[-1]]))
        found.append(Effect(judge, Fraction(printed, 1000), same, cross, min(gaps), max(gaps)))
    return tuple(found)


def shares_within(
    sizes: Sizes, judge: str, criterion: str, division: int, allowed: Sequence[Counts]
) -> Iterator[tuple[Fraction, Fraction]]:
    """Accuracies among non-ties of one transcript and of two, for the extremes of what may be right.

    Args:
        sizes: How many pairs each figure is over.
        judge: The judge.
        criterion: The criterion.
        division: How many pairs of one transcript are non-ties; nothing is said where that leaves none on either side.
        allowed: The counts that the judge may have.
    """
    shown = sizes.tables.shown(judge)
    same, cross = shown * division, shown * (sizes.pairs(judge, criterion, NON_TIE) - division)
    if not same or not cross:
        return
    for counts in allowed:
        right = right_among(sizes, judge, criterion, counts, division)
        for here in (right[-1], right[0]) if right else ():
            yield Fraction(here, same), Fraction(counts.non_tie - here, cross)


def shares_of_non_ties(sizes: Sizes, criterion: str) -> Mapping[str, tuple[Fraction, Fraction]]:
    """The least and the greatest share of non-ties among pairs of one transcript, and of two."""
    judge, allowed = sizes.tables.models[0], divisions(sizes, criterion)
    same, cross = sizes.pairs(judge, criterion, SAME), sizes.pairs(judge, criterion, CROSS)
    non_tie = sizes.pairs(judge, criterion, NON_TIE)
    return {
        SAME: (Fraction(allowed[0], same), Fraction(allowed[-1], same)),
        CROSS: (Fraction(non_tie - allowed[-1], cross), Fraction(non_tie - allowed[0], cross)),
    }
