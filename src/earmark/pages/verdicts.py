"""Verdicts: a grid of accuracies of one judge, each marked as above chance, below it or neither, before and after Holm's method.

A mark is a triangle that points up or down, filled where the verdict lasts and open where it does not, so that nothing rests on
colour. What is above people is underlined. `paper_tables` has several judges beside each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.pages.formats import NOTHING, number
from earmark.pages.paper_tables import Accuracy
from earmark.pages.shown import brief, shown
from earmark.pages.svg import ACCENT, BODY, FAINT, INK, MUTED, NEGATIVE, Figure, Table, axes_over, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_LABEL, _CELL, _ROW, _HEAD, _FOOT = 132, 70, 24, 40, 10
_LEAST = 460  # pixels that the legend takes
_MARK_ROOM = 14
_LETTER = 6.2  # what a digit takes across, in pixels, for underlining only
_NOTE = "▲ above chance, ▼ below, at 5 %; △ ▽ where Holm’s method leaves nothing of it."


@dataclass(frozen=True)
class VerdictCell:
    """One cell.

    Args:
        accuracy: The judge's; None where there is none.
        people: What people get; None where that is not known.
    """

    accuracy: Accuracy | None
    people: float | None = None

    @property
    def value(self) -> float | None:
        """The judge's share of right answers."""
        return None if self.accuracy is None else self.accuracy.value

    @property
    def above_people(self) -> bool:
        """Whether the judge is better than people."""
        return self.value is not None and self.people is not None and self.value > self.people

    @property
    def words(self) -> str:
        """The cell, spelled out."""
        if self.accuracy is None or self.value is None:
            return NOTHING
        side = self.accuracy.side
        lasting = "" if self.accuracy.lasting else ", not after Holm"
        further = [f"{side} chance{lasting}" if side else "", "above people" if self.above_people else ""]
        return ", ".join([number(self.value), *(words for words in further if words)])


@dataclass(frozen=True)
class VerdictRow:
    """One row: what stands at its left, and one cell a column."""

    label: str
    cells: tuple[VerdictCell, ...]


def verdicts(columns: Sequence[str], rows: Sequence[VerdictRow], *, title: str) -> Figure:
    """The grid.

    Args:
        columns: Heads of the columns.
        rows: The rows, each with as many cells.
        title: What a screen reader says first.
    """
    table = tuple((shown(row.label), *(cell.words for cell in row.cells)) for row in rows)
    label = max(_LABEL, _LEAST - _CELL * len(columns) - 8)
    width = label + _CELL * len(columns) + 8
    height = _HEAD + _ROW * max(1, len(rows)) + _FOOT

    def draw(drawing: Drawing) -> None:
        axes = axes_over(drawing)
        _legend(axes)
        for n, name in enumerate(columns):
            write(axes, label + _CELL * (n + 1) - _MARK_ROOM, 30, brief(name, 12), MUTED, side="right")
        for place, row in enumerate(rows):
            level = _HEAD + _ROW * (place + 0.5)
            axes.plot([4, width - 4], [level - _ROW / 2] * 2, color=FAINT.placeholder, linewidth=0.6)
            write(axes, 4, level, brief(row.label, label // 6), size=BODY)
            for n, cell in enumerate(row.cells):
                _cell(axes, cell, label + _CELL * (n + 1) - _MARK_ROOM, level)

    described = "; ".join(f"{cells[0]}: {', '.join(cells[1:])}" for cells in table)
    panel = render(width, height, draw, title=title, description=described or "Nothing to show")
    people = any(cell.people is not None for row in rows for cell in row.cells)
    return Figure(
        (panel,), Table(("facet", *columns), table), f"{_NOTE} Underlined is above people." if people else _NOTE
    )


def _legend(axes: Axes) -> None:
    left = 10.0
    for words, side, lasting in (
        ("above chance", "above", True),
        ("below", "below", True),
        ("above, not after Holm", "above", False),
        ("below, not after Holm", "below", False),
    ):
        _mark(axes, left, 12, side, lasting)
        write(axes, left + 9, 12, words, MUTED)
        left += 26 + 5.2 * len(words)


def _cell(axes: Axes, cell: VerdictCell, right: float, level: float) -> None:
    if cell.accuracy is None or cell.value is None:
        write(axes, right, level, NOTHING, MUTED, side="right")
        return
    text = number(cell.value)
    write(axes, right, level, text, INK, side="right", size=BODY)
    if cell.above_people:
        axes.plot([right - _LETTER * len(text), right], [level + 8] * 2, color=INK.placeholder, linewidth=1.1)
    _mark(axes, right + 8, level, cell.accuracy.side, cell.accuracy.lasting)


def _mark(axes: Axes, x: float, level: float, side: str, lasting: bool) -> None:
    if not side:
        return
    colour = (ACCENT if side == "above" else NEGATIVE).placeholder
    axes.plot(
        x,
        level,
        marker="^" if side == "above" else "v",
        linestyle="none",
        markersize=6.5,
        markerfacecolor=colour if lasting else "none",
        markeredgecolor=colour,
        markeredgewidth=1.1,
    )
