"""Dyadic weights against explicit resampling, their stream against the words it is made of, and how often intervals cover."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.statistics.dyads import Dyads
from earmark.statistics.intervals import intervals
from earmark.statistics.rates import Ratio
from earmark.statistics.weights import cluster_weights, philox

if TYPE_CHECKING:
    from collections.abc import Sequence

Clip = tuple[int, int]
Pair = tuple[Clip, Clip]
CLIP = st.tuples(st.integers(0, 4), st.integers(0, 3))
PAIRS = st.lists(st.tuples(CLIP, CLIP), min_size=1, max_size=12)


def dyads_of(pairs: Sequence[Pair]) -> Dyads:
    return Dyads.of([[s * 100 + c for s, c in pair] for pair in pairs], [[s for s, _ in pair] for pair in pairs])


def clip_draws(pairs: Sequence[Pair], replicates: int, seed: int) -> list[dict[int, list[Clip]]]:
    """For each replicate the clips that are drawn within each speaker, word by word as the module writes it down."""
    clips = sorted({clip for pair in pairs for clip in pair})
    words = -(-len(clips) // 2)
    stream = [int(word) for word in philox(seed, 1).random_raw(replicates * words)]
    found = []
    for replicate in range(replicates):
        halves = [half for word in stream[replicate * words :][:words] for half in (word & 0xFFFFFFFF, word >> 32)]
        drawn: dict[int, list[Clip]] = {speaker: [] for speaker, _ in clips}
        for half, (speaker, _) in zip(halves, clips, strict=False):
            own = [clip for clip in clips if clip[0] == speaker]
            drawn[speaker].append(own[half * len(own) >> 32])
        found.append(drawn)
    return found


def times(pair: Pair, speakers: Sequence[int], clips: dict[int, list[Clip]]) -> int:
    """How often a pair is in the resample: every way of finding its speakers among those drawn, and its clips among theirs."""
    who = [
        [copy for copy, speaker in enumerate(speakers) if speaker == wanted] for wanted in sorted({s for s, _ in pair})
    ]
    what = [[copy for copy, clip in enumerate(clips[wanted[0]]) if clip == wanted] for wanted in sorted(set(pair))]
    return sum(1 for _ in product(*who, *what))


@settings(max_examples=40)
@given(PAIRS, st.integers(0, 2**64 - 1), st.integers(1, 7), st.integers(1, 4))
def test_weights_are_explicit_resamples(pairs: list[Pair], seed: int, replicates: int, block: int) -> None:
    dyads = dyads_of(pairs)
    people = sorted({speaker for pair in pairs for speaker, _ in pair})
    [drawn] = cluster_weights(len(people), replicates, seed, replicates)
    clips = clip_draws(pairs, replicates, seed)
    for blocks, whose in (
        (dyads.by_speaker(replicates, seed, block), drawn),
        (dyads.by_clip(replicates, seed, block), None),
    ):
        weights = list(blocks)
        assert [len(rows) for rows in weights[:-1]] == [block] * (len(weights) - 1)
        for n, row in enumerate(np.concatenate(weights).tolist()):
            counts = [1] * len(people) if whose is None else whose[n].astype(int).tolist()
            speakers = [speaker for speaker, count in zip(people, counts, strict=True) for _ in range(count)]
            assert row == [times(pair, speakers, clips[n]) for pair in pairs]


def test_first_weights_may_never_change() -> None:
    pairs = [((0, 0), (1, 0)), ((0, 1), (1, 1)), ((0, 0), (0, 1)), ((2, 0), (1, 2)), ((2, 0), (2, 0))]
    [by_speaker] = dyads_of(pairs).by_speaker(4, seed=20240229)
    [by_clip] = dyads_of(pairs).by_clip(4, seed=20240229)
    assert by_speaker.tolist() == FIRST_BY_SPEAKER
    assert by_clip.tolist() == FIRST_BY_CLIP


@settings(max_examples=25)
@given(PAIRS, st.data())
def test_pairs_taken_are_those_pairs_alone(pairs: list[Pair], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(range(len(pairs))), min_size=1, unique=True))
    taken, alone = dyads_of(pairs).taken(np.array(chosen)), dyads_of([pairs[n] for n in chosen])
    assert taken.clip.tolist() == alone.clip.tolist()
    assert taken.speaker.tolist() == alone.speaker.tolist()
    assert (taken.speakers, taken.clips) == (alone.speakers, alone.clips)


def test_every_block_is_another_array() -> None:
    """Statistics know a block by the array that it is, so none may be filled again."""
    blocks = list(dyads_of([((0, 0), (1, 0)), ((1, 1), (0, 2))]).by_speaker(7, 0, 3))
    assert len({id(block) for block in blocks}) == 3
    assert [len(block) for block in blocks] == [3, 3, 1]
    assert not list(dyads_of([((0, 0), (1, 0))]).by_clip(0, 0))


def test_what_is_drawn_independently_is_speakers_or_the_clips_of_those_held() -> None:
    dyads = dyads_of([((0, 0), (1, 0)), ((1, 1), (1, 0)), ((2, 0), (2, 0))])
    speakers, none = dyads.factors()
    assert speakers.tolist() == [[0, 1], [1, 1], [2, 2]]
    assert (none == -1).all()
    speakers, clips = dyads.factors(np.array([False, True, False]))
    assert speakers.tolist() == [[0, -1], [-1, -1], [2, 2]]
    assert clips.tolist() == [[-1, 1], [2, 1], [-1, -1]]


@pytest.mark.parametrize(
    ("clip", "speaker", "message"),
    [
        ([[0, 1, 2]], [[0, 1, 2]], r"not \(P, 2\)"),
        ([[0, 1]], [[0]], r"not \(P, 2\)"),
        ([[0, 1], [0, 2]], [[0, 1], [5, 1]], "clip 0 has two speakers"),
    ],
)
def test_what_are_no_dyads(clip: list[list[int]], speaker: list[list[int]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Dyads.of(clip, speaker)
    with pytest.raises(ValueError, match="order of their speakers"):
        Dyads(np.array([[0, 1]]), np.array([1, 0]))


def coverage(
    people: int, per_pair: float, per_speaker: float, *, studies: int, seed: int
) -> tuple[float, float, float]:
    """How often intervals hold the true mean where pairs share speakers, and mean widths.

    Returns:
        Coverage of dyadic intervals, coverage of intervals that resample pairs, and how many times as wide the former are.
    """
    rng = np.random.default_rng(seed)
    hits, naive_hits, ratios = 0, 0, []
    for study in range(studies):
        first = rng.integers(0, people, 300)
        second = (first + rng.integers(1, people, 300)) % people
        speaker = np.column_stack([first, second])
        clip = speaker * 5 + rng.integers(0, 5, speaker.shape)
        effect = rng.normal(size=people) * per_speaker
        value = effect[speaker].sum(axis=1) + rng.normal(size=300) * per_pair
        mean = Ratio.of_rows(value, np.arange(300), 300)
        asked = {"m": mean}
        dyadic = Dyads.of(clip, speaker).by_speaker(300, study)
        ours = intervals(asked, clusters=300, replicates=300, seed=study, weights=dyadic)["m"]
        naive = intervals(asked, clusters=300, replicates=300, seed=study)["m"]
        assert ours.low is not None
        assert ours.high is not None
        assert naive.low is not None
        assert naive.high is not None
        hits += ours.low <= 0 <= ours.high
        naive_hits += naive.low <= 0 <= naive.high
        ratios.append((ours.high - ours.low) / (naive.high - naive.low))
    return hits / studies, naive_hits / studies, float(np.mean(ratios))


@pytest.mark.slow
def test_intervals_cover_where_speakers_matter() -> None:
    covered, naive, _ = coverage(30, per_pair=1.0, per_speaker=1.0, studies=300, seed=1)
    assert covered >= 0.93
    assert naive < 0.6  # which is what resampling pairs would claim


@pytest.mark.slow
def test_intervals_are_too_wide_where_nothing_is_shared() -> None:
    covered, naive, wider = coverage(200, per_pair=1.0, per_speaker=0.0, studies=150, seed=2)
    assert covered >= 0.99
    assert 0.9 <= naive <= 0.99
    assert 2 < wider < 4


# Golden: these may never change, or the intervals of published reports would.
FIRST_BY_SPEAKER = [
    [1.0, 1.0, 1.0, 1.0, 1.0],
    [0.0, 0.0, 0.0, 0.0, 2.0],
    [0.0, 0.0, 0.0, 2.0, 2.0],
    [2.0, 0.0, 1.0, 1.0, 1.0],
]
FIRST_BY_CLIP = [
    [1.0, 1.0, 1.0, 1.0, 1.0],
    [0.0, 2.0, 0.0, 0.0, 1.0],
    [1.0, 1.0, 1.0, 1.0, 1.0],
    [2.0, 0.0, 1.0, 1.0, 1.0],
]
