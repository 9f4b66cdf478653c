"""Makes releases of the dialogues family: scenarios, scripts, tones and voices, or dialogues that others have made.

`recipe` is what a build is told and `planning` does it. A dialogue is asked for by `quotas`, written by `offline` or `llm_writer`
in `stages` that `checks` look through, read by `oracle`, spoken by `speakers` until it passes in `voicing`, all led by `making`;
or it is taken over by `adopting`. `releasing` makes a release of it.
"""

from earmark.builders.dialogues.folders import placed
from earmark.builders.dialogues.planning import plan, price
from earmark.builders.dialogues.recipe import DEFAULT_RECIPE
from earmark.builders.dialogues.releasing.histories import histories
from earmark.builders.dialogues.releasing.personas import personas
from earmark.builders.dialogues.releasing.prompts import DEFAULT_TEMPLATES
from earmark.builders.dialogues.withdrawing import withdrawn

NEEDS_NO_RECIPE = True
"""The default recipe names no folder of anybody's: it is made offline from nothing."""

__all__ = [
    "DEFAULT_RECIPE",
    "DEFAULT_TEMPLATES",
    "NEEDS_NO_RECIPE",
    "histories",
    "personas",
    "placed",
    "plan",
    "price",
    "withdrawn",
]
