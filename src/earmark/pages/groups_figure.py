"""Groups: judges with their figures, the best first, and a bar for every group within which nothing tells them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.manifests.report import MetricEntry
from earmark.pages.forest import spread
from earmark.pages.formats import NOTHING, marked_ends, metric_label, number
from earmark.pages.notes import conditional_note
from earmark.pages.shown import briefs, shown
from earmark.pages.svg import ACCENT, BODY, FAINT, INK, MUTED, Figure, Table, axes_over, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

MOST_BARS = 12
"""Groups that are drawn; the table's letters have all."""

_LABEL, _PLOT, _ROW, _HEAD, _FOOT, _BAR, _WORD = 190, 190, 24, 40, 26, 16, 46


@dataclass(frozen=True)
class GroupRow:
    """One judge.

    Args:
        label: Its name.
        entry: Its figure.
        letters: The groups that it is in.
        coverage: Share of what it owes that has a valid answer, as text.
    """

    label: str
    entry: MetricEntry
    letters: str
    coverage: str


def groups_figure(rows: Sequence[GroupRow], groups: Sequence[Sequence[int]], *, title: str) -> Figure:
    """Judges and their groups.

    Args:
        rows: The judges, the best first.
        groups: For each group the numbers of its members.
        title: What a screen reader says first.
    """
    head = ("judge", "groups", "value", "interval", "coverage", "n")
    table = tuple(
        (
            shown(row.label, 120),
            row.letters or NOTHING,
            number(row.entry.value),
            marked_ends(row.entry.intervals[0]) if row.entry.intervals else NOTHING,
            row.coverage,
            f"{row.entry.n:,}",
        )
        for row in rows
    )
    drawn = list(groups)[:MOST_BARS]
    width = _LABEL + _PLOT + 62 + max(_WORD, _BAR * len(drawn))
    height = _HEAD + _ROW * max(1, len(rows)) + _FOOT
    described = "; ".join(f"{cells[0]}: {cells[2]}, groups {cells[1]}" for cells in table)

    def draw(drawing: Drawing) -> None:
        axes = axes_over(drawing)
        _axis(axes, rows, height)
        for place, row in enumerate(rows):
            _row(axes, rows, row, _level(place))
        for place, members in enumerate(drawn):
            _group(axes, members, _LABEL + _PLOT + 62 + _BAR * (place + 0.5), place)

    panel = render(width, height, draw, title=title, description=described or "Nothing to show")
    note = conditional_note([row.entry for row in rows], first_only=True)
    return Figure((panel,), Table(head, table), note)


def _level(place: int) -> float:
    return _HEAD + _ROW * (place + 0.5)


def _across(rows: Sequence[GroupRow], value: float) -> float:
    low, high, _ = spread([row.entry for row in rows])
    return _LABEL + (value - low) / (high - low) * _PLOT


def _axis(axes: Axes, rows: Sequence[GroupRow], height: float) -> None:
    low, high, step = spread([row.entry for row in rows])
    foot = height - _FOOT
    for count in range(round((high - low) / step) + 1):
        value = low + count * step
        axes.plot([_across(rows, value)] * 2, [_HEAD - 6, foot], color=FAINT.placeholder, linewidth=0.6)
        write(axes, _across(rows, value), foot + 12, f"{value:.3g}".replace("-", "−"), MUTED, side="center")
    write(axes, 4, 14, metric_label(rows[0].entry.metric) if rows else "", MUTED)
    write(axes, _LABEL + _PLOT + 66, 14, "groups", MUTED)


def _row(axes: Axes, rows: Sequence[GroupRow], row: GroupRow, level: float) -> None:
    write(axes, 4, level, briefs([one.label for one in rows], 28)[row.label], size=BODY)
    if row.entry.value is None:
        write(axes, _LABEL + _PLOT / 2, level, "undefined", MUTED, side="center", italic=True)
        return
    for found in row.entry.intervals[:1]:
        if found.low is not None and found.high is not None:
            ends = [_across(rows, found.low), _across(rows, found.high)]
            axes.plot(ends, [level] * 2, color=ACCENT.placeholder, linewidth=2.4)
    axes.plot(
        _across(rows, row.entry.value),
        level,
        marker="o",
        linestyle="none",
        markersize=7,
        color=INK.placeholder,
        markeredgewidth=0,
    )
    write(axes, _LABEL + _PLOT + 50, level, number(row.entry.value), side="right", size=BODY)


def _group(axes: Axes, members: Sequence[int], across: float, place: int) -> None:
    """A group as a line over the rows that it spans, with a dot at each member: one that it passes over is not in it."""
    write(axes, across, _HEAD - 12, chr(ord("a") + place), MUTED, side="center")
    levels = [_level(member) for member in members]
    axes.plot([across] * 2, [min(levels) - 5, max(levels) + 5], color=MUTED.placeholder, linewidth=1.2)
    for level in levels:
        axes.plot(
            across, level, marker="o", linestyle="none", markersize=6, color=ACCENT.placeholder, markeredgewidth=0
        )
