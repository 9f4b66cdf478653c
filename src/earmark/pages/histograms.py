"""Histograms side by side, each with the marks that a value must reach: a bar that lies below the first mark is pale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from earmark.pages.formats import NOTHING
from earmark.pages.shown import brief, shown
from earmark.pages.svg import ACCENT, BODY, FAINT, INK, MUTED, Figure, Table, axes_over, block, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

BARS = 16
"""About as many bars a histogram has."""

_WIDTH, _LEFT, _PLOT = 340, 10, 320
_HEAD, _HIGH, _FOOT = 66, 92, 40
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Mark:
    """A value that something begins at.

    Args:
        at: The value.
        label: What begins, in a word or two.
    """

    at: float
    label: str


@dataclass(frozen=True)
class Histogram:
    """A panel.

    Args:
        label: Its name.
        values: What is counted, each >= 0.
        unit: Their unit.
        marks: Ascending.
        absent: How many have no value.
        step: Width of a bar; one that suits the values without.
        axis: What stands below the axis; the unit without.
    """

    label: str
    values: tuple[float, ...]
    unit: str
    marks: tuple[Mark, ...] = ()
    absent: int = 0
    step: float | None = None
    axis: str = ""


def histograms(panels: Sequence[Histogram], *, of: str) -> Figure:
    """Panels and a table of their bars.

    Args:
        panels: The panels.
        of: What is counted, in the plural, such as turns.
    """
    rows = tuple(
        (f"{shown(panel.label, 60)}: {_range(low, high, panel.unit)}", f"{count:,}")
        for panel in panels
        for low, high, count in binned(panel)
    )
    missing = tuple((f"{shown(panel.label, 60)}: undefined", f"{panel.absent:,}") for panel in panels if panel.absent)
    return Figure(tuple(_panel(panel, of) for panel in panels), Table(("bar", of), (*rows, *missing)))


def binned(panel: Histogram) -> tuple[tuple[float, float, int], ...]:
    """Bars as lower end, upper end and how many values are in it; the lower end is in the bar, and the last bar's upper.

    Bars begin at 0 and are of one width; the first mark lies between two of them where that does not make them narrow.

    >>> binned(Histogram("", (0.0, 0.5, 1.0, 2.0), "", step=1.0))
    ((0.0, 1.0, 2), (1.0, 2.0, 2))
    """
    top = max((*panel.values, *(mark.at for mark in panel.marks)), default=0.0)
    width = panel.step or _width(top)
    first = panel.marks[0].at if panel.marks else 0.0
    if panel.step is None and first > 0 and first / width > 0.5:
        width = first / max(1, round(first / width))
    count = max(1, ceil(round(top / width, 9)))
    counts = [0] * count
    for value in panel.values:
        counts[min(count - 1, floor(round(value / width, 9)))] += 1
    return tuple((place * width, (place + 1) * width, found) for place, found in enumerate(counts))


def _width(top: float) -> float:
    """A round width of which about `BARS` reach the top."""
    if top <= 0:
        return 1.0
    rough = top / BARS
    scale = 10.0 ** floor(log10(rough))
    return next(step * scale for step in _STEPS if step * scale >= rough * (1 - 1e-9))


def _panel(panel: Histogram, of: str) -> str:
    bars = binned(panel)
    total = len(panel.values) + panel.absent
    first = panel.marks[0].at if panel.marks else 0.0
    reached = sum(value >= first for value in panel.values)
    said = f"{reached:,} of {total:,} {of}"
    said += f" reach {first:g}" if panel.marks else ""
    said += f"; {panel.absent:,} undefined" if panel.absent else ""
    marks = "; ".join(f"{mark.label} from {mark.at:g}" for mark in panel.marks)

    def draw(drawing: Drawing) -> None:
        axes = axes_over(drawing)
        write(axes, 4, 12, brief(panel.label, 40), size=BODY + 1.5, bold=True)
        write(axes, 4, 30, said, MUTED)
        if total:
            _bars(axes, panel, bars, first)

    height = float(_HEAD + (_HIGH if total else 0) + _FOOT)
    words = [f"{count:,} in {_range(low, high, panel.unit)}" for low, high, count in bars if count]
    described = "; ".join([said, *([marks] if marks else []), *words]) if total else "Nothing to show"
    return render(_WIDTH, height, draw, title=shown(panel.label, 60), description=described)


def _bars(axes: Axes, panel: Histogram, bars: Sequence[tuple[float, float, int]], first: float) -> None:
    foot, tallest, end = _HEAD + _HIGH, max(1, *(count for *_, count in bars)), bars[-1][1]

    def across(value: float) -> float:
        return _LEFT + value / end * _PLOT

    axes.plot([4, _WIDTH - 4], [foot, foot], color=FAINT.placeholder, linewidth=1)
    for low, high, count in bars:
        if not count:
            continue
        tall = (_HIGH - 8) * count / tallest
        pale = high <= first + 1e-9
        gap = min(1.5, (across(high) - across(low)) / 8)
        colour, opacity = (INK, 0.08) if pale else (ACCENT, 0.35)
        block(axes, across(low) + gap, across(high) - gap, foot - tall / 2, tall, colour, opacity=opacity, edge=0.9)
        if count == tallest:
            write(axes, (across(low) + across(high)) / 2, foot - tall - 7, f"{count:,}", MUTED, side="center")
    taken = 0.0
    for mark in panel.marks:
        x = across(mark.at)
        axes.plot([x, x], [_HEAD - 9, foot], color=MUTED.placeholder, linewidth=1.1, dashes=(3, 2))
        # A label that would run into the one before it stands at its end.
        left = max(x + 3, taken)
        width = 5.3 * len(mark.label)
        if left + width <= _WIDTH:
            write(axes, left, _HEAD - 15, mark.label, MUTED)
            taken = left + width + 4
    step = _tick_step(end)
    for number in range(floor(end / step + 1e-9) + 1):
        write(axes, across(number * step), foot + 11, f"{number * step:g}", MUTED, side="center")
    write(axes, 4, foot + 28, panel.axis or panel.unit or NOTHING, MUTED)


def _tick_step(end: float) -> float:
    scale = 10.0 ** floor(log10(end / 4))
    return next(step * scale for step in _STEPS if end / (step * scale) <= 5.001)


def _range(low: float, high: float, unit: str) -> str:
    return f"{low:.3g} to {high:.3g} {shown(unit, 20)}".rstrip()
