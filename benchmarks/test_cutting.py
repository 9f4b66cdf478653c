"""Cutting clips beside a bare read and write of the same seconds with soundfile, FLAC out in both."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile as sf

from earmark.audio.cut import cut, write_flac

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

RATE = 48_000
SECONDS = 300
SPANS_PER_CLIP = 8
CLIPS = [
    [(RATE * (start + 4 * k) + 100, RATE * (start + 4 * k) + 100 + int(3.75 * RATE)) for k in range(SPANS_PER_CLIP)]
    for start in range(0, SECONDS - 32, 32)
]
SILENCE = RATE // 4


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five minutes that compress about as speech does: low-passed noise under a slow envelope, with pauses."""
    rng = np.random.default_rng(0)
    noise = np.convolve(rng.standard_normal(RATE * SECONDS), np.ones(16) / 16, mode="same")
    envelope = np.maximum(0.0, np.sin(2 * np.pi * 0.4 * np.arange(len(noise)) / RATE)) * 6000
    path = tmp_path_factory.mktemp("cutting") / "a.wav"
    sf.write(path, (noise * envelope).astype(np.int16), RATE)
    return path


def bare(recording: Path, folder: Path) -> None:
    """As many seconds in one go each: nothing to seek, nothing to join, no rename."""
    for n, spans in enumerate(CLIPS):
        seconds = sum(stop - start for start, stop in spans) + SILENCE * (SPANS_PER_CLIP - 1)
        samples, rate = sf.read(recording, start=spans[0][0], frames=seconds, dtype="int16")
        sf.write(folder / f"{n}.flac", samples, rate)


def ours(recording: Path, folder: Path) -> None:
    for n, spans in enumerate(CLIPS):
        clip = cut(recording, spans, joining_silence=SILENCE)
        write_flac(folder / f"{n}.flac", clip.samples, clip.rate)


def ours_16k(recording: Path, folder: Path) -> None:
    for n, spans in enumerate(CLIPS):
        clip = cut(recording, spans, joining_silence=SILENCE, rate=16_000)
        write_flac(folder / f"{n}.flac", clip.samples, clip.rate)


@pytest.mark.benchmark(group="cutting")
@pytest.mark.parametrize("way", [bare, ours, ours_16k], ids=["bare soundfile", "cut", "cut to 16 kHz"])
def test_cutting(
    benchmark: BenchmarkFixture, recording: Path, tmp_path: Path, way: Callable[[Path, Path], None]
) -> None:
    benchmark.pedantic(way, args=(recording, tmp_path), rounds=7, warmup_rounds=1)
    written = [sf.info(tmp_path / f"{n}.flac") for n in range(len(CLIPS))]
    assert sum(info.duration for info in written) == pytest.approx(len(CLIPS) * (8 * 3.75 + 7 * 0.25), abs=0.01)


@pytest.mark.benchmark(group="cutting, ratio")
def test_cutting_costs_little_more_than_reading_and_writing(
    benchmark: BenchmarkFixture, recording: Path, tmp_path: Path
) -> None:
    """The promised ratio, from turns about on the processor's own clock, so that a busy machine does not change it."""

    def once(way: Callable[[Path, Path], None]) -> float:
        begun = time.process_time()
        way(recording, tmp_path)
        return time.process_time() - begun

    def compare() -> float:
        rounds = [(once(bare), once(ours)) for _ in range(7)]
        return min(cut_s for _, cut_s in rounds) / min(bare_s for bare_s, _ in rounds)

    ratio = benchmark.pedantic(compare, rounds=1, warmup_rounds=1)
    benchmark.extra_info["ratio"] = ratio
    print(f"\ncut / bare soundfile: {ratio:.2f}")
    assert ratio <= 1.5
