"""Cutting: span arithmetic, untouched samples, whole files."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest
import soundfile as sf
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from earmark.audio.cut import cut, join, write_flac
from earmark.audio.decode import SpanBeyondEnd, UndecodableAudio
from earmark.audio.hashes import pcm_hash, samples_hash

FRAMES = 2000
RECIPES = st.lists(
    st.tuples(st.integers(0, FRAMES - 1), st.integers(1, 300)).map(lambda s: (s[0], min(FRAMES, s[0] + s[1]))),
    min_size=1,
    max_size=5,
)
QUIET = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)


@pytest.fixture(scope="module")
def noise() -> np.ndarray:
    return np.random.default_rng(11).integers(-3000, 3000, FRAMES, dtype=np.int16)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory, noise: np.ndarray) -> Path:
    path = tmp_path_factory.mktemp("recording") / "a.wav"
    sf.write(path, noise, 8000)
    return path


@QUIET
@given(spans=RECIPES, silence=st.integers(0, 50))
def test_a_clip_is_its_spans_and_the_silence_between_them(
    recording: Path, noise: np.ndarray, spans: list[tuple[int, int]], silence: int
) -> None:
    samples, rate, clipped = cut(recording, spans, joining_silence=silence)
    parts = [part for start, stop in spans for part in (noise[start:stop], np.zeros(silence, dtype=np.int16))][:-1]
    np.testing.assert_array_equal(samples, np.concatenate(parts))
    assert len(samples) == sum(stop - start for start, stop in spans) + silence * (len(spans) - 1)
    assert (samples.dtype, rate, clipped) == (np.int16, 8000, 0)


@QUIET
@given(start=st.integers(0, 900), length=st.integers(2, 1000), data=st.data())
def test_a_cut_of_a_cut_is_one_cut(
    tmp_path: Path, recording: Path, start: int, length: int, data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, length - 1))
    last = data.draw(st.integers(first + 1, length))
    outer = tmp_path / "outer.flac"
    write_flac(outer, cut(recording, [(start, start + length)]).samples, 8000)
    np.testing.assert_array_equal(
        cut(outer, [(first, last)]).samples, cut(recording, [(start + first, start + last)]).samples
    )


@QUIET
@given(spans=RECIPES, silence=st.integers(0, 50))
def test_the_written_clip_holds_the_cut_samples(
    tmp_path: Path, recording: Path, spans: list[tuple[int, int]], silence: int
) -> None:
    clip, path = cut(recording, spans, joining_silence=silence), tmp_path / "c.flac"
    write_flac(path, clip.samples, clip.rate)
    assert pcm_hash(path) == samples_hash(clip.samples, clip.rate)


def test_24_bits_stay_24_bits(tmp_path: Path) -> None:
    source, clip_path = tmp_path / "a.wav", tmp_path / "c.flac"
    levels = np.random.default_rng(2).integers(-(1 << 23), 1 << 23, 500, dtype=np.int32) << 8
    sf.write(source, levels, 48000, subtype="PCM_24")
    clip = cut(source, [(100, 400)])
    write_flac(clip_path, clip.samples, clip.rate)
    assert sf.info(clip_path).subtype == "PCM_24"
    np.testing.assert_array_equal(sf.read(clip_path, dtype="int32")[0], levels[100:400])


def test_a_float_file_beyond_full_scale_is_counted(tmp_path: Path) -> None:
    source = tmp_path / "a.wav"
    sf.write(source, np.array([0.0, 1.5, -1.5, 0.25], dtype=np.float32), 48000, subtype="FLOAT")
    samples, rate, clipped = cut(source, [(0, 4)])
    assert (rate, clipped) == (48000, 2)
    np.testing.assert_array_equal(samples >> 8, [0, (1 << 23) - 1, -(1 << 23), 1 << 21])


def test_another_rate_is_resampled_once_over_the_whole_clip(recording: Path) -> None:
    samples, rate, _ = cut(recording, [(0, 800), (1000, 1800)], joining_silence=400, rate=16000)
    assert (rate, samples.dtype) == (16000, np.int16)
    assert len(samples) == 4000
    assert np.abs(samples[1800:2200]).max() <= 8  # a filter rings, and the middle of the silence hears little of it
    assert samples[:1600].std() == pytest.approx(cut(recording, [(0, 800)]).samples.std(), rel=0.1)


@pytest.mark.parametrize(
    ("spans", "silence", "message"),
    [([], 0, "at least one span"), ([(0, 5), (9, 12)], -1, ">= 0 samples, not -1"), ([(5, 5)], 0, "a span needs")],
)
def test_a_recipe_that_is_none(recording: Path, spans: list[tuple[int, int]], silence: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cut(recording, spans, joining_silence=silence)


def test_past_the_end_is_an_error(recording: Path) -> None:
    with pytest.raises(SpanBeyondEnd, match="the file has 2000 samples"):
        cut(recording, [(0, 10), (1990, 2001)])


def test_join_leaves_its_pieces_alone() -> None:
    piece = np.array([1, 2], dtype=np.int16)
    joined = join([piece, piece], 1)
    assert joined.tolist() == [1, 2, 0, 1, 2]
    assert piece.tolist() == [1, 2]


def test_the_same_samples_give_the_same_bytes(tmp_path: Path, noise: np.ndarray) -> None:
    for name in "ab":
        write_flac(tmp_path / name, noise, 8000)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path, noise: np.ndarray) -> None:
    path = tmp_path / "a.flac"
    write_flac(path, noise, 8000)
    before = path.read_bytes()
    with pytest.raises(UndecodableAudio, match="cannot be written as FLAC at 700000 Hz"):
        write_flac(path, noise, 700_000)
    assert path.read_bytes() == before  # the whole one that was there
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.flac"]


@pytest.mark.parametrize("samples", [np.zeros(0, dtype=np.int16), np.zeros(4), np.zeros((4, 2), dtype=np.int16)])
def test_only_a_channel_of_integers_is_written(tmp_path: Path, samples: np.ndarray) -> None:
    with pytest.raises(ValueError, match="one-dimensional array of int16 or int32"):
        write_flac(tmp_path / "a.flac", samples, 8000)


def test_a_full_disk_is_the_systems_error_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: object) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        write_flac(tmp_path / "clip.flac", np.ones(100, np.int16), 16_000)
    assert list(tmp_path.iterdir()) == []
