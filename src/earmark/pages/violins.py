"""Split violins: how a judge's scores spread between two poles, pole by pole and role by role.

**Density.** Gaussian kernels of one fixed, declared bandwidth in score units, so that panels can be compared; what would fall
beyond −1 or 1 is reflected back (Silverman 1986, section 2.10), so that each half has area 1. A pole with fewer than
twenty scores gets none: ten kernels this narrow draw modes that are not there. Both halves of a panel share one scale.

**Quantiles.** A quantile is always one of the scores, the inverse of their distribution function, as in the report.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from earmark.pages.formats import number
from earmark.pages.shown import brief, shown
from earmark.pages.svg import (
    BODY,
    FAINT,
    INK,
    MUTED,
    NEGATIVE,
    POSITIVE,
    SMALL,
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

    Floats: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

BANDWIDTH = 0.16
"""Standard deviation of the kernel, in score units."""

DENSITY_FROM = 10
"""Fewest scores of a pole that get a density."""

DOTS_UP_TO = 30
"""Most scores of a role that are drawn one by one; more are a box with whiskers."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

_WIDTH, _LEFT, _PLOT = 360, 102, 180
_MEDIAN, _COUNT = _PLOT + 40, _WIDTH - _LEFT - 2  # right ends of the two columns of numbers
_TITLE, _ROW, _HALF, _GAP, _FOOT = 30, 16, 36, 8, 40
_BIN = 0.04  # scores this close to each other are stacked
_DODGE = (0, 1, -1, 2, -2)


@dataclass(frozen=True)
class ViolinGroup:
    """What one panel shows.

    Args:
        facet: Facet id.
        name: Its name for people.
        positive: Name of the pole at score 1.
        negative: Name of the pole at score −1.
        scores: Per role its pole, "P" or "N", and its scores in [−1, 1].

    Raises:
        ValueError: If a pole is neither "P" nor "N", or a score is not in [−1, 1].
    """

    facet: str
    name: str
    positive: str
    negative: str
    scores: Mapping[str, tuple[str, Sequence[float]]]

    def __post_init__(self) -> None:
        for role, (pole, scores) in self.scores.items():
            if pole not in ("P", "N"):
                raise ValueError(f"role {role!r} of {self.facet} has pole {pole!r}; a pole is 'P' or 'N'")
            if any(not -1 <= score <= 1 for score in scores):
                raise ValueError(f"role {role!r} of {self.facet} has a score outside [−1, 1]")

    def of_pole(self, pole: str) -> dict[str, Floats]:
        """The roles of one pole with their sorted scores, in the mapping's order."""
        return {
            role: np.sort(np.asarray(scores, dtype=np.float64))
            for role, (side, scores) in self.scores.items()
            if side == pole
        }


def density(scores: Floats, at: Floats) -> Floats:
    """The density of scores in [−1, 1], zero outside.

    Args:
        scores: At least one score in [−1, 1].
        at: Where to evaluate it, in [−1, 1].

    Returns:
        One density per place; it integrates to 1 over [−1, 1].

    >>> grid = np.linspace(-1, 1, 2001)
    >>> round(float(np.trapezoid(density(np.array([0.95, 1.0]), grid), grid)), 3)
    1.0
    """
    mirrored = np.concatenate([scores, 2 - scores, -2 - scores])
    distance = (at[:, None] - mirrored[None, :]) / BANDWIDTH
    kernels: Floats = np.exp(-0.5 * distance**2) / (BANDWIDTH * np.sqrt(2 * np.pi))
    return np.asarray(kernels.sum(axis=1) / len(scores), dtype=np.float64)


def split_violins(groups: Sequence[ViolinGroup]) -> Figure:
    """One panel per group: the positive pole's density above the line, the negative one's below it, each with its roles.

    Args:
        groups: The panels in their order; each may have any number of roles and scores, none included.
    """
    head = ("role", "pole", "n", *(f"{100 * quantile:g} %" if quantile != 0.5 else "median" for quantile in QUANTILES))
    note = (
        f"Each half is a Gaussian density with a bandwidth of {BANDWIDTH:g}, reflected at −1 and 1; a pole with fewer than "
        f"{DENSITY_FROM} scores has none. Below and above it a row per role: the box spans the middle half of its scores, the "
        f"thick tick is the median; dots (P) and squares (N) are single scores, shown up to {DOTS_UP_TO} a role, beyond "
        "that whiskers to the 5 % and 95 % quantiles. The dashed line is the threshold, 0. Medians and "
        "quantiles are scores that were given (the inverse of their distribution function), never between two of them."
    )
    rows = [row for group in groups for row in _table_rows(group)]
    return Figure(tuple(_panel(group) for group in groups), Table(head, tuple(rows)), note)


def _table_rows(group: ViolinGroup) -> list[tuple[str, ...]]:
    rows = []
    for pole, label in (("P", group.positive), ("N", group.negative)):
        roles = group.of_pole(pole)
        for role, scores in (("all roles", _pooled(roles)), *roles.items()):
            cells = [number(value) for value in _quantiles(scores)]
            rows.append((f"{shown(group.facet)} {shown(role)}", f"{pole} {shown(label)}", f"{len(scores):,}", *cells))
    return rows


def _pooled(roles: Mapping[str, Floats]) -> Floats:
    return np.sort(np.concatenate([np.empty(0), *roles.values()]))


def _quantiles(scores: Floats) -> list[float | None]:
    if not len(scores):
        return [None] * len(QUANTILES)
    return [float(value) for value in np.quantile(scores, QUANTILES, method="inverted_cdf")]


def _median(scores: Floats) -> float:
    return float(np.quantile(scores, 0.5, method="inverted_cdf"))


def _panel(group: ViolinGroup) -> str:
    above, below = group.of_pole("P"), group.of_pole("N")
    middle = _TITLE + _ROW * len(above) + _GAP + _HALF
    foot = middle + _HALF + _GAP + _ROW * len(below)

    def draw(drawing: Drawing) -> None:
        axes = axes_over(drawing, left=_LEFT)
        _frame(axes, group, foot)
        _violin(axes, group, above, below, middle)
        for place, (role, scores) in enumerate(above.items()):
            _role(axes, role, scores, _TITLE + _ROW * (place + 0.5), POSITIVE, "round")
        for place, (role, scores) in enumerate(below.items()):
            _role(axes, role, scores, middle + _HALF + _GAP + _ROW * (place + 0.5), NEGATIVE, "projecting")

    return render(
        _WIDTH, foot + _FOOT, draw, title=f"{shown(group.facet)} {shown(group.name)}", description=_words(group)
    )


def _words(group: ViolinGroup) -> str:
    sentences = []
    for pole, label in (("P", group.positive), ("N", group.negative)):
        pooled = _pooled(group.of_pole(pole))
        median = _quantiles(pooled)[2]
        spread = f", median {number(median)}" if median is not None else ""
        sentences.append(f"{pole}, {shown(label, 40)}: {len(pooled):,} scores{spread}")
    return "; ".join(sentences)


def _across(score: Floats | float) -> Floats:
    """Scores as pixels from the left end of the plot."""
    return np.asarray((np.asarray(score, dtype=np.float64) + 1) / 2 * _PLOT)


def _frame(axes: Axes, group: ViolinGroup, foot: float) -> None:
    facet = brief(group.facet, 12)
    write(axes, 2 - _LEFT, 12, facet, MUTED, size=BODY + 1, bold=True)
    write(axes, 8 - _LEFT + 8 * len(facet), 12, brief(group.name, 34), size=BODY + 1, bold=True)
    for label, right in (("median", _MEDIAN), ("n", _COUNT)):
        write(axes, right, 24, label, MUTED, side="right")
    for score in (-1, -0.5, 0.5, 1):
        axes.plot([_across(score)] * 2, [_TITLE, foot], color=FAINT.placeholder, linewidth=0.6)
    axes.plot([_across(0)] * 2, [_TITLE, foot], color=MUTED.placeholder, linewidth=1, dashes=(3, 2))
    for score, text in ((-1, "−1"), (-0.5, "−.5"), (0, "0"), (0.5, ".5"), (1, "1")):
        write(axes, float(_across(score)), foot + 9, text, MUTED, side="center")
    write(axes, -4, foot + 25, f"← {brief(group.negative, 22)}", NEGATIVE)
    write(axes, _PLOT + 4, foot + 25, f"{brief(group.positive, 22)} →", POSITIVE, side="right")


def _violin(
    axes: Axes, group: ViolinGroup, above: Mapping[str, Floats], below: Mapping[str, Floats], middle: float
) -> None:
    places = np.linspace(-1, 1, 101)
    sides: tuple[tuple[Floats, str, Colour, int], ...] = (
        (_pooled(above), group.positive, POSITIVE, -1),
        (_pooled(below), group.negative, NEGATIVE, 1),
    )
    curves = [density(scores, places) if len(scores) >= DENSITY_FROM else None for scores, *_ in sides]
    tallest = max((float(curve.max()) for curve in curves if curve is not None), default=1.0)
    for (scores, label, colour, down), curve in zip(sides, curves, strict=True):
        letter = "P" if down < 0 else "N"
        height = middle + down * _HALF / 2
        lines = textwrap.wrap(f"{letter} {shown(label)}", 15)[:2]
        for line, text in enumerate(lines):
            level = height + 12 * (line - (len(lines) - 1) / 2)
            write(axes, -8, level, brief(text, 15), colour, side="right", size=SMALL + 0.5, bold=True)
        _numbers(axes, scores, height, bold=True)
        if curve is None:
            words = "no density" if len(scores) else "no scores"
            write(axes, _PLOT / 4, height, words, MUTED, side="center", italic=True)
            continue
        edge = middle + down * curve / tallest * (_HALF - 2)
        axes.fill(
            np.concatenate([[0], _across(places), [_PLOT]]),
            np.concatenate([[middle], edge, [middle]]),
            facecolor=(colour.placeholder, 0.35) if down < 0 else "none",
            edgecolor=colour.placeholder,
            linewidth=1.0,
            hatch="" if down < 0 else "/////",
        )
        median = float(_across(_median(scores)))
        axes.plot([median] * 2, [middle, middle + down * _HALF], color=INK.placeholder, linewidth=2)
    axes.plot([0, _PLOT], [middle] * 2, color=INK.placeholder, linewidth=0.8)


def _numbers(axes: Axes, scores: Floats, height: float, *, bold: bool = False) -> None:
    median = number(_median(scores)) if len(scores) else "—"
    write(axes, _MEDIAN, height, median, side="right", bold=bold)
    write(axes, _COUNT, height, str(len(scores)), side="right", bold=bold)


def _role(
    axes: Axes, role: str, scores: Floats, height: float, colour: Colour, cap: Literal["round", "projecting"]
) -> None:
    write(axes, -8, height, brief(role, 17), side="right")
    _numbers(axes, scores, height)
    if not len(scores):
        return
    low, first, median, third, high = (
        float(value) for value in _across(np.asarray(_quantiles(scores), dtype=np.float64))
    )
    if len(scores) > DOTS_UP_TO:
        axes.plot([low, high], [height] * 2, color=colour.placeholder, linewidth=1.2)
    if len(scores) > 1:
        block(axes, first, third, height, 8, colour, opacity=0.22)
    if len(scores) <= DOTS_UP_TO:
        # A line without length has only its caps: a dot or a square for a fifth of what a marker takes.
        gap = np.full(len(scores), np.nan)
        across, down = _across(scores), height + _dodged(scores)
        axes.plot(
            np.column_stack([across, across, gap]).ravel(),
            np.column_stack([down, down, gap]).ravel(),
            color=colour.placeholder,
            linewidth=3.4 if cap == "round" else 3,
            solid_capstyle=cap,
            alpha=0.85,
        )
    if len(scores) > 1:
        axes.plot([median] * 2, [height - 5.5, height + 5.5], color=INK.placeholder, linewidth=1.8)


def _dodged(scores: Floats) -> Floats:
    """Offsets in pixels that lay sorted scores of one bin over each other, so that ties can be counted."""
    _, inverse, counts = np.unique(np.floor(scores / _BIN), return_inverse=True, return_counts=True)
    firsts = np.cumsum(counts) - counts
    ranks = np.arange(len(scores)) - firsts[inverse]
    return np.asarray([2.4 * _DODGE[rank % len(_DODGE)] for rank in ranks], dtype=np.float64)
