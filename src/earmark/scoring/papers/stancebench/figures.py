"""The figures of StanceBench's notebook with intervals, and how many speakers each of its filters removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.report import OVERALL, MetricEntry
from earmark.scoring.measuring import Figure, Options, Part, measure
from earmark.scoring.papers.stancebench.accuracy import ACCURACIES, consistent
from earmark.scoring.papers.stancebench.filters import ATTEMPTED, COMMON, apply_filters
from earmark.scoring.papers.stancebench.judged import judged_dimensions
from earmark.scoring.stance.figures import LADDERS
from earmark.scoring.stance.gold import read_gold
from earmark.statistics.rates import Ratio

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.measuring import Make
    from earmark.scoring.papers.stancebench.judged import Bools, Dimension

SLICE = "paper:stancebench"
"""Where these figures stand in a report."""

NOBODY = "the paper's filters leave no speaker"


GLOSSARY: Mapping[str, str] = {
    "order_flips": "StanceBench: share of a speaker's items whose mapped scores have opposite signs, mean over speakers.",
    "pole_consistency_nonzero": "StanceBench: pole consistency over speakers whose score is not exactly 0.",
    "units_owed": "StanceBench: speakers before any filter.",
    "units_removed_not_attempted": "StanceBench: speakers without any row.",
    "units_removed_failed": "StanceBench: speakers without a clip that has a valid verdict in both orders.",
    "units_removed_row_intersection": "StanceBench: speakers that another submission of the comparison has no score for.",
    "units_removed_disagreement": "StanceBench: speakers a fifth or more of whose items disagree over the two orders.",
    "units_removed_sign_rule": "StanceBench: speakers whose mean mapped scores of the two orders have opposite signs.",
    "units_kept": "StanceBench: speakers that its accuracies are over.",
    "units_scored_zero": "StanceBench: of those, speakers with a score of exactly 0.",
    "submissions_intersected": "StanceBench: submissions that the row intersection is of.",
}
"""What the metrics mean that only this paper mode has, for pages."""


def paper_metrics(
    release: Release, decisions: Decisions, others: Sequence[Decisions], options: Options
) -> list[MetricEntry]:
    """Every figure of the notebook, per dimension and as the mean over dimensions, and the filters' counts.

    Args:
        release: A release with its private side.
        decisions: The submission.
        others: Submissions that it is compared with; only speakers that all of them scored are kept.
        options: How intervals are made.

    Raises:
        EarmarkError: If a submission's protocol does not owe both pole orders.
        PrivateSideMissing: If this copy has no answers.
    """
    return dimension_metrics(judged_dimensions(read_gold(release), decisions, others), len(others) + 1, options)


def dimension_metrics(dimensions: Sequence[Dimension], submissions: int, options: Options) -> list[MetricEntry]:
    """The same from dimensions.

    Args:
        dimensions: As one submission answered them.
        submissions: How many submissions the row intersection is of.
        options: How intervals are made.
    """
    figures = [figure for dimension in dimensions for figure in dimension_figures(dimension)]
    metrics = dict.fromkeys(figure.metric for figure in figures)
    for metric in metrics:
        of_facets = [figure for figure in figures if figure.metric == metric and figure.facet != OVERALL]
        parts = tuple(part for figure in of_facets for part in figure.parts)
        figures.append(Figure(metric, OVERALL, parts, SLICE, of_facets[0].chance))
    measured = iter(measure([figure for figure in figures if figure.rows], LADDERS, options))
    entries = [next(measured) if figure.rows else _undefined(figure) for figure in figures]
    return [*entries, *filter_counts(dimensions, submissions)]


def dimension_figures(dimension: Dimension) -> list[Figure]:
    """The notebook's figures of one dimension."""
    speakers = dimension.speakers
    left = {found.filter: found.kept for found in apply_filters(speakers)}
    attempted, common = left[ATTEMPTED], left[COMMON]
    kept = list(left.values())[-1]

    def figure(metric: str, rows: Bools, make: Make, chance: float | None = None) -> Figure:
        levels = {name: codes[rows] for name, codes in dimension.levels.items()}
        return Figure(metric, dimension.facet, (Part(levels, make),), SLICE, chance)

    score, positive = speakers.score[kept], speakers.positive[kept]
    certain = kept & (speakers.score != 0)
    right = consistent(speakers.score[certain], speakers.positive[certain])
    return [
        figure("failure_rate", attempted, partial(Ratio.of_rows, ~speakers.scored[attempted])),
        figure("order_disagreement", common, partial(Ratio.of_rows, speakers.disagreement[common])),
        figure("order_flips", common, partial(Ratio.of_rows, speakers.flips[common])),
        *(figure(name, kept, partial(make, score, positive), chance) for name, (make, chance) in ACCURACIES.items()),
        figure("pole_consistency_nonzero", certain, partial(Ratio.of_rows, right)),
    ]


def filter_counts(dimensions: Sequence[Dimension], submissions: int) -> list[MetricEntry]:
    """How many speakers are owed, how many each filter removed, and how many are kept, per dimension and in all.

    Args:
        dimensions: As one submission answered them.
        submissions: How many submissions the row intersection is of.
    """
    counted: dict[str, dict[str, tuple[int, int]]] = {}
    for dimension in dimensions:
        steps = apply_filters(dimension.speakers)
        owed = len(dimension.speakers.positive)
        kept = steps[-1].kept
        counted[dimension.facet] = {
            "units_owed": (owed, owed),
            **{f"units_removed_{step.filter.name}": (step.removed, int(step.before.sum())) for step in steps},
            "units_kept": (int(kept.sum()), owed),
            "units_scored_zero": (int((dimension.speakers.score[kept] == 0).sum()), int(kept.sum())),
        }
    names = dict.fromkeys(name for counts in counted.values() for name in counts)
    totals = {name: tuple(np.sum([counts[name] for counts in counted.values()], axis=0).tolist()) for name in names}
    entries = [
        _count(name, facet, value, n)
        for facet, counts in (*counted.items(), (OVERALL, totals))
        for name, (value, n) in counts.items()
    ]
    return [*entries, _count("submissions_intersected", OVERALL, submissions, submissions)]


def _count(metric: str, facet: str, value: int, n: int) -> MetricEntry:
    """A count: exact, so without an interval."""
    unit = "submissions" if metric.startswith("submissions") else "units"
    return MetricEntry(metric=metric, facet=facet, slice=SLICE, value=float(value), unit=unit, n=n)


def _undefined(figure: Figure) -> MetricEntry:
    """A figure over nothing, which no bootstrap need be asked about."""
    return MetricEntry(
        metric=figure.metric,
        facet=figure.facet,
        slice=figure.slice,
        value=None,
        unit=figure.unit,
        n=0,
        chance=figure.chance,
        reason=NOBODY,
    )
