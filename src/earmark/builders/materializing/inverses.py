"""What may have been done to a copy's samples, undone; each guess is proved by the clip's hash, so that one that fits is sure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

import numpy as np

from earmark.builders.materializing.scaling import Rounding, scalings
from earmark.manifests.findings import Code, Severity, declare

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from earmark.audio.decode import AudioInfo, Samples
    from earmark.builders.materializing.recipes import Recipe

SWAPPED = declare("materialize.channel", Severity.ERROR, "the clip's samples stand in another channel of this copy")
INVERTED = declare("materialize.polarity", Severity.ERROR, "the samples of this copy have the other sign")
DEEPER = declare("materialize.depth", Severity.ERROR, "the samples of this copy are of another depth")
SHIFTED = declare("materialize.shifted", Severity.ERROR, "the samples of this copy come earlier or later")
SCALED = declare("materialize.gain", Severity.ERROR, "this copy is louder or softer by one factor, as if normalised")

QUICKLY_UNDONE = frozenset({SWAPPED, INVERTED, DEEPER, SHIFTED})
"""What costs little more to try than to read the clip once."""

MOST_SHIFT = 16
"""Samples by which a copy is tried to be shifted, whatever its length says."""

MOST_CHANNELS = 16

_FULL = 1 << 15
_STEP = {"int16": 1, "int32": 256}


class Guess(NamedTuple):
    """A copy with something undone.

    Attributes:
        code: what had been done.
        found: what there is of it, for people.
        expected: what there should be.
        pieces: the samples of each span without it.
    """

    code: Code
    found: str
    expected: str
    pieces: Sequence[Samples]


def proved(path: Path, recipe: Recipe, codes: Sequence[Code] = (), *, end: int = 0) -> Guess | None:
    """What was done to a copy, if it is one of these things alone and can be undone without loss.

    Args:
        path: The file; it has the recipe's rate.
        recipe: How the clip is cut; it has a hash.
        codes: The codes to try; all without.
        end: The sample behind the last one that other clips need of the file, if they do.

    Raises:
        UndecodableAudio: If the file cannot be read.
    """
    from earmark.audio.cut import assemble
    from earmark.audio.decode import probe
    from earmark.audio.hashes import samples_hash

    info = probe(path)
    kinds: list[tuple[tuple[Code, ...], Callable[[Path, AudioInfo, Recipe], Iterator[Guess]]]] = [
        ((SWAPPED,), _channels),
        ((INVERTED, DEEPER), _values),
        ((SHIFTED,), partial(_shifts, end=max(end, recipe.last))),
        ((SCALED,), _scalings),
    ]
    for offered, guesses in kinds:
        if codes and not set(offered) & set(codes):
            continue
        for guess in guesses(path, info, recipe):
            cut = assemble(info, guess.pieces, joining_silence=recipe.joining_silence, gain=recipe.gain)
            if samples_hash(cut.samples, cut.rate) == recipe.pcm_hash:
                return guess
    return None


def _fits(info: AudioInfo, recipe: Recipe) -> bool:
    return recipe.channel < info.channels and recipe.last <= info.frames


def _channels(path: Path, info: AudioInfo, recipe: Recipe) -> Iterator[Guess]:
    from earmark.audio.decode import read_spans

    if recipe.last <= info.frames:
        for channel in range(min(info.channels, MOST_CHANNELS)):
            if channel != recipe.channel:
                pieces = read_spans(path, recipe.spans, channel=channel)[1]
                of = f"channel {channel}" if info.channels > 1 else "the only channel"
                yield Guess(SWAPPED, of, f"channel {recipe.channel}, counted from 0", pieces)


def _values(path: Path, info: AudioInfo, recipe: Recipe) -> Iterator[Guess]:
    """Other samples in the same places: of the other sign, rounded or cut off to fewer bits."""
    from earmark.audio.decode import read_spans

    if not _fits(info, recipe):
        return
    pieces = read_spans(path, recipe.spans, channel=recipe.channel)[1]
    yield Guess(INVERTED, "minus the samples", "the samples", [_negated(piece) for piece in pieces])
    # Floats that were divided by 32767 and not 32768 are cut off to what they were.
    for bits, how in ((16, np.rint), (16, np.floor), (16, np.trunc), (24, np.rint), (24, np.floor)):
        narrower = [_narrowed(piece, bits, how) for piece in pieces]
        yield Guess(DEEPER, _depth(info), f"samples of {bits} bits", narrower)


def _shifts(path: Path, info: AudioInfo, recipe: Recipe, end: int) -> Iterator[Guess]:
    """The same spans earlier or later; what lies outside the file is taken to be silence that was trimmed."""
    from earmark.audio.decode import read_spans

    if recipe.channel >= info.channels:
        return
    lacking = recipe.last - info.frames
    # What was cut off at the start, or put there, is as much of every clip of the file, and that at its end tells how much.
    by_length = dict.fromkeys([-lacking, info.frames - end, 0])
    likely = [shift for shift in by_length if (shift or lacking > 0) and abs(shift) <= end]
    near = [sign * shift for shift in range(1, MOST_SHIFT + 1) for sign in (-1, 1)]
    for shift in dict.fromkeys([*likely, *near]):
        moved = [(start + shift, end + shift) for start, end in recipe.spans]
        inside = [(max(start, 0), min(end, info.frames)) for start, end in moved]
        if any(start >= end for start, end in inside):
            continue
        pieces = read_spans(path, inside, channel=recipe.channel)[1]
        padded = [
            cast("Samples", np.pad(piece, (kept[0] - whole[0], whole[1] - kept[1])))
            for piece, kept, whole in zip(pieces, inside, moved, strict=True)
        ]
        by = f"{abs(shift)} samples {'later' if shift > 0 else 'earlier'}" if shift else "silence at the end trimmed"
        yield Guess(SHIFTED, by, "the samples in the published places", padded)


def _scalings(path: Path, info: AudioInfo, recipe: Recipe) -> Iterator[Guess]:
    from earmark.audio.decode import read_spans

    if not _fits(info, recipe):
        return
    pieces = read_spans(path, recipe.spans, channel=recipe.channel)[1]
    whole = np.concatenate([_whole(piece) for piece in pieces])
    steps = 1 if pieces[0].dtype == np.int16 else 256  # of the copy, in one of 16 bits
    ends = np.cumsum([len(piece) for piece in pieces])[:-1]
    for rounding in get_args(Rounding):
        for found in scalings(whole, rounding):
            for of, was in ((steps, _of_16(found.samples)), (1, _of_24(found.samples))):
                if was is not None:
                    louder = 20 * np.log10(found.factor / of)
                    by = f"{abs(louder):.2f} dB {'louder' if louder > 0 else 'softer'}"
                    yield Guess(SCALED, by, "the level as published", cast("list[Samples]", np.split(was, ends)))


def _depth(info: AudioInfo) -> str:
    return f"samples as {info.subtype}"


def _negated(piece: Samples) -> Samples:
    if piece.dtype.kind == "f":
        return -piece
    # The lowest number has no opposite.
    lowest = -(1 << (8 * piece.dtype.itemsize - 1))
    return cast("Samples", np.where(piece == lowest, -(lowest + 1), -piece).astype(piece.dtype))


def _narrowed(piece: Samples, bits: int, how: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Samples:
    """Samples with fewer bits; those that have no more are left as they are."""
    if piece.dtype == np.int16:
        return piece
    full = float(1 << (bits - 1))
    scaled = piece.astype(np.float64) * (full if piece.dtype.kind == "f" else full / 2.0**31)
    held = np.clip(how(scaled), -full, full - 1)
    return held.astype(np.int16) if bits == 16 else cast("Samples", held.astype(np.int32) << 8)


def _whole(piece: Samples) -> NDArray[np.int64]:
    """Samples in whole steps: of 16 bits, or 24 of whatever has more."""
    if piece.dtype.kind == "f":
        return np.rint(piece.astype(np.float64) * 2.0**23).astype(np.int64)
    return piece.astype(np.int64) // _STEP[piece.dtype.name]


def _of_16(samples: NDArray[np.int64]) -> Samples | None:
    fits = samples.min() >= -_FULL and samples.max() < _FULL
    return samples.astype(np.int16) if fits else None


def _of_24(samples: NDArray[np.int64]) -> Samples | None:
    fits = samples.min() >= -(1 << 23) and samples.max() < 1 << 23
    return cast("Samples", samples.astype(np.int32) << 8) if fits else None
