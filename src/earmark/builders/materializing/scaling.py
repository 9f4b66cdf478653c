"""The factor that integer samples were multiplied by, read off the steps that they leave out.

Samples that were multiplied by g > 1 and rounded take only the values round(g k). So the values that occur have a period of g, or
gaps with one, which their spectrum shows. That bounds g; each value that can be of one k alone bounds it more narrowly, until the
samples before are known to the last bit. Whether a guess was right is seen at the hash.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RANGES = (1 << 10, 1 << 12, 1 << 15, 1 << 18, 1 << 21)
"""Magnitudes that are looked at, the quiet ones first, of which nearly all occur."""

_LEAST_LEVELS, _LEAST_CYCLES = 32, 24
_MOST_PEAKS, _MOST_FITTING = 24, 4
_MOST_ROUNDS, _MOST_HALVES = 20, 15

_SLACK = 1 / 400
"""How far off a product may be before it is rounded: by 1/512 where 24 bits were cut from 32, by less in single precision."""


Rounding = Literal["nearest", "zero", "down"]
"""To the nearest whole number; toward 0, as a cast does; down, as dropping the lowest bits does."""


class Scaling(NamedTuple):
    """What samples were multiplied by, and what they were.

    Attributes:
        factor: what each was multiplied by.
        samples: what they were, whole numbers.
    """

    factor: float
    samples: NDArray[np.int64]


class _Side(NamedTuple):
    """Magnitudes that were rounded alike.

    Attributes:
        levels: the different ones, ascending.
        below: how far below a magnitude the product may have been, negative.
        above: how far above it.
    """

    levels: NDArray[np.int64]
    below: float
    above: float


def scalings(samples: NDArray[np.int64], rounding: Rounding) -> Iterator[Scaling]:
    """Find factors that fit every sample, the largest first of those that the same values show.

    Args:
        samples: shape (n,), whole numbers, each in steps of 1.
        rounding: where the products were rounded to.

    >>> was = np.array([0, *range(1, 400), -5, 3000])
    >>> next(scalings(np.rint(was * 1.37).astype(np.int64), "nearest")).samples.tolist() == was.tolist()
    True
    """
    match rounding:
        case "nearest":
            sides, middle = [_Side(_levels(np.abs(samples)), -0.5, 0.5)], np.zeros(1)
        case "zero":
            sides, middle = [_Side(_levels(np.abs(samples)), 0.0, 1.0)], np.sign(samples) / 2
        case "down":
            sides, middle = [_Side(_levels(samples), 0.0, 1.0), _Side(_levels(-samples), -1.0, 0.0)], np.full(1, 0.5)
    greatest = max((int(side.levels[-1]) for side in sides if side.levels.size), default=0)
    for most in _RANGES:
        quiet = [side.levels[side.levels < most] for side in sides]
        # What one side leaves out the other may have, so each is looked at by itself as well.
        looked_at = [np.concatenate(quiet), *(quiet if len(quiet) > 1 else ())]
        for occurring in looked_at:
            fitting = (fit for bounds in _periods(occurring, most) for fit in _bounds(sides, greatest, bounds))
            for fit in islice(fitting, _MOST_FITTING):
                factor = sum(fit) / 2
                yield Scaling(factor, np.rint((samples + middle) / factor).astype(np.int64))
        if greatest < most:
            break


def _levels(samples: NDArray[np.int64]) -> NDArray[np.int64]:
    """The different samples above 0, ascending."""
    return np.unique(samples[samples > 0])


def _periods(levels: NDArray[np.int64], most: int) -> Iterator[tuple[float, float]]:
    """Bounds of what may be the period of some magnitudes, all below `most`, the longest first."""
    if len(levels) < _LEAST_LEVELS:
        return
    occurs = np.zeros(2 * most)
    occurs[levels] = 1.0
    occurs[:most] *= np.hanning(2 * most)[most:]  # or the end of the range would ring
    spectrum = np.abs(np.fft.rfft(occurs))
    # A period of 2 stands at the very end.
    inner, behind = spectrum[1:], np.append(spectrum[2:], 0.0)
    peaks = 1 + np.flatnonzero((inner > spectrum[:-1]) & (inner >= behind))
    peaks = peaks[peaks >= _LEAST_CYCLES]
    strongest = peaks[np.argsort(spectrum[peaks])[::-1][:_MOST_PEAKS]]
    # Of a long period all multiples are as strong; one shorter than 2 shows as what it leaves out.
    lowest = peaks[spectrum[peaks] > spectrum[strongest].max(initial=0.0) / 2][:_MOST_PEAKS]
    for cycle in np.unique(np.concatenate([lowest, strongest, 2 * most - strongest])):
        yield 2 * most / (cycle + 1), 2 * most / (cycle - 1)


def _known(greatest: int, bounds: tuple[float, float]) -> bool:
    """Whether the middle of the bounds gives the number of each magnitude, rounded by half a step of 1."""
    least, most = bounds
    doubt = greatest * (most - least) / (least * most)
    return doubt / 2 + 0.5 / least < 0.5


def _bounds(sides: list[_Side], greatest: int, bounds: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Bounds that fit all magnitudes and leave the number of none in doubt, within wider ones.

    Magnitudes can be of two factors at once, of 2 and of a little more, say. Then halving tells the two apart.
    """
    waiting = [bounds]
    for _ in range(_MOST_HALVES):
        if not waiting:
            return
        fit = _fitted(sides, waiting.pop())
        if fit is None:
            continue
        if _known(greatest, fit):
            yield fit
        else:
            middle = sum(fit) / 2
            waiting += [(fit[0], middle), (middle, fit[1])]


def _fitted(sides: list[_Side], bounds: tuple[float, float]) -> tuple[float, float] | None:
    """The narrowest bounds of a factor that fits all magnitudes; None if none does."""
    for _ in range(_MOST_ROUNDS):
        narrower: tuple[float, float] | None = bounds
        for side in sides:
            narrower = None if narrower is None else _narrowed(side, narrower)
        if narrower is None or narrower == bounds:
            return narrower
        bounds = narrower
    return bounds


def _narrowed(side: _Side, bounds: tuple[float, float]) -> tuple[float, float] | None:
    """Bounds by all magnitudes that can be of one number only within the bounds so far; None if one can be of none."""
    least, most = bounds
    lowest, highest = side.levels + side.below - _SLACK, side.levels + side.above + _SLACK
    # A magnitude m is round(g k) of each whole k in between.
    first, last = np.ceil(lowest / most), np.floor(highest / least)
    known = (first == last) & (first > 0)
    if (first > last).any() or (np.diff(first[known]) <= 0).any():
        return None  # one of no number, or two of one
    low = (lowest[known] / first[known]).max(initial=least)
    high = (highest[known] / first[known]).min(initial=most)
    return (float(low), float(high)) if low < high else None
