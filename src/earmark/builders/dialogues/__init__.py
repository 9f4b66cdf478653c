"""Makes releases of the dialogues family: scenarios, scripts, tones and voices, or dialogues that others have made.

`recipe` is what a build is told, `making` the stages from scenario to voice, `adopting` the way in for others' dialogues;
`items`, `prompts` and `presentations` make the rows, `planning` puts the plan together, and `histories` and `personas` serve
whoever presents it.
"""

from earmark.builders.dialogues.histories import histories
from earmark.builders.dialogues.personas import personas
from earmark.builders.dialogues.placing import placed
from earmark.builders.dialogues.planning import plan, price
from earmark.builders.dialogues.prompts import DEFAULT_TEMPLATES
from earmark.builders.dialogues.recipe import DEFAULT_RECIPE

NEEDS_NO_RECIPE = True
"""The default recipe names no folder of anybody's: it is made offline from nothing."""

__all__ = ["DEFAULT_RECIPE", "DEFAULT_TEMPLATES", "NEEDS_NO_RECIPE", "histories", "personas", "placed", "plan", "price"]
