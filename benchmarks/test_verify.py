"""What `earmark verify` costs beside sha256 alone over the same bytes, in two threads each, in turns.

The bytes that sha256 gets alone stand in memory, so that it reads nothing; those of the copy stand in the system's cache.
"""

from __future__ import annotations

import hashlib
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.support.copies import as_published, write_heard_release
from tests.support.tiny import tiny_rows

from earmark.manifests.copies.verifying import verify
from earmark.manifests.findings import Findings

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

CLIPS, CLIP_BYTES, SHARDS = 2_000, 500_000, 10
LEAST_RATIO = 0.8
ROUNDS = 7


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published copy of 1 GB: clips of noise, which look to every reader as FLAC does."""
    dice = np.random.default_rng(1)
    media = {str(row["clip_id"]): dice.bytes(CLIP_BYTES) for row in tiny_rows(items=CLIPS)["clips"]}
    release = write_heard_release(tmp_path_factory.mktemp("verify") / "copy", items=CLIPS, media=media)
    options = {"compression": "none", "use_dictionary": False, "row_group_size": 100}
    return as_published(release, shards=SHARDS, **options).path


def timed(work: object, *args: object) -> tuple[float, float]:
    """Seconds on the wall and of the processor."""
    assert callable(work)
    wall, own = time.perf_counter(), time.process_time()
    work(*args)
    return time.perf_counter() - wall, time.process_time() - own


def alone(contents: list[bytes]) -> None:
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda content: hashlib.sha256(content).digest(), contents))


def verified(folder: Path) -> None:
    findings = Findings()
    verify(folder, findings, jobs=2)
    assert not findings


def test_verify(benchmark: BenchmarkFixture, copy: Path) -> None:
    """The share of sha256's own throughput, by the processor's clock, which other work on the machine leaves alone."""
    contents = sorted((path.read_bytes() for path in copy.rglob("*") if path.is_file()), key=len, reverse=True)
    verified(copy)
    walls, owns = [], []
    for _ in range(ROUNDS):
        base, own = timed(alone, contents), timed(verified, copy)
        walls.append(base[0] / own[0])
        owns.append(base[1] / own[1])
    benchmark.extra_info["share by wall"] = [round(share, 3) for share in sorted(walls)]
    benchmark.extra_info["share by processor"] = [round(share, 3) for share in sorted(owns)]
    benchmark.pedantic(verified, (copy,), rounds=1)
    print(benchmark.extra_info, sum(map(len, contents)))
    assert statistics.median(owns) >= LEAST_RATIO
