"""The counts of a report: what became of every owed presentation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from earmark.manifests.report import OVERALL
from earmark.manifests.revisions.earlier import CommonSubset
from earmark.scoring.decisions.deciding import Outcome

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions.deciding import Decisions


def counts(release: Release, decisions: Decisions) -> Mapping[str, Mapping[str, int]]:
    """Per facet and overall, how many owed presentations came to which outcome, and what else was in the file."""
    items = release.table("items")
    facet_of = dict(zip(items["item_id"].to_pylist(), items["facet"].to_pylist(), strict=True))
    facets = np.array([facet_of[item] for item in decisions.owed.item], np.str_)
    outcomes = decisions.outcomes()
    every: dict[str, Mapping[str, int]] = {}
    for facet in (OVERALL, *sorted(set(facets.tolist()))):
        here = outcomes if facet == OVERALL else outcomes[facets == facet]
        found = {outcome.name.lower(): int(np.count_nonzero(here == outcome)) for outcome in Outcome}
        every[facet] = {"owed": len(here), **found}
    every[OVERALL] = {
        **every[OVERALL],
        "repeated_rows": decisions.repeated,
        "unknown_rows": decisions.unknown,
        "not_owed_rows": decisions.not_owed,
    }
    # Where there is but one version, there is nothing to say.
    if isinstance(release, CommonSubset):
        every[OVERALL] = {**every[OVERALL], "not_common_rows": decisions.withdrawn}
    elif release.manifest.withdrawn is not None:
        every[OVERALL] = {**every[OVERALL], "withdrawn_rows": decisions.withdrawn}
    return every
