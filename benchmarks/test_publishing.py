"""Publishing a release beside copying the same audio and hashing it once, as one process does with what Python has.

`EARMARK_BENCHMARK_CLIPS` is how many clips of 500 kB there are; 20,000 of them are 10 GB, which take 30 GB of disk.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
from tests.support.copies import rewritten
from tests.support.golden import GOLDENS
from tests.support.tiny import write_tiny_release

from earmark.manifests.hashes import folder_hash
from earmark.manifests.release import MediaEntry, Release, open_release

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

CLIPS = int(os.environ.get("EARMARK_BENCHMARK_CLIPS", "600"))
CLIP_BYTES = 500_000
ROUNDS = 3 if CLIPS <= 4_000 else 1
OWN = {"published": "2026-03-31", "creators": ["Ada Lovelace"], "url": "https://example.org/tiny", "licence": "CC0-1.0"}

PUBLISH = """
import json, sys, time
from pathlib import Path
from earmark.builders.publishing.looking_over import Wanted
from earmark.builders.publishing.publish import publish
from earmark.manifests.findings import Findings
from earmark.manifests.release import open_release
begun, before = time.perf_counter(), time.process_time()
publish(open_release(sys.argv[1]), Wanted(to=Path(sys.argv[2])), Findings(), lambda *_: None)
took, worked = time.perf_counter() - begun, time.process_time() - before
status = Path("/proc/self/status").read_text().splitlines()
peak = next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
print(json.dumps([took, worked, peak]))
"""
"""In a process of its own, whose high-water mark is its own; what it imports first is not timed."""

COPY = """
import hashlib, json, shutil, sys, time
from pathlib import Path
begun, before = time.perf_counter(), time.process_time()
target = Path(sys.argv[2])
target.mkdir()
for path in sorted(Path(sys.argv[1], "public", "audio").iterdir()):
    shutil.copyfile(path, target / path.name)
    with (target / path.name).open("rb") as stream:
        hashlib.file_digest(stream, "sha256").hexdigest()
print(json.dumps([time.perf_counter() - begun, time.process_time() - before, 0]))
"""


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """As many items of one clip each, in nine facets; what stands in the files is noise, which nobody decodes."""
    release = write_tiny_release(tmp_path_factory.mktemp("publishing") / "release", items=CLIPS, facets=9)
    folder = release.path / "public" / "audio"
    folder.mkdir()
    noise = np.random.default_rng(0)
    for clip in release.table("clips")["clip_id"].to_pylist():
        release.audio_file(clip).write_bytes(noise.bytes(CLIP_BYTES))
    media = MediaEntry(rate=None, files=CLIPS, hash=folder_hash(folder))
    return rewritten(release, msgspec.structs.replace(release.manifest, media=media, recipe=recipe(release)))


def recipe(release: Release) -> dict[str, object]:
    """The recipe of a golden release with the two roles that there are here, and clips as short as they are."""
    said = dict(open_release(GOLDENS["stance"].path / "release").manifest.recipe)
    roles = {"positive": ["Supportive friend"], "negative": ["Impatient clerk"]}
    poles = {pole: {"roles": names, "categories": [], "frameworks": []} for pole, names in roles.items()}
    said["mapping"] = {
        "dimension": [
            {"id": facet.id, "name": facet.name, "mode": "single", "source_index": n, **poles}
            for n, facet in enumerate(release.manifest.facets)
        ]
    }
    segments = said["segments"]
    assert isinstance(segments, dict)
    said["segments"] = {**segments, "single_tail_s": 1.0}
    return {**said, "release": OWN}


def timed(program: str, release: Release, out: Path) -> tuple[float, float, int]:
    """Wall-clock seconds, processor seconds and peak megabytes of a program; what it wrote is removed."""
    os.sync()  # neither pays for what the other left to be written
    for path in (release.path / "public" / "audio").iterdir():  # nor has either what the other left to be read
        with path.open("rb") as stream:
            os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    done = subprocess.run(  # noqa: S603 (our own interpreter)
        [sys.executable, "-c", program, str(release.path), str(out)], check=True, capture_output=True, text=True
    )
    took, worked, peak = json.loads(done.stdout)
    shutil.rmtree(out)
    return took, worked, peak


@pytest.mark.benchmark(group="publishing")
def test_publishing_takes_little_longer_than_copying(
    benchmark: BenchmarkFixture, release: Release, tmp_path: Path
) -> None:
    """The promised ratio, of turns about, and the promised peak."""
    rounds: list[tuple[tuple[float, float, int], tuple[float, float, int]]] = []

    def compare() -> None:
        rounds.append((timed(COPY, release, tmp_path / "copied"), timed(PUBLISH, release, tmp_path / "published")))

    benchmark.pedantic(compare, rounds=ROUNDS)
    copied, published = (min(turn[at][0] for turn in rounds) for at in (0, 1))
    worked = [min(turn[at][1] for turn in rounds) for at in (0, 1)]
    peak = max(turn[1][2] for turn in rounds)
    size = f"{CLIPS} clips, {CLIPS * CLIP_BYTES / 1e9:.1f} GB"
    said = f"{copied:.2f} s copied, {published:.2f} s published, ratio {published / copied:.2f}"
    print(f"\n{size}: {said}; processor {worked[0]:.2f} and {worked[1]:.2f} s; peak {peak} MB")
    benchmark.extra_info.update(ratio=published / copied, peak=peak)
    assert peak < 500
    assert published / copied <= 1.5
