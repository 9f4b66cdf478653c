"""Reading spans: what comes back is what was written, and whatever is wrong is one exception."""

from __future__ import annotations

import sys
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile as sf
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from earmark.audio.decode import (
    AudioInfo,
    SpanBeyondEnd,
    UndecodableAudio,
    as_float,
    blocks,
    probe,
    read_content,
    read_span,
    read_spans,
)
from earmark.manifests.errors import MissingExtra

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

SAMPLES = hnp.arrays(np.int16, st.integers(1, 400))
QUIET = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)


def noise(n: int, channels: int = 1) -> NDArray[np.int16]:
    shape = n if channels == 1 else (n, channels)
    return np.random.default_rng(7).integers(-32768, 32767, shape, dtype=np.int16, endpoint=True)


@QUIET
@given(samples=SAMPLES, data=st.data(), suffix=st.sampled_from(["wav", "flac", "aiff"]))
def test_a_span_is_the_slice_that_was_written(
    tmp_path: Path, samples: NDArray[np.int16], data: st.DataObject, suffix: str
) -> None:
    path = tmp_path / f"a.{suffix}"
    sf.write(path, samples, 8000, subtype="PCM_16")
    start = data.draw(st.integers(0, len(samples) - 1))
    stop = data.draw(st.integers(start + 1, len(samples)))
    read = read_span(path, start, stop)
    assert read.dtype == np.int16
    np.testing.assert_array_equal(read, samples[start:stop])


@QUIET
@given(samples=SAMPLES, cuts=st.lists(st.integers(0, 400), min_size=2, max_size=6))
def test_spans_that_tile_a_file_give_it_back(tmp_path: Path, samples: NDArray[np.int16], cuts: list[int]) -> None:
    path = tmp_path / "a.wav"
    sf.write(path, samples, 8000)
    edges = sorted({0, len(samples), *(cut for cut in cuts if cut < len(samples))})
    _, pieces = read_spans(path, list(pairwise(edges)))
    np.testing.assert_array_equal(np.concatenate(pieces), samples)


@pytest.mark.parametrize(
    ("subtype", "dtype", "bits", "lossless"),
    [
        ("PCM_U8", "int16", 16, True),
        ("PCM_16", "int16", 16, True),
        ("PCM_24", "int32", 24, True),
        ("PCM_32", "int32", 24, True),
        ("FLOAT", "float32", 24, True),
        ("DOUBLE", "float64", 24, True),
        ("ULAW", "int16", 16, False),
    ],
)
def test_each_encoding_is_read_as_the_file_has_it(
    tmp_path: Path, subtype: str, dtype: str, bits: int, lossless: bool
) -> None:
    path = tmp_path / "a.wav"
    sf.write(path, np.array([0.0, 0.5, -1.0, 0.25]), 16000, subtype=subtype)
    info = probe(path)
    assert info == AudioInfo(16000, 4, 1, subtype, lossless)
    assert (info.dtype, info.bits, info.seconds) == (dtype, bits, 4 / 16000)
    read = read_span(path)
    assert read.dtype.name == dtype
    np.testing.assert_allclose(as_float(read), [0.0, 0.5, -1.0, 0.25], atol=0.03 if subtype == "ULAW" else 2**-7)


def test_a_lossy_file_is_read_as_floats(tmp_path: Path) -> None:
    path = tmp_path / "a.ogg"
    sf.write(path, 0.5 * np.sin(np.arange(8000) / 5), 8000, format="OGG", subtype="VORBIS")
    info = probe(path)
    assert (info.lossless, info.dtype, info.bits) == (False, "float32", 16)
    assert np.abs(read_span(path)).max() == pytest.approx(0.5, abs=0.1)


def test_one_channel_of_many(tmp_path: Path) -> None:
    path, samples = tmp_path / "a.wav", noise(50, channels=3)
    sf.write(path, samples, 8000)
    for channel in range(3):
        np.testing.assert_array_equal(read_span(path, 5, 20, channel=channel), samples[5:20, channel])
    with pytest.raises(UndecodableAudio, match="no channel 3; it has 3"):
        read_span(path, channel=3)


def test_as_float_agrees_with_libsndfile(tmp_path: Path) -> None:
    for subtype in ("PCM_16", "PCM_24", "PCM_32"):
        path = tmp_path / f"{subtype}.wav"
        sf.write(path, noise(500), 8000, subtype=subtype)
        np.testing.assert_array_equal(as_float(read_span(path)), sf.read(path, dtype="float64")[0])


def test_blocks_are_bounded_and_whole(tmp_path: Path) -> None:
    path, samples = tmp_path / "a.flac", noise(300_000, channels=2)
    sf.write(path, samples, 48000)
    read = list(blocks(path))
    assert max(map(len, read)) <= 1 << 18
    np.testing.assert_array_equal(np.concatenate(read), samples)


@pytest.mark.parametrize("lost", [1, 999, 1990])
def test_a_truncated_wav_is_not_taken_for_a_shorter_one(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "a.wav"
    sf.write(path, noise(1000), 8000)
    path.write_bytes(path.read_bytes()[:-lost])
    assert sf.info(path).frames < 1000  # what libsndfile makes of it
    with pytest.raises(UndecodableAudio, match="truncated: the header promises 1000 samples") as caught:
        probe(path)
    assert caught.value.path == path


def test_a_truncated_rf64_is_found_too(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    sf.write(path, noise(1000), 8000, format="RF64")
    assert probe(path).frames == 1000
    path.write_bytes(path.read_bytes()[:-500])
    with pytest.raises(UndecodableAudio, match="promises 1000 samples"):
        probe(path)


def test_a_wav_that_was_written_to_a_pipe_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    sf.write(path, noise(100), 8000)
    whole = bytearray(path.read_bytes())
    at = whole.index(b"data") + 4
    whole[at : at + 4] = b"\xff\xff\xff\xff"
    path.write_bytes(whole)
    assert probe(path).frames == 100


def test_chunks_before_the_samples_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    sf.write(path, noise(100), 8000)
    whole = path.read_bytes()
    at = whole.index(b"data")
    path.write_bytes(whole[:at] + b"LIST\x05\x00\x00\x00abcde\x00" + whole[at:])  # an odd chunk and its pad byte
    np.testing.assert_array_equal(read_span(path), noise(100))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(UndecodableAudio, match="promises 100 samples, the file holds 90"):
        probe(path)


def test_a_wav_without_samples_chunk_is_not_readable(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    sf.write(path, noise(100), 8000)
    path.write_bytes(path.read_bytes()[: path.read_bytes().index(b"data")])
    with pytest.raises(UndecodableAudio):
        probe(path)


def test_a_truncated_flac_is_found_where_it_breaks_off(tmp_path: Path) -> None:
    path, samples = tmp_path / "a.flac", noise(60_000)
    sf.write(path, samples, 8000)
    path.write_bytes(path.read_bytes()[:60_000])
    np.testing.assert_array_equal(read_span(path, 0, 100), samples[:100])
    with pytest.raises(UndecodableAudio, match="breaks off"):
        read_span(path)
    with pytest.raises(UndecodableAudio, match="breaks off"):
        read_span(path, 55_000, 55_100)
    with pytest.raises(UndecodableAudio, match="breaks off"):
        list(blocks(path))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_sample_that_is_no_number_is_named(tmp_path: Path, bad: float) -> None:
    path = tmp_path / "a.wav"
    samples = np.zeros(100, dtype=np.float32)
    samples[37] = bad
    sf.write(path, samples, 8000, subtype="FLOAT")
    assert probe(path).frames == 100
    with pytest.raises(UndecodableAudio, match="sample 37 is NaN or infinite"):
        read_span(path, 10, 60)
    assert not read_span(path, 38, 60).any()


def test_what_is_no_audio(tmp_path: Path) -> None:
    text = tmp_path / "a.wav"
    text.write_text("not audio")
    raw = tmp_path / "a.raw"
    raw.write_bytes(b"\x00" * 64)
    empty = tmp_path / "empty.wav"
    sf.write(empty, np.zeros(0, dtype=np.int16), 8000)
    for path, reason in (
        (text, "not readable"),
        (raw, "not readable"),
        (empty, "no sample"),
        (tmp_path / "b.wav", "no such file"),
        (tmp_path, "no such file"),
    ):
        with pytest.raises(UndecodableAudio, match=reason):
            probe(path)


def test_a_span_past_the_end_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    sf.write(path, noise(100), 8000)
    with pytest.raises(SpanBeyondEnd, match=r"50\.\.101 runs past the end; the file has 100 samples"):
        read_span(path, 50, 101)


@pytest.mark.parametrize("span", [(5, 5), (6, 5), (-1, 5)])
def test_a_span_that_is_none(tmp_path: Path, span: tuple[int, int]) -> None:
    path = tmp_path / "a.wav"
    sf.write(path, noise(100), 8000)
    with pytest.raises(ValueError, match="a span needs"):
        read_span(path, *span)


@QUIET
@given(samples=SAMPLES)
def test_a_file_in_memory_is_read_as_one_on_disk(tmp_path: Path, samples: NDArray[np.int16]) -> None:
    path = tmp_path / "a.flac"
    sf.write(path, samples, 8000)
    content = path.read_bytes()
    path.unlink()
    info, read = read_content(content, path, most_frames=len(samples))
    assert (info.rate, info.frames, info.channels) == (8000, len(samples), 1)
    assert read.tolist() == samples.tolist()
    with pytest.raises(UndecodableAudio, match="at most"):
        read_content(content, path, most_frames=len(samples) - 1)


def test_few_bytes_do_not_become_many_samples(tmp_path: Path) -> None:
    path = tmp_path / "a.flac"
    sf.write(path, np.zeros(5_000_000, np.int16), 8000)
    assert path.stat().st_size < 20_000
    with pytest.raises(UndecodableAudio, match="at most 8000 are read"):
        read_content(path.read_bytes(), path, most_frames=8000)


@QUIET
@given(data=st.data())
def test_whatever_is_wrong_in_memory_is_one_exception(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "a.flac"
    sf.write(path, noise(3000), 8000)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    del content[data.draw(st.integers(0, len(content))) :]
    with suppress(UndecodableAudio):
        _, read = read_content(bytes(content), path, most_frames=4000)
        assert 0 < len(read) <= 4000


def test_without_soundfile_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "soundfile", None)
    with pytest.raises(MissingExtra, match=r"earmark\[build\]"):
        probe(tmp_path / "a.wav")
