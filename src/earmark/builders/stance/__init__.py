"""How a stance release is made: Seamless Interaction's role prompts become items whose gold is a pole.

`dimensions` and `mapping` say which role stands for which pole, `rubric` and `prompts` what a judge is asked, `recipe` what a
build is told, `choosing` takes conversations, `items` makes the rows, and `planning` puts the plan together.
"""

from earmark.builders.stance.planning import plan
from earmark.builders.stance.recipe import DEFAULT_RECIPE

__all__ = ["DEFAULT_RECIPE", "plan"]
