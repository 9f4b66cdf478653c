"""How a pairs release is made: utterances of four corpora become pairs that ask which clip fits a target better.

`recipe` and `presets` are what a build is told, `reading` the corpora, `repeats` what has two names in them, `columns` their
utterances as arrays, `sound` what was measured of them; `quotas`, `selections` and `cells` say which pairs are wanted,
`choosing` takes them, `items`, `prompts` and `controls` make the rows, `report` says what came of it, and `planning` puts the
plan together.
"""

from earmark.builders.pairs.planning import plan
from earmark.builders.pairs.prompts import DEFAULT_TEMPLATES
from earmark.builders.pairs.recipe import DEFAULT_RECIPE

__all__ = ["DEFAULT_RECIPE", "DEFAULT_TEMPLATES", "plan"]
