"""How the pairs family is marked: `marks` has what was decided, `figures` what is made of it, `testing` what stands out."""

from earmark.manifests.release import Release
from earmark.manifests.report import MetricEntry
from earmark.scoring.decisions import Decisions
from earmark.scoring.measuring import Options
from earmark.scoring.measuring.figured import Figured
from earmark.scoring.pairs.baselines import BASELINES, FURTHER_BASELINES
from earmark.scoring.pairs.credits import credited
from earmark.scoring.pairs.drawing import draw
from earmark.scoring.pairs.figures import BETTER, LADDERS, LEADING, figures
from earmark.scoring.pairs.figures import GLOSSARY as _FIGURES
from earmark.scoring.pairs.gold import read_gold
from earmark.scoring.pairs.human import GLOSSARY as _HUMAN
from earmark.scoring.pairs.human import evaluate_human
from earmark.scoring.pairs.marks import Marked, macro_accuracy, mark
from earmark.scoring.pairs.testing import GLOSSARY as _TESTING
from earmark.scoring.pairs.testing import against_chance

__all__ = [
    "BASELINES",
    "FURTHER_BASELINES",
    "GLOSSARY",
    "NOTES",
    "credited",
    "draw",
    "evaluate",
    "evaluate_human",
    "evaluate_marked",
    "figured",
    "headline",
]

GLOSSARY = {**_FIGURES, **_TESTING, **_HUMAN}
"""What each metric means, for pages."""

NOTES = (
    "The first row is the unweighted mean over the criteria that have such pairs, except failure, which is over everything owed; "
    "control pairs are in no mean.",
    "p of a criterion is binomial over its pairs, as if no two of them shared a clip or a speaker; where they do, it can be too "
    "small. Holm’s method adjusts over all criteria, kinds and transcripts.",
)
"""What is said under the summary of a page."""


def evaluate(release: Release, decisions: Decisions, options: Options) -> list[MetricEntry]:
    """Every figure, per criterion and overall, with dyadic intervals by speaker, and exact tests over pairs."""
    return evaluate_marked(mark(read_gold(release), decisions), options)


def evaluate_marked(marked: Marked, options: Options) -> list[MetricEntry]:
    """The same of marks."""
    return against_chance(figured_marked(marked).measured(options))


def figured(release: Release, decisions: Decisions) -> Figured:
    """Every figure, per criterion and overall, before it is measured."""
    return figured_marked(mark(read_gold(release), decisions))


def figured_marked(marked: Marked) -> Figured:
    """The same of marks."""
    return Figured(tuple(figures(marked)), LADDERS, marked.gold.number, BETTER, LEADING)


def headline(release: Release, decisions: Decisions) -> float | None:
    """Accuracy, the mean over criteria; None where there is none."""
    return macro_accuracy(mark(read_gold(release), decisions))
