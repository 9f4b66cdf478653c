"""Paired dots: one share under two conditions, facet by facet, such as accuracy with the better clip shown first and second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.manifests.report import MetricEntry
from earmark.pages import rows as frame
from earmark.pages.formats import MINUS, NOTHING, number
from earmark.pages.notes import conditional_note
from earmark.pages.shown import shown
from earmark.pages.svg import ACCENT, INK, MUTED, PAPER, Figure, Table, axes_over, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing


@dataclass(frozen=True)
class DotPair:
    """One row.

    Args:
        label: What stands at its left.
        first: The share under the first condition.
        second: The share under the second one.
    """

    label: str
    first: MetricEntry
    second: MetricEntry


def paired_dots(rows: Sequence[DotPair], *, first: str, second: str, title: str, of: str = "facet") -> Figure:
    """Two shares a row, a filled dot and an open square with the distance between them.

    Args:
        rows: The rows, top to bottom; one with an undefined share says so.
        first: Name of the first condition, which is the filled dot.
        second: Name of the second one, which is the open square.
        title: What a screen reader says first.
        of: What a row is of, as the table has it.
    """
    head = (of, first, "interval", second, "interval", "difference", "n")
    table = tuple(
        (
            shown(row.label),
            *(cell for entry in (row.first, row.second) for cell in frame.cells(entry)),
            difference(row.first.value, row.second.value),
            f"{row.first.n:,}",
        )
        for row in rows
    )
    described = "; ".join(f"{cells[0]}: {first} {cells[1]}, {second} {cells[3]}" for cells in table)

    def draw(drawing: Drawing) -> None:
        axes = axes_over(drawing)
        frame.axis(axes, len(rows))
        _legend(axes, first, second)
        for place, row in enumerate(rows):
            _row(axes, place, row)

    panel = render(
        frame.WIDTH, frame.height_of(len(rows)), draw, title=title, description=described or "Nothing to show"
    )
    note = conditional_note([entry for row in rows for entry in (row.first, row.second)], first_only=True)
    return Figure((panel,), Table(head, table), note)


def difference(first: float | None, second: float | None) -> str:
    """One share less another, with its sign; a dash where either is undefined.

    >>> difference(0.75, 0.5), difference(0.5, 0.75), difference(0.5, None)
    ('+0.250', '−0.250', '—')
    """
    if first is None or second is None:
        return NOTHING
    text = number(first - second)
    return text if text.startswith(MINUS) or text == number(0.0) else f"+{text}"


def _legend(axes: Axes, first: str, second: str) -> None:
    _dot(axes, 10, 12)
    write(axes, 20, 12, first, MUTED)
    left = 40 + 5.4 * len(first)
    _square(axes, left, 12)
    write(axes, left + 10, 12, second, MUTED)
    write(axes, frame.WIDTH - 4, 12, "difference", MUTED, side="right")


def _row(axes: Axes, place: int, row: DotPair) -> None:
    first, second, level = row.first.value, row.second.value, frame.level_of(place)
    frame.label(axes, place, row.label, difference(first, second))
    if first is None or second is None:
        frame.undefined(axes, place)
        return
    axes.plot([frame.across(first), frame.across(second)], [level] * 2, color=MUTED.placeholder, linewidth=1.4)
    _square(axes, frame.across(second), level)
    _dot(axes, frame.across(first), level)


def _dot(axes: Axes, x: float, level: float) -> None:
    axes.plot(x, level, marker="o", linestyle="none", markersize=7, color=ACCENT.placeholder, markeredgewidth=0)


def _square(axes: Axes, x: float, level: float) -> None:
    # Larger than the dot, so that both are seen where two shares are equal.
    axes.plot(
        x,
        level,
        marker="s",
        linestyle="none",
        markersize=10,
        markerfacecolor=PAPER.placeholder,
        markeredgecolor=INK.placeholder,
        markeredgewidth=1.3,
    )
