"""Macro accuracy pair by pair."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

from earmark.manifests.families.pairs import CONTROL
from earmark.scoring.ladder.credit import Credits, of_groups
from earmark.scoring.pairs.gold import read_gold
from earmark.scoring.pairs.marks import mark

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.pairs.marks import Marked


def credited(release: Release, decisions: Decisions) -> Credits | None:
    """The headline as credits of pairs, the share of a pair's presentations that is right; None where there is none."""
    return of_marked(mark(read_gold(release), decisions))


def of_marked(marked: Marked) -> Credits | None:
    """The same of marks; control pairs are in no mean."""
    gold, counted = marked.gold, marked.gold.facet != CONTROL
    units = list(compress(gold.items, counted.tolist()))
    return of_groups(units, gold.facet[counted].tolist(), marked.right[counted], marked.chance[counted])
