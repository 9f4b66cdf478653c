"""Two figures against each other, one labelled point per facet: pole-order disagreement against AUROC, say.

A label goes where it covers least: each tries the same places around its point in the same order, and takes the first that
touches nothing drawn so far, or the one that touches least.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from earmark.manifests.report import MetricEntry
from earmark.pages.forest import interval_by, resampled, spread
from earmark.pages.formats import NOTHING, marked_ends, metric_label, number
from earmark.pages.notes import conditional_note
from earmark.pages.shown import brief, shown
from earmark.pages.svg import ACCENT, BODY, FAINT, INK, MUTED, Figure, Table, axes_over, render, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_WIDTH, _HEIGHT = 460, 360
_LEFT, _TOP, _RIGHT, _BOTTOM = 48, 30, 14, 42
_LETTER, _LINE = 6.6, 12.0  # what a letter takes across and a line down, in pixels, for placing labels only


class _Stroke(TypedDict):
    color: str
    linewidth: float
    alpha: float
    linestyle: str | tuple[int, tuple[float, float]]


@dataclass(frozen=True)
class PlanePoint:
    """One point.

    Args:
        label: Short label beside it, such as the facet's id.
        name: What the label stands for.
        x: The figure read across.
        y: The figure read upwards.
    """

    label: str
    name: str
    x: MetricEntry
    y: MetricEntry


@dataclass(frozen=True)
class Box:
    """A rectangle on the drawing, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Box) -> float:
        """The area that two rectangles share."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(across, 0.0) * max(down, 0.0)


def disagreement_against_auroc(points: Sequence[PlanePoint]) -> Figure:
    """Pole-order disagreement (upwards; less is better) against AUROC (across; more is better), one point per dimension."""
    return plane(points, across="AUROC →", upwards="pole-order disagreement →")


def plane(points: Sequence[PlanePoint], *, across: str, upwards: str) -> Figure:
    """Two figures against each other, with the intervals of both.

    Args:
        points: The points; one that is undefined either way is not drawn, and stands in the table.
        across: Label of the axis of x.
        upwards: Label of the axis of y.
    """
    drawn = [point for point in points if point.x.value is not None and point.y.value is not None]
    names = tuple(dict.fromkeys(metric_label(entry.metric) for point in points for entry in (point.x, point.y)))
    by_x, by_y = resampled([point.x for point in points]), resampled([point.y for point in points])
    x_name, y_name = names if len(names) == 2 else ("x", "y")
    head = (
        "facet",
        x_name,
        *(f"{x_name} by {shown(by, 40)}" for by in by_x),
        y_name,
        *(f"{y_name} by {shown(by, 40)}" for by in by_y),
    )
    rows = tuple(
        (f"{shown(point.label)} {shown(point.name)}", *_cells(point.x, by_x), *_cells(point.y, by_y))
        for point in points
    )
    described = "; ".join(
        f"{shown(point.label)} at {number(point.x.value)}, {number(point.y.value)}" for point in drawn
    )
    note = _note(tuple(dict.fromkeys((*by_x, *by_y))), len(points) - len(drawn), len(points))
    narrow = conditional_note([entry for point in points for entry in (point.x, point.y)])
    panel = render(
        _WIDTH,
        _HEIGHT,
        lambda drawing: _draw(drawing, drawn, across, upwards),
        title=f"{shown(y_name)} against {shown(x_name)}",
        description=described or "Nothing is defined",
    )
    return Figure((panel,), Table(head, rows), f"{note} {narrow}".strip())


def _note(bys: Sequence[str], absent: int, points: int) -> str:
    lines = [f"{'thick' if place == 0 else 'thin dotted'} lines by {shown(by, 40)}" for place, by in enumerate(bys)]
    intervals = f"95 % intervals both ways: {', '.join(lines)}." if lines else ""
    undefined = f"Not drawn because undefined: {absent} of {points}; the table says why." if absent else ""
    return f"{intervals} {undefined}".strip()


def _cells(entry: MetricEntry, bys: Sequence[str]) -> list[str]:
    value = number(entry.value) if entry.value is not None else f"{NOTHING} {shown(entry.reason or '')}".strip()
    return [value, *(marked_ends(found) if (found := interval_by(entry, by)) else NOTHING for by in bys)]


def _draw(drawing: Drawing, points: Sequence[PlanePoint], across: str, upwards: str) -> None:
    axes = axes_over(drawing)
    x_low, x_high, x_step = spread([point.x for point in points], () if points else (0.0, 1.0))
    y_low, y_high, y_step = spread([point.y for point in points], (0.0,))
    right, foot = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM

    def x_at(value: float) -> float:
        return _LEFT + (value - x_low) / (x_high - x_low) * (right - _LEFT)

    def y_at(value: float) -> float:
        return foot - (value - y_low) / (y_high - y_low) * (foot - _TOP)

    for count in range(round((x_high - x_low) / x_step) + 1):
        place = x_at(x_low + count * x_step)
        axes.plot([place] * 2, [_TOP, foot], color=FAINT.placeholder, linewidth=0.6)
        write(axes, place, foot + 11, f"{x_low + count * x_step:.2f}", MUTED, side="center")
    for count in range(round((y_high - y_low) / y_step) + 1):
        place = y_at(y_low + count * y_step)
        axes.plot([_LEFT, right], [place] * 2, color=FAINT.placeholder, linewidth=0.6)
        write(axes, _LEFT - 6, place, f"{y_low + count * y_step:.2f}", MUTED, side="right")
    write(axes, right, foot + 29, across, MUTED, side="right")
    write(axes, 6, 12, upwards.replace("→", "↑"), MUTED, side="left")
    for chance in sorted({point.x.chance for point in points if point.x.chance is not None}):
        axes.plot([x_at(chance)] * 2, [_TOP, foot], color=MUTED.placeholder, linewidth=1.1, dashes=(3, 2))
        write(axes, x_at(chance) + 4, _TOP + 8, "chance", MUTED)
    for point in points:
        _cross(axes, point, x_at, y_at)
    _labels(axes, points, x_at, y_at)


def _cross(axes: Axes, point: PlanePoint, x_at: Callable[[float], float], y_at: Callable[[float], float]) -> None:
    x, y = x_at(point.x.value or 0.0), y_at(point.y.value or 0.0)
    for place, (low, high) in enumerate(_known(point.x)):
        axes.plot([x_at(low), x_at(high)], [y] * 2, **_stroke(place))
    for place, (low, high) in enumerate(_known(point.y)):
        axes.plot([x] * 2, [y_at(low), y_at(high)], **_stroke(place))
    axes.plot(x, y, marker="o", linestyle="none", markersize=7, color=INK.placeholder, markeredgewidth=0)


def _known(entry: MetricEntry) -> list[tuple[float, float]]:
    return [(it.low, it.high) for it in entry.intervals if it.low is not None and it.high is not None]


def _stroke(place: int) -> _Stroke:
    if place == 0:
        return {"color": ACCENT.placeholder, "linewidth": 2.6, "alpha": 0.6, "linestyle": "-"}
    return {"color": INK.placeholder, "linewidth": 0.9, "alpha": 0.8, "linestyle": (0, (2, 1.5))}


def _labels(
    axes: Axes, points: Sequence[PlanePoint], x_at: Callable[[float], float], y_at: Callable[[float], float]
) -> None:
    centres = [(x_at(point.x.value or 0.0), y_at(point.y.value or 0.0)) for point in points]
    taken = [Box(x - 4, y - 4, x + 4, y + 4) for x, y in centres]
    for point, (x, y) in zip(points, centres, strict=True):
        taken += [Box(x_at(low), y - 2, x_at(high), y + 2) for low, high in _known(point.x)[:1]]
        taken += [Box(x - 2, y_at(high), x + 2, y_at(low)) for low, high in _known(point.y)[:1]]
    for point, centre in zip(points, centres, strict=True):
        text = brief(point.label, 20)
        box = label_box(centre, _LETTER * len(text) + 2, taken, Box(_LEFT, _TOP, _WIDTH - 4, _HEIGHT - _BOTTOM))
        taken.append(box)
        middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        if max(abs(middle[0] - centre[0]) - (box.right - box.left) / 2, abs(middle[1] - centre[1])) > 16:
            axes.plot([centre[0], middle[0]], [centre[1], middle[1]], color=MUTED.placeholder, linewidth=0.6)
        write(axes, *middle, text, side="center", size=BODY, bold=True)


def label_box(centre: tuple[float, float], width: float, taken: Sequence[Box], inside: Box) -> Box:
    """Where a label goes: the first place around its point that is free and inside, else the one that covers least.

    Args:
        centre: The point, in pixels.
        width: Width of the label, in pixels.
        taken: What is drawn there already.
        inside: Where labels may stand.
    """
    best: tuple[float, Box] | None = None
    for distance in (7, 13, 20, 28, 38):
        for right, down in ((1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0)):
            x = centre[0] + right * (distance * (0.6 if down else 1) + width / 2)
            y = centre[1] + down * (distance if not right else distance * 0.6 + _LINE / 4)
            box = Box(x - width / 2, y - _LINE / 2, x + width / 2, y + _LINE / 2)
            area = width * _LINE
            cost = sum(box.overlap(other) for other in taken) + 3 * (area - box.overlap(inside))
            if best is None or cost < best[0] - 1e-6:
                best = (cost, box)
        if best is not None and best[0] <= 1e-6:
            break
    assert best is not None  # noqa: S101 - the loops above are not empty
    return best[1]
