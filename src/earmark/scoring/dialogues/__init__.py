"""How the dialogues family is marked: `marks` has what was decided, `figures` what is made of it, `testing` what stands out.

`trajectories` says what makes a trajectory, `standard` has SEQ, `contrasts` what sets two submissions apart, `listing` what was
got of each dialogue.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from earmark.scoring.dialogues.baselines import BASELINES, FURTHER_BASELINES
from earmark.scoring.dialogues.contrasts import GLOSSARY as _CONTRASTS
from earmark.scoring.dialogues.contrasts import evaluate_against
from earmark.scoring.dialogues.credits import credited
from earmark.scoring.dialogues.drawing import draw
from earmark.scoring.dialogues.figures import BETTER, LADDERS, LEADING, figures, number
from earmark.scoring.dialogues.figures import GLOSSARY as _FIGURES
from earmark.scoring.dialogues.gold import read_gold
from earmark.scoring.dialogues.listing import listed
from earmark.scoring.dialogues.marks import Marked, mark, trajectory_accuracy
from earmark.scoring.dialogues.standard import GLOSSARY as _STANDARD
from earmark.scoring.dialogues.standard import settled, standardise
from earmark.scoring.dialogues.testing import GLOSSARY as _TESTING
from earmark.scoring.dialogues.testing import against_chance, detectable
from earmark.scoring.measuring import Options
from earmark.scoring.measuring.figured import Figured

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry
    from earmark.scoring.decisions import Decisions

__all__ = [
    "BASELINES",
    "DEPENDENT_ROLES",
    "FURTHER_BASELINES",
    "GLOSSARY",
    "NOTES",
    "credited",
    "draw",
    "evaluate",
    "evaluate_against",
    "evaluate_marked",
    "figured",
    "headline",
    "listed",
    "settled",
    "standardise",
]

DEPENDENT_ROLES = ()
"""Voices are made, and dialogues are drawn one by one: none depends on another for who speaks in it."""

GLOSSARY: Mapping[str, str] = {**_FIGURES, **_STANDARD, **_TESTING, **_CONTRASTS}
"""What each metric means, for pages."""

NOTES = (
    "The first row is over all dialogues alike, and no mean of the subscales.",
    "p is binomial over dialogues. Holm’s method adjusts over the three accuracies of all subscales.",
)
"""What is said under the summary of a page."""


def evaluate(release: Release, decisions: Decisions, options: Options) -> list[MetricEntry]:
    """Every figure, per subscale and overall, with intervals by dialogue, and exact tests over dialogues."""
    return evaluate_marked(mark(read_gold(release), decisions), options)


def evaluate_marked(marked: Marked, options: Options) -> list[MetricEntry]:
    """The same of marks."""
    entries = against_chance(figured_marked(marked).measured(options))
    return [*entries, *detectable(entries)]


def figured(release: Release, decisions: Decisions) -> Figured:
    """Every figure, per subscale and overall, before it is measured."""
    return figured_marked(mark(read_gold(release), decisions))


def figured_marked(marked: Marked) -> Figured:
    """The same of marks."""
    return Figured(tuple(figures(marked)), LADDERS, number, BETTER, LEADING)


def headline(release: Release, decisions: Decisions) -> float | None:
    """Trajectory accuracy over all dialogues; None where there is none."""
    return trajectory_accuracy(mark(read_gold(release), decisions))
