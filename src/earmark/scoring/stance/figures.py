"""Figures of the stance family, per dimension and overall.

Definitions (StanceBench, sections 4 and 5; where its notebook differs, `--paper stancebench` has it). Scores are those of units,
as `marks` has them:

- *balanced accuracy* (headline): the mean of the shares of P and N units whose score has the gold's sign; 0 is wrong.
- *pole consistency*: the share of all units whose score has the gold's sign; 0 is wrong.
- *AUROC*: chance that a P unit outscores an N unit, ties one half. *EER*: where the two error rates meet, interpolated, and at
  the nearest vertex as the reference takes it. *Oracle F1*: the best F1 of P over all thresholds on the same data.
- *order disagreement*: over items whose every order is ok, the share whose choices differ; its coverage stands beside it.
- *failure rate*: share of owed presentations that are not ok.
- *recall* of a pole: the share of its units whose score has its sign; 0 is wrong. *F1 of calling everything P*: 2π / (1 + π), π
  the share of P units, which the oracle F1 never falls below.
- `…_valid_only`: over units with a valid answer, from valid answers alone; secondary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.families.stance import NEGATIVE, POSITIVE
from earmark.manifests.report import ALL, OVERALL
from earmark.scoring.measuring import Codes, Figure, Ladder, Part, Shared
from earmark.scoring.measuring.figured import HIGHER, LOWER, Better
from earmark.scoring.stance.marks import Marked, rightly_signed
from earmark.statistics.quantiles import Column, Quantile
from earmark.statistics.ranking import Auroc, EerInterpolated, EerNearest, OracleF1, OracleThreshold, Overlap
from earmark.statistics.rates import MeanOfRatios, Ratio
from earmark.statistics.roc import Roc
from earmark.statistics.statistic import Difference
from earmark.statistics.sums import Quotients, Sums, Term

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from earmark.scoring.measuring import Make
    from earmark.statistics.statistic import Bools, Floats, Statistic

LADDERS: tuple[Ladder, ...] = (("speaker", "unit"), ("prompt", "conversation", "unit"))
"""Speakers recur over conversations and prompts over speakers, so each has its own interval."""

GLOSSARY: Mapping[str, str] = {
    "balanced_accuracy": "Mean of the shares of P and N units whose score has the gold's sign; 0 is wrong. A unit is one speaker "
    "in one conversation. A judge that ignores the clip gets 0.5, or less if the order of the poles moves it to ties.",
    "pole_consistency": "Share of all units whose score has the gold's sign; a score of 0 is wrong.",
    "recall_positive": "Share of P units whose score is above 0.",
    "recall_negative": "Share of N units whose score is below 0.",
    "auroc": "Chance that a P unit outscores an N unit, ties one half. Chance 0.5.",
    "eer": "Rate at which as many P as N units fall on the wrong side of a threshold, interpolated between scores.",
    "eer_nearest_vertex": "The same at the threshold where the two error rates are nearest, as StanceBench's notebook takes it.",
    "oracle_f1": "Best F1 of P over all thresholds, chosen on the same data: an upper bound, never below f1_always_positive.",
    "oracle_f1_threshold": "The threshold of the best F1; far from 0 means that the judge's scale is off.",
    "f1_at_zero": "F1 of P at threshold 0.",
    "f1_always_positive": "F1 of calling every unit P, 2π / (1 + π) with π the share of P units: read the oracle F1 against it.",
    "oracle_f1_gain": "What the best threshold adds to F1 at 0.",
    "pole_shift": "Mean of the mean scores of P and of N units: above 0 the judge leans to P whatever it hears.",
    "pole_overlap": "Overlap of the two poles' score distributions, 20 equal bins: 0 apart, 1 the same. A pole of "
    "fewer than 20 units has none: so few hardly meet in a bin.",
    "failure_rate": "Share of owed presentations without a valid answer: missing, failed, unparsable, abstained or conflicting.",
    "order_disagreement": "Share of items with every order answered whose choice changes with the order of the poles.",
    "order_disagreement_coverage": "Share of items with every order answered, which the disagreement is over.",
    "score_median": "Median score of the units; beside it the quantiles that its name says.",
}
"""What each metric means, for pages."""

LEADING = ("balanced_accuracy", "auroc", "eer", "pole_consistency", "order_disagreement", "failure_rate")
"""What judges are compared by first."""

_SEPARATING: Mapping[str, Better] = {
    "balanced_accuracy": HIGHER,
    "pole_consistency": HIGHER,
    "auroc": HIGHER,
    "eer": LOWER,
    "eer_nearest_vertex": LOWER,
    "oracle_f1": HIGHER,
    "f1_at_zero": HIGHER,
    "pole_overlap": LOWER,
}
BETTER: Mapping[str, Better] = {
    **_SEPARATING,
    "order_disagreement": LOWER,
    "order_disagreement_coverage": HIGHER,
    "failure_rate": LOWER,
    **{f"{metric}_valid_only": better for metric, better in _SEPARATING.items()},
}
"""Which way each metric is better that ranks."""

QUANTILES = {"score_q05": 0.05, "score_q25": 0.25, "score_median": 0.5, "score_q75": 0.75, "score_q95": 0.95}


def figures(marked: Marked) -> list[Figure]:
    """Every figure, dimension by dimension and then overall."""
    facets = [str(facet) for facet in np.unique(marked.gold.facet)]
    by_facet = [figure for facet in facets for figure in facet_figures(marked, facet)]
    return [*by_facet, *overall_figures(marked, by_facet)]


def facet_figures(marked: Marked, facet: str) -> list[Figure]:
    """The figures of one dimension."""
    gold = marked.gold
    here = gold.facet == facet
    in_facet = here[gold.unit]
    sent = in_facet[marked.item]
    paired = in_facet & ~np.isnan(marked.agreeing)

    def at_units(chosen: Bools) -> dict[str, Codes]:
        return {name: codes[chosen] for name, codes in gold.levels.items()}

    def of_items(chosen: Bools) -> dict[str, Codes]:
        return {name: codes[gold.unit[chosen]] for name, codes in gold.levels.items()}

    sent_levels = {name: codes[gold.unit[marked.item[sent]]] for name, codes in gold.levels.items()}
    figures = [
        _figure("failure_rate", facet, sent_levels, partial(Ratio.of_rows, ~marked.ok[sent])),
        _figure("order_disagreement", facet, of_items(paired), partial(Ratio.of_rows, 1 - marked.agreeing[paired])),
        _figure("order_disagreement_coverage", facet, of_items(in_facet), partial(Ratio.of_rows, paired[in_facet])),
    ]
    figures += _separation(facet, "", marked.score[here], gold.positive[here], at_units(here))
    valid = here & marked.valid
    figures += _separation(facet, "_valid_only", marked.valid_score[valid], gold.positive[valid], at_units(valid))
    for pole, is_positive in ((POSITIVE, True), (NEGATIVE, False)):
        chosen = here & (gold.positive == is_positive)
        figures += _spread(facet, f"pole:{pole}", marked.score[chosen], at_units(chosen))
    for role in np.unique(gold.role[here]):
        chosen = here & (gold.role == role)
        figures += _spread(facet, f"role:{role}", marked.score[chosen], at_units(chosen))
    return figures


def overall_figures(marked: Marked, by_facet: Sequence[Figure]) -> list[Figure]:
    """Shares over everything that is owed, and means over facets of what is a facet's own.

    Args:
        marked: The submission.
        by_facet: The figures of every facet.
    """
    gold = marked.gold
    paired = ~np.isnan(marked.agreeing)
    by_item = {name: codes[gold.unit] for name, codes in gold.levels.items()}
    by_sent = {name: codes[marked.item] for name, codes in by_item.items()}
    by_paired = {name: codes[paired] for name, codes in by_item.items()}
    figures = [
        _figure("failure_rate", OVERALL, by_sent, partial(Ratio.of_rows, ~marked.ok)),
        _figure("order_disagreement", OVERALL, by_paired, partial(Ratio.of_rows, 1 - marked.agreeing[paired])),
        _figure("order_disagreement_coverage", OVERALL, by_item, partial(Ratio.of_rows, paired)),
    ]
    nothing = (Part(by_item, partial(Ratio.of_rows, np.zeros(0))),)  # there are no facets where nothing is owed
    for suffix in ("", "_valid_only"):
        for name, chance in _CHANCES.items():
            parts = [part for figure in by_facet if figure.metric == name + suffix for part in figure.parts]
            figures.append(Figure(name + suffix, OVERALL, tuple(parts) or nothing, chance=chance))
    return figures


def _figure(
    metric: str,
    facet: str,
    levels: Mapping[str, Codes],
    make: Make,
    *,
    slice: str = ALL,
    chance: float | None = None,
) -> Figure:
    return Figure(metric, facet, (Part(levels, make),), slice, chance)


_CHANCES = {
    "balanced_accuracy": 0.5,
    "pole_consistency": None,
    "recall_positive": None,
    "recall_negative": None,
    "auroc": 0.5,
    "eer": None,
    "eer_nearest_vertex": None,
    "oracle_f1": None,
    "oracle_f1_threshold": None,
    "f1_at_zero": None,
    "f1_always_positive": None,
    "oracle_f1_gain": None,
    "pole_shift": None,
    "pole_overlap": None,
}


def _separation(facet: str, suffix: str, score: Floats, positive: Bools, levels: Mapping[str, Codes]) -> list[Figure]:
    """How well scores tell the poles apart.

    Args:
        facet: Facet id.
        suffix: Behind each metric's name.
        score: (u,) unit scores.
        positive: (u,) whether the gold is P.
        levels: Clusters of the units.
    """
    right, called = rightly_signed(score, positive), score > 0
    curve = Shared(partial(Roc.of_rows, score, positive))
    poles = {POSITIVE: positive, NEGATIVE: ~positive}
    columns: dict[str, ArrayLike] = {
        "one": np.ones(len(score)),
        "right": right,
        "hit twice": 2.0 * (called & positive),
        "called and positive": 1.0 * called + positive,
        "positive twice": 2.0 * positive,
        "one and positive": 1.0 + positive,
    }
    for pole, of_pole in poles.items():
        columns |= {pole: of_pole, f"right {pole}": right & of_pole, f"score {pole}": np.where(of_pole, score, 0.0)}
    sums = Shared(partial(Sums.of_rows, columns))

    def over(*terms: Term, why: str = Ratio.why_undefined) -> Make:
        return sums.into(partial(Quotients, terms=terms, why=why))

    def of_both(what: str) -> Make:
        return over(*(Term(f"{what} {pole}", pole, 0.5) for pole in poles), why=MeanOfRatios.why_undefined)

    at_zero = over(Term("hit twice", "called and positive"))
    makes: dict[str, Make] = {
        "balanced_accuracy": of_both("right"),
        "pole_consistency": over(Term("right", "one")),
        "auroc": curve.into(Auroc.of),
        "eer": curve.into(EerInterpolated),
        "eer_nearest_vertex": curve.into(EerNearest),
        "oracle_f1": curve.into(OracleF1),
        "oracle_f1_threshold": curve.into(OracleThreshold),
        "f1_at_zero": at_zero,
        "f1_always_positive": over(Term("positive twice", "one and positive")),
        "oracle_f1_gain": partial(_gain, curve.into(OracleF1), at_zero),
        "pole_shift": of_both("score"),
        "pole_overlap": curve.into(Overlap),
    }
    figures = {name: _figure(name + suffix, facet, levels, make, chance=_CHANCES[name]) for name, make in makes.items()}
    for name, pole in (("recall_positive", POSITIVE), ("recall_negative", NEGATIVE)):
        part = Part(levels, over(Term(f"right {pole}", pole)), chosen=poles[pole])
        figures[name] = Figure(name + suffix, facet, (part,))
    return [figures[name] for name in _CHANCES]


def _spread(facet: str, slice: str, score: Floats, levels: Mapping[str, Codes]) -> list[Figure]:
    column = Shared(partial(Column.of_rows, score))
    return [
        _figure(name, facet, levels, column.into(partial(Quantile, q=q)), slice=slice) for name, q in QUANTILES.items()
    ]


def _gain(best: Make, at_zero: Make, cluster: Codes, clusters: int) -> Statistic:
    return Difference(best(cluster, clusters), at_zero(cluster, clusters))
