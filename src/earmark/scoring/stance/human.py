"""Does a judge rank speakers as people do? Its scores beside a file of human ratings.

- *consensus* of a unit (one speaker in one conversation): the mean over raters of each rater's mean over the unit's items.
- `human_spearman`: Spearman's correlation of the judge's unit scores with the consensus, over rated units; what has no valid
  answer has its worst score, as everywhere. `human_spearman_valid_only` is over units with a valid answer, from these alone.
- `human_coverage`: share of units that are rated.
- `rater_spearman`, `rater_exact`, `rater_sign`: the same correlation, the share of equal ratings and the share of ratings of
  equal sign of every two raters over the items that both rated, averaged over pairs; `…_weighted` weighs a pair by how many
  those are. Pairs for whom a figure is undefined are left out. Signs say something only on a scale with 0 in its middle.

The overall figure is the mean over the facets that have ratings; coverage is over all units. Units, and the items that raters
share, are resampled by speaker and by prompt. (StanceBench, section 4; its notebook had the consensus per speaker and raters
compared over common keys. The ratings were not published.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.report import OVERALL
from earmark.scoring.measuring import Codes, Figure, Make, Options, Part, Shared, measure
from earmark.scoring.stance.figures import LADDERS
from earmark.scoring.stance.gold import Gold, read_gold
from earmark.scoring.stance.marks import Marked, mark
from earmark.statistics.agreement import Spearman
from earmark.statistics.rates import Ratio
from earmark.statistics.statistic import Weighted, divide

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.ratings import Ratings

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Kind = Literal["spearman", "exact", "sign"]

KINDS: tuple[Kind, ...] = ("spearman", "exact", "sign")
DIGITS = 12
"""Significant digits of a consensus: means that are equal on paper tie, whatever order they were added in."""

_BLOCK_ENTRIES = 2**22  # 32 MiB: fewer draws at a time cost a call per pair more often
NO_PAIR = "no two raters for whom it is defined rated an item in common"
ONE_SIDED = "no rating is below 0 and another above it, so signs say nothing on this scale"


GLOSSARY: Mapping[str, str] = {
    "human_spearman": "Spearman's correlation of unit scores with the human consensus, over rated units. Chance 0.",
    "human_spearman_valid_only": "The same over units with a valid answer, from valid answers alone.",
    "human_coverage": "Share of units that people rated.",
    "rater_spearman": "Spearman's correlation of two raters over the items that both rated, mean over pairs.",
    "rater_exact": "Share of equal ratings of two raters, mean over pairs.",
    "rater_sign": "Share of ratings of equal sign of two raters, mean over pairs; 0 must be the middle of the scale.",
    "rater_spearman_weighted": "The same correlation, a pair weighing as many items as it shares; so with the other two.",
}
"""What each metric means, for pages."""


@dataclass(frozen=True, eq=False)
class Pair:
    """The items that two raters both rated.

    Args:
        first: (n,) ratings of the one.
        second: (n,) ratings of the other.
        row: (n,) which of the shared items each is.
    """

    first: Floats
    second: Floats
    row: Codes


class PairMeans:
    """A figure of agreement of every pair of raters, averaged over pairs for whom it is defined.

    Both averages come of one pass, and the plain and the weighted figure ask for the same draws one after the other, so the
    latest are kept.

    Args:
        pairs: The pairs.
        kind: The figure.
        cluster: (n,) cluster of each shared item.
        clusters: Number of clusters C.
    """

    def __init__(self, pairs: Sequence[Pair], kind: Kind, cluster: Codes, clusters: int) -> None:
        # A rater who never changes has no correlation under any draw; in a crowd most pairs share one item and have none.
        self._pairs = [pair for pair in pairs if kind != "spearman" or (_varies(pair.first) and _varies(pair.second))]
        sizes = [pair.row.size for pair in self._pairs]
        self._starts = np.cumsum([0, *sizes[:-1]])
        self._members = cluster[np.concatenate([np.zeros(0, np.int64), *(pair.row for pair in self._pairs)])]
        self._spearmen = [
            Spearman.of_rows(pair.first, pair.second, cluster[pair.row], clusters)
            for pair in self._pairs
            if kind == "spearman"
        ]
        agree = [_equal(kind, pair) for pair in self._pairs if kind != "spearman"]
        self._agree = np.concatenate([np.zeros(0, np.bool_), *agree])
        self.support: Bools = np.bincount(self._members, minlength=clusters) > 0
        self._latest: tuple[Floats, Floats] | None = None

    def means(self, weights: Floats) -> Floats:
        """(2, B) the plain and the weighted mean under (B, C) weights; NaN where no pair has the figure."""
        if self._latest is None or self._latest[0] is not weights:
            block = max(1, _BLOCK_ENTRIES // max(1, self._members.size))
            parts = [self._block(weights[at : at + block]) for at in range(0, len(weights), block)]
            self._latest = weights, np.concatenate([np.zeros((2, 0)), *parts], axis=1)
        return self._latest[1]

    def _block(self, weights: Floats) -> Floats:
        if not self._pairs:
            return np.full((2, len(weights)), np.nan)
        values: Floats
        drawn = weights.take(self._members, axis=1)
        overlap = np.add.reduceat(drawn, self._starts, axis=1)
        if self._spearmen:
            values = np.stack([pair.replicates(weights) for pair in self._spearmen], axis=1)
        else:
            values = divide(np.add.reduceat(drawn * self._agree, self._starts, axis=1), overlap)
        defined = ~np.isnan(values)
        return np.stack([_mean_of_pairs(values, weight) for weight in (defined.astype(np.float64), overlap * defined)])


@dataclass(frozen=True, eq=False)
class RaterAgreement(Weighted):
    """A figure of agreement averaged over pairs of raters.

    Attributes:
        means: The figure of each pair, averaged.
        weighted: Whether a pair weighs as many items as it shares.
        why: Why it is undefined, if it is.
    """

    means: PairMeans
    weighted: bool
    why: str = NO_PAIR

    @property
    def support(self) -> Bools:
        """(C,) bool: which clusters hold shared items."""
        return self.means.support

    def replicates(self, weights: Floats) -> Floats:
        """(B,) means under (B, C) weights; NaN where no pair has the figure."""
        means: Floats = self.means.means(weights)[int(self.weighted)]
        return means

    def reason(self) -> str | None:
        """Why `value()` is None; None where it is not."""
        return self.why if self.value() is None else None


def evaluate_human(release: Release, decisions: Decisions, ratings: Ratings, options: Options) -> list[MetricEntry]:
    """How a submission goes with human ratings, with the intervals of every other figure."""
    return measure(human_figures(mark(read_gold(release), decisions), ratings), LADDERS, options)


def human_figures(marked: Marked, ratings: Ratings) -> list[Figure]:
    """How a submission goes with human ratings, per facet and overall.

    Args:
        marked: The submission.
        ratings: What people said; items of other releases are left out.
    """
    gold = marked.gold
    rated, consensus = unit_consensus(gold, ratings)
    shared = _SharedItems.of(gold, ratings)
    figures: list[Figure] = []
    for facet in np.unique(gold.facet):
        figures += _of_facet(str(facet), marked, rated, consensus, shared)
    every = (Part(gold.levels, partial(Ratio.of_rows, rated)),)
    for metric in dict.fromkeys(figure.metric for figure in figures):
        here = [figure for figure in figures if figure.metric == metric]
        if metric == "human_coverage":
            figures.append(Figure(metric, OVERALL, every))
            continue
        with_ratings = [figure for figure in here if figure.rows] or here[:1]
        parts = tuple(part for figure in with_ratings for part in figure.parts)
        figures.append(Figure(metric, OVERALL, parts, chance=here[0].chance))
    return figures


def unit_consensus(gold: Gold, ratings: Ratings) -> tuple[Bools, Floats]:
    """What people made of each unit.

    Returns:
        (u,) whether a unit is rated, and (u,) the mean over raters of their mean over its items; 0 where it is not.
    """
    known, unit = _units(gold, ratings)
    units = len(gold.facet)
    # One cell for each rater and unit that meet: a table of all of them would be large and nearly empty.
    cells, place = np.unique(ratings.rater[known] * units + unit, return_inverse=True)
    of_rater = np.bincount(place, weights=ratings.rating[known]) / np.bincount(place)
    of = cells % max(1, units)
    counts = np.bincount(of, minlength=units)
    sums = np.bincount(of, weights=of_rater, minlength=units)
    mean = np.divide(sums, counts, out=np.zeros(units), where=counts > 0)
    scale = np.abs(mean).max(initial=0.0)
    return counts > 0, np.round(mean / scale, DIGITS) * scale if scale else mean


def _of_facet(facet: str, marked: Marked, rated: Bools, consensus: Floats, shared: _SharedItems) -> list[Figure]:
    gold = marked.gold
    here = gold.facet == facet

    def figure(metric: str, chosen: Bools, make: Make, chance: float | None = None) -> Figure:
        return Figure(metric, facet, (Part(_at(gold.levels, chosen), make),), chance=chance)

    everyone, valid = here & rated, here & rated & marked.valid
    figures = [
        figure("human_spearman", everyone, partial(Spearman.of_rows, marked.score[everyone], consensus[everyone]), 0.0),
        figure(
            "human_spearman_valid_only",
            valid,
            partial(Spearman.of_rows, marked.valid_score[valid], consensus[valid]),
            0.0,
        ),
        figure("human_coverage", here, partial(Ratio.of_rows, rated[here])),
    ]
    rows = np.flatnonzero(here[shared.unit])
    pairs = shared.pairs(rows)
    levels = {name: codes[shared.unit[rows]] for name, codes in gold.levels.items()}
    for kind in KINDS:
        one_sided = kind == "sign" and not shared.two_sided
        chosen, why = ([], ONE_SIDED) if one_sided else (pairs, NO_PAIR)
        means = Shared(partial(PairMeans, chosen, kind))
        for weighted in (False, True):
            make = means.into(partial(RaterAgreement, weighted=weighted, why=why))
            figures.append(Figure(f"rater_{kind}{'_weighted' if weighted else ''}", facet, (Part(levels, make),)))
    return figures


@dataclass(frozen=True, eq=False)
class _SharedItems:
    """Items that two raters or more rated.

    Args:
        unit: (s,) unit of each.
        rated: For each, (rater, rating) by rater.
        two_sided: Whether ratings lie on both sides of 0.
    """

    unit: Codes
    rated: tuple[tuple[tuple[int, float], ...], ...]
    two_sided: bool

    @classmethod
    def of(cls, gold: Gold, ratings: Ratings) -> Self:
        known, unit = _units(gold, ratings)
        of_item: dict[int, list[tuple[int, float]]] = defaultdict(list)
        unit_of: dict[int, int] = {}
        columns = (ratings.item[known], ratings.rater[known], ratings.rating[known], unit)
        for item, rater, rating, at in zip(*(column.tolist() for column in columns), strict=True):
            of_item[item].append((rater, rating))
            unit_of[item] = at
        several = sorted(item for item, rated in of_item.items() if len(rated) > 1)
        values = ratings.rating[known]
        return cls(
            np.array([unit_of[item] for item in several], np.int64),
            tuple(tuple(sorted(of_item[item])) for item in several),
            bool(values.min(initial=0.0) < 0 < values.max(initial=0.0)),
        )

    def pairs(self, rows: Codes) -> list[Pair]:
        """Every two raters who share some of these items."""
        found: dict[tuple[int, int], list[tuple[float, float, int]]] = defaultdict(list)
        for place, row in enumerate(rows.tolist()):
            for (first, one), (second, other) in combinations(self.rated[row], 2):
                found[first, second].append((one, other, place))
        pairs = []
        for raters in sorted(found):
            first_ratings, second_ratings, places = zip(*found[raters], strict=True)
            pairs.append(Pair(np.array(first_ratings), np.array(second_ratings), np.array(places, np.int64)))
        return pairs


def _varies(ratings: Floats) -> bool:
    return bool((ratings != ratings[0]).any())


def _equal(kind: Kind, pair: Pair) -> Bools:
    """(n,) whether two ratings are equal, or of equal sign."""
    equal: Bools = pair.first == pair.second if kind == "exact" else np.sign(pair.first) == np.sign(pair.second)
    return equal


def _mean_of_pairs(values: Floats, weight: Floats) -> Floats:
    """(B,) means of (B, P) values; NaN without weight."""
    return divide((np.nan_to_num(values) * weight).sum(axis=1), weight.sum(axis=1))


def _units(gold: Gold, ratings: Ratings) -> tuple[Bools, Codes]:
    """Which ratings are of items of the gold, (m,), and the units of those."""
    number = {item: n for n, item in enumerate(gold.items)}
    item = np.array([number.get(name, -1) for name in ratings.items], np.int64)[ratings.item]
    known = item >= 0
    return known, gold.unit[item[known]]


def _at(levels: Mapping[str, Codes], chosen: Bools) -> dict[str, Codes]:
    return {name: codes[chosen] for name, codes in levels.items()}
