"""What a paper mode is made of: worked values, filters in turn, printed figures, and the figures it adds to a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from earmark.manifests.release import Release
    from earmark.manifests.report import MetricEntry, Report
    from earmark.scoring.decisions import Decisions
    from earmark.scoring.measuring import Options

FEWEST_PLACES = 4
"""A worked value that is printed shorter than this is meant exactly."""


@dataclass(frozen=True)
class Cell:
    """One worked value of a paper's own code, beside ours.

    Args:
        case: The input, for people.
        quantity: What was computed from it.
        printed: The value, as it was printed.
        paper: The same in paper mode; None where undefined.
        default: The same by Earmark's default definition; None where that has no such quantity or it is undefined.
        known: What the default is known to give where that is not what was printed.
        why: Why it differs on purpose, or how a slip of print is known; empty where neither.
        corrected: What must come out where the printed value is a slip of print; None where it is not known to be one.
        decimals: Decimal places at which values are compared; None for as many as are printed, and four at least.
    """

    case: str
    quantity: str
    printed: str
    paper: float | None
    default: float | None = None
    known: float | None = None
    why: str = ""
    corrected: float | None = None
    decimals: int | None = None

    @property
    def places(self) -> int:
        """Decimal places at which values are compared."""
        if self.decimals is not None:
            return self.decimals
        return max(FEWEST_PLACES, len(self.printed.partition(".")[2]))

    @property
    def problem(self) -> str | None:
        """What differs and has no explanation; None where all is as it should be."""
        truth = self._shown(float(self.printed) if self.corrected is None else self.corrected)
        if self._shown(self.paper) != truth:
            return (
                f"paper mode gives {self._shown(self.paper)}, not {self.printed if self.corrected is None else truth}"
            )
        expected = truth if self.known is None else self._shown(self.known)
        if self.default is not None and self._shown(self.default) != expected:
            return f"the default gives {self._shown(self.default)}, not {expected}"
        return None

    def _shown(self, value: float | None) -> str:
        return "undefined" if value is None else f"{value + 0.0:.{self.places}f}"


@dataclass(frozen=True)
class Step:
    """Figures after one more filter.

    Args:
        name: The filter.
        means: What it does, for people.
        kept: Units that are left.
        removed: Units that it removed.
        auroc: AUROC of those left; None where undefined.
        consistency: Pole consistency of those left; None where undefined.
    """

    name: str
    means: str
    kept: int
    removed: int
    auroc: float | None
    consistency: float | None


@dataclass(frozen=True)
class Walk:
    """What each of a paper's filters does to one submission in one facet.

    Args:
        submission: Its name.
        facet: Facet id.
        steps: One per filter, in the paper's order.
    """

    submission: str
    facet: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Printed:
    """A figure in a paper's prose.

    Args:
        metric: The metric of a report that it is comparable with.
        facet: Facet id; None for a range over all facets.
        judge: Whom it is about; "all judges" for a range over them.
        low: The figure, or the lower end of a range; None where only the upper end is printed.
        high: The upper end of a range; equal to `low` for a single figure; None where only the lower end is printed.
        place: Where it stands in the paper.
        note: What must be known to read it.
    """

    metric: str
    facet: str | None
    judge: str
    low: float | None
    high: float | None
    place: str
    note: str = ""


@dataclass(frozen=True)
class Section:
    """A table of what follows from a paper's figures.

    Args:
        title: What it is.
        head: Names of the columns.
        rows: One text per column.
        right: Columns that are aligned to the right, from 0.
        note: What must be known to read it.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Paper:
    """A paper mode.

    Args:
        name: What it is called on the command line.
        family: The family that it marks.
        means: What it does, in one sentence.
        caveat: What stands under every comparison with its printed figures.
        evaluate: The figures that it adds to a report: release, decisions, those of others, options.
        cells: The worked values beside ours.
        example: What each filter does to a small submission that needs no release.
        follow: What each filter does to submissions, by name; each is cut to the units that all of them scored; None for a paper
            that leaves nothing out.
        printed: The figures in its prose.
        glossary: What its own metrics mean, for pages.
        worked: Title of its worked values; empty where they are what its own code gave.
        columns: What the three figures of a worked value are called: as printed, in paper mode, by default.
        sections: What follows from its figures, in further tables.
        page: A page of its tables as they are printed, and of reports in the same form, by judge; None without such tables.
    """

    name: str
    family: str
    means: str
    caveat: str
    evaluate: Callable[[Release, Decisions, Sequence[Decisions], Options], list[MetricEntry]]
    cells: Callable[[], tuple[Cell, ...]]
    example: Callable[[], tuple[Walk, ...]]
    follow: Callable[[Release, Sequence[tuple[str, Decisions]]], tuple[Walk, ...]] | None
    printed: tuple[Printed, ...]
    glossary: Mapping[str, str]
    worked: str = ""
    columns: tuple[str, str, str] = ("theirs", "paper mode", "default")
    sections: Callable[[], tuple[Section, ...]] = tuple
    page: Callable[[Sequence[tuple[str, Report]]], str] | None = None

    @property
    def slice(self) -> str:
        """The slice of a report that its figures stand in."""
        return f"paper:{self.name}"
