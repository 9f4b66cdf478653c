"""Audio as a WAV file: the same bytes, or the same samples at the same depth, or not at all."""

from __future__ import annotations

import io

import numpy as np
import pytest
import soundfile as sf
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.builders.corpora.mirrors.wav_bytes import NoLosslessCopy, as_wav


def encoded(samples: np.ndarray, form: str, subtype: str, rate: int = 24_000) -> bytes:
    buffer = io.BytesIO()
    sf.write(buffer, samples, rate, format=form, subtype=subtype)
    return buffer.getvalue()


def some_samples(seed: int, frames: int, channels: int, bits: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    whole = rng.integers(-(1 << (bits - 1)), 1 << (bits - 1), (frames, channels))
    return (whole << (32 - bits)).astype(np.int32)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 1000),
    frames=st.integers(1, 300),
    channels=st.integers(1, 2),
    kind=st.sampled_from(
        [("FLAC", 8), ("FLAC", 16), ("FLAC", 24), ("AIFF", 16), ("AIFF", 24), ("AIFF", 32), ("CAF", 16)]
    ),
    rate=st.sampled_from([16_000, 24_000, 48_000]),
)
def test_no_sample_is_lost(seed: int, frames: int, channels: int, kind: tuple[str, int], rate: int) -> None:
    form, bits = kind
    samples = some_samples(seed, frames, channels, bits)
    copy = as_wav(encoded(samples, form, "PCM_S8" if bits == 8 else f"PCM_{bits}", rate))
    found, found_rate = sf.read(io.BytesIO(copy), dtype="int32", always_2d=True)
    np.testing.assert_array_equal(found, samples)
    info = sf.info(io.BytesIO(copy))
    assert (info.format, info.subtype, found_rate) == ("WAV", "PCM_U8" if bits == 8 else f"PCM_{bits}", rate)
    assert as_wav(copy) is copy


@pytest.mark.parametrize("subtype", ["PCM_16", "PCM_24", "FLOAT", "ULAW"])
@pytest.mark.parametrize("form", ["WAV", "WAVEX", "RF64"])
def test_wav_bytes_stay_as_they_are(form: str, subtype: str) -> None:
    data = encoded(some_samples(1, 50, 1, 16), form, subtype) + b"LIST\x02\x00\x00\x00ab"
    assert as_wav(data) == data


def test_what_no_copy_can_be_made_of() -> None:
    samples = some_samples(1, 5000, 1, 16)
    wav, flac = encoded(samples, "WAV", "PCM_16"), encoded(samples, "FLAC", "PCM_16")
    bad = [
        b"",
        b"RIFF",
        b"not audio at all, but long enough to look at",
        wav[:44],
        wav[:-2],
        wav[:20],
        flac[:100],
        flac[: len(flac) // 2],
        encoded(samples, "OGG", "VORBIS"),
        encoded(samples, "AIFF", "FLOAT"),
        encoded(samples[:0], "WAV", "PCM_16"),
        encoded(samples[:0], "AIFF", "PCM_16"),
    ]
    for data in bad:
        with pytest.raises(NoLosslessCopy):
            as_wav(data)


@settings(max_examples=40)
@given(data=st.binary(max_size=60), head=st.sampled_from([b"", b"fLaC", b"RIFF\0\0\0\0WAVE", b"OggS", b"FORM"]))
def test_no_bytes_lead_to_another_error(data: bytes, head: bytes) -> None:
    with pytest.raises(NoLosslessCopy):
        as_wav(head + data)
