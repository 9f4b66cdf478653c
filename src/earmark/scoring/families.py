"""What a family's module in this room provides, and how it is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from earmark.manifests import registry
from earmark.manifests.errors import EarmarkError
from earmark.scoring.norms import read_norm
from earmark.scoring.norms.marking import NormedMarks

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry, Report
    from earmark.pages.figures import Figure
    from earmark.scoring.against import Judged
    from earmark.scoring.baselines import Baseline
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.listing import Listed
    from earmark.scoring.measuring import Options
    from earmark.scoring.measuring.figured import Figured
    from earmark.scoring.norms import Norm
    from earmark.scoring.ratings import Ratings


class Marks(Protocol):
    """What a family's module in this room provides."""

    BASELINES: Sequence[Baseline]
    GLOSSARY: Mapping[str, str]

    def evaluate(self, release: Release, decisions: Decisions, options: Options) -> list[MetricEntry]:
        """Every figure with its intervals."""
        ...

    def headline(self, release: Release, decisions: Decisions) -> float | None:
        """The figure that ranks."""
        ...

    def draw(self, release: Release, decisions: Decisions, report: Report) -> Sequence[tuple[str, Figure]]:
        """What people would rather look at than read, with captions."""
        ...


@runtime_checkable
class HumanMarks(Protocol):
    """What a family's module provides besides where it can be held against human ratings."""

    def evaluate_human(
        self, release: Release, decisions: Decisions, ratings: Ratings, options: Options
    ) -> list[MetricEntry]:
        """How the submission goes with what people said."""
        ...


@runtime_checkable
class PairedMarks(Protocol):
    """What a family's module provides besides where one submission can be set against another."""

    def evaluate_against(
        self, release: Release, this: Judged, others: Sequence[Judged], options: Options
    ) -> list[MetricEntry]:
        """What sets a submission apart from each of the others, pairwise."""
        ...


@runtime_checkable
class FiguredMarks(Protocol):
    """What a family's module provides besides where any two submissions can be compared in all of its figures."""

    def figured(self, release: Release, decisions: Decisions) -> Figured:
        """Every figure of a submission, before it is measured."""
        ...


@runtime_checkable
class ListedMarks(Protocol):
    """What a family's module provides besides where it can say what became of each item."""

    def listed(self, release: Release, decisions: Decisions) -> Listed:
        """What was got of each item, or of each group of items that is marked as one."""
        ...


def family_marks(release: Release) -> Marks:
    """The family's module in this room.

    Raises:
        UnknownName: If there is none.
    """
    return cast("Marks", registry.family_module("scoring", release.family.name))


def human_marks(release: Release) -> HumanMarks:
    """The family's module, where it knows human ratings.

    Raises:
        EarmarkError: If it does not.
    """
    module: object = family_marks(release)
    if not isinstance(module, HumanMarks):
        raise EarmarkError(f"the family {release.family.name} has no comparison with human ratings")
    return module


def paired_marks(release: Release) -> PairedMarks:
    """The family's module, where it can set one submission against another.

    Raises:
        EarmarkError: If it cannot.
    """
    module: object = family_marks(release)
    if not isinstance(module, PairedMarks):
        raise EarmarkError(f"the family {release.family.name} does not set one submission against another")
    return module


def figured_marks(release: Release) -> FiguredMarks:
    """The family's module, where its figures can be compared.

    Raises:
        EarmarkError: If they cannot.
    """
    module: object = family_marks(release)
    if not isinstance(module, FiguredMarks):
        raise EarmarkError(f"the family {release.family.name} does not say how its figures are drawn")
    return module


def listed_marks(release: Release) -> ListedMarks:
    """The family's module, where it can say what became of each item.

    Raises:
        EarmarkError: If it cannot.
    """
    module: object = family_marks(release)
    if not isinstance(module, ListedMarks):
        raise EarmarkError(f"the family {release.family.name} does not list what became of each item")
    return module


def settled_norms(release: Release, files: Sequence[str | Path]) -> tuple[Norm, ...]:
    """The norms that reports on a release are held against; none where its family has no standard score.

    Raises:
        Refused: If a norm file is none.
        EarmarkError: If two are of the same facet, or the family has no standard score.
    """
    module: object = family_marks(release)
    if isinstance(module, NormedMarks):
        return module.settled([read_norm(Path(file)) for file in files])
    if files:
        raise EarmarkError(f"the family {release.family.name} has no score that is relative to a norm")
    return ()
