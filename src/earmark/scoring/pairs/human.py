"""Does a judge decide as well as people do? Its marks beside a file of human ratings of the same pairs.

A rating above 0 is for the clip that is stored first, one below 0 for the other, 0 for neither: by clip, whatever order it was
heard in. Everything is over rated pairs alone, judge and people on the same ones.

- `human_accuracy`: mean over pairs of the share of their raters who are right; its interval says how high the human ceiling is.
  `human_accuracy_non_tie`, `human_accuracy_tie`: of one kind. `human_vote_accuracy`: of the plurality of the raters, an exact
  tie for the first place being invalid.
- `accuracy_rated`: the judge's accuracy on these pairs. `human_gap`: that less `human_accuracy`, under the same draws.
- `human_kappa`: Fleiss' kappa of the raters over pairs that two of them or more rated; undefined where all ratings are one.
- `human_coverage`: share of pairs that are rated.

Overall figures are means over the criteria that have ratings, but coverage and kappa, which are over all pairs of criteria.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.families.pairs import CONTROL, FIRST, NON_TIE, SECOND, TIE
from earmark.manifests.report import OVERALL
from earmark.scoring.measuring import Codes, Figure, Make, Options, Part, measure
from earmark.scoring.pairs.figures import LADDERS
from earmark.scoring.pairs.gold import GOLDS, Gold, read_gold
from earmark.scoring.pairs.marks import Marked, mark, votes
from earmark.statistics.kappa import FleissKappa
from earmark.statistics.rates import Ratio

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.ratings import Ratings
    from earmark.statistics.statistic import Bools, Floats, Ints

GLOSSARY: Mapping[str, str] = {
    "human_accuracy": "Mean over rated pairs of the share of raters who are right. Its interval is that of the human ceiling.",
    "human_accuracy_non_tie": "The same over rated pairs with a preferred clip.",
    "human_accuracy_tie": "The same over rated tie pairs.",
    "human_vote_accuracy": "Share of rated pairs of which the plurality of the raters is right; an exact tie is invalid.",
    "accuracy_rated": "The judge's accuracy on the rated pairs.",
    "human_gap": "accuracy_rated − human_accuracy, on the same pairs: below 0 people are better. p is against no difference.",
    "human_kappa": "Fleiss' kappa of the raters, over pairs that two or more of them rated; overall of all pairs of criteria.",
    "human_coverage": "Share of pairs that people rated.",
}
"""What each metric means, for pages."""

POOLED = ("human_coverage", "human_kappa")
"""Figures that overall are over all pairs of criteria."""


@dataclass(frozen=True, eq=False)
class Rated:
    """What people said of each pair.

    Args:
        counts: (k, 3) how many raters decided for the first clip, the second, and neither.
    """

    counts: Ints

    @property
    def raters(self) -> Ints:
        """(k,) how many raters a pair has."""
        raters: Ints = self.counts.sum(axis=1)
        return raters

    def right(self, gold: Codes) -> Floats:
        """(k,) share of raters who are right; 0 where there is none."""
        share: Floats = self.counts[np.arange(len(gold)), gold] / np.maximum(self.raters, 1)
        return share

    def voted(self, gold: Codes) -> Bools:
        """(k,) whether the plurality is right."""
        pair, decided = np.nonzero(self.counts)
        times = self.counts[pair, decided]
        voted: Bools = votes(np.repeat(pair, times), np.repeat(decided, times), len(gold)) == gold
        return voted


def evaluate_human(release: Release, decisions: Decisions, ratings: Ratings, options: Options) -> list[MetricEntry]:
    """How a submission compares with human ratings, with the intervals of every other figure."""
    marked = mark(read_gold(release), decisions)
    return measure(human_figures(marked, ratings), LADDERS, options, number=marked.gold.number)


def rated_pairs(gold: Gold, ratings: Ratings) -> Rated:
    """What people said of each pair; ratings of other pairs are left out."""
    number = {item: n for n, item in enumerate(gold.items)}
    pair = np.array([number.get(item, -1) for item in ratings.items], np.int64)[ratings.item]
    known = pair >= 0
    rating = ratings.rating[known]
    decided = np.select([rating > 0, rating < 0], [GOLDS.index(FIRST), GOLDS.index(SECOND)], GOLDS.index(TIE))
    kinds = len(GOLDS)
    return Rated(np.bincount(pair[known] * kinds + decided, minlength=len(number) * kinds).reshape(-1, kinds))


def human_figures(marked: Marked, ratings: Ratings) -> list[Figure]:
    """How a submission compares with human ratings, per facet and overall.

    Args:
        marked: The submission.
        ratings: What people said.
    """
    rated = rated_pairs(marked.gold, ratings)
    facet = marked.gold.facet
    by_facet = [
        figure
        for name in dict.fromkeys(facet.tolist())
        for figure in _figures(marked, rated, name, np.flatnonzero(facet == name))
    ]
    overall = []
    for figure in _figures(marked, rated, OVERALL, np.flatnonzero(facet != CONTROL)):
        here = [other for other in by_facet if other.metric == figure.metric and other.facet != CONTROL]
        held = [other for other in here if other.rows]
        if held and figure.metric not in POOLED:
            parts = tuple(part for other in held for part in other.parts)
            figure = Figure(figure.metric, OVERALL, parts, chance=figure.chance)
        overall.append(figure)
    return [*by_facet, *overall]


def _figures(marked: Marked, rated: Rated, facet: str, pairs: Codes) -> Sequence[Figure]:
    gold = marked.gold
    with_ratings = pairs[rated.raters[pairs] > 0]
    non_tie = gold.kind[with_ratings] == NON_TIE
    people, voted = rated.right(gold.gold), rated.voted(gold.gold)

    def figure(metric: str, chosen: Codes, make: Make, chance: float | None = None) -> Figure:
        return Figure(metric, facet, (Part(gold.levels(chosen), make),), chance=chance)

    def mean(metric: str, values: Floats | Bools, chosen: Codes, chance: float | None = None) -> Figure:
        return figure(metric, chosen, partial(Ratio.of_rows, values[chosen]), chance)

    several = pairs[rated.raters[pairs] > 1]
    return (
        mean("human_accuracy", people, with_ratings),
        mean("human_accuracy_non_tie", people, with_ratings[non_tie]),
        mean("human_accuracy_tie", people, with_ratings[~non_tie]),
        mean("human_vote_accuracy", voted, with_ratings),
        mean("accuracy_rated", marked.right, with_ratings),
        mean("human_gap", marked.right - people, with_ratings, 0.0),
        figure("human_kappa", several, partial(FleissKappa.of_counts, rated.counts[several])),
        mean("human_coverage", rated.raters > 0, pairs),
    )
