"""What units of a headline depend on: their facet, and whose voices are in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.rows import optional_text, text
from earmark.scoring.families import family_marks

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.statistics.statistic import Ints


@runtime_checkable
class DependentMarks(Protocol):
    """What a family's module says besides where not every clip of a unit makes it depend on its speaker."""

    DEPENDENT_ROLES: Sequence[str]


def dependent_roles(release: Release) -> tuple[str, ...] | None:
    """The roles of clips whose speakers units depend on: of none at all, or, None, of every one."""
    marks: object = family_marks(release)
    return tuple(marks.DEPENDENT_ROLES) if isinstance(marks, DependentMarks) else None


def facets_of(release: Release, units: Sequence[str]) -> NDArray[np.str_]:
    """The facet of each unit, (n,), which is an item or a group of items."""
    facet = {}
    for row in release.table("items").to_pylist():
        facet[text(row, "item_id")] = text(row, "facet")
        if (group := optional_text(row, "group")) is not None:
            facet[group] = text(row, "facet")
    return np.array([facet[unit] for unit in units], np.str_)


def speakers_of(release: Release, units: Sequence[str]) -> Ints:
    """The speakers that units depend on.

    Args:
        release: With its private side.
        units: Items, or groups of items.

    Returns:
        (n, 2) number of each unit's speakers, the same one twice where it has one; more than two are one together, and a
        unit of none is by itself.

    Raises:
        PrivateSideMissing: If this copy has no private side.
    """
    roles = dependent_roles(release)
    speaker = {text(row, "clip_id"): text(row, "speaker") for row in release.table("sources").to_pylist()}
    heard: dict[str, set[str]] = defaultdict(set)
    for row in release.table("item_clips").to_pylist():
        if roles is None or row["role"] in roles:
            heard[text(row, "item_id")].add(speaker[text(row, "clip_id")])
    for row in release.table("items").to_pylist():
        if (group := optional_text(row, "group")) is not None:
            heard[group] |= heard[text(row, "item_id")]
    names: list[tuple[str, str]] = []
    for unit in units:
        those = sorted(heard[unit]) or [f"unit {unit}"]  # of nobody, and so by itself
        names.append((those[0], those[-1]) if len(those) <= 2 else (" ".join(those),) * 2)
    numbers = np.unique(np.array(names, np.str_).reshape(-1), return_inverse=True)[1]
    return numbers.reshape(-1, 2).astype(np.int64)
