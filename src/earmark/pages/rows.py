"""Rows of labels with shares between them: the frame that paired dots and nested bars are drawn in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from earmark.manifests.report import MetricEntry
from earmark.pages.formats import NOTHING, marked_ends, number
from earmark.pages.shown import brief, shown
from earmark.pages.svg import BODY, FAINT, MUTED, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, LEFT, PLOT = 460, 176, 208
ROW, HEAD, FOOT = 26, 40, 26
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def height_of(rows: int) -> float:
    """Height of a drawing with so many rows, in pixels."""
    return float(HEAD + ROW * max(1, rows) + FOOT)


def across(share: float) -> float:
    """Where a share of 0 … 1 lies, in pixels from the left."""
    return LEFT + share * PLOT


def level_of(row: int) -> float:
    """Where the middle of a row lies, in pixels from the top."""
    return HEAD + ROW * (row + 0.5)


def axis(axes: Axes, rows: int) -> None:
    """Draw the lines and ticks of shares from 0 to 1 behind so many rows."""
    foot = height_of(rows) - FOOT
    for tick in _TICKS:
        axes.plot([across(tick)] * 2, [HEAD - 6, foot], color=FAINT.placeholder, linewidth=0.6, zorder=0)
        write(axes, across(tick), foot + 12, f"{tick:g}", MUTED, side="center")


def label(axes: Axes, row: int, name: str, value: str) -> None:
    """Write what stands at the left and at the right of a row."""
    write(axes, 4, level_of(row), brief(name, 28), size=BODY)
    write(axes, WIDTH - 4, level_of(row), value, side="right", size=BODY)


def undefined(axes: Axes, row: int) -> None:
    """Say that a row has nothing to be drawn."""
    write(axes, across(0.5), level_of(row), "undefined", MUTED, side="center", italic=True)


def cells(entry: MetricEntry) -> tuple[str, str]:
    """A figure and its first interval as cells of a table; an undefined one with its reason."""
    if entry.value is None:
        return f"{NOTHING} {shown(entry.reason or '')}".strip(), NOTHING
    return number(entry.value), marked_ends(entry.intervals[0]) if entry.intervals else NOTHING
