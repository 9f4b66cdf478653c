"""WAV headers: as libsndfile reads them, and truncation told where the audio room tells it."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from tests.builders.corpora.tiny import UNTIMED, write_wav

from earmark.audio.decode import UndecodableAudio, probe
from earmark.builders.corpora.wav_header import FLOAT, PCM, NotWav, WavHeader, read_wav_header, wav_header_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("wavs")


def chunk(name: bytes, body: bytes, size: int | None = None) -> bytes:
    return name + struct.pack("<I", len(body) if size is None else size) + body + b"\0" * (len(body) % 2)


def fmt(tag: int = PCM, channels: int = 1, rate: int = 48_000, bits: int = 16, block: int | None = None) -> bytes:
    block = channels * bits // 8 if block is None else block
    return chunk(b"fmt ", struct.pack("<HHIIHH", tag, channels, rate, rate * block, block, bits))


def wav(*chunks: bytes, form: bytes = b"RIFF") -> bytes:
    body = b"WAVE" + b"".join(chunks)
    return form + struct.pack("<I", len(body)) + body


def header_of(folder: Path, data: bytes) -> WavHeader:
    path = folder / "any.wav"
    path.write_bytes(data)
    return read_wav_header(path)


@pytest.mark.parametrize("subtype", ["PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE", "ULAW"])
@pytest.mark.parametrize("form", ["WAV", "WAVEX", "RF64"])
@pytest.mark.parametrize("channels", [1, 2])
def test_it_agrees_with_libsndfile(folder: Path, subtype: str, form: str, channels: int) -> None:
    path = folder / "out.wav"
    soundfile.write(path, np.zeros((321, channels)), 44_100, subtype=subtype, format=form)
    header, said = read_wav_header(path), soundfile.info(path)
    assert (header.rate, header.channels, header.frames) == (said.samplerate, said.channels, said.frames)
    assert header.promised == header.frames
    assert wav_header_of(path.read_bytes()) == header
    assert (header.format == PCM) == subtype.startswith("PCM")
    assert (header.format == FLOAT) == (subtype in {"FLOAT", "DOUBLE"})


@UNTIMED
@given(frames=st.integers(1, 50), channels=st.integers(1, 3), cut=st.integers(0, 400))
def test_a_truncated_file_is_told_just_where_the_audio_room_tells_it(
    folder: Path, frames: int, channels: int, cut: int
) -> None:
    path = write_wav(folder / "cut.wav", frames, channels=channels)
    data = path.read_bytes()
    path.write_bytes(data[: max(44, len(data) - cut)])
    header = read_wav_header(path)
    assert header.promised == frames
    assert header.frames == max(0, frames - -(-cut // (2 * channels)))
    if header.frames == frames:
        assert probe(path).frames == frames
    else:
        with pytest.raises(UndecodableAudio):
            probe(path)


def test_chunks_before_and_after_the_samples_are_passed_over(folder: Path) -> None:
    odd = wav(
        chunk(b"LIST", b"abc"),
        fmt(),
        chunk(b"fact", b"1234" * 500),
        chunk(b"data", bytes(20)),
        chunk(b"LIST", bytes(9)),
    )
    assert header_of(folder, odd) == WavHeader(48_000, 1, 16, PCM, 10, 10)


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF])
def test_a_streamed_file_is_as_long_as_it_is(folder: Path, size: int) -> None:
    assert header_of(folder, wav(fmt(), chunk(b"data", bytes(20), size))).frames == 10
    assert header_of(folder, wav(fmt(), chunk(b"data", bytes(20), size))).promised == 10


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"RIFF",
        b"RIFX" + wav()[4:],
        b"fLaC" + bytes(100),
        wav(),
        wav(fmt()),
        wav(chunk(b"data", bytes(20)), fmt()),
        wav(chunk(b"fmt ", bytes(8)), chunk(b"data", bytes(20))),
        wav(fmt(rate=0), chunk(b"data", bytes(20))),
        wav(fmt(channels=0), chunk(b"data", bytes(20))),
        wav(fmt(block=0), chunk(b"data", bytes(20))),
        wav(fmt(bits=16, block=3), chunk(b"data", bytes(20))),
        wav(fmt(), *[chunk(b"junk", b"")] * 2000, chunk(b"data", bytes(20))),
    ],
)
def test_what_is_no_wav_file_is_refused(folder: Path, data: bytes) -> None:
    with pytest.raises(NotWav):
        header_of(folder, data)


@UNTIMED
@given(data=st.binary(max_size=80))
def test_no_bytes_lead_to_another_error(folder: Path, data: bytes) -> None:
    for whole in (data, wav(data), wav(fmt(), data)):
        try:
            header = header_of(folder, whole)
        except NotWav:
            continue
        assert 0 <= header.frames <= header.promised


def test_a_format_has_a_name() -> None:
    assert WavHeader(1, 1, 8, 7, 0, 0).format_name == "µ-law"
    assert WavHeader(1, 1, 8, 0x4242, 0, 0).format_name == "format 0x4242"
