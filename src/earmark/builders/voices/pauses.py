"""Where a voice pauses: silence put in at commas and stops and between words, or taken out of the pauses that are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.builders.miniatures.dice import Dice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from earmark.builders.voices.espeak import SpokenWord

_STOPS = frozenset(",.;:!?…—–()")
_HALT = (0.18, 0.4)
"""Least and greatest length of a halt, s."""

_SEARCH = 0.03
_FADE = 0.004
_LEFT = 0.02
_QUIET = 0.004  # of the greatest magnitude: 48 dB below it


class Pause(NamedTuple):
    """A change of a pause.

    Attributes:
        sample: Where the next word begins.
        seconds: Silence that is put in, s; below 0 what is taken out, as far as there is silence.
    """

    sample: int
    seconds: float


def clause_starts(text: str, words: Sequence[SpokenWord]) -> list[int]:
    """The places of the words that follow a comma or a stop."""
    return [
        place
        for place in range(1, len(words))
        if _STOPS.intersection(text[words[place - 1].start + words[place - 1].length : words[place].start])
    ]


def pauses_of(
    text: str, words: Sequence[SpokenWord], *, at_stops: float, hesitation: float, dice: Dice
) -> Iterator[Pause]:
    """The pauses that a delivery changes, in their order.

    Args:
        text: What is said.
        words: As they were spoken.
        at_stops: Seconds more, or less, at each comma and stop.
        hesitation: Share of the other places between words where the voice halts, 0 to 1.
        dice: Draws where, and for how long.
    """
    stops = set(clause_starts(text, words))
    for place in range(1, len(words)):
        if place in stops:
            if at_stops:
                yield Pause(words[place].sample, at_stops)
        elif hesitation and dice.chance(hesitation, "halt", place):
            yield Pause(words[place].sample, dice.between(*_HALT, "long", place))


def paused(samples: NDArray[np.float64], rate: int, pauses: Sequence[Pause]) -> NDArray[np.float64]:
    """Speech with its pauses changed.

    Args:
        samples: shape (n,).
        rate: Hz.
        pauses: In their order.

    Returns:
        The speech; faded to nothing and back within 4 ms wherever silence is put in.
    """
    if not pauses or not samples.size:
        return samples
    envelope = np.abs(samples)
    quiet = _QUIET * envelope.max()
    pieces: list[NDArray[np.float64]] = []
    done = 0
    for pause in pauses:
        if pause.seconds > 0:
            at = max(done, _quietest(envelope, rate, pause.sample))
            pieces += [_faded(samples[done:at], rate), np.zeros(round(pause.seconds * rate))]
            done = at
        else:
            start, end = _silence(envelope, pause.sample, quiet)
            start = max(start, done)
            take = min(round(-pause.seconds * rate), end - start - round(_LEFT * rate))
            if take > 0:
                pieces.append(samples[done:start])
                done = start + take
    return np.concatenate([*pieces, samples[done:]])


def _quietest(envelope: NDArray[np.float64], rate: int, sample: int) -> int:
    """The middle of the quietest 5 ms near the beginning of a word."""
    width, reach = max(1, round(0.005 * rate)), round(_SEARCH * rate)
    start, end = max(0, sample - reach), min(len(envelope), sample + reach // 2)
    if end - start <= width:
        return min(max(sample, 0), len(envelope))
    sums = np.convolve(envelope[start:end], np.ones(width), mode="valid")
    return start + int(sums.argmin()) + width // 2


def _silence(envelope: NDArray[np.float64], sample: int, quiet: float) -> tuple[int, int]:
    """The silence that a word follows on."""
    before = envelope[: max(0, min(sample, len(envelope)))]
    sounding = np.flatnonzero(before > quiet)
    return (int(sounding[-1]) + 1 if sounding.size else 0), len(before)


def _faded(piece: NDArray[np.float64], rate: int) -> NDArray[np.float64]:
    """A piece whose last 4 ms fade out."""
    length = min(round(_FADE * rate), len(piece))
    faded = piece.copy()
    faded[len(piece) - length :] *= np.linspace(1.0, 0.0, length)
    return faded
