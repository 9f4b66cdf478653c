"""A leaderboard's headline as dots with intervals, judge by judge, in groups of one access and architecture on one axis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from earmark.manifests.leaderboard import Kind
from earmark.manifests.report import BaselineEntry, MetricEntry
from earmark.pages.forest import spread
from earmark.pages.formats import NOTHING, marked_ends, metric_label, number
from earmark.pages.notes import conditional_note
from earmark.pages.shown import brief, shown
from earmark.pages.svg import ACCENT, BODY, FAINT, INK, MUTED, PAPER, Figure, Table, axes_over, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

MOST_ROWS = 80
"""Rows that are drawn; the table has all of them."""

_WIDTH, _LEFT, _PLOT = 560, 226, 270
_ROW, _HEAD, _FOOT = 20, 40, 26
_MARKERS = {Kind.JUDGE: ("o", True), Kind.PEOPLE: ("D", True), Kind.RULE: ("s", False)}


@dataclass(frozen=True)
class Dot:
    """One row.

    Args:
        group: What it stands with.
        label: What stands at its left.
        kind: Judge, people or rule, each with a mark of its own.
        entry: The headline; None where the report lacks it.
    """

    group: str
    label: str
    kind: Kind
    entry: MetricEntry | None


def leaderboard_dots(dots: Sequence[Dot], rules: Sequence[BaselineEntry], *, metric: str) -> Figure:
    """Draw them.

    Args:
        dots: The rows, those of a group together.
        rules: Rules that do not listen, without intervals; a group of their own at the foot.
        metric: The headline.
    """
    entries = [dot.entry for dot in dots if dot.entry is not None]
    table = [
        (shown(dot.label), shown(dot.group), number(dot.entry.value if dot.entry else None), _ends(dot.entry))
        for dot in dots
    ]
    table += [(f"rule: {shown(rule.name)}", "rules that do not listen", number(rule.value), NOTHING) for rule in rules]
    drawn, known = list(dots[:MOST_ROWS]), [rule for rule in rules if rule.value is not None]
    lines: list[Dot | BaselineEntry | str] = []
    for group, members in groupby(drawn, key=lambda dot: dot.group):
        lines += [group, *members]
    lines += ["rules that do not listen", *known] if known else []
    height = _HEAD + _ROW * len(lines) + _FOOT

    def draw(drawing: Drawing) -> None:
        _draw(axes_over(drawing), lines, spread(entries, [rule.value for rule in known]), entries, height)

    described = "; ".join(f"{cells[0]} {cells[2]} {cells[3]}" for cells in table)
    title = f"{metric_label(metric)} of every judge"
    panel = render(_WIDTH, height, draw, title=title, description=described or "Nothing to show")
    note = conditional_note(entries, first_only=True)
    if len(dots) > MOST_ROWS:
        note = f"{note} The first {MOST_ROWS} of {len(dots)} are drawn.".strip()
    return Figure((panel,), Table(("judge", "group", metric_label(metric), "interval"), tuple(table)), note)


def _ends(entry: MetricEntry | None) -> str:
    return marked_ends(entry.intervals[0]) if entry is not None and entry.intervals else NOTHING


def _draw(
    axes: Axes,
    lines: Sequence[Dot | BaselineEntry | str],
    axis: tuple[float, float, float],
    entries: Sequence[MetricEntry],
    height: float,
) -> None:
    low, high, step = axis
    foot = height - _FOOT

    def across(value: float) -> float:
        return _LEFT + (value - low) / (high - low) * _PLOT

    for count in range(round((high - low) / step) + 1):
        x = across(low + count * step)
        axes.plot([x, x], [_HEAD - 6, foot], color=FAINT.placeholder, linewidth=0.6)
        write(axes, x, foot + 12, f"{low + count * step:.2f}", MUTED, side="center")
    chances = {entry.chance for entry in entries if entry.chance is not None}
    if len(chances) == 1:
        x = across(chances.pop())
        axes.plot([x, x], [_HEAD - 6, foot], color=MUTED.placeholder, linewidth=1.1, dashes=(3, 2))
        write(axes, x, 28, "chance", MUTED, side="center")
    left = 10.0
    for kind, words in ((Kind.JUDGE, "judge"), (Kind.PEOPLE, "people"), (Kind.RULE, "does not listen")):
        _mark(axes, left, 12, kind)
        write(axes, left + 9, 12, words, MUTED)
        left += 28 + 5.6 * len(words)
    for place, line in enumerate(lines):
        level = _HEAD + _ROW * (place + 0.5)
        match line:
            case str():
                write(axes, 4, level + 2, brief(line, 60), MUTED, italic=True)
            case Dot():
                _dot(axes, line, level, (across(value) for value in _known(line.entry)))
            case BaselineEntry(value=value) if value is not None:
                _words(axes, line.name, number(value), level)
                _mark(axes, across(value), level, Kind.RULE)
            case _:
                pass


def _known(entry: MetricEntry | None) -> Sequence[float]:
    """The value and, where it has both, the ends of the first interval."""
    if entry is None or entry.value is None:
        return ()
    first = entry.intervals[0] if entry.intervals else None
    if first is None or first.low is None or first.high is None:
        return (entry.value,)
    return (entry.value, first.low, first.high)


def _dot(axes: Axes, dot: Dot, level: float, places: Iterable[float]) -> None:
    _words(axes, dot.label, number(dot.entry.value if dot.entry else None), level)
    match list(places):
        case []:
            write(axes, _LEFT + _PLOT / 2, level, "undefined", MUTED, side="center", italic=True)
        case [x, *ends]:
            if ends:
                axes.plot(ends, [level] * 2, color=ACCENT.placeholder, linewidth=2)
                for end in ends:
                    axes.plot([end] * 2, [level - 3, level + 3], color=ACCENT.placeholder, linewidth=1.2)
            _mark(axes, x, level, dot.kind)


def _words(axes: Axes, label: str, value: str, level: float) -> None:
    write(axes, 12, level, brief(label, 32), size=BODY)
    write(axes, _WIDTH - 4, level, value, side="right", size=BODY)


def _mark(axes: Axes, x: float, level: float, kind: Kind) -> None:
    marker, filled = _MARKERS[kind]
    axes.plot(
        x,
        level,
        marker=marker,
        linestyle="none",
        markersize=7 if filled else 6.5,
        markerfacecolor=(INK if filled else PAPER).placeholder,
        markeredgecolor=INK.placeholder,
        markeredgewidth=0 if filled else 1.2,
    )
