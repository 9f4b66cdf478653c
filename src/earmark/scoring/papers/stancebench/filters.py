"""The speakers that StanceBench's notebook leaves out, filter by filter in its order.

The paper states none of the last three. They condition on what the judge answered, and the first of those on what other judges
answered: speakers whom a judge finds hard are left out of that judge's figures, so figures of different judges are over
different speakers. The failure rate is over those attempted; order disagreement is taken after the row intersection and before
the two exclusions; accuracies after all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from earmark.scoring.papers.stancebench.judged import Bools, Speakers

MOST_DISAGREEMENT = 0.2
"""A speaker whose items disagree in this share or more is excluded: with up to five items, one is enough."""


@dataclass(frozen=True)
class Filter:
    """A rule that leaves speakers out.

    Args:
        name: Its name in reports.
        means: What it does.
        keeps: (u,) booleans of the speakers that it keeps.
    """

    name: str
    means: str
    keeps: Callable[[Speakers], Bools]


@dataclass(frozen=True, eq=False)
class Filtered:
    """Who is left after a filter and all before it.

    Args:
        filter: The filter.
        before: (u,) who was left before.
        kept: (u,) who is left.
    """

    filter: Filter
    before: Bools
    kept: Bools

    @property
    def removed(self) -> int:
        """How many it removed."""
        return int(np.count_nonzero(self.before & ~self.kept))


def agrees_with_itself(speakers: Speakers) -> Bools:
    """(u,) whether fewer than a fifth of the speaker's items disagree; false without items."""
    with np.errstate(invalid="ignore"):
        return speakers.disagreement < MOST_DISAGREEMENT


def keeps_its_sign(speakers: Speakers) -> Bools:
    """(u,) whether the mean mapped scores of v0 and v1 are not of opposite signs; 0 is opposite to nothing."""
    with np.errstate(invalid="ignore"):
        return ~(speakers.mapped[:, 0] * speakers.mapped[:, 1] < 0)


ATTEMPTED = Filter("not_attempted", "no row for any of the speaker's clips", lambda speakers: speakers.attempted)
SCORED = Filter("failed", "not one clip with a valid verdict in both orders", lambda speakers: speakers.scored)
COMMON = Filter("row_intersection", "another submission of the comparison failed", lambda speakers: speakers.common)
DISAGREEMENT = Filter("disagreement", "a fifth or more of the items disagree over the two orders", agrees_with_itself)
SIGN_RULE = Filter("sign_rule", "mean mapped scores of the two orders have opposite signs", keeps_its_sign)

FILTERS = (ATTEMPTED, SCORED, COMMON, DISAGREEMENT, SIGN_RULE)
"""In the notebook's order; its last step excludes by the last two at once."""


def apply_filters(speakers: Speakers) -> tuple[Filtered, ...]:
    """Every filter in turn, each on what those before it left."""
    left = np.ones(len(speakers.positive), np.bool_)
    found = []
    for rule in FILTERS:
        kept = left & rule.keeps(speakers)
        found.append(Filtered(rule, left, kept))
        left = kept
    return tuple(found)
