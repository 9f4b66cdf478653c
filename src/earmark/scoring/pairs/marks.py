"""From decisions to marks: what a judge decided of each pair in each order, run by run, and how often it was right.

A decision is about clips and never about letters: the choice is mapped back through the order of its presentation. Condition @A
is the presentation in which the preferred clip is shown first, @B the other one; of a tie pair @A is its stored order. Whatever
is not ok decides nothing, and is wrong. The runs of a presentation are averaged. What is asked of both orders at once, such as
consistency, is asked run by run, and a run that has not both is inconsistent; only votes pool all runs of a pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.families.pairs import CONTROL, EQUAL, PAIRS, SECOND, STORED, TIE, A, B
from earmark.scoring.decisions import Decisions, Outcome
from earmark.scoring.pairs.gold import GOLDS, Gold
from earmark.scoring.submissions.rows import MOST_RUN

if TYPE_CHECKING:
    from earmark.scoring.measuring import Codes
    from earmark.statistics.statistic import Bools, Floats

_TIE = GOLDS.index(TIE)
_RUN_BITS = MOST_RUN.bit_length()
INVALID = -1
"""What stands for a decision that was not made."""


@dataclass(frozen=True, eq=False)
class Marked:
    """A submission held against the gold, pair by pair; each (k,).

    Args:
        gold: What is right.
        right: Share of its presentations that are right.
        has_a: Whether condition @A is owed.
        right_a: Share of its runs that are right there; 0 where it is not owed.
        has_b: Whether condition @B is owed.
        right_b: The same there.
        both: Whether both orders are owed.
        agreeing: Share of runs whose two decisions are one.
        agreeing_right: Share of runs whose two decisions are both right.
        sticking: Share of runs that say A in both orders, or B in both.
        failed: Share of presentations that are not ok in every run.
        said_a: Share of presentations of which A was said, a run counting its share.
        said_b: The same of B.
        said_tie: The same of Tie.
        voted: Whether the plurality of all decisions is right, an exact tie for the first place being invalid.
        voted_equal: The same, such a tie being the decision Tie.
        voted_orders: Share of presentations of which the plurality over runs is right, an exact tie being invalid.
        chance: Chance of a guesser that draws evenly from what the prompt offers.
    """

    gold: Gold
    right: Floats
    has_a: Floats
    right_a: Floats
    has_b: Floats
    right_b: Floats
    both: Floats
    agreeing: Floats
    agreeing_right: Floats
    sticking: Floats
    failed: Floats
    said_a: Floats
    said_b: Floats
    said_tie: Floats
    voted: Floats
    voted_equal: Floats
    voted_orders: Floats
    chance: Floats


def mark(gold: Gold, decisions: Decisions) -> Marked:
    """Hold decisions against the gold of the pairs that are owed."""
    owed = decisions.owed
    gold = gold.narrowed(frozenset(owed.item))
    pairs, number = len(gold.items), {item: n for n, item in enumerate(gold.items)}
    item = np.array([number[name] for name in owed.item], np.int64)
    stored = np.array([order == STORED for order in owed.order], np.bool_)
    right = gold.gold[item]
    at_a = stored != (right == GOLDS.index(SECOND))
    sent = _count(item, pairs)

    ok = decisions.outcome == Outcome.OK
    of = decisions.presentation
    decided = decided_of(decisions)
    runs = _count(of, len(owed.ids))

    def shares(chosen: Bools) -> Floats:
        """(n,) the share of each presentation's runs that are chosen."""
        return _count(of[chosen], len(owed.ids)) / runs

    letter = {name: shares(ok & (decisions.choice == decisions.choices.index(name))) for name in (A, B, EQUAL)}
    was_right = shares(decided == right[of])
    agreeing, agreeing_right, sticking = _by_run(decisions, decided, item, right, pairs)
    all_votes = votes(item[of], decided, pairs)
    equal_votes = votes(item[of], decided, pairs, equal=_TIE)
    votes_of_order = votes(of, decided, len(owed.ids))
    offered = [gold.offered.get(id, frozenset()) for id in owed.ids]
    chance = [_chance(*each) for each in zip(offered, at_a.tolist(), right.tolist(), strict=True)]
    return Marked(
        gold=gold,
        right=_sum(was_right, item, pairs) / sent,
        has_a=_count(item[at_a], pairs),
        right_a=_sum(was_right[at_a], item[at_a], pairs),
        has_b=_count(item[~at_a], pairs),
        right_b=_sum(was_right[~at_a], item[~at_a], pairs),
        both=(sent > 1).astype(np.float64),
        agreeing=agreeing,
        agreeing_right=agreeing_right,
        sticking=sticking,
        failed=_count(item[decisions.outcomes() != Outcome.OK], pairs) / sent,
        said_a=_sum(letter[A], item, pairs) / sent,
        said_b=_sum(letter[B], item, pairs) / sent,
        said_tie=_sum(letter[EQUAL], item, pairs) / sent,
        voted=(all_votes == gold.gold).astype(np.float64),
        voted_equal=(equal_votes == gold.gold).astype(np.float64),
        voted_orders=_sum((votes_of_order == right).astype(np.float64), item, pairs) / sent,
        chance=_sum(np.array(chance, np.float64), item, pairs) / sent,
    )


def macro_accuracy(marked: Marked) -> float | None:
    """The headline without its interval."""
    facet = marked.gold.facet
    means = [float(marked.right[facet == name].mean()) for name in np.unique(facet) if name != CONTROL]
    return float(np.mean(means)) if means else None


def decided_of(decisions: Decisions) -> Codes:
    """(m,) what each row decides, as an index into `GOLDS`, or INVALID."""
    table = {
        order: [GOLDS.index(PAIRS.decision(order, choice)) for choice in decisions.choices] for order in PAIRS.orders
    }
    reads = np.array([table[order] for order in decisions.owed.order], np.int64).reshape(-1, len(decisions.choices))
    ok = decisions.outcome == Outcome.OK
    decided = np.full(len(ok), INVALID, np.int64)
    decided[ok] = reads[decisions.presentation[ok], decisions.choice[ok]]
    return decided


def votes(group: Codes, decided: Codes, groups: int, *, equal: int = INVALID) -> Codes:
    """The plurality of the decisions of each group; what is invalid does not vote.

    Args:
        group: (m,) what is voted on, in [0, groups).
        decided: (m,) indices into `GOLDS`, or INVALID.
        groups: Number of groups.
        equal: What an exact tie for the first place decides.

    Returns:
        (groups,) indices into `GOLDS`; INVALID where nobody voted.

    >>> votes(np.array([0, 0, 0, 1, 1, 2]), np.array([0, 0, 2, 0, 1, -1]), 3).tolist()
    [0, -1, -1]
    """
    valid = decided != INVALID
    counts = np.bincount(group[valid] * len(GOLDS) + decided[valid], minlength=groups * len(GOLDS))
    counts = counts.reshape(groups, len(GOLDS))
    most = counts.max(axis=1, initial=0)
    leaders = (counts == most[:, None]).sum(axis=1)
    chosen = np.where(leaders == 1, counts.argmax(axis=1), equal)
    return np.where(most > 0, chosen, INVALID).astype(np.int64)


def _by_run(
    decisions: Decisions, decided: Codes, item: Codes, right: Codes, pairs: int
) -> tuple[Floats, Floats, Floats]:
    """For each pair the share of its runs whose orders decide alike, rightly alike, and say one letter, A or B."""
    of = decisions.presentation
    places, place = np.unique(item[of] << _RUN_BITS | decisions.run, return_inverse=True)
    at = places >> _RUN_BITS

    def twice(chosen: Bools) -> Bools:
        """Of which runs both orders are chosen."""
        both: Bools = np.bincount(place[chosen], minlength=len(places)) == 2
        return both

    alike = np.logical_or.reduce([twice(decided == which) for which in range(len(GOLDS))])
    rightly = twice(decided == right[of])
    ok = decisions.outcome == Outcome.OK
    sticks = np.logical_or.reduce([twice(ok & (decisions.choice == decisions.choices.index(name))) for name in (A, B)])
    runs = _count(at, pairs)
    found = [_count(at[chosen], pairs) / np.maximum(runs, 1) for chosen in (alike, rightly, sticks)]
    return found[0], found[1], found[2]


def _chance(offered: frozenset[str], at_a: bool, right: int) -> float:
    """Chance that a letter drawn evenly from what is offered is right."""
    letter = EQUAL if right == _TIE else A if at_a else B
    return 1 / len(offered) if letter in offered else 0.0


def _count(group: Codes, groups: int) -> Floats:
    return np.bincount(group, minlength=groups).astype(np.float64)


def _sum(values: Floats, group: Codes, groups: int) -> Floats:
    return np.bincount(group, weights=values, minlength=groups).astype(np.float64)
