"""Slopes: a share in two parts of each facet, joined by a line, such as accuracy with and without a preferred clip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.manifests.report import MetricEntry
from earmark.pages.formats import number
from earmark.pages.notes import conditional_note
from earmark.pages.paired_dots import difference
from earmark.pages.rows import cells
from earmark.pages.shown import brief, shown
from earmark.pages.svg import BODY, FAINT, INK, MUTED, SERIES, Figure, Table, axes_over, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_WIDTH, _HEIGHT = 460, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 150, 310, 40, 276
_LINE = 13.0  # pixels that a label takes
_DASHES = ("-", (0, (5, 2)), (0, (2, 1.5)), (0, (6, 2, 1, 2)), (0, (1, 1)), (0, (8, 3)), (0, (3, 1, 1, 1, 1, 1)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


@dataclass(frozen=True)
class Slope:
    """One line.

    Args:
        label: What it is of.
        left: The share in the first part.
        right: The share in the second one.
    """

    label: str
    left: MetricEntry
    right: MetricEntry


def slopes(rows: Sequence[Slope], *, left: str, right: str, title: str, of: str = "facet") -> Figure:
    """One line a facet, told apart by its dashes and marks and labelled at both of its ends.

    Args:
        rows: The lines; one without a share at one end is a mark at the other, one without any stands in the table alone.
        left: Name of the first part.
        right: Name of the second one.
        title: What a screen reader says first.
        of: What a row is of, as the table has it.
    """
    head = (of, left, "interval", "n", right, "interval", "n", "difference")
    table = tuple(
        (
            shown(row.label),
            *cells(row.left),
            f"{row.left.n:,}",
            *cells(row.right),
            f"{row.right.n:,}",
            difference(row.left.value, row.right.value),
        )
        for row in rows
    )
    described = "; ".join(f"{cells[0]}: {left} {cells[1]}, {right} {cells[4]}" for cells in table)
    panel = render(
        _WIDTH,
        _HEIGHT,
        lambda drawing: _draw(drawing, rows, left, right),
        title=title,
        description=described or "Nothing to show",
    )
    note = conditional_note([entry for row in rows for entry in (row.left, row.right)], first_only=True)
    return Figure((panel,), Table(head, table), note)


def spaced(levels: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Levels moved as little as makes each at least so far from the next, in the order that they have.

    Args:
        levels: Where labels would stand, in any order.
        apart: Least distance.
        low: Least level.
        high: Largest level, as far as there is space.

    >>> spaced([10, 12, 50], 10, 0, 100), spaced([99, 98], 10, 0, 100)
    ([6.0, 16.0, 50.0], [100.0, 90.0])
    """
    order = sorted(range(len(levels)), key=lambda n: (levels[n], n))
    groups: list[tuple[float, int]] = []  # middle and size of labels that touch
    for n in order:
        groups.append((min(max(float(levels[n]), low), high), 1))
        while True:
            groups[-1] = (_held(*groups[-1], apart, low, high), groups[-1][1])
            if len(groups) < 2:
                break
            (one, few), (other, many) = groups[-2:]
            if other - (many - 1) / 2 * apart - (one + (few - 1) / 2 * apart) >= apart - 1e-9:
                break
            groups[-2:] = [((one * few + other * many) / (few + many), few + many)]
    placed = [middle + (k - (size - 1) / 2) * apart for middle, size in groups for k in range(size)]
    return [placed[order.index(n)] for n in range(len(levels))]


def _held(middle: float, size: int, apart: float, low: float, high: float) -> float:
    half = (size - 1) / 2 * apart
    return max(low + half, min(high - half, middle))


def _level(share: float) -> float:
    return _BOTTOM - share * (_BOTTOM - _TOP)


def _draw(drawing: Drawing, rows: Sequence[Slope], left: str, right: str) -> None:
    axes = axes_over(drawing)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        axes.plot([_LEFT, _RIGHT], [_level(share)] * 2, color=FAINT.placeholder, linewidth=0.6)
        write(axes, (_LEFT + _RIGHT) / 2, _level(share) - 6, f"{share:g}", MUTED, side="center")
    for x, name in ((_LEFT, left), (_RIGHT, right)):
        axes.plot([x, x], [_TOP - 6, _BOTTOM + 6], color=MUTED.placeholder, linewidth=1)
        write(axes, x, 16, name, INK, side="center", size=BODY, bold=True)
    for place, row in enumerate(rows):
        _line(axes, place, row)
    _labels(axes, [(row.label, row.left.value) for row in rows], _LEFT, -1)
    _labels(axes, [(row.label, row.right.value) for row in rows], _RIGHT, 1)


def _line(axes: Axes, place: int, row: Slope) -> None:
    ends = [(x, entry.value) for x, entry in ((_LEFT, row.left), (_RIGHT, row.right)) if entry.value is not None]
    axes.plot(
        [x for x, _ in ends],
        [_level(value) for _, value in ends],
        color=SERIES[place % len(SERIES)].placeholder,
        linewidth=1.8,
        linestyle=_DASHES[place % len(_DASHES)],
        marker=_MARKERS[place % len(_MARKERS)],
        markersize=6.5,
        markeredgewidth=0,
    )


def _labels(axes: Axes, ends: Sequence[tuple[str, float | None]], x: float, side: int) -> None:
    known = [(name, value) for name, value in ends if value is not None]
    levels = spaced([_level(value) for _, value in known], _LINE, _TOP, _BOTTOM)
    for (name, value), level in zip(known, levels, strict=True):
        axes.plot([x + side * 5, x + side * 14], [_level(value), level], color=FAINT.placeholder, linewidth=0.8)
        text = f"{brief(name, 16)} {number(value)}"
        write(axes, x + side * 17, level, text, side="right" if side < 0 else "left")
