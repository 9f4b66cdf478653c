"""A Love plot: how far each nuisance differs within pairs before and after matching, in its own standard deviations.

A row is one nuisance of one group of cells. Its upper lane is before matching, open; its lower one after, filled. In each lane
a mark stands at the worst cell, joined to a bar at the median one. Marks are circles where differences are directed,
so that the goal is for them, and diamonds where they are not. Distances are drawn as square roots: what
matters happens near nought.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from earmark.pages.formats import NOTHING, metric_label, number
from earmark.pages.shown import brief, shown
from earmark.pages.svg import (
    ACCENT,
    BODY,
    FAINT,
    INK,
    MUTED,
    PAPER,
    Colour,
    Figure,
    Table,
    axes_over,
    block,
    render,
    write,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_WIDTH, _LEFT, _PLOT = 460, 128, 258
_TITLE, _LEGEND, _HEAD, _ROW, _LANE, _FOOT = 26, 22, 30, 30, 6, 30
_TICKS = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0, 1000.0)
_LEAST = 0.5  # the axis goes at least so far

DIRECTED, UNDIRECTED = "directed", "undirected"


@dataclass(frozen=True)
class CellDifference:
    """A nuisance in one cell.

    Args:
        cell: Name of the cell.
        before: Standardised mean difference over all admissible pairs, at least 0; None where undefined.
        after: The same over the chosen pairs.
        reason: Why one of them is None.
    """

    cell: str
    before: float | None
    after: float | None
    reason: str = ""


@dataclass(frozen=True)
class LoveRow:
    """A nuisance in the cells of a group whose differences are of one sort.

    Args:
        group: Name of the group, such as a criterion; rows of one group stand together.
        nuisance: Name of the nuisance.
        directed: Whether differences are of one side less the other, so that they cancel out; otherwise they are absolute.
        cells: The cells, at least one.
    """

    group: str
    nuisance: str
    directed: bool
    cells: tuple[CellDifference, ...]

    @property
    def sort(self) -> str:
        """The sort of its differences."""
        return DIRECTED if self.directed else UNDIRECTED


@dataclass(frozen=True)
class Spread:
    """Worst and median of the cells that have a difference.

    Args:
        worst: The largest; None where no cell has one.
        at: Name of the first cell that has it.
        middle: The median.
    """

    worst: float | None
    at: str
    middle: float | None


def spread(values: Sequence[tuple[str, float | None]]) -> Spread:
    """Worst and median of named differences.

    >>> spread([("a", 0.1), ("b", None), ("c", 0.3)])
    Spread(worst=0.3, at='c', middle=0.2)
    >>> spread([("b", None)]).worst is None
    True
    """
    known = [(name, value) for name, value in values if value is not None]
    if not known:
        return Spread(None, "", None)
    at, worst = max(known, key=lambda pair: pair[1])
    return Spread(worst, at, median(value for _, value in known))


def before_of(row: LoveRow) -> Spread:
    """Worst and median cell before matching."""
    return spread([(cell.cell, cell.before) for cell in row.cells])


def after_of(row: LoveRow) -> Spread:
    """Worst and median cell after matching."""
    return spread([(cell.cell, cell.after) for cell in row.cells])


def love_plot(rows: Sequence[LoveRow], *, goal: float) -> Figure:
    """One panel a group, on one common axis; directed rows above undirected ones.

    Args:
        rows: The rows, in the order in which groups and nuisances stand.
        goal: Directed differences up to this are taken for balance; positive.
    """
    groups = dict.fromkeys(row.group for row in rows)
    values = [value for row in rows for cell in row.cells for value in (cell.before, cell.after) if value is not None]
    end = max(_LEAST, goal, *values, 0.0)
    panels = tuple(_panel(group, _ordered(rows, group), goal, end) for group in groups)
    return Figure(panels, love_table(rows, goal=goal))


def love_table(rows: Sequence[LoveRow], *, goal: float) -> Table:
    """The numbers of a Love plot: worst and median cell of every row, and how many are beyond the goal.

    Args:
        rows: The rows, in the order in which groups and nuisances stand.
        goal: Directed differences up to this are taken for balance; positive.
    """
    head = (
        "nuisance",
        "differences",
        "cells",
        "undefined",
        "median before",
        "median after",
        "worst before",
        "worst after",
        f"above {goal:g} after",
        "worst cell after",
    )
    groups = dict.fromkeys(row.group for row in rows)
    return Table(head, tuple(_cells(row, goal) for group in groups for row in _ordered(rows, group)))


def _ordered(rows: Sequence[LoveRow], group: str) -> list[LoveRow]:
    return sorted((row for row in rows if row.group == group), key=lambda row: not row.directed)


def _cells(row: LoveRow, goal: float) -> tuple[str, ...]:
    """A row of the table."""
    before, after = before_of(row), after_of(row)
    undefined = [cell for cell in row.cells if cell.after is None or cell.before is None]
    above = sum(cell.after is not None and cell.after > goal for cell in row.cells)
    return (
        f"{shown(row.group, 60)}: {metric_label(row.nuisance)}",
        row.sort,
        f"{len(row.cells):,}",
        f"{len(undefined):,}",
        number(before.middle),
        number(after.middle),
        number(before.worst),
        number(after.worst),
        f"{above:,}" if row.directed else NOTHING,
        shown(after.at, 160) or NOTHING,
    )


def _panel(group: str, rows: Sequence[LoveRow], goal: float, end: float) -> str:
    sorts = [[row for row in rows if row.directed is directed] for directed in (True, False)]
    used = [part for part in sorts if part]
    height = _TITLE + _LEGEND + sum(_HEAD + _ROW * len(part) for part in used) + _FOOT
    described = "; ".join(_words(row) for row in rows)

    def draw(drawing: Drawing) -> None:
        axes = axes_over(drawing)
        write(axes, 4, 12, brief(group, 40), size=BODY + 1.5, bold=True)
        _legend(axes, _TITLE + 8)
        top = float(_TITLE + _LEGEND)
        for part in used:
            _part(axes, part, top, goal, end)
            top += _HEAD + _ROW * len(part)
        _axis(axes, top, goal, end)

    title = f"Differences within pairs of {shown(group, 60)}"
    return render(_WIDTH, height, draw, title=title, description=described or "Nothing to show")


def _words(row: LoveRow) -> str:
    before, after = before_of(row), after_of(row)
    name = f"{metric_label(row.nuisance)}, {row.sort}"
    if before.worst is None and after.worst is None:
        return f"{name}: undefined, {_reason(row)}"
    return f"{name}: worst cell {number(before.worst)} before, {number(after.worst)} after"


def _reason(row: LoveRow) -> str:
    """Why cells of a row have no value: the first reason, and whether there are others."""
    reasons = tuple(dict.fromkeys(cell.reason for cell in row.cells if cell.reason))
    if not reasons:
        return "no reason given"
    return shown(reasons[0]) if len(reasons) == 1 else f"{shown(reasons[0])}; in other cells for other reasons"


def _across(value: float, end: float) -> float:
    """Where a difference lies, in pixels from the left."""
    return float(_LEFT + _PLOT * (value / end) ** 0.5)


def _legend(axes: Axes, level: float) -> None:
    axes.plot([8, 22], [level] * 2, color=MUTED.placeholder, linewidth=1.2)
    _median(axes, 8, level, MUTED)
    _mark(axes, 22, level, filled=False, directed=True)
    write(axes, 30, level, "before", MUTED)
    axes.plot([78, 92], [level] * 2, color=ACCENT.placeholder, linewidth=1.6)
    _median(axes, 78, level, ACCENT)
    _mark(axes, 92, level, filled=True, directed=True)
    write(axes, 100, level, "after matching", MUTED)
    write(axes, _WIDTH - 4, level, "bar: median cell; mark: worst cell", MUTED, side="right")


def _part(axes: Axes, rows: Sequence[LoveRow], top: float, goal: float, end: float) -> None:
    """The rows of one sort of differences, with the goal where they have one."""
    directed, foot = rows[0].directed, top + _HEAD + _ROW * len(rows)
    said = "one clip fits the target, the other does not" if directed else "both clips fit, or neither does"
    write(axes, 4, top + 14, f"{rows[0].sort.capitalize()}: {said}", MUTED, italic=True)
    write(axes, _WIDTH - 4, top + 14, "worst after", MUTED, side="right")
    for tick in _ticks(end):
        axes.plot([_across(tick, end)] * 2, [top + _HEAD - 4, foot], color=FAINT.placeholder, linewidth=0.6)
    if directed:
        x = _across(goal, end)
        axes.plot([x, x], [top + _HEAD - 4, foot], color=INK.placeholder, linewidth=1.3, linestyle=(0, (4, 2.5)))
    for place, row in enumerate(rows):
        _row(axes, row, top + _HEAD + _ROW * (place + 0.5), goal, end)


def _row(axes: Axes, row: LoveRow, level: float, goal: float, end: float) -> None:
    after = after_of(row)
    above = row.directed and after.worst is not None and after.worst > goal
    write(axes, 4, level, brief(metric_label(row.nuisance), 20), size=BODY)
    write(axes, _WIDTH - 4, level, number(after.worst), side="right", size=BODY, bold=above)
    if before_of(row).worst is None and after.worst is None:
        lines = textwrap.wrap(f"undefined: {_reason(row)}", 52, max_lines=2, placeholder=" …")
        _clear(axes, level, 13.0 * len(lines))
        for place, line in enumerate(lines):
            write(axes, _LEFT + 2, level + _LANE * (2 * place - len(lines) + 1), line, MUTED, italic=True)
        return
    for lane, found, filled in ((level - _LANE, before_of(row), False), (level + _LANE, after, True)):
        colour = ACCENT if filled else MUTED
        if found.worst is None or found.middle is None:
            text = textwrap.shorten(f"undefined: {_reason(row)}", 52, placeholder=" …")
            _clear(axes, lane, 12.0)
            write(axes, _LEFT + 2, lane, text, MUTED, italic=True)
            continue
        left, right = _across(found.middle, end), _across(found.worst, end)
        axes.plot([left, right], [lane] * 2, color=colour.placeholder, linewidth=1.6 if filled else 1.2)
        _median(axes, left, lane, colour)
        _mark(axes, right, lane, filled=filled, directed=row.directed)


def _clear(axes: Axes, level: float, height: float) -> None:
    """Take the lines behind words away."""
    block(axes, _LEFT - 4, _LEFT + _PLOT + 4, level, height, PAPER, opacity=1)


def _median(axes: Axes, x: float, level: float, colour: Colour) -> None:
    axes.plot([x, x], [level - 4, level + 4], color=colour.placeholder, linewidth=1.8)


def _mark(axes: Axes, x: float, level: float, *, filled: bool, directed: bool) -> None:
    colour = ACCENT if filled else MUTED
    axes.plot(
        x,
        level,
        marker="o" if directed else "D",
        linestyle="none",
        markersize=7 if directed else 6,
        markerfacecolor=(colour if filled else PAPER).placeholder,
        markeredgecolor=colour.placeholder,
        markeredgewidth=1.3,
    )


def _ticks(end: float) -> list[float]:
    return [tick for tick in _TICKS if tick <= end]


def _axis(axes: Axes, foot: float, goal: float, end: float) -> None:
    """Ticks under the rows; those that would run into one another are left out, the goal never."""
    taken: list[float] = []
    for tick in sorted(_ticks(end), key=lambda tick: tick != goal):
        x = _across(tick, end)
        if all(abs(x - other) >= 22 for other in taken):
            write(axes, x, foot + 8, f"{tick:g}", INK if tick == goal else MUTED, side="center", bold=tick == goal)
            taken.append(x)
    write(axes, _LEFT + _PLOT / 2, foot + 21, "standard deviations (square-root axis)", MUTED, side="center")
