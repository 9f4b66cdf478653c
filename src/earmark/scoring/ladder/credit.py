"""Credits: a headline as a weighted sum over units, which is what the ladder compares two files by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from earmark.manifests.errors import EarmarkError
from earmark.scoring.families import family_marks

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.scoring.decisions import Decisions

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Credits:
    """What a file gets of each unit. Units, weights and chances are the same for every file of a release and protocol.

    Args:
        units: (n,) names of the units: pairs, dialogues, or what a speaker says in one conversation.
        weight: (n,) share of each in the headline; they sum to 1.
        credit: (n,) what was got of each, in [0, 1].
        chance: (n,) what a guesser gets of each on average, in [0, 1].
    """

    units: tuple[str, ...]
    weight: Floats
    credit: Floats
    chance: Floats

    @property
    def headline(self) -> float:
        """The family's headline."""
        return float(self.weight @ self.credit)


@runtime_checkable
class CreditedMarks(Protocol):
    """What a family's module provides besides where its headline is a sum of credits."""

    def credited(self, release: Release, decisions: Decisions) -> Credits | None:
        """The headline unit by unit; None where it is undefined."""
        ...


def credited_marks(release: Release) -> CreditedMarks:
    """The family's module, where its headline is a sum of credits.

    Raises:
        EarmarkError: If it is not.
    """
    module: object = family_marks(release)
    if not isinstance(module, CreditedMarks):
        raise EarmarkError(f"the family {release.family.name} cannot be marked with hidden answers")
    return module


def of_groups(units: Sequence[str], group: Sequence[str], credit: Floats, chance: Floats) -> Credits | None:
    """Credits of a headline that is a mean of group means; None where there is no group.

    Args:
        units: (n,) names of the units.
        group: (n,) group of each.
        credit: (n,) what was got of each.
        chance: (n,) what a guesser gets.

    >>> of_groups(["a", "b", "c"], ["x", "x", "y"], np.array([1.0, 0.0, 1.0]), np.full(3, 0.5)).headline
    0.75
    """
    if not len(units):
        return None
    _, number, sizes = np.unique(np.array(group, np.str_), return_inverse=True, return_counts=True)
    return Credits(tuple(units), 1 / (len(sizes) * sizes[number]), credit.astype(np.float64), chance)
