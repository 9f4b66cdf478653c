"""The gold of the stance family: which pole each unit, one speaker in one conversation, was asked to play."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.errors import ReleaseError
from earmark.manifests.families.stance import NEGATIVE, POSITIVE
from earmark.manifests.rows import text
from earmark.scoring.measuring import Codes
from earmark.scoring.measuring.clusters import item_clusters

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.statistics.statistic import Bools


@dataclass(frozen=True, eq=False)
class Gold:
    """What is asked and what is right, item by item and unit by unit.

    Args:
        items: (k,) item ids, ascending.
        unit: (k,) unit of each item.
        facet: (u,) facet of each unit.
        positive: (u,) whether the unit's gold is P.
        role: (u,) role of each unit.
        levels: For each unit of resampling, the cluster of each unit, (u,) each.
    """

    items: tuple[str, ...]
    unit: Codes
    facet: NDArray[np.str_]
    positive: Bools
    role: NDArray[np.str_]
    levels: Mapping[str, Codes]

    def narrowed(self, owed: Collection[str]) -> Gold:
        """The gold of those items alone that a protocol owes, and of the units that have one of them."""
        kept = np.array([item in owed for item in self.items], np.bool_)
        if kept.all():
            return self
        units, unit = np.unique(self.unit[kept], return_inverse=True)
        return Gold(
            items=tuple(compress(self.items, kept)),
            unit=unit.astype(np.int64),
            facet=self.facet[units],
            positive=self.positive[units],
            role=self.role[units],
            levels={name: codes[units] for name, codes in self.levels.items()},
        )


def read_gold(release: Release) -> Gold:
    """The gold of a release.

    Raises:
        PrivateSideMissing: If this copy has none.
        ReleaseError: If an item has no gold, or nothing says who speaks in it.
    """
    answers = {text(row, "item_id"): row for row in release.table("answers").to_pylist()}
    facets = {text(row, "item_id"): text(row, "facet") for row in release.table("items").to_pylist()}
    items = tuple(sorted(facets))
    if odd := [item for item in items if item not in answers or answers[item]["gold"] not in (POSITIVE, NEGATIVE)]:
        raise ReleaseError(f"item {odd[0]} of {release.path} has no gold; `earmark validate` says what else is wrong")
    clusters = item_clusters(release, items, role="target")
    # A unit plays one role; where the conversation is not known, only its name keeps two of them apart.
    names = [
        (facets[item], speaker, conversation, text(answers[item], "gold"), text(answers[item], "role"))
        for item, speaker, conversation in zip(items, clusters.speaker, clusters.conversation, strict=True)
    ]
    units = sorted(set(names))
    number = {unit: n for n, unit in enumerate(units)}
    unit = np.array([number[name] for name in names], np.int64)
    first = np.unique(unit, return_index=True)[1]

    def codes(values: Sequence[str]) -> Codes:
        return np.unique(np.array(values, np.str_)[first], return_inverse=True)[1].astype(np.int64)

    return Gold(
        items=items,
        unit=unit,
        facet=np.array([facet for facet, *_ in units], np.str_),
        positive=np.array([gold == POSITIVE for *_, gold, _ in units], np.bool_),
        role=np.array([role for *_, role in units], np.str_),
        levels={
            "speaker": codes(clusters.speaker),
            "conversation": codes(clusters.conversation),
            "prompt": codes(clusters.prompt),
            "unit": np.arange(len(units), dtype=np.int64),
        },
    )
