"""PCM hashes: one sound, one hash, whatever the container."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile as sf
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from earmark.audio.decode import UndecodableAudio
from earmark.audio.hashes import pcm_hash, samples_hash

if TYPE_CHECKING:
    from pathlib import Path

QUIET = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)


@QUIET
@given(samples=hnp.arrays(np.int16, st.tuples(st.integers(1, 300), st.integers(1, 3))))
def test_containers_and_widths_agree(tmp_path: Path, samples: np.ndarray) -> None:
    wide = samples.astype(np.int32) << 16
    sf.write(tmp_path / "a.wav", samples, 8000)
    sf.write(tmp_path / "a.flac", samples, 8000)
    sf.write(tmp_path / "a24.wav", wide, 8000, subtype="PCM_24")
    sf.write(tmp_path / "a32.aiff", wide, 8000, subtype="PCM_32")
    hashes = {pcm_hash(path) for path in tmp_path.iterdir()} | {samples_hash(samples, 8000), samples_hash(wide, 8000)}
    assert len(hashes) == 1


def test_the_bytes_are_the_documented_ones(tmp_path: Path) -> None:
    sf.write(tmp_path / "a.wav", np.array([1, -1], dtype=np.int16), 8000)
    expected = blake2b(
        b"pcm/1 8000 1 integer\n" + (1 << 16).to_bytes(4, "little") + (-1 << 16).to_bytes(4, "little", signed=True),
        digest_size=32,
    )
    assert pcm_hash(tmp_path / "a.wav") == "blake2b-256:" + expected.hexdigest()


def test_floats_agree_whatever_their_width(tmp_path: Path) -> None:
    samples = np.array([0.0, 0.1, -0.7], dtype=np.float32)
    sf.write(tmp_path / "a.wav", samples, 8000, subtype="FLOAT")
    sf.write(tmp_path / "b.wav", samples.astype(np.float64), 8000, subtype="DOUBLE")
    assert pcm_hash(tmp_path / "a.wav") == pcm_hash(tmp_path / "b.wav") == samples_hash(samples, 8000)


def test_everything_that_can_be_heard_matters() -> None:
    samples = np.arange(12, dtype=np.int16)
    other = samples.copy()
    other[5] += 1
    hashes = [
        samples_hash(samples, 8000),
        samples_hash(samples, 16000),
        samples_hash(other, 8000),
        samples_hash(samples[::-1], 8000),
        samples_hash(samples.reshape(6, 2), 8000),
        samples_hash(samples[:-1], 8000),
        samples_hash(samples / 32768, 8000),
    ]
    assert len(set(hashes)) == len(hashes)


def test_a_long_file_is_hashed_in_blocks(tmp_path: Path) -> None:
    samples = np.random.default_rng(1).integers(-99, 99, 600_000, dtype=np.int16)
    sf.write(tmp_path / "a.flac", samples, 48000)
    assert pcm_hash(tmp_path / "a.flac") == samples_hash(samples, 48000)


def test_a_lossy_file_is_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.mp3"
    sf.write(path, 0.1 * np.sin(np.arange(48000) / 9), 24000, format="MP3")
    assert pcm_hash(path) == "blake2b-256:" + blake2b(path.read_bytes(), digest_size=32).hexdigest()


def test_a_truncated_file_has_no_hash(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    sf.write(path, np.zeros(100, dtype=np.int16), 8000)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(UndecodableAudio, match="truncated"):
        pcm_hash(path)
