"""How the stance family is marked: `marks` has the definitions, `baselines` the rules beside them, `drawing` the pictures."""

from earmark.scoring.stance.baselines import BASELINES, FURTHER_BASELINES
from earmark.scoring.stance.credits import credited
from earmark.scoring.stance.drawing import draw
from earmark.scoring.stance.human import GLOSSARY as _HUMAN
from earmark.scoring.stance.human import evaluate_human
from earmark.scoring.stance.marks import GLOSSARY as _MARKS
from earmark.scoring.stance.marks import evaluate, figured, headline

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

GLOSSARY = {**_MARKS, **_HUMAN}
"""What each metric means, for pages."""

NOTES = (
    "The first row is the unweighted mean over dimensions, except failure and disagreement, which are over everything owed.",
)
"""What is said under the summary of a page."""
