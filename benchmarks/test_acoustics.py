"""Every measure of a clip, decode included, beside librosa's pyin and four features, beside the decoder, and by its parts."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile as sf
from threadpoolctl import threadpool_limits

from earmark.audio.acoustics import loudness, pitch, silence, spectrum
from earmark.audio.acoustics import rate as pace
from earmark.audio.acoustics.measures import measure
from earmark.audio.acoustics.offset import without_offset
from earmark.audio.acoustics.settings import DEFAULTS
from earmark.audio.cut import cut
from earmark.audio.decode import as_float
from earmark.audio.hashes import samples_hash
from earmark.audio.resample import quantise, resample
from earmark.builders.measuring import Request, measure_clips
from earmark.builders.voices.espeak import Utterance, render_script
from earmark.manifests.findings import Findings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

RATE = 24_000
TEXTS = (
    "The quick brown fox jumps over the lazy dog, and then she sells her seashells by the shore.",
    "Nobody had told them that the train would leave an hour early, so they stood there in the rain.",
    "If you ask me, it was never about the money; it was about who would say sorry first.",
)


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> list[Request]:
    """Eighteen sentences of an offline voice at 24 kHz over faint noise, WAV and FLAC in turn, 3 to 9 s long."""
    folder = tmp_path_factory.mktemp("acoustics")
    voices = [(voice, rate) for voice in ("en-us", "en-us+f3", "en-us+m3") for rate in (120, 180)]
    spoken = render_script([Utterance(text, voice=voice, rate=rate) for text in TEXTS for voice, rate in voices])
    rng = np.random.default_rng(0)
    made = []
    for number, speech in enumerate(spoken):
        samples = resample(speech.samples, speech.rate, RATE) * 0.5
        pause = np.zeros(RATE // 4)
        whole = np.concatenate([pause, samples, pause])
        path = folder / f"{number}.{'wav' if number % 2 else 'flac'}"
        sf.write(path, quantise(whole + rng.standard_normal(len(whole)) * 1e-3, 16).samples, RATE)
        made.append(Request(path=path, rate=RATE, spans=((0, len(whole)),), words=17))
    return made


def seconds(clips: list[Request]) -> float:
    return sum(request.spans[0][1] for request in clips) / RATE


def processor_time(work: Callable[[list[Request]], object], clips: list[Request], rounds: int = 5) -> float:
    """The least processor time of the process over some rounds, s for each second of audio."""
    work(clips[:2])
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work(clips)
        times.append(time.process_time() - start)
    return min(times) / seconds(clips)


def ours(clips: list[Request], cache: Path | None = None) -> None:
    assert None not in measure_clips(clips, cache=cache, jobs=1, progress=None, findings=Findings())


def decoded(clips: list[Request]) -> None:
    for request in clips:
        sf.read(request.path, dtype="int16")


def librosas(clips: list[Request]) -> None:
    """F0 over the same range and the four features at librosa's own settings; BLAS on one thread, or it would cost more."""
    import librosa

    with threadpool_limits(1, "blas"):
        for request in clips:
            samples, rate = sf.read(request.path)
            librosa.pyin(samples, fmin=75.0, fmax=600.0, sr=rate)
            librosa.feature.spectral_centroid(y=samples, sr=rate)
            librosa.feature.mfcc(y=samples, sr=rate, n_mfcc=13)
            librosa.feature.rms(y=samples)
            librosa.feature.zero_crossing_rate(samples)


@pytest.mark.benchmark(group="acoustics")
def test_the_whole_beside_librosa_and_the_decoder(
    benchmark: BenchmarkFixture, clips: list[Request], tmp_path: Path
) -> None:
    pytest.importorskip("librosa")
    benchmark.pedantic(ours, args=(clips,), rounds=3, warmup_rounds=1)
    whole, decoder = processor_time(ours, clips), processor_time(decoded, clips)
    ours(clips, tmp_path)
    again = processor_time(lambda some: ours(some, tmp_path), clips)
    peer = processor_time(librosas, clips[:4], rounds=2)
    print(
        f"\n{seconds(clips):.0f} s of audio: {1e3 * whole:.2f} ms a second, {1 / whole:.0f} x real time a core"
        f"\nlibrosa {1e3 * peer:.1f} ms a second, {peer / whole:.1f} times as much"
        f"\nfrom the cache {1e3 * again:.2f} ms a second, {whole / again:.1f} times less"
        f"\ndecoder {1e3 * decoder:.2f} ms a second, {whole / decoder:.0f} times less"
    )
    assert peer / whole >= 8
    assert 1 / whole >= 150


@pytest.mark.benchmark(group="acoustics")
def test_where_the_time_goes(benchmark: BenchmarkFixture, clips: list[Request]) -> None:
    spent: dict[str, float] = {}

    @contextmanager
    def timed(name: str) -> Iterator[None]:
        start = time.process_time()
        yield
        spent[name] = spent.get(name, 0.0) + time.process_time() - start

    def parts() -> None:
        spent.clear()
        for request in clips:
            with timed("decode"):
                clip = cut(request.path, request.spans)
            with timed("hash"):
                samples_hash(clip.samples, RATE)
            with timed("all of measure()"):
                measure(clip.samples, RATE)
            with timed("to floats, offset"):
                floats = without_offset(as_float(clip.samples))
            with timed("levels, speech"):
                levels = silence.levels(floats, RATE, DEFAULTS)
                span = silence.speech_span(levels, len(floats), DEFAULTS)
            assert span is not None
            with timed("loudness"):
                loudness.integrated(floats, RATE)
            speech = floats[span.start : span.end]
            with timed("F0 (Praat)"):
                contour = pitch.track(speech, RATE, DEFAULTS)
            with timed("syllable nuclei"):
                pace.nuclei(speech, RATE, contour, DEFAULTS)
            with timed("spectrum"):
                spectrum.analyse(speech, RATE, DEFAULTS)

    benchmark.pedantic(parts, rounds=3, warmup_rounds=1)
    print()
    for name, used in spent.items():
        print(f"{name:20} {1e3 * used / seconds(clips):.3f} ms a second")
    assert spent["F0 (Praat)"] > spent["spectrum"]
