"""What a family makes of a submission before anything is measured: its figures, and the clusters that they are drawn by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from earmark.scoring.measuring.measure import Figure, Ladder, Numbering, measure
from earmark.scoring.measuring.numbering import numbering

if TYPE_CHECKING:
    from earmark.manifests.report import MetricEntry
    from earmark.scoring.measuring.measure import Options

Better: TypeAlias = Literal[1, -1]

HIGHER: Final = 1
LOWER: Final = -1


@dataclass(frozen=True, eq=False)
class Figured:
    """The figures of one submission.

    Submissions that owe the same items number their clusters alike, whoever was judged and whatever was answered, so that the
    figures of two of them can be drawn together.

    Args:
        figures: What can be measured.
        ladders: For each interval wanted, the units to resample from the largest down; the first gives p.
        number: Numbers the clusters of a level over some figures, and draws them.
        better: Metric → whether a judge is better the higher it is, or the lower; a metric that is absent ranks nobody.
        leading: The metrics that people compare first, the headline before all.
    """

    figures: tuple[Figure, ...]
    ladders: tuple[Ladder, ...]
    number: Callable[[str, Iterable[Figure]], Numbering] = numbering
    better: Mapping[str, Better] = field(default_factory=dict)
    leading: tuple[str, ...] = ()

    def measured(self, options: Options) -> list[MetricEntry]:
        """Every figure with its intervals, in the figures' order."""
        return measure(self.figures, self.ladders, options, number=self.number)

    def whole(self, level: str, figures: Iterable[Figure]) -> Numbering:
        """The clusters of all figures of a facet, whichever of them are measured: so that none depends on which those are.

        Args:
            level: The unit, as a rung names it.
            figures: Some figures, all of one facet.
        """
        facet = next(iter(figures)).facet
        return self.number(level, [figure for figure in self.figures if figure.facet == facet])
