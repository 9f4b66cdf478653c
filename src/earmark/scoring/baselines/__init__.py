"""Baselines: what rules get that do not listen to how something was said.

Each rule answers every owed presentation. `rule` has what one is and the common ones that need nothing but the protocol,
`answers` those of any family that know what is right, `reader` what one learns that has only the words; a family adds its own in
its module of this room. Its `BASELINES` stand beside the headline of every report. `earmark baseline` writes these and all others
(`every`) as prediction files with their reports (`writing`), and `published` chooses what a published copy has of them.
"""

from earmark.scoring.baselines.predictions import write_predictions
from earmark.scoring.baselines.rule import UNIFORM, Baseline, Guess, Guesses, Knowledge, always, uniform

__all__ = ["UNIFORM", "Baseline", "Guess", "Guesses", "Knowledge", "always", "uniform", "write_predictions"]
