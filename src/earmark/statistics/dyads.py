"""How often each pair of clips is drawn where its speakers and its clips are: a bootstrap of dyadic data.

Pairs that share a speaker or a clip are not independent, and no grouping of the pairs makes them so: a pair belongs to both of
its speakers and to both of its clips. So speakers are drawn, and within each speaker its clips, and a pair comes as often as all
that it is made of: its weight is the product over its distinct speakers of how often each is drawn, times the product over its
distinct clips of how often each is drawn within its speaker. (Owen 2007, “The pigeonhole bootstrap”, and Davezies, D’Haultfœuille
and Guyonvarch 2021 for dyads.) Such intervals err on the wide side: pairs that share nothing vary more under a product of draws
than under one.

**Streams.** Speakers are drawn as `cluster_weights` draws clusters, from the words of (seed, 0); those that are held, because
there are too few of their kind to draw from, are there once and not among them. Clips are drawn from the words of (seed, 1), half
a word for each: with N clips replicate r uses words r·W … (r + 1)·W − 1, W = ⌈N / 2⌉, each word's low 32 bits before its high
ones, clips in order.

**Map.** The half word h of a clip whose speaker has m clips, numbered from b on, draws clip b + ⌊h · m / 2³²⌋.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from earmark.statistics.statistic import as_codes
from earmark.statistics.weights import cluster_weights, philox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike

    from earmark.statistics.statistic import Bools, Floats, Ints

_BLOCK_ENTRIES = 2**21  # 16 MiB of float64: a block costs each statistic a call
_CACHED_ENTRIES = 2**17  # 1 MiB: as many weights are made at a time as stay in the cache
_HALF = np.uint64(32)
_CLIPS = 1  # which stream of a seed clips are drawn from; speakers are drawn from stream 0


@dataclass(frozen=True, eq=False)
class Dyads:
    """Pairs of clips, and who speaks in each clip.

    Attributes:
        clip: (P, 2) number of each of a pair's clips, in [0, N); the same one twice where it is held against itself.
        speaker: (N,) number of each clip's speaker, in [0, S), ascending.
    """

    clip: Ints
    speaker: Ints

    @classmethod
    def of(cls, clip: ArrayLike, speaker: ArrayLike) -> Self:
        """Number clips and speakers afresh, speaker by speaker.

        Args:
            clip: (P, 2) whole numbers or names, one for each clip.
            speaker: (P, 2) whole numbers or names, one for each clip's speaker.

        Raises:
            ValueError: The arrays are not of that shape, or a clip has two speakers.

        >>> dyads = Dyads.of([["c", "a"], ["a", "b"]], [["x", "y"], ["y", "x"]])
        >>> dyads.clip.tolist(), dyads.speaker.tolist()
        ([[1, 2], [2, 0]], [0, 0, 1])
        """
        clips, speakers = np.asarray(clip), np.asarray(speaker)
        if clips.ndim != 2 or clips.shape[1:] != (2,) or speakers.shape != clips.shape:
            raise ValueError(f"clips have shape {clips.shape} and speakers {speakers.shape}, not (P, 2) both")
        _, first, of_clip = np.unique(clips, return_index=True, return_inverse=True)
        of_speaker = np.unique(speakers, return_inverse=True)[1].reshape(-1)
        of_clip = of_clip.reshape(-1)
        owner = of_speaker[first]
        if (odd := np.flatnonzero(owner[of_clip] != of_speaker)).size:
            raise ValueError(f"clip {clips.reshape(-1)[odd[0]]} has two speakers")
        order = np.argsort(owner, kind="stable")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return cls(place[of_clip].reshape(clips.shape).astype(np.int64), owner[order].astype(np.int64))

    def __post_init__(self) -> None:
        as_codes(self.clip.reshape(-1), "clip", len(self.speaker), self.clip.size)
        if (np.diff(self.speaker) < 0).any():
            raise ValueError("clips are not in the order of their speakers")

    def taken(self, pairs: Ints) -> Dyads:
        """Some of the pairs, with those clips and speakers alone that are in them.

        Args:
            pairs: (n,) numbers of pairs.
        """
        clip = self.clip[pairs]
        return Dyads.of(clip, self.speaker[clip])

    @cached_property
    def speakers(self) -> int:
        """Number of speakers S."""
        return len(np.unique(self.speaker))

    @property
    def clips(self) -> int:
        """Number of clips N."""
        return len(self.speaker)

    def factors(self, held: Bools | None = None) -> tuple[Ints, ...]:
        """What is drawn independently of the rest: speakers that are not held, and the clips of those that are.

        Args:
            held: (S,) which speakers are not drawn and there once; by default none.

        Returns:
            (P, 2) each: which of them each pair is made of, −1 where a side is of none.
        """
        speaker = self.speaker[self.clip]
        kept = np.zeros(self.clip.shape, np.bool_) if held is None else held[speaker]
        return np.where(kept, -1, speaker), np.where(kept, self.clip, -1)

    def by_speaker(
        self, replicates: int, seed: int, block: int | None = None, *, held: Bools | None = None
    ) -> Iterator[Floats]:
        """Draw speakers, and clips within them.

        Args:
            replicates: Number of replicates, at least 0.
            seed: Key of the streams, in [0, 2⁶⁴).
            block: Replicates per block; the weights do not depend on it.
            held: (S,) which speakers are not drawn and there once; by default none.

        Yields:
            (at most block, P) float64, whole numbers: how often each pair is drawn.
        """
        free = np.arange(self.speakers) if held is None else np.flatnonzero(~held)
        speakers = (
            _with_held(drawn, free, self.speakers)
            for drawn in cluster_weights(max(1, len(free)), replicates, seed, self._at_once)
        )
        members = self.speaker[self.clip]
        clips = self._clip_weights(replicates, seed)
        drawn = zip(speakers, clips, strict=True)
        yield from self._gathered((_product(s, members) * _product(c, self.clip) for s, c in drawn), replicates, block)

    def by_clip(self, replicates: int, seed: int, block: int | None = None) -> Iterator[Floats]:
        """Draw clips within speakers, every speaker being there once.

        Args:
            replicates: Number of replicates, at least 0.
            seed: Key of the stream, in [0, 2⁶⁴).
            block: Replicates per block; the weights do not depend on it.

        Yields:
            (at most block, P) float64, whole numbers: how often each pair is drawn.
        """
        drawn = (_product(clips, self.clip) for clips in self._clip_weights(replicates, seed))
        yield from self._gathered(drawn, replicates, block)

    @property
    def _at_once(self) -> int:
        return max(1, _CACHED_ENTRIES // max(1, self.clips, len(self.clip)))

    def _gathered(self, parts: Iterator[Floats], replicates: int, block: int | None) -> Iterator[Floats]:
        """Weights in blocks of the size asked for, whatever the size that they are made in."""
        size = block or max(1, _BLOCK_ENTRIES // max(1, len(self.clip)))
        gathered, filled = np.empty((min(size, replicates), len(self.clip))), 0
        for part in parts:
            taken = 0
            while taken < len(part):
                rows = min(len(part) - taken, len(gathered) - filled)
                gathered[filled : filled + rows] = part[taken : taken + rows]
                taken, filled, replicates = taken + rows, filled + rows, replicates - rows
                if filled == len(gathered):
                    yield gathered
                    # Another array, since what statistics share of a block is known by the block.
                    gathered, filled = np.empty((min(size, replicates), len(self.clip))), 0

    def _clip_weights(self, replicates: int, seed: int) -> Iterator[Floats]:
        """(b, N) a few at a time: how often each clip is drawn within its speaker."""
        clips, words = self.clips, -(-self.clips // 2)
        many = np.bincount(self.speaker) if clips else np.zeros(0, np.int64)
        begins = np.cumsum(many) - many
        of, begin = many[self.speaker].astype(np.uint64), begins[self.speaker]
        stream = philox(seed, _CLIPS)
        for first in range(0, replicates, self._at_once):
            rows = min(self._at_once, replicates - first)
            drawn = stream.random_raw(rows * words).astype("<u8").view("<u4").reshape(rows, 2 * words)[:, :clips]
            place = (drawn * of >> _HALF).astype(np.int64)
            place += begin + clips * np.arange(rows)[:, None]  # one histogram for the whole block
            yield np.bincount(place.ravel(), minlength=rows * clips).reshape(rows, clips).astype(np.float64)


def _with_held(drawn: Floats, free: Ints, speakers: int) -> Floats:
    """(b, S) weights of all speakers, of which `free` are drawn and the others are there once."""
    if len(free) == speakers:
        return drawn
    weights = np.ones((len(drawn), speakers))
    weights[:, free] = drawn[:, : len(free)]
    return weights


def _product(weights: Floats, members: Ints) -> Floats:
    """(b, P) products over the distinct members (P, 2) of each pair of their weights (b, G)."""
    first, second = members.T
    product: Floats = weights.take(first, axis=1)
    different = first != second
    if different.all():
        product *= weights.take(second, axis=1)
    elif different.any():
        product[:, different] *= weights.take(second[different], axis=1)
    return product
