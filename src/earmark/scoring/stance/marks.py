"""Marks of the stance family: does a judge hear which pole a speaker was asked to play?

Definitions (StanceBench, sections 4 and 5; where its notebook differs, `--paper stancebench` has it):

- *signed score* of a presentation: s(2p − 1) in [−1, 1], s = +1 for choice P and −1 for N, p the stated probability that the
  choice is right, 1 where none is stated. A presentation without a valid answer has the worst score: −1 where the gold is P, +1
  where it is N. Runs are averaged.
- *item* score: the mean over the owed orders; *unit* score: the mean over the items of one speaker in one conversation, which
  is what accuracies count. A score is right where it has the gold's sign; 0 is wrong.
- an item is *agreeing* as far as its runs whose every order is ok have equal choices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.families.stance import POSITIVE
from earmark.scoring.decisions import Decisions, Outcome
from earmark.scoring.stance.gold import Gold
from earmark.scoring.submissions.rows import MOST_RUN

if TYPE_CHECKING:
    from earmark.scoring.measuring import Codes
    from earmark.statistics.statistic import Bools, Floats

_RUN_BITS = MOST_RUN.bit_length()


@dataclass(frozen=True, eq=False)
class Marked:
    """A submission held against the gold.

    Args:
        gold: What is right.
        score: (u,) signed unit scores in [−1, 1], what has no valid answer at its worst.
        valid: (u,) whether the unit has a valid answer.
        valid_score: (u,) scores from valid answers alone; 0 where there is none.
        item: (n,) item of each owed presentation.
        ok: (n,) whether it is ok in every run.
        agreeing: (k,) share of an item's runs, with every order ok, whose choices agree; NaN where there is none.
    """

    gold: Gold
    score: Floats
    valid: Bools
    valid_score: Floats
    item: Codes
    ok: Bools
    agreeing: Floats


def mark(gold: Gold, decisions: Decisions) -> Marked:
    """Hold decisions against the gold of the items that are owed."""
    gold = gold.narrowed(frozenset(decisions.owed.item))
    number = {item: n for n, item in enumerate(gold.items)}
    item = np.array([number[name] for name in decisions.owed.item], np.int64)
    worst = np.where(gold.positive[gold.unit[item]], -1.0, 1.0)
    ok = decisions.outcome == Outcome.OK
    sign = np.where(decisions.choice == decisions.choices.index(POSITIVE), 1.0, -1.0)
    sure = np.where(np.isnan(decisions.probability), 1.0, 2 * decisions.probability - 1)
    said = np.where(ok, sign * sure, worst[decisions.presentation])
    of_presentation = _mean(said, decisions.presentation, len(item))
    of_item = _mean(of_presentation, item, len(gold.items))
    score = _told_apart(_mean(of_item, gold.unit, len(gold.facet)))
    valid_presentation = _mean_where(ok, said, decisions.presentation, len(item))
    valid_item = _mean_where(~np.isnan(valid_presentation), valid_presentation, item, len(gold.items))
    valid_unit = _told_apart(_mean_where(~np.isnan(valid_item), valid_item, gold.unit, len(gold.facet)))
    return Marked(
        gold=gold,
        score=score,
        valid=~np.isnan(valid_unit),
        valid_score=np.nan_to_num(valid_unit),
        item=item,
        ok=decisions.outcomes() == Outcome.OK,
        agreeing=_agreeing(decisions, item, len(gold.items)),
    )


def balanced_accuracy(marked: Marked) -> float | None:
    """The headline without its interval."""
    gold, right = marked.gold, rightly_signed(marked.score, marked.gold.positive)
    parts = []
    for facet in np.unique(gold.facet):
        for pole in (True, False):
            chosen = right[(gold.facet == facet) & (gold.positive == pole)]
            if not len(chosen):
                return None
            parts.append(chosen.mean())
    return float(np.mean(parts)) if parts else None


def rightly_signed(score: Floats, positive: Bools) -> Bools:
    """Whether each score has the gold's sign; 0 has none."""
    return np.where(positive, score > 0, score < 0)


def _mean(values: Floats, group: Codes, groups: int) -> Floats:
    return _mean_where(np.ones(len(group), np.bool_), values, group, groups)


def _mean_where(chosen: Bools, values: Floats, group: Codes, groups: int) -> Floats:
    """Group means over chosen rows; NaN in groups that have none."""
    counts = np.bincount(group[chosen], minlength=groups)
    sums = np.bincount(group[chosen], weights=values[chosen], minlength=groups).astype(np.float64)
    means: Floats = np.divide(sums, counts, out=np.full(groups, np.nan), where=counts > 0)
    return means


def _told_apart(means: Floats) -> Floats:
    """Means of means without their last bits, in which equal ones differ that were added up in another order."""
    # Once, at the end: a mean of three runs that is rounded is no longer a third, and its mean rounds either way.
    rounded: Floats = np.round(means, 12) + 0.0
    return rounded


def _agreeing(decisions: Decisions, item: Codes, items: int) -> Floats:
    """(k,) for each item the share of its runs, with every owed order ok, whose choices are all the same; NaN without any."""
    owed = np.bincount(item, minlength=items)
    ok = decisions.outcome == Outcome.OK
    of, run, choice = item[decisions.presentation[ok]], decisions.run[ok], decisions.choice[ok]
    places, place = np.unique(of << _RUN_BITS | run, return_inverse=True)
    at = places >> _RUN_BITS
    counts = np.bincount(place, minlength=len(places))
    first = np.bincount(place, weights=choice == 0, minlength=len(places))
    whole = (counts == owed[at]) & (counts > 1)  # one order cannot disagree with itself
    same = (first == 0) | (first == counts)
    return _mean_where(whole, same.astype(np.float64), at, items)
