"""The contrast gate, from MP3 to decision, beside librosa's pyin and four features; and the choice among what passed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile as sf
from threadpoolctl import threadpool_limits

from earmark.audio.resample import resample
from earmark.builders.contrast.balancing import Candidate, Turn, balance
from earmark.builders.contrast.features import measure_features, whole_file
from earmark.builders.contrast.gate import DISSONANT, RESONANT, Attempt, Decision, decide
from earmark.builders.contrast.profile import shipped
from earmark.builders.voices.espeak import Utterance, render_script
from earmark.manifests.findings import Findings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

RATE = 24_000
CLIPS = 9_060  # of 2,265 dialogues, two options of two turns each
MEAN = 8.0  # s, of the public option clips
SMALL, LARGE = 12, 48  # pairs
TEXT = (
    "I did not think that they would really go through with it, and yet here we are.",
    "So tell me what you would do in my place; I have been awake since four and I am out of ideas.",
)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, Path]]:
    """Pairs of MP3 at 24 kHz, mono, 5 to 13 s long: the same words lively and flat."""
    folder = tmp_path_factory.mktemp("contrast")
    tones = {"lively": (200, 58, 80, 110), "flat": (135, 42, 20, 70)}
    made = []
    for number in range(LARGE):
        text = TEXT[number % 2] if number % 3 else " ".join(TEXT)
        script = [
            Utterance(text, ("en-us", "en-us+f3", "en-us+m3")[number % 3], rate + number % 7, pitch, range, volume)
            for rate, pitch, range, volume in tones.values()
        ]
        paths = [folder / f"{number:02}-{tone}.mp3" for tone in tones]
        for path, speech in zip(paths, render_script(script), strict=True):
            sf.write(path, resample(speech.samples, speech.rate, RATE) * 0.5, RATE)
        made.append((paths[0], paths[1]))
    return made


def seconds(pairs: list[tuple[Path, Path]]) -> float:
    return sum(sf.info(path).duration for pair in pairs for path in pair)


def gate(pairs: list[tuple[Path, Path]]) -> list[Decision]:
    profile = shipped("default")
    measured = measure_features(
        [whole_file(path) for pair in pairs for path in pair],
        front=profile.front,
        tracker=profile.tracker,
        jobs=1,
        findings=Findings(),
    )
    clips = [clip for clip in measured if clip is not None]
    assert len(clips) == 2 * len(pairs)
    return [
        decide(
            [
                Attempt(option=option, number=0, features=clip)
                for option, clip in zip((RESONANT, DISSONANT), two, strict=True)
            ],
            profile,
        )
        for two in zip(clips[::2], clips[1::2], strict=True)
    ]


def librosas(pairs: list[tuple[Path, Path]]) -> None:
    """Decoding, F0 by pyin over the same range and the four features; BLAS on one thread, or it would cost more."""
    import librosa

    with threadpool_limits(1, "blas"):
        for pair in pairs:
            for path in pair:
                samples, rate = sf.read(path)
                librosa.pyin(samples, fmin=75.0, fmax=600.0, sr=rate)
                librosa.feature.spectral_centroid(y=samples, sr=rate)
                librosa.feature.mfcc(y=samples, sr=rate, n_mfcc=13)
                librosa.feature.rms(y=samples)
                librosa.feature.zero_crossing_rate(samples)


def processor_time(work: Callable[[list[tuple[Path, Path]]], object], pairs: list[tuple[Path, Path]]) -> float:
    """Processor time of the process, all threads, s for each second of audio."""
    start = time.process_time()
    work(pairs)
    return (time.process_time() - start) / seconds(pairs)


@pytest.mark.benchmark(group="contrast")
def test_the_gate_beside_librosa_and_at_two_sizes(benchmark: BenchmarkFixture, pairs: list[tuple[Path, Path]]) -> None:
    pytest.importorskip("librosa")
    decisions = benchmark.pedantic(gate, args=(pairs,), rounds=1, warmup_rounds=1)
    assert sum(decision.verdict == "passed" for decision in decisions) > LARGE / 2
    few = pairs[:SMALL]
    librosas(few[:1])
    # In turns, so that other work on the machine weighs on all of them.
    rounds = [
        (processor_time(gate, few), processor_time(gate, pairs), processor_time(librosas, few[:4])) for _ in range(4)
    ]
    small, large, peer = (min(times) for times in zip(*rounds, strict=True))
    whole = large * MEAN * CLIPS / 2
    print(
        f"\n{2 * LARGE} clips, {seconds(pairs):.0f} s: {1e3 * large:.2f} ms a second, {1e3 * large * MEAN:.1f} ms a clip"
        f"\n{2 * SMALL} clips, {seconds(few):.0f} s: {1e3 * small:.2f} ms a second; the larger {large / small:.2f} times that"
        f"\nlibrosa {1e3 * peer:.1f} ms a second, {peer / large:.1f} times as much"
        f"\n{CLIPS} clips on two cores: {whole:.0f} s"
    )
    assert peer / large >= 8
    assert 0.8 < large / small < 1.25
    assert whole < 360


@pytest.mark.benchmark(group="contrast")
@pytest.mark.parametrize("turns", [300, 4530])
def test_the_choice_among_what_passed(benchmark: BenchmarkFixture, turns: int) -> None:
    rng = np.random.default_rng(0)
    offered = [
        Turn(
            str(turn),
            tuple(
                Candidate(str(n), tuple(np.where(rng.random(5) < 0.7, -1, 1).tolist()), round(4 * rng.random(), 1))
                for n in range(rng.integers(1, 5) * rng.integers(1, 4))
            ),
        )
        for turn in range(turns)
    ]
    start = time.process_time()
    found = benchmark.pedantic(balance, args=(offered,), kwargs={"key": bytes(32), "seed": 0}, rounds=1)
    print(
        f"\n{turns} turns: {time.process_time() - start:.1f} s, imbalance {found.before} -> {found.imbalance},"
        f" gap {found.gap}, cost gap {found.cost_gap:.1e}"
    )
    assert found.gap == 0
    assert found.imbalance < found.before / 4
