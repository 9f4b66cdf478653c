"""The accuracies that the paper prints, of anybody's submission, each tested as the paper tests it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from earmark.manifests.families.pairs import CONTROL
from earmark.manifests.report import ALL, OVERALL
from earmark.pages.paper_tables import METRICS
from earmark.scoring.measuring import measure
from earmark.scoring.pairs.figures import LADDERS, figures
from earmark.scoring.pairs.gold import read_gold
from earmark.scoring.pairs.marks import mark
from earmark.scoring.pairs.testing import z_score

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.measuring import Options

SLICE = "paper:parapair"
"""Where these figures stand in a report."""


def paper_metrics(
    release: Release, decisions: Decisions, others: Sequence[Decisions], options: Options
) -> list[MetricEntry]:
    """Accuracy of every criterion, kind and transcript, and the mean over criteria, with p from the z test over pairs.

    Args:
        release: A release with its private side.
        decisions: The submission.
        others: Not looked at: the paper leaves out nothing, so that no other submission matters.
        options: How intervals are made.

    Raises:
        PrivateSideMissing: If this copy has no answers.
    """
    del others
    marks = mark(read_gold(release), decisions)
    wanted = [
        replace(figure, slice=SLICE)
        for figure in figures(marks)
        if figure.slice == ALL and figure.metric in METRICS.values() and figure.facet != CONTROL
    ]
    return [_tested(entry) for entry in measure(wanted, LADDERS, options, number=marks.gold.number)]


def _tested(entry: MetricEntry) -> MetricEntry:
    """An entry with the paper's own p: of one criterion's pairs, and not adjusted."""
    p = None
    if entry.value is not None and entry.chance is not None and 0 < entry.chance < 1 and entry.facet != OVERALL:
        p = math.erfc(abs(z_score(entry.value, entry.chance, entry.n)) / math.sqrt(2))
    return replace(entry, p=p, p_adjusted=None)
