"""A forest: one figure per facet with its intervals, beside rules that do not listen and the chance level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.manifests.report import BaselineEntry, IntervalEntry, MetricEntry
from earmark.pages.formats import NOTHING, marked_ends, metric_label, number
from earmark.pages.notes import conditional_note
from earmark.pages.shown import brief, shown
from earmark.pages.svg import ACCENT, BODY, FAINT, INK, MUTED, Colour, Figure, Table, axes_over, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_WIDTH, _LEFT, _PLOT = 460, 176, 232
_ROW, _HEAD, _FOOT = 22, 44, 26
_LINES = ("-", (0, (2, 1.5)), (0, (1, 1)))
_TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True)
class ForestRow:
    """One row.

    Args:
        label: What stands at its left.
        entry: The figure; an undefined one keeps its row and says so.
        strong: Whether it is the overall figure.
    """

    label: str
    entry: MetricEntry
    strong: bool = False


def resampled(entries: Sequence[MetricEntry]) -> tuple[str, ...]:
    """The units that the intervals of these figures are by, in order of appearance."""
    return tuple(dict.fromkeys(interval.by for entry in entries for interval in entry.intervals))


def interval_by(entry: MetricEntry, by: str) -> IntervalEntry | None:
    """The interval that resamples one unit, or None."""
    return next((interval for interval in entry.intervals if interval.by == by), None)


def forest(
    rows: Sequence[ForestRow], baselines: Sequence[BaselineEntry] = (), *, of: str = "facet", null: str = "chance"
) -> Figure:
    """Figures of one metric, each with every interval that it has.

    Args:
        rows: The figures, top to bottom.
        baselines: Rules that do not listen; they stand below the figures, without intervals.
        of: What a row is of, as the table has it.
        null: What the chance level of a figure is called: of a difference it is none.
    """
    entries = [row.entry for row in rows]
    bys = resampled(entries)
    head = (of, "value", *(f"interval by {shown(by, 40)}" for by in bys), "n")
    table = [
        (
            shown(row.label),
            number(row.entry.value)
            if row.entry.value is not None
            else f"{NOTHING} {shown(row.entry.reason or '')}".strip(),
            *(marked_ends(found) if (found := interval_by(row.entry, by)) else NOTHING for by in bys),
            f"{row.entry.n:,}",
        )
        for row in rows
    ]
    table += [(f"rule: {shown(rule.name)}", number(rule.value), *([NOTHING] * len(bys)), NOTHING) for rule in baselines]
    metric = metric_label(entries[0].metric) if entries else "no figures"
    described = "; ".join(f"{cells[0]} {cells[1]}" for cells in table)
    height = _HEAD + _ROW * (len(rows) + len(baselines)) + (8 if baselines else 0) + _FOOT

    def draw(drawing: Drawing) -> None:
        axes = axes_over(drawing)
        _draw(axes, rows, baselines, height, null)

    panel = render(_WIDTH, height, draw, title=f"Forest of {shown(metric)}", description=described or "Nothing to show")
    return Figure((panel,), Table(head, tuple(table)), conditional_note(entries))


def spread(entries: Sequence[MetricEntry], further: Sequence[float | None] = ()) -> tuple[float, float, float]:
    """An axis that holds all figures, their intervals and some further values.

    Returns:
        Its lower end, its upper end and the step of its ticks, at most seven of them.
    """
    values = [value for entry in entries for value in (entry.value, entry.chance)] + list(further)
    values += [end for entry in entries for interval in entry.intervals for end in (interval.low, interval.high)]
    known = [value for value in values if value is not None] or [0.0, 1.0]
    low = min(known)
    high = max(*known, low + 0.1)
    step = next((step for step in _TICKS if (high - low) / step <= 5.001), (high - low) / 4)
    return step * (low / step // 1), step * -(-high / step // 1), step


def _lines(rows: Sequence[ForestRow]) -> int:
    """How many intervals a row has at most, as far as they can be told apart."""
    return min(len(_LINES), max((len(row.entry.intervals) for row in rows), default=0))


def _draw(axes: Axes, rows: Sequence[ForestRow], baselines: Sequence[BaselineEntry], height: float, null: str) -> None:
    low, high, step = spread([row.entry for row in rows], [rule.value for rule in baselines])
    foot = height - _FOOT

    def across(value: float) -> float:
        return _LEFT + (value - low) / (high - low) * _PLOT

    for count in range(round((high - low) / step) + 1):
        value = low + count * step
        axes.plot([across(value)] * 2, [_HEAD - 6, foot], color=FAINT.placeholder, linewidth=0.6)
        write(axes, across(value), foot + 11, _tick(value, step), MUTED, side="center")
    _chances(axes, rows, foot, across, null)
    _legend(axes, rows)
    for place, row in enumerate(rows):
        _row(axes, row, _lines(rows), _HEAD + _ROW * (place + 0.5), across)
    top = _HEAD + _ROW * len(rows) + 8
    if baselines:
        axes.plot([4, _WIDTH - 4], [top - 4] * 2, color=FAINT.placeholder, linewidth=0.8)
    for place, rule in enumerate(baselines):
        level = top + _ROW * (place + 0.5)
        _label(axes, f"rule: {brief(rule.name, 24)}", number(rule.value), level, MUTED)
        if rule.value is not None:
            axes.plot(
                across(rule.value),
                level,
                marker="s",
                linestyle="none",
                markersize=6,
                markerfacecolor="none",
                markeredgecolor=MUTED.placeholder,
            )


def _chances(axes: Axes, rows: Sequence[ForestRow], foot: float, across: Callable[[float], float], null: str) -> None:
    """One line where chance is one, and each row's own beside its figure where it is not."""
    chances = {row.entry.chance for row in rows if row.entry.chance is not None}
    for chance in chances if len(chances) == 1 else ():
        axes.plot([across(chance)] * 2, [_HEAD - 6, foot], color=MUTED.placeholder, linewidth=1.1, dashes=(3, 2))
        write(axes, across(chance), 30, null, MUTED, side="center")
    if len(chances) < 2:
        return
    for place, row in enumerate(rows):
        if row.entry.chance is not None:
            ends = [_HEAD + _ROW * place + 1, _HEAD + _ROW * (place + 1) - 1]
            axes.plot([across(row.entry.chance)] * 2, ends, color=MUTED.placeholder, linewidth=1.6, dashes=(2, 1.2))
    axes.plot([_WIDTH - 104] * 2, [6, 18], color=MUTED.placeholder, linewidth=1.6, dashes=(2, 1.2))
    write(axes, _WIDTH - 98, 12, "chance of each row", MUTED)


def _tick(value: float, step: float) -> str:
    text = f"{abs(value):.2f}" if step < 0.1 or step == 0.25 else f"{abs(value):.1f}" if step < 1 else f"{abs(value):g}"
    return f"−{text}" if value < -step / 2 else text


def _legend(axes: Axes, rows: Sequence[ForestRow]) -> None:
    """What each line is by; a figure over few clusters resamples the next unit down, and shares the line of its place."""
    left = 4.0
    for place in range(_lines(rows)):
        units = dict.fromkeys(row.entry.intervals[place].by for row in rows if len(row.entry.intervals) > place)
        _bar(axes, left, left + 22, 12, place)
        words = f"95 % by {' or '.join(brief(unit, 16) for unit in units)}"
        write(axes, left + 27, 12, words, MUTED)
        left += 40 + 5.2 * len(words)


def _bar(axes: Axes, low: float, high: float, level: float, place: int) -> None:
    line = _LINES[place % len(_LINES)]
    axes.plot(
        [low, high],
        [level] * 2,
        color=(ACCENT if place == 0 else INK).placeholder,
        linewidth=2.4 if place == 0 else 1.2,
        linestyle=line,
    )
    for end in (low, high):
        axes.plot(
            [end] * 2, [level - 2.5, level + 2.5], color=(ACCENT if place == 0 else INK).placeholder, linewidth=1.2
        )


def _label(axes: Axes, label: str, value: str, level: float, colour: Colour = INK, *, bold: bool = False) -> None:
    write(axes, 4, level, label, colour, size=BODY, bold=bold)
    write(axes, _WIDTH - 4, level, value, colour, side="right", size=BODY, bold=bold)


def _row(axes: Axes, row: ForestRow, lines: int, level: float, across: Callable[[float], float]) -> None:
    _label(axes, brief(row.label, 28), number(row.entry.value), level, bold=row.strong)
    if row.entry.value is None:
        write(axes, _LEFT + _PLOT / 2, level, "undefined", MUTED, side="center", italic=True)
        return
    for place, found in enumerate(row.entry.intervals[:lines]):
        if found.low is not None and found.high is not None:
            offset = (place - (lines - 1) / 2) * 6
            _bar(axes, across(found.low), across(found.high), level + offset, place)
    axes.plot(
        across(row.entry.value),
        level,
        marker="D" if row.strong else "o",
        linestyle="none",
        markersize=7,
        color=INK.placeholder,
        markeredgewidth=0,
    )
