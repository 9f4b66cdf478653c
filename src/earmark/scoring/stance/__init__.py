"""How the stance family is marked: `marks` has what was decided, `figures` what is made of it, `baselines` rules beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.scoring.measuring.figured import Figured
from earmark.scoring.stance.baselines import BASELINES, FURTHER_BASELINES
from earmark.scoring.stance.credits import credited
from earmark.scoring.stance.drawing import draw
from earmark.scoring.stance.figures import BETTER, LADDERS, LEADING, figures
from earmark.scoring.stance.figures import GLOSSARY as _FIGURES
from earmark.scoring.stance.gold import read_gold
from earmark.scoring.stance.human import GLOSSARY as _HUMAN
from earmark.scoring.stance.human import evaluate_human
from earmark.scoring.stance.marks import balanced_accuracy, mark

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.measuring import Options

__all__ = [
    "BASELINES",
    "DEPENDENT_ROLES",
    "FURTHER_BASELINES",
    "GLOSSARY",
    "NOTES",
    "credited",
    "draw",
    "evaluate",
    "evaluate_human",
    "figured",
    "headline",
]

DEPENDENT_ROLES = ("target",)
"""Whose speakers make units depend on each other; what was said before is another's."""

GLOSSARY = {**_FIGURES, **_HUMAN}
"""What each metric means, for pages."""

NOTES = (
    "The first row is the unweighted mean over dimensions, except failure and disagreement, which are over everything owed.",
)
"""What is said under the summary of a page."""


def evaluate(release: Release, decisions: Decisions, options: Options) -> list[MetricEntry]:
    """Every figure, per facet and overall, with intervals by speaker and by prompt."""
    return figured(release, decisions).measured(options)


def figured(release: Release, decisions: Decisions) -> Figured:
    """Every figure, per facet and overall, before it is measured."""
    marked = mark(read_gold(release), decisions)
    return Figured(tuple(figures(marked)), LADDERS, better=BETTER, leading=LEADING)


def headline(release: Release, decisions: Decisions) -> float | None:
    """Balanced accuracy, the mean over facets; None where a facet lacks a pole."""
    return balanced_accuracy(mark(read_gold(release), decisions))
