"""Nested bars: a share within a share, facet by facet, such as pairs decided alike and, among them, rightly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.manifests.report import MetricEntry
from earmark.pages import rows as frame
from earmark.pages.formats import number
from earmark.pages.notes import conditional_note
from earmark.pages.shown import shown
from earmark.pages.svg import ACCENT, INK, MUTED, Figure, Table, axes_over, block, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_OUTER, _INNER = 16.0, 8.0  # heights of the bars in pixels


@dataclass(frozen=True)
class BarPair:
    """One row.

    Args:
        label: What stands at its left.
        outer: The share of all.
        inner: The part of it; never more.
    """

    label: str
    outer: MetricEntry
    inner: MetricEntry


def nested_bars(rows: Sequence[BarPair], *, outer: str, inner: str, title: str, of: str = "facet") -> Figure:
    """A thin solid bar in a thick hatched one.

    Args:
        rows: The rows, top to bottom; one with an undefined share says so.
        outer: Name of the share of all.
        inner: Name of the part of it.
        title: What a screen reader says first.
        of: What a row is of, as the table has it.
    """
    head = (of, outer, "interval", inner, "interval", "n")
    table = tuple(
        (
            shown(row.label),
            *(cell for entry in (row.outer, row.inner) for cell in frame.cells(entry)),
            f"{row.outer.n:,}",
        )
        for row in rows
    )
    described = "; ".join(f"{cells[0]}: {outer} {cells[1]}, {inner} {cells[3]}" for cells in table)

    def draw(drawing: Drawing) -> None:
        axes = axes_over(drawing)
        frame.axis(axes, len(rows))
        _outer(axes, 4, 22, 12)
        write(axes, 27, 12, outer, MUTED)
        left = 50 + 5.4 * len(outer)
        _inner(axes, left, left + 18, 12)
        write(axes, left + 23, 12, inner, MUTED)
        for place, row in enumerate(rows):
            _row(axes, place, row)

    panel = render(
        frame.WIDTH, frame.height_of(len(rows)), draw, title=title, description=described or "Nothing to show"
    )
    note = conditional_note([entry for row in rows for entry in (row.outer, row.inner)], first_only=True)
    return Figure((panel,), Table(head, table), note)


def _row(axes: Axes, place: int, row: BarPair) -> None:
    outer, inner = row.outer.value, row.inner.value
    frame.label(axes, place, row.label, f"{number(inner)} of {number(outer)}")
    if outer is None or inner is None:
        frame.undefined(axes, place)
        return
    level = frame.level_of(place)
    _outer(axes, frame.across(0), frame.across(outer), level)
    _inner(axes, frame.across(0), frame.across(inner), level)


def _outer(axes: Axes, left: float, right: float, level: float) -> None:
    block(axes, left, right, level, _OUTER, INK, opacity=0.08, edge=0.9, hatch="////")


def _inner(axes: Axes, left: float, right: float, level: float) -> None:
    block(axes, left, right, level, _INNER, ACCENT, opacity=1.0, edge=0.9)
