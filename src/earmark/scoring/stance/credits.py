"""Balanced accuracy unit by unit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from earmark.scoring.ladder.credit import Credits, of_groups
from earmark.scoring.stance.gold import read_gold
from earmark.scoring.stance.marks import balanced_accuracy, mark

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.stance.marks import Marked


def credited(release: Release, decisions: Decisions) -> Credits | None:
    """The headline as credits of units, 1 where the score has the gold's sign; None where a dimension lacks a pole."""
    return of_marked(mark(read_gold(release), decisions))


def of_marked(marked: Marked) -> Credits | None:
    """The same of marks. A unit is a speaker in a conversation and weighs as its pole and dimension are shared among them."""
    if balanced_accuracy(marked) is None:
        return None
    gold, units = marked.gold, len(marked.gold.facet)
    first = np.unique(gold.unit, return_index=True)[1]
    cells = [f"{facet} {pole}" for facet, pole in zip(gold.facet.tolist(), gold.positive.tolist(), strict=True)]
    right = np.where(gold.positive, marked.score > 0, marked.score < 0)
    return of_groups([gold.items[n] for n in first], cells, right.astype(np.float64), np.full(units, 0.5))
