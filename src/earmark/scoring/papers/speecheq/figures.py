"""What the authors would make of a submission, as their public predictions show: votes over runs, and SEQ against Table 3.

Each question is asked in several runs, three in those files, each in one order. An answer that cannot be used counts as wrong,
and the vote of a turn is wrong where half of its answers or more are; an order that no run was in is not asked for. A trajectory
is right where the votes at both turns are. How consistent a judge is when the options are swapped is read off the first two runs
of a turn where their orders differ, as in most of those files the second is the swap of the first: are both right or both wrong?
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.report import OVERALL
from earmark.scoring.decisions import Outcome
from earmark.scoring.dialogues.figures import CHANCE, DIALOGUE, LADDERS, number
from earmark.scoring.dialogues.gold import read_gold
from earmark.scoring.dialogues.marks import decided_of, owed_groups
from earmark.scoring.dialogues.standard import standardise
from earmark.scoring.measuring import Figure, Part, measure
from earmark.scoring.norms import shipped_norm
from earmark.statistics.rates import Ratio
from earmark.statistics.statistic import per_cluster

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.dialogues.gold import Gold
    from earmark.scoring.measuring import Codes, Options
    from earmark.statistics.statistic import Bools, Floats, Statistic

SLICE = "paper:speecheq"
"""Where these figures stand in a report."""

SWAP = "swap_consistency"


def paper_metrics(
    release: Release, decisions: Decisions, others: Sequence[Decisions], options: Options
) -> list[MetricEntry]:
    """Accuracies of the votes, per subscale and overall, SEQ, and the consistency of the first two runs where they are swapped.

    Args:
        release: A release with its private side.
        decisions: The submission.
        others: Not looked at: the paper leaves out nothing, so that no other submission matters.
        options: How intervals are made.

    Raises:
        PrivateSideMissing: If this copy has no answers.
        ReleaseError: If the release is unsound.
    """
    del others
    gold = read_gold(release)
    gold = gold.narrowed(owed_groups(gold, decisions.owed.item))
    entries = measure(paper_figures(gold, decisions), LADDERS, options, number=number)
    entries = [replace(entry, p=None, p_adjusted=None) for entry in entries]
    return [*entries, *standardise(entries, (shipped_norm(),), SLICE)]


def paper_figures(gold: Gold, decisions: Decisions) -> list[Figure]:
    """The figures in every facet and overall.

    Args:
        gold: The dialogues that are owed.
        decisions: The submission.
    """
    first, second = voted_right(gold, decisions).T
    right = {"acc_traj": first * second, "acc_1": first, "acc_2": second, "acc_all": (first + second) / 2}
    same, swapped = swapped_verdicts(gold, decisions)
    found = []
    for facet in (*dict.fromkeys(gold.facet.tolist()), OVERALL):
        here = (gold.facet == facet) | (facet == OVERALL)
        rows, turned = np.flatnonzero(here), np.flatnonzero(here & (swapped > 0))
        for metric, column in right.items():
            make = partial(_share, column[rows], np.ones(len(rows)))
            part = Part({DIALOGUE: rows}, make)
            found.append(Figure(metric, facet, (part,), slice=SLICE, chance=CHANCE[metric]))
        part = Part({DIALOGUE: turned}, partial(_share, same[turned], swapped[turned]))
        found.append(Figure(SWAP, facet, (part,), slice=SLICE))
    return found


def voted_right(gold: Gold, decisions: Decisions) -> Floats:
    """(k, 2) whether more than half of the answers to each turn are right.

    Args:
        gold: The dialogues that are owed.
        decisions: The submission.
    """
    given = decisions.outcome != Outcome.MISSING
    place, right = _verdicts(gold, decisions)
    answers = np.bincount(place[given], minlength=2 * len(gold.groups))
    correct = np.bincount(place[right], minlength=2 * len(gold.groups))
    voted: Floats = (2 * correct > answers).astype(np.float64).reshape(-1, 2)
    return voted


def _share(same: Floats, swapped: Floats, codes: Codes, clusters: int) -> Statistic:
    """The share of swapped turns whose verdicts are the same, each dialogue's drawn together."""
    return Ratio(per_cluster(codes, clusters, same), per_cluster(codes, clusters, swapped))


def swapped_verdicts(gold: Gold, decisions: Decisions) -> tuple[Floats, Floats]:
    """Of each dialogue how many turns are swapped in the second run that they have, and how many of these have one verdict twice.

    Args:
        gold: The dialogues that are owed.
        decisions: The submission.

    Returns:
        (k,) turns with one verdict, and (k,) turns swapped.
    """
    place, right = _verdicts(gold, decisions)
    verdicts: dict[int, dict[int, set[tuple[str, bool]]]] = {}
    for n in np.flatnonzero(decisions.outcome != Outcome.MISSING).tolist():
        of, run = int(decisions.presentation[n]), int(decisions.run[n])
        runs = verdicts.setdefault(int(place[n]), {})
        runs.setdefault(run, set()).add((decisions.owed.order[of], bool(right[n])))
    same, swapped = np.zeros((2, 2 * len(gold.groups)))
    for item, runs in verdicts.items():
        first_two = [runs[run] for run in sorted(runs)[:2]]
        orders = [{order for order, _ in answers} for answers in first_two]
        if len(orders) == 2 and len(orders[0]) == len(orders[1]) == 1 and orders[0] != orders[1]:
            swapped[item] = 1
            same[item] = len({verdict for answers in first_two for _, verdict in answers}) == 1
    return same.reshape(-1, 2).sum(axis=1), swapped.reshape(-1, 2).sum(axis=1)


def _verdicts(gold: Gold, decisions: Decisions) -> tuple[Codes, Bools]:
    """(m,) the turn that each row is about, and whether it is right."""
    number_of = {item: n for n, item in enumerate(item for pair in gold.items for item in pair)}
    place = np.array([number_of[item] for item in decisions.owed.item], np.int64)[decisions.presentation]
    return place, decided_of(decisions) == gold.gold.reshape(-1)[place]
