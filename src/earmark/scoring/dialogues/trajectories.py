"""Trajectories: turn 4 and turn 6 of one conversation, answered in one run.

Where a presentation of turn 6 names in `after` the presentation of turn 4 whose own answer stands in its history, these two make
a trajectory in every run, and a run that lacks one of them has lost it. Where it names none (the right turn 4 stood there, or it
is not known what did) no presentation belongs to another: then every answer to turn 4 of a run goes with every answer to turn 6
of the same run. A presentation that has no answer in any run is wrong in all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from earmark.scoring.submissions.rows import MOST_RUN

if TYPE_CHECKING:
    from earmark.scoring.measuring import Codes
    from earmark.statistics.statistic import Bools, Floats

_RUN_BITS = MOST_RUN.bit_length()

NONE = -1
"""Stands for the round-1 presentation of one that names none."""


@dataclass(frozen=True, eq=False)
class Answered:
    """Answers, and the presentations that they are to.

    Args:
        presentation: (m,) index of the presentation.
        run: (m,) run.
        right: (m,) whether it is right.
        valid: (m,) whether it says anything.
        dialogue: (n,) dialogue of each presentation.
        turn: (n,) 0 for turn 4, 1 for turn 6.
        after: (n,) index of the round-1 presentation in its history, or NONE.
        dialogues: Number of dialogues k.
    """

    presentation: Codes
    run: Codes
    right: Bools
    valid: Bools
    dialogue: Codes
    turn: Codes
    after: Codes
    dialogues: int


@dataclass(frozen=True, eq=False)
class Trajectories:
    """Of each dialogue's trajectories; each (k,) in [0, 1].

    Args:
        both: The share in which both turns are right.
        right_before: The share in which turn 4 is right.
        wrong_before: The share in which turn 4 is answered, and wrongly.
        right_after_wrong: The share in which it is, and turn 6 is right.
    """

    both: Floats
    right_before: Floats
    wrong_before: Floats
    right_after_wrong: Floats


def trajectories(answered: Answered) -> Trajectories:
    """What became of each dialogue's trajectories, linked ones and others weighing as many as they have presentations of turn 6.

    Args:
        answered: Answers that were given; what is missing has none.
    """
    second = answered.turn == 1
    linked = np.flatnonzero(second & (answered.after != NONE))
    alone = np.bincount(answered.dialogue[second & (answered.after == NONE)], minlength=answered.dialogues)
    of_links, at = _linked(answered, linked), answered.dialogue[linked]
    sums: Floats = np.column_stack([np.bincount(at, column, minlength=answered.dialogues) for column in of_links.T])
    if alone.any():
        sums = sums + _unlinked(answered) * alone[:, None]
    owed = np.bincount(at, minlength=answered.dialogues) + alone
    shares = sums / np.maximum(owed, 1)[:, None]
    return Trajectories(*shares.T)


def _linked(answered: Answered, linked: Codes) -> Floats:
    """(l, 4) means over the runs of each linked presentation of turn 6."""
    of, run = answered.presentation, answered.run
    order = np.argsort(of, kind="stable")
    counts = np.bincount(of, minlength=len(answered.turn))
    starts = np.cumsum(counts) - counts
    before = answered.after[linked]
    # The answers to turn 4 once for each presentation that follows on them, then those to turn 6.
    places, rows = [], []
    for asked in (before, linked):
        lengths = counts[asked]
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places.append(np.repeat(np.arange(len(linked)), lengths))
        rows.append(order[np.repeat(starts[asked], lengths) + within])
    runs, at = np.unique(np.concatenate(places) << _RUN_BITS | run[np.concatenate(rows)], return_inverse=True)
    first, then = at[: len(rows[0])], at[len(rows[0]) :]
    right_first, wrong_first, right_then = np.zeros((3, len(runs)))
    right_first[first] = answered.right[rows[0]]
    wrong_first[first] = answered.valid[rows[0]] & ~answered.right[rows[0]]
    right_then[then] = answered.right[rows[1]]
    return _means(runs >> _RUN_BITS, right_first, wrong_first, right_then, len(linked))


def _unlinked(answered: Answered) -> Floats:
    """(k, 4) means over the runs of each dialogue, of every answer to turn 4 with every one to turn 6."""
    of = answered.presentation
    used = (answered.turn[of] == 0) | (answered.after[of] == NONE)
    of, turn, k = of[used], answered.turn[of[used]], answered.dialogues
    silent = np.bincount(answered.presentation, minlength=len(answered.turn)) == 0
    missing = [
        np.bincount(answered.dialogue[silent & (answered.turn == n) & (answered.after == NONE)], minlength=k)
        for n in (0, 1)
    ]
    runs, at = np.unique(answered.dialogue[of] << _RUN_BITS | answered.run[used], return_inverse=True)
    dialogue = runs >> _RUN_BITS
    right, wrong = answered.right[used], answered.valid[used] & ~answered.right[used]

    def share(chosen: Bools, n: int) -> Floats:
        """(runs,) of the answers to a turn that a run gave or ought to have given."""
        asked = np.bincount(at[turn == n], minlength=len(runs)) + missing[n][dialogue]
        shares: Floats = np.bincount(at[chosen & (turn == n)], minlength=len(runs)) / np.maximum(asked, 1)
        return shares

    return _means(dialogue, share(right, 0), share(wrong, 0), share(right, 1), k)


def _means(group: Codes, right_first: Floats, wrong_first: Floats, right_then: Floats, groups: int) -> Floats:
    columns = (right_first * right_then, right_first, wrong_first, wrong_first * right_then)
    counts = np.maximum(np.bincount(group, minlength=groups), 1)
    return np.column_stack([np.bincount(group, column, minlength=groups) / counts for column in columns])
