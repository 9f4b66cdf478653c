"""Where the speech is: levels of short blocks, the noise floor, and the silence before and after.

All thresholds are relative to the clip's loudest frame, and digital silence counts for nothing, so that neither a change of
level nor appended silence moves what is found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from earmark.audio.acoustics.settings import Settings


class Levels(NamedTuple):
    """Levels of a clip.

    Attributes:
        blocks: mean square of each block of `hop` samples, the last one filled up with zeros, shape (m,).
        hop: samples per block.
        frames: mean square of each run of blocks as long as a frame, at every block, shape (m - w + 1,) or empty.
        floor: mean square of the quiet frames, digital silence left out; None where there is no frame.
    """

    blocks: NDArray[np.float64]
    hop: int
    frames: NDArray[np.float64]
    floor: float | None


class Span(NamedTuple):
    """From the first sample of the speech to behind its last one."""

    start: int
    end: int


def levels(samples: NDArray[np.float64], rate: int, settings: Settings) -> Levels:
    """Take the levels of a clip.

    Args:
        samples: shape (n,), n >= 1, without offset.
        rate: sampling rate, Hz.
        settings: `level_hop`, `level_frame`, `floor_percentile`.
    """
    hop = max(1, round(settings.level_hop * rate))
    blocks = mean_squares(samples, hop)
    width = max(1, round(settings.level_frame / settings.level_hop))
    if len(blocks) < width:
        return Levels(blocks, hop, np.empty(0), None)
    runs = np.lib.stride_tricks.sliding_window_view(blocks, width)
    frames = runs.mean(axis=1)
    sounding = frames[(runs > 0).all(axis=1)]
    floor = float(np.percentile(sounding, settings.floor_percentile)) if len(sounding) else None
    return Levels(blocks, hop, frames, floor)


def mean_squares(samples: NDArray[np.float64], hop: int) -> NDArray[np.float64]:
    """Mean square of each block of `hop` samples, shape (m,); the last one is filled up with zeros."""
    whole = len(samples) // hop * hop
    grid = samples[:whole].reshape(-1, hop)
    blocks: NDArray[np.float64] = np.einsum("ij,ij->i", grid, grid) / hop
    if whole < len(samples):
        rest = samples[whole:]
        blocks = np.append(blocks, np.einsum("i,i->", rest, rest) / hop)
    return blocks


def speech_span(levels: Levels, samples: int, settings: Settings) -> Span | None:
    """Find the speech by its level.

    A block is sounding above a threshold that lies `speech_margin` above the noise floor, but between `speech_range` and
    `speech_certain` below the loudest frame. Speech begins with the first run of sounding blocks that is long enough and ends
    with the last one; where none is long enough, with the first and last sounding block.

    Args:
        levels: the clip's levels.
        samples: the clip's length, samples.
        settings: the figures above.

    Returns:
        The span; None where the clip is shorter than a frame or digital silence.
    """
    if not len(levels.frames) or not (top := float(levels.frames.max())) > 0:
        return None
    low, high = top * _power(-settings.speech_range), top * _power(-settings.speech_certain)
    threshold = high if levels.floor is None else min(max(levels.floor * _power(settings.speech_margin), low), high)
    sounding = levels.blocks > threshold
    edges = np.flatnonzero(np.diff(sounding.astype(np.int8), prepend=0, append=0))
    starts, ends = edges[::2], edges[1::2]
    long = ends - starts >= round(settings.speech_least / settings.level_hop)
    if long.any():
        starts, ends = starts[long], ends[long]
    return Span(int(starts[0]) * levels.hop, min(int(ends[-1]) * levels.hop, samples))


def _power(decibels: float) -> float:
    return float(10.0 ** (decibels / 10))
