"""How often clips are used: of every group, bars of how many clips stand in one pair, in two, and so on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from earmark.pages.formats import NOTHING
from earmark.pages.shown import brief, shown
from earmark.pages.svg import ACCENT, BODY, FAINT, MUTED, Figure, Table, axes_over, block, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

MOST_BARS = 9
"""Where there are more numbers of uses than this, they are put together in ranges of one width."""

_WIDTH, _LEFT, _PLOT = 340, 8, 324
_HEAD, _HIGH, _FOOT = 60, 96, 36


@dataclass(frozen=True)
class Uses:
    """How often things of one sort are used.

    Args:
        histogram: (uses, how many are used so often), ascending, without those never used.
        effective: Kish's effective number; None where nothing is used.
    """

    histogram: tuple[tuple[int, int], ...]
    effective: float | None

    @property
    def used(self) -> int:
        """How many are used at all."""
        return sum(count for _, count in self.histogram)

    @property
    def most(self) -> int:
        """How often the one that is used most is."""
        return max((times for times, _ in self.histogram), default=0)


@dataclass(frozen=True)
class ReuseRow:
    """One group.

    Args:
        label: Its name.
        available: How many clips there were to choose from.
        clips: Uses of its clips.
        speakers: Uses of its speakers.
    """

    label: str
    available: int
    clips: Uses
    speakers: Uses


def reuse_bars(rows: Sequence[ReuseRow]) -> Figure:
    """A panel a group, and a table with the effective numbers of clips and speakers.

    Args:
        rows: The groups.
    """
    head = ("criterion", "clips at hand", "clips used", "effective clips", "most pairs of one clip")
    speakers = ("speakers used", "effective speakers", "most pairs of one speaker")
    table = tuple(
        (
            shown(row.label, 60),
            f"{row.available:,}",
            f"{row.clips.used:,}",
            effective(row.clips),
            f"{row.clips.most:,}",
            f"{row.speakers.used:,}",
            effective(row.speakers),
            f"{row.speakers.most:,}",
        )
        for row in rows
    )
    return Figure(tuple(_panel(row) for row in rows), Table((*head, *speakers), table))


def effective(uses: Uses) -> str:
    """An effective number, to a tenth.

    >>> effective(Uses(((1, 2), (2, 1)), 8 / 3)), effective(Uses((), None))
    ('2.7', '—')
    """
    return NOTHING if uses.effective is None else f"{uses.effective:,.1f}"


def binned(histogram: Sequence[tuple[int, int]], most: int = MOST_BARS) -> tuple[tuple[int, int, int], ...]:
    """Bars as first and last number of uses and how many are used so often; every number up to the largest is in one.

    >>> binned([(1, 5), (3, 2)])
    ((1, 1, 5), (2, 2, 0), (3, 3, 2))
    >>> binned([(1, 5), (2, 1), (5, 2)], most=3)
    ((1, 2, 6), (3, 4, 0), (5, 6, 2))
    """
    last = max((times for times, _ in histogram), default=0)
    width = -(-last // most) or 1
    edges = range(1, last + width + 1, width)
    return tuple(
        (low, high - 1, sum(count for times, count in histogram if low <= times < high))
        for low, high in pairwise(edges)
    )


def _panel(row: ReuseRow) -> str:
    bars = binned(row.clips.histogram)
    height = _HEAD + (_HIGH if bars else 20) + _FOOT
    words = [f"{count:,} clips in {_range(low, high)} pairs" for low, high, count in bars if count]
    said = (
        f"{row.clips.used:,} of {row.available:,} clips used; they weigh like {effective(row.clips)}",
        f"{row.speakers.used:,} speakers; they weigh like {effective(row.speakers)}",
    )

    def draw(drawing: Drawing) -> None:
        axes = axes_over(drawing)
        write(axes, 4, 12, brief(row.label, 40), size=BODY + 1.5, bold=True)
        if not bars:
            write(axes, 4, 40, "no clip is used", MUTED, italic=True)
            return
        for place, line in enumerate(said):
            write(axes, 4, 31 + 14 * place, line, MUTED)
        _bars(axes, bars)

    title = f"Reuse of clips in {shown(row.label, 60)}"
    return render(
        _WIDTH, height, draw, title=title, description="; ".join([*said, *words]) if bars else "No clip is used"
    )


def _bars(axes: Axes, bars: Sequence[tuple[int, int, int]]) -> None:
    foot, tallest = _HEAD + _HIGH, max(count for *_, count in bars)
    step = min(40.0, _PLOT / len(bars))
    axes.plot([4, _WIDTH - 4], [foot, foot], color=FAINT.placeholder, linewidth=1)
    every = 2 if max(len(_range(low, high)) for low, high, _ in bars) > 5 else 1  # long ones would run into one another
    for place, (low, high, count) in enumerate(bars):
        middle = _LEFT + step * (place + 0.5)
        tall = (_HIGH - 18) * count / tallest
        if count:
            half = step * 0.36
            block(axes, middle - half, middle + half, foot - tall / 2, tall, ACCENT, opacity=0.3, edge=1)
            write(axes, middle, foot - tall - 8, f"{count:,}", side="center")
        if place % every == 0:
            write(axes, middle, foot + 10, _range(low, high), MUTED, side="center")
    write(axes, 4, foot + 26, "number of pairs that a clip stands in", MUTED)


def _range(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low}-{high}"
