"""Materialising a release beside reading, cutting and writing the same clips with bare soundfile; one job and two.

`EARMARK_BENCHMARK_FILES` is how many recordings there are, each of a minute in two channels at 48 kHz: 11.5 MB.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
import pytest
import soundfile as sf
from tests.builders.materializing.toy import Spec, publish_by_hand

from earmark.manifests.canonical import json_text
from earmark.manifests.release import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_benchmark.fixture import BenchmarkFixture

FILES = int(os.environ.get("EARMARK_BENCHMARK_FILES", "24"))
RATE, SECONDS, PER_FILE = 48_000, 60, 10
ROUNDS = int(os.environ.get("EARMARK_BENCHMARK_ROUNDS", "3"))

MATERIALIZE = """
import json, sys, time
from pathlib import Path
from earmark.builders.materializing.materialize import Order, materialize
from earmark.manifests.findings import Findings
from earmark.manifests.release import open_release
from earmark.validation.schemas import check_table
import soundfile, soxr
base, out, jobs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
release = open_release(base / "release")
order = Order(release=release, out=out, roots={"Toy": base / "corpus"}, jobs=jobs)
check_table(release.family.tables()["clips"], release.table("clips"), Findings())
begun, before = time.perf_counter(), time.process_time()
made = materialize(order, lambda *_: None)
took, worked = time.perf_counter() - begun, time.process_time() - before
assert made.release is not None
print(json.dumps([took, worked]))
"""
"""In a process of its own; what it imports first is not timed."""

BARE = """
import json, sys, time
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
import numpy, soundfile, soxr
base, out, jobs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
clips = json.loads((base / "clips.json").read_text())
rate = json.loads((base / "release" / "release.json").read_text())["media"]["rate"]
def cut(of_one_file):
    with soundfile.SoundFile(base / "corpus" / of_one_file[0][0]) as file:
        for path, channel, start, end in of_one_file:
            file.seek(start)
            kind = "int16" if rate is None else "float64"
            samples = file.read(end - start, dtype=kind, always_2d=True)[:, channel]
            if rate is not None:
                samples = soxr.resample(samples, file.samplerate, rate)
            name = f"{path[:-4].replace('/', '_')}_{channel}_{start}.flac"
            soundfile.write(out / name, samples, rate or file.samplerate)
begun, before = time.perf_counter(), time.process_time()
out.mkdir()
with ThreadPoolExecutor(jobs) as pool:
    list(pool.map(cut, [list(group) for _, group in groupby(clips, lambda clip: clip[0])]))
print(json.dumps([time.perf_counter() - begun, time.process_time() - before]))
"""
"""Each file opened once; nothing is hashed, checked or written down."""


class Took(NamedTuple):
    """Seconds of a run."""

    wall: float
    processor: float


@pytest.fixture(scope="module", params=[None, 16_000], ids=["as cut", "at 16 kHz"])
def base(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Recordings that compress about as speech does, and a recipe release of clips of five seconds, of either channel."""
    base = tmp_path_factory.mktemp("materialize")
    specs = []
    draw = np.random.default_rng(0)
    for n in range(FILES):
        path = f"d{n % 4}/{n:03d}.wav"
        noise = np.convolve(draw.standard_normal(RATE * SECONDS), np.ones(16) / 16, mode="same")
        envelope = np.maximum(0.0, np.sin(2 * np.pi * 0.4 * np.arange(len(noise)) / RATE)) * 6000
        (base / "corpus" / path).parent.mkdir(parents=True, exist_ok=True)
        both = np.stack([noise * envelope, noise[::-1] * envelope], axis=1)
        sf.write(base / "corpus" / path, both.astype(np.int16), RATE)
        edges = np.linspace(0, RATE * SECONDS - 1, PER_FILE + 1).astype(int).tolist()
        specs += [Spec(path, [(start, end - 48_000)], k % 2) for k, (start, end) in enumerate(pairwise(edges))]
    release = publish_by_hand(base / "corpus", specs, base / "release")
    shutil.rmtree(base / "release.audio")
    clips = sorted([spec.path, spec.channel, *spec.spans[0]] for spec in specs)
    (base / "clips.json").write_text(json.dumps(clips), encoding="utf-8", newline="\n")
    if request.param is not None:
        # The files' hash is another then, which is only warned of: what is compared clip by clip is native.
        manifest = release.manifest
        media = msgspec.structs.replace(manifest.media, rate=request.param)  # type: ignore[type-var]  # it has media
        text = json_text(msgspec.structs.replace(manifest, media=media).as_json())
        (base / "release" / MANIFEST).write_text(text, encoding="utf-8", newline="\n")
    yield base
    shutil.rmtree(base)


def timed(program: str, base: Path, out: Path, jobs: int) -> Took:
    """What a program takes; what it wrote is removed."""
    os.sync()  # neither pays for what the other left to be written
    done = subprocess.run(  # noqa: S603 (our own interpreter)
        [sys.executable, "-c", program, str(base), str(out), str(jobs)], check=True, capture_output=True, text=True
    )
    shutil.rmtree(out)
    return Took(*json.loads(done.stdout))


@pytest.mark.benchmark(group="materialize")
def test_materialising_is_little_more_than_cutting(benchmark: BenchmarkFixture, base: Path, tmp_path: Path) -> None:
    """Ratios to the bare way and to one job, of turns about."""
    rounds: list[dict[tuple[str, int], Took]] = []
    programs = {"bare": BARE, "ours": MATERIALIZE}

    def compare() -> None:
        rounds.append(
            {
                (name, jobs): timed(program, base, tmp_path / "out", jobs)
                for jobs in (1, 2)
                for name, program in programs.items()
            }
        )

    benchmark.pedantic(compare, rounds=ROUNDS)
    wall = {run: min(turn[run].wall for turn in rounds) for run in rounds[0]}
    processor = {run: min(turn[run].processor for turn in rounds) for run in rounds[0]}
    size = sum(path.stat().st_size for path in (base / "corpus").rglob("*.wav"))
    print(f"\n{FILES * PER_FILE} clips of {size / 1e6:.0f} MB; load {os.getloadavg()[0]:.1f}")
    for jobs in (1, 2):
        ours, bare = ("ours", jobs), ("bare", jobs)
        ratio, work = wall[ours] / wall[bare], processor[ours] / processor[bare]
        print(
            f"{jobs}: {wall[bare]:.2f} s bare, {wall[ours]:.2f} s ours, ratio {ratio:.2f}, of processor time {work:.2f}"
        )
    faster = {name: wall[name, 1] / wall[name, 2] for name in programs}
    print(f"two of one: bare {faster['bare']:.2f}, ours {faster['ours']:.2f}")
    benchmark.extra_info.update(ratio=processor["ours", 1] / processor["bare", 1], faster=faster["ours"])
    # Of the processor's clock, which other work leaves alone.
    assert processor["ours", 1] / processor["bare", 1] <= 2.5
