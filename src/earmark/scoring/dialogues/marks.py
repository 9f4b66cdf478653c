"""From decisions to marks: what a judge decided at both turns of each dialogue, run by run, and how often it was right.

A decision is about an option and never about its number: the choice is mapped back through the order of its presentation.
Whatever is not ok decides nothing, and is wrong. The runs of a presentation are averaged, and then its turn's presentations;
`trajectories` says what makes a trajectory. Votes pool all runs and both orders of a turn: where half of the answers or more are
wrong the vote is, and so a tie is wrong (SpeechEQ's public predictions, which have three runs).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.errors import ReleaseError
from earmark.manifests.families.dialogues import DIALOGUES, ONE, STORED
from earmark.scoring.decisions import Decisions, Outcome
from earmark.scoring.dialogues.gold import GOLDS, NEITHER, Gold
from earmark.scoring.dialogues.trajectories import NONE, Answered, trajectories

if TYPE_CHECKING:
    from earmark.scoring.dialogues.trajectories import Trajectories
    from earmark.scoring.measuring import Codes
    from earmark.statistics.statistic import Bools, Floats

INVALID = -1
"""What stands for a decision that was not made."""


@dataclass(frozen=True, eq=False)
class Marked:
    """A submission held against the gold, dialogue by dialogue; the second axis of (k, 2) is the turn, 4 and 6.

    Args:
        gold: What is right.
        right: (k, 2) share of presentations that are right.
        path: Of the trajectories.
        voted: (k, 2) whether most answers of all runs and orders are right.
        vote_chance: (k, 2) chance that those of a guesser are.
        alike: (k, 2) share of pairs of a valid answer in one order and one in the other that decide for the same option; 0
            where an order has none.
        covered: (k, 2) whether both orders have a valid answer.
        said_one: (k, 2) share of presentations that were answered with 1.
        valid: (k, 2) share of presentations that have a valid answer, a run counting its share.
        chose_first: (k, 2) share of presentations at which the option stored first was chosen.
        failed: (k,) share of presentations that are not ok in every run.
    """

    gold: Gold
    right: Floats
    path: Trajectories
    voted: Floats
    vote_chance: Floats
    alike: Floats
    covered: Floats
    said_one: Floats
    valid: Floats
    chose_first: Floats
    failed: Floats

    def chose_less(self, which: Codes) -> Floats:
        """(k, 2) share of presentations at which the option was chosen that has less of a measure; 0 where neither has."""
        chose = np.where(which == 0, self.chose_first, self.valid - self.chose_first)
        return np.where(which == NEITHER, 0.0, chose)


def mark(gold: Gold, decisions: Decisions) -> Marked:
    """Hold decisions against the gold of the dialogues that are owed.

    Raises:
        ReleaseError: If the protocol owes one turn of a dialogue alone, or what stands in a history is not owed.
    """
    owed, of = decisions.owed, decisions.presentation
    gold = gold.narrowed(owed_groups(gold, owed.item))
    place_of = {item: n for n, item in enumerate(item for pair in gold.items for item in pair)}
    place = np.array([place_of[item] for item in owed.item], np.int64)
    stored = np.array([order == STORED for order in owed.order], np.bool_)
    places, sent = 2 * len(gold.groups), _count(place, 2 * len(gold.groups))
    runs, ok, decided = _count(of, len(owed.ids)), decisions.outcome == Outcome.OK, decided_of(decisions)
    right = ok & (decided == gold.gold.reshape(-1)[place[of]])

    def shares(chosen: Bools) -> Floats:
        """(k, 2) the share of each turn's presentations that are chosen, a run counting its share."""
        of_each = _count(of[chosen], len(owed.ids)) / runs
        turns: Floats = (np.bincount(place, of_each, minlength=places) / sent).reshape(-1, 2)
        return turns

    given = decisions.outcome != Outcome.MISSING
    answered = Answered(
        presentation=of[given],
        run=decisions.run[given],
        right=right[given],
        valid=ok[given],
        dialogue=place // 2,
        turn=place % 2,
        after=_histories(gold, decisions),
        dialogues=len(gold.groups),
    )
    answers, correct = _count(place[of], places), _count(place[of[right]], places)
    alike, covered = _swapped(place[of], stored[of], decided, places)
    failed = decisions.outcomes() != Outcome.OK
    return Marked(
        gold=gold,
        right=shares(right),
        path=trajectories(answered),
        voted=(2 * correct > answers).astype(np.float64).reshape(-1, 2),
        vote_chance=_vote_chance(answers).reshape(-1, 2),
        alike=alike.reshape(-1, 2),
        covered=covered.reshape(-1, 2),
        said_one=shares(ok & (decisions.choice == decisions.choices.index(ONE))),
        valid=shares(ok),
        chose_first=shares(decided == 0),
        failed=_count(place[failed] // 2, len(gold.groups)) / _count(place // 2, len(gold.groups)),
    )


def owed_groups(gold: Gold, owed: Collection[str]) -> frozenset[str]:
    """The dialogues whose items are owed.

    Raises:
        ReleaseError: If one turn alone of a dialogue is.
    """
    items = frozenset(owed)
    turns = {group: len(items.intersection(pair)) for group, pair in zip(gold.groups, gold.items, strict=True)}
    if halves := [group for group, count in turns.items() if count == 1]:
        raise ReleaseError(f"the protocol owes one turn alone of dialogue {halves[0]}")
    return frozenset(group for group, count in turns.items() if count)


def trajectory_accuracy(marked: Marked) -> float | None:
    """The headline without its interval."""
    both = marked.path.both
    return float(both.mean()) if len(both) else None


def decided_of(decisions: Decisions) -> Codes:
    """(m,) what each row decides, as an index into `GOLDS`, or INVALID."""
    table = {
        order: [GOLDS.index(DIALOGUES.decision(order, choice)) for choice in decisions.choices]
        for order in DIALOGUES.orders
    }
    reads = np.array([table[order] for order in decisions.owed.order], np.int64).reshape(-1, len(decisions.choices))
    ok = decisions.outcome == Outcome.OK
    decided = np.full(len(ok), INVALID, np.int64)
    decided[ok] = reads[decisions.presentation[ok], decisions.choice[ok]]
    return decided


def _histories(gold: Gold, decisions: Decisions) -> Codes:
    """(n,) index of the presentation whose own answer stands in the history of each, or NONE."""
    ids = decisions.owed.ids
    number = {id: n for n, id in enumerate(ids)}
    if strange := [id for id in ids if gold.after.get(id, id) not in number]:
        raise ReleaseError(
            f"presentation {strange[0]} follows on {gold.after[strange[0]]}, which the protocol does not owe"
        )
    return np.array([number[gold.after[id]] if id in gold.after else NONE for id in ids], np.int64)


def _swapped(place: Codes, stored: Bools, decided: Codes, places: int) -> tuple[Floats, Floats]:
    """For each turn how likely two valid answers in different orders decide alike, and whether there are such."""
    valid = decided != INVALID
    counts, first = np.zeros((2, places)), np.zeros((2, places))
    for n, order in enumerate((stored, ~stored)):
        counts[n] = _count(place[valid & order], places)
        first[n] = _count(place[(decided == 0) & order], places)
    one, other = first / np.maximum(counts, 1)
    covered = (counts[0] > 0) & (counts[1] > 0)
    alike: Floats = np.where(covered, one * other + (1 - one) * (1 - other), 0.0)
    return alike, covered.astype(np.float64)


def _vote_chance(answers: Floats) -> Floats:
    """Chance that more than half of so many coins show heads."""
    found = np.zeros(len(answers))
    for many in np.unique(answers.astype(np.int64)).tolist():
        tie = comb(many, many // 2) / 2**many if many % 2 == 0 else 0.0
        found[answers == many] = (1 - tie) / 2
    return found


def _count(group: Codes, groups: int) -> Floats:
    return np.bincount(group, minlength=groups).astype(np.float64)
