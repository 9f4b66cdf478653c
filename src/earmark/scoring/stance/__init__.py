"""How the stance family is marked: `marks` has the definitions, `baselines` the rules beside them, `drawing` the pictures."""

from earmark.scoring.stance.baselines import BASELINES
from earmark.scoring.stance.drawing import draw
from earmark.scoring.stance.human import evaluate_human
from earmark.scoring.stance.marks import GLOSSARY, evaluate, headline

__all__ = ["BASELINES", "GLOSSARY", "draw", "evaluate", "evaluate_human", "headline"]
