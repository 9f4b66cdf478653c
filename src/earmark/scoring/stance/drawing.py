"""What people look at in a stance report: where each role's scores lie, what tells the poles apart, and how steadily."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from earmark.manifests.families.stance import NEGATIVE, POSITIVE
from earmark.manifests.families.stance_recipe import stored_mapping
from earmark.manifests.report import EVERY_FACET, MetricEntry, Report
from earmark.pages.figures import (
    Figure,
    ForestRow,
    PlanePoint,
    ViolinGroup,
    disagreement_against_auroc,
    forest,
    split_violins,
)
from earmark.scoring.stance.gold import read_gold
from earmark.scoring.stance.marks import mark

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions


def draw(release: Release, decisions: Decisions, report: Report) -> Sequence[tuple[str, Figure]]:
    """The figures of a report with their captions."""
    names = {facet.id: facet.name for facet in release.manifest.facets}
    return (
        (
            "Balanced accuracy per dimension, with both intervals, and the rules that do not listen.",
            forest(_forest_rows(report, names), report.baselines),
        ),
        (
            "Do the poles come apart, and does the verdict outlast a change of their order?",
            disagreement_against_auroc(_points(report, names)),
        ),
        (
            "Where the scores of each role lie: a judge that hears a stance pulls the two halves apart.",
            split_violins(violins(release, decisions)),
        ),
    )


def violins(release: Release, decisions: Decisions) -> list[ViolinGroup]:
    """The unit scores of each dimension, role by role."""
    marked = mark(read_gold(release), decisions)
    gold = marked.gold
    poles = _pole_names(release)
    groups = []
    for facet in release.manifest.facets:
        here = gold.facet == facet.id
        if not here.any():
            continue  # a facet of which this protocol owes nothing
        scores: dict[str, tuple[Literal["P", "N"], Sequence[float]]] = {}
        for role in sorted(set(gold.role[here].tolist())):
            chosen = here & (gold.role == role)
            scores[role] = ("P" if gold.positive[chosen][0] else "N", marked.score[chosen].tolist())
        positive, negative = poles.get(facet.id, (POSITIVE, NEGATIVE))
        groups.append(ViolinGroup(facet=facet.id, name=facet.name, positive=positive, negative=negative, scores=scores))
    return groups


def _pole_names(release: Release) -> Mapping[str, tuple[str, str]]:
    """What each dimension's poles are called: the categories of their roles."""
    try:
        mapping = stored_mapping(release.manifest)
    except msgspec.ValidationError:
        return {}
    return {
        dimension.id: (
            " + ".join(dimension.positive.categories) or POSITIVE,
            " + ".join(dimension.negative.categories) or NEGATIVE,
        )
        for dimension in mapping.dimension
    }


def _forest_rows(report: Report, names: Mapping[str, str]) -> list[ForestRow]:
    overall = report.find(report.headline)
    rows = [] if overall is None else [ForestRow(EVERY_FACET, overall, strong=True)]
    for facet, name in names.items():
        entry = report.find(report.headline, facet)
        if entry is not None:
            rows.append(ForestRow(f"{facet} {name}", entry))
    return rows


def _points(report: Report, names: Mapping[str, str]) -> list[PlanePoint]:
    pairs: list[tuple[str, MetricEntry | None, MetricEntry | None]] = [
        (facet, report.find("auroc", facet), report.find("order_disagreement", facet)) for facet in names
    ]
    return [PlanePoint(facet, names[facet], x, y) for facet, x, y in pairs if x is not None and y is not None]
