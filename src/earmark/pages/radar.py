"""Radars: one share per spoke, spokes in groups, and a ring where chance is.

A radar shows a profile at a glance and nothing else: its area grows with the square of the shares and depends on the order of the
spokes. What is to be read off stands in `radar_dots` and in the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin
from typing import TYPE_CHECKING, TypeAlias

from earmark.manifests.report import MetricEntry
from earmark.pages import rows as frame
from earmark.pages.formats import metric_label
from earmark.pages.notes import conditional_note
from earmark.pages.shown import brief, shown
from earmark.pages.svg import ACCENT, BODY, FAINT, INK, MUTED, SERIES, Colour, Figure, Table, axes_over, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_WIDTH, _HEIGHT, _RADIUS = 400, 440, 112
_CENTRE = (_WIDTH / 2, 196)
_RINGS = (0.25, 0.5, 0.75, 1.0)
_LINE = 12.0  # pixels that a line of a label takes

Draw: TypeAlias = "Callable[[Drawing, Sequence[Spoke], Sequence[MetricEntry], str], None]"


@dataclass(frozen=True)
class Spoke:
    """One spoke.

    Args:
        label: What stands at its end.
        group: The group that it is of; spokes of one group stand together.
        entries: Its share in every panel.
    """

    label: str
    group: str
    entries: tuple[MetricEntry, ...]


def radars(spokes: Sequence[Spoke], *, title: str, of: str = "facet") -> Figure:
    """One radar for every share of the spokes, clockwise from the top.

    Args:
        spokes: The spokes; an undefined share leaves a gap.
        title: What a screen reader says first.
        of: What a spoke is of, as the table has it.
    """
    return drawn(spokes, lambda _: (_WIDTH, _HEIGHT), _radar, title=title, of=of)


def drawn(
    spokes: Sequence[Spoke],
    size: Callable[[Sequence[Spoke]], tuple[float, float]],
    draw: Draw,
    *,
    title: str,
    of: str,
) -> Figure:
    """A panel for every share of the spokes, and the numbers in them.

    Args:
        spokes: The spokes.
        size: Width and height of a panel.
        draw: Draws a panel of the spokes, their shares and the name of the metric.
        title: What a screen reader says first.
        of: What a spoke is of.
    """
    width, height = size(spokes)
    metrics = [metric_label(entry.metric) for entry in spokes[0].entries] if spokes else []
    panels = []
    for place, name in enumerate(metrics):
        entries = [spoke.entries[place] for spoke in spokes]
        told = zip(spokes, map(frame.cells, entries), strict=True)
        described = "; ".join(f"{shown(spoke.label)} {value}" for spoke, (value, _) in told)
        panels.append(
            render(width, height, _panel(draw, spokes, entries, name), title=f"{title}: {name}", description=described)
        )
    if not panels:
        panels.append(render(width, height, lambda _: None, title=title, description="Nothing to show"))
    head = (of, "group", *(cell for metric in metrics for cell in (metric, "interval")), "n")
    table = tuple(
        (
            shown(spoke.label),
            shown(spoke.group),
            *(cell for entry in spoke.entries for cell in frame.cells(entry)),
            f"{spoke.entries[0].n:,}",
        )
        for spoke in spokes
    )
    note = conditional_note([entry for spoke in spokes for entry in spoke.entries], first_only=True)
    return Figure(tuple(panels), Table(head, table), note)


def _panel(draw: Draw, spokes: Sequence[Spoke], entries: Sequence[MetricEntry], name: str) -> Callable[[Drawing], None]:
    return lambda drawing: draw(drawing, spokes, entries, name)


def groups_of(spokes: Sequence[Spoke]) -> list[str]:
    """The groups, as they first appear."""
    return list(dict.fromkeys(spoke.group for spoke in spokes))


def colour_of(spokes: Sequence[Spoke], spoke: Spoke) -> Colour:
    """The colour of a spoke's group."""
    return SERIES[groups_of(spokes).index(spoke.group) % len(SERIES)]


def _radar(drawing: Drawing, spokes: Sequence[Spoke], entries: Sequence[MetricEntry], name: str) -> None:
    axes = axes_over(drawing)
    write(axes, _WIDTH / 2, 12, name, side="center", size=BODY, bold=True)
    angles = [2 * pi * place / len(spokes) for place in range(len(spokes))]
    for ring in _RINGS:
        _circle(axes, ring, FAINT, width=0.7)
        write(axes, *_at(angles[-1] / 2 + pi, ring), f"{ring:g}", MUTED, side="center")
    for chance in sorted({entry.chance for entry in entries if entry.chance is not None}):
        _circle(axes, chance, MUTED, width=1.4, dashes=(4, 2.5))
    half = pi / len(spokes)
    for spoke, angle in zip(spokes, angles, strict=True):
        axes.plot(*_line(_at(angle, 0), _at(angle, 1)), color=FAINT.placeholder, linewidth=0.7)
        arc = [_at(angle + half * step / 4, 1.07) for step in range(-4, 5)]
        axes.plot(*_line(*arc), color=colour_of(spokes, spoke).placeholder, linewidth=4)
        _spoke_label(axes, spoke, angle)
    ends = [None if one.value is None else _at(angle, one.value) for angle, one in zip(angles, entries, strict=True)]
    for one, other in pairwise([*ends, *ends[:1]]):
        if one is not None and other is not None:
            axes.plot(*_line(one, other), color=ACCENT.placeholder, linewidth=1.8)
    for spoke, angle, entry in zip(spokes, angles, entries, strict=True):
        found = entry.intervals[0] if entry.intervals else None
        if found is not None and found.low is not None and found.high is not None:
            axes.plot(*_line(_at(angle, found.low), _at(angle, found.high)), color=INK.placeholder, linewidth=1.1)
        if entry.value is not None:
            x, y = _at(angle, entry.value)
            colour = colour_of(spokes, spoke).placeholder
            axes.plot(x, y, marker="o", linestyle="none", markersize=5.5, color=colour, markeredgewidth=0)
    _legend(axes, spokes, entries)


def _at(angle: float, share: float) -> tuple[float, float]:
    """A point of a radar in pixels: an angle clockwise from the top, and a share of its radius."""
    return _CENTRE[0] + _RADIUS * share * sin(angle), _CENTRE[1] - _RADIUS * share * cos(angle)


def _line(*points: tuple[float, float]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def _circle(
    axes: Axes, share: float, colour: Colour, *, width: float, dashes: tuple[float, float] | None = None
) -> None:
    ring = [_at(2 * pi * step / 90, share) for step in range(91)]
    linestyle = "-" if dashes is None else (0, dashes)
    axes.plot(*_line(*ring), color=colour.placeholder, linewidth=width, linestyle=linestyle)


def _spoke_label(axes: Axes, spoke: Spoke, angle: float) -> None:
    """A label outside the ring, in two lines where it is long."""
    words = brief(spoke.label, 30).split(" ")
    lines = [spoke.label] if len(spoke.label) <= 13 else [" ".join(words[:-1]), words[-1]]
    x, y = _at(angle, 1.16)
    across, down = sin(angle), -cos(angle)
    side = "center" if abs(across) < 0.15 else "left" if across > 0 else "right"
    top = y + (down - 1) / 2 * _LINE * (len(lines) - 1) + down * 3
    for place, line in enumerate(line for line in lines if line):
        write(axes, x, top + place * _LINE, line, side=side)  # type: ignore[arg-type]  # one of the three


def _legend(axes: Axes, spokes: Sequence[Spoke], entries: Sequence[MetricEntry]) -> None:
    """The groups, clockwise from the top, three to a line; then the ring where chance is, and the lines that are intervals."""
    names = groups_of(spokes)
    for place, name in enumerate(names):
        x, y = _legend_place(place)
        axes.plot([x, x + 14], [y, y], color=SERIES[place % len(SERIES)].placeholder, linewidth=4)
        write(axes, x + 20, y, brief(name, 20), MUTED)
    place = len(names)
    if any(entry.chance is not None for entry in entries):
        x, y = _legend_place(place)
        axes.plot([x, x + 14], [y, y], color=MUTED.placeholder, linewidth=1.4, dashes=(4, 2.5))
        write(axes, x + 20, y, "chance", MUTED)
        place += 1
    units = dict.fromkeys(
        entry.intervals[0].by for entry in entries if entry.intervals and entry.intervals[0].low is not None
    )
    if units:
        x, y = _legend_place(place)
        axes.plot([x, x + 14], [y, y], color=INK.placeholder, linewidth=1.1)
        write(axes, x + 20, y, f"95 % by {' or '.join(brief(unit, 16) for unit in units)}", MUTED)


def _legend_place(place: int) -> tuple[float, float]:
    """Where an entry of the legend begins, in pixels."""
    return 14 + place % 3 * 130, 388 + place // 3 * 16
