"""What became of every owed presentation: one bar per facet, one hatched part per outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.pages.shown import brief, shown
from earmark.pages.svg import BODY, MUTED, SERIES, Figure, Table, axes_over, block, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

OUTCOMES = ("ok", "missing", "failed", "unparsable", "abstained", "conflicting")
"""Every owed presentation is in exactly one of these."""

_HATCHES = ("", "", "xxxx", "////", "\\\\\\\\", "++++", "||||")  # the second one is empty instead
_EMPTY = 1
_WIDTH, _LEFT, _PLOT = 460, 176, 220
_ROW, _HEAD, _FOOT = 22, 40, 24
_LEGEND = 76  # pixels that one entry of the legend takes


@dataclass(frozen=True)
class CountsRow:
    """One bar.

    Args:
        label: What stands at its left.
        counts: How many owed presentations had each outcome; other names are left out.
    """

    label: str
    counts: Mapping[str, int]


def counts_bar(
    rows: Sequence[CountsRow],
    outcomes: Sequence[str] = OUTCOMES,
    *,
    title: str = "Outcomes of owed presentations",
    of: str = "facet",
    whole: str = "owed",
) -> Figure:
    """One bar per row, as shares of what is owed.

    Args:
        rows: The bars, top to bottom; one that owes nothing is empty and says so.
        outcomes: Names of the outcomes in the order of the bar's parts, at most seven.
        title: What a screen reader says first.
        of: What a row is of, as the table has it.
        whole: What all outcomes together are.

    Raises:
        ValueError: If there are more outcomes than hatches that can be told apart.
    """
    if len(outcomes) > len(_HATCHES):
        raise ValueError(f"{len(outcomes)} outcomes; at most {len(_HATCHES)} can be told apart")
    totals = [sum(row.counts.get(outcome, 0) for outcome in outcomes) for row in rows]
    table = tuple(
        (shown(row.label), f"{total:,}", *(f"{row.counts.get(outcome, 0):,}" for outcome in outcomes))
        for row, total in zip(rows, totals, strict=True)
    )
    described = "; ".join(
        f"{shown(row.label)}: {row.counts.get(outcomes[0], 0):,} of {total:,} {outcomes[0]}"
        for row, total in zip(rows, totals, strict=True)
    )
    lines = -(-len(outcomes) // 6)
    height = _HEAD + 16 * (lines - 1) + _ROW * len(rows) + _FOOT

    def draw(drawing: Drawing) -> None:
        axes = axes_over(drawing)
        for place, outcome in enumerate(outcomes):
            left, level = 4 + _LEGEND * (place % 6), 12 + 16 * (place // 6)
            _part(axes, left, left + 12, level, place)
            write(axes, left + 16, level, outcome, MUTED)
        for place, (row, total) in enumerate(zip(rows, totals, strict=True)):
            _bar(axes, row, total, outcomes, whole, height - _FOOT - _ROW * (len(rows) - place - 0.5))
        for share in (0.0, 0.5, 1.0):
            x = _LEFT + share * _PLOT
            write(axes, x, height - 12, f"{share:.0%}", MUTED, side="center")

    panel = render(_WIDTH, height, draw, title=title, description=described or "No rows")
    return Figure((panel,), Table((of, whole, *outcomes), table))


def _bar(axes: Axes, row: CountsRow, total: int, outcomes: Sequence[str], whole: str, level: float) -> None:
    write(axes, 4, level, brief(row.label, 28), size=BODY)
    write(axes, _WIDTH - 4, level, f"{total:,}", side="right", size=BODY)
    if not total:
        write(axes, _LEFT + _PLOT / 2, level, f"nothing {whole}", MUTED, side="center", italic=True)
        return
    left = float(_LEFT)
    for place, outcome in enumerate(outcomes):
        width = row.counts.get(outcome, 0) / total * _PLOT
        if width:
            _part(axes, left, left + width, level, place)
        left += width


def _part(axes: Axes, left: float, right: float, level: float, place: int) -> None:
    opacity = 0.0 if place == _EMPTY else 0.25
    block(axes, left, right, level, 12, SERIES[place], opacity=opacity, edge=0.9, hatch=_HATCHES[place])
