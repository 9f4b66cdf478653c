"""The shares of a radar as rows of dots with their intervals: what can be read off, where a radar only shows a profile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from earmark.manifests.report import MetricEntry
from earmark.pages.formats import number
from earmark.pages.radar import Spoke, colour_of, drawn, groups_of
from earmark.pages.shown import brief
from earmark.pages.svg import BODY, FAINT, INK, MUTED, Figure, axes_over, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_WIDTH, _LEFT, _PLOT = 372, 146, 178
_ROW, _HEAD, _FOOT = 20, 32, 22
_GAP = 18  # pixels above the first row of a group
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def radar_dots(spokes: Sequence[Spoke], *, title: str, of: str = "facet") -> Figure:
    """One panel of rows for every share of the spokes, each with its first interval.

    Args:
        spokes: The rows, top to bottom, each group under its name; an undefined share says so.
        title: What a screen reader says first.
        of: What a row is of, as the table has it.
    """
    return drawn(spokes, _size, _dots, title=title, of=of)


def _size(spokes: Sequence[Spoke]) -> tuple[float, float]:
    return _WIDTH, _HEAD + _ROW * max(1, len(spokes)) + _GAP * len(groups_of(spokes)) + _FOOT


def _across(share: float) -> float:
    return _LEFT + share * _PLOT


def _dots(drawing: Drawing, spokes: Sequence[Spoke], entries: Sequence[MetricEntry], name: str) -> None:
    axes, groups, foot = axes_over(drawing), groups_of(spokes), _size(spokes)[1] - _FOOT
    write(axes, _across(0.5), 10, name, side="center", size=BODY, bold=True)
    for tick in _TICKS:
        axes.plot([_across(tick)] * 2, [_HEAD, foot], color=FAINT.placeholder, linewidth=0.6)
        write(axes, _across(tick), foot + 12, f"{tick:g}", MUTED, side="center")
    for chance in sorted({entry.chance for entry in entries if entry.chance is not None}):
        axes.plot([_across(chance)] * 2, [_HEAD, foot], color=MUTED.placeholder, linewidth=1.2, dashes=(3, 2))
        write(axes, _across(chance), _HEAD - 7, "chance", MUTED, side="center")
    last = None
    for place, (spoke, entry) in enumerate(zip(spokes, entries, strict=True)):
        level = _HEAD + _ROW * (place + 0.5) + _GAP * (groups.index(spoke.group) + 1)
        colour = colour_of(spokes, spoke).placeholder
        if spoke.group != last:
            write(axes, 10, level - (_ROW + _GAP) / 2 + 2, brief(spoke.group, 24), MUTED, bold=True)
        last = spoke.group
        edge = [level - _ROW / 2, level + _ROW / 2]
        axes.plot([3, 3], edge, color=colour, linewidth=4, solid_capstyle="butt")
        _row(axes, spoke, entry, level, colour)


def _row(axes: Axes, spoke: Spoke, entry: MetricEntry, level: float, colour: str) -> None:
    write(axes, 10, level, brief(spoke.label, 27))
    write(axes, _WIDTH - 2, level, number(entry.value), side="right")
    if entry.value is None:
        write(axes, _across(0.5), level, "undefined", MUTED, side="center", italic=True)
        return
    found = entry.intervals[0] if entry.intervals else None
    if found is not None and found.low is not None and found.high is not None:
        axes.plot([_across(found.low), _across(found.high)], [level] * 2, color=colour, linewidth=2.2)
    x = _across(entry.value)
    axes.plot(x, level, marker="o", linestyle="none", markersize=6.5, color=INK.placeholder, markeredgewidth=0)
