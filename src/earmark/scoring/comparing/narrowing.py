"""Decisions about fewer items: those that two judges both owe, or that all of them answered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from earmark.scoring.decisions import Owed

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions


def narrowed(decisions: Decisions, items: Collection[str]) -> Decisions:
    """The same decisions about some items alone, as if nothing else had been owed."""
    owed = decisions.owed
    kept = np.array([item in items for item in owed.item], np.bool_)
    if kept.all():
        return decisions
    place = np.cumsum(kept) - 1
    rows = kept[decisions.presentation]
    places = np.flatnonzero(kept).tolist()
    ids = tuple(owed.ids[n] for n in places)
    return replace(
        decisions,
        owed=Owed(owed.protocol, ids, tuple(owed.item[n] for n in places), tuple(owed.order[n] for n in places)),
        presentation=place[decisions.presentation[rows]],
        run=decisions.run[rows],
        outcome=decisions.outcome[rows],
        choice=decisions.choice[rows],
        probability=decisions.probability[rows],
        unparsed=tuple(row for row in decisions.unparsed if row.presentation in frozenset(ids)),
    )


def whole_groups(release: Release, items: Collection[str], among: Collection[str]) -> frozenset[str]:
    """Those of some items whose whole group is among them: half a dialogue cannot be marked. An item without a group is one.

    Args:
        release: The release that they are of.
        items: Some item ids.
        among: Ids of all items that are asked about; no other counts for a group.
    """
    table = release.table("items").select(["item_id", "group"])
    members: dict[str, set[str]] = defaultdict(set)
    for item, group in zip(table["item_id"].to_pylist(), table["group"].to_pylist(), strict=True):
        if item in among:
            members[item if group is None else f"group {group}"].add(item)
    kept = frozenset(items)
    return frozenset(item for group in members.values() if group <= kept for item in group)
