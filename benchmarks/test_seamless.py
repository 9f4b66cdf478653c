"""Reading Seamless Interaction: headers and metadata of whole conversations, beside the least that Python can do with them.

The least is to open each WAV file with the standard library and to parse each JSON file leniently. What is measured is
processor time, since everything lies in the page cache and one thread computes.
"""

from __future__ import annotations

import json
import random
import struct
import time
import wave
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from earmark.builders.corpora.seamless import FileId, Files, find_files, read_seamless
from earmark.manifests.findings import Findings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_benchmark.fixture import BenchmarkFixture

SAMPLED = 2_431
"""Conversations in the paper's sample."""

CONVERSATIONS = 200
SECONDS, RATE = 300, 48_000


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Conversations of five minutes, 600 words a side; the audio is a hole that takes no room on disk."""
    root = tmp_path_factory.mktemp("seamless")
    rng = random.Random(1)  # noqa: S311 (a benchmark's input, not a secret)
    rows = ["prompt_id_unique,a_id,b_id,role_a,role_b"]
    for number in range(CONVERSATIONS):
        conversation = f"V00_S{number // 20:04d}_I{634 + number % 20:08d}"
        ids = [f"{conversation}_P{side + 2 * (number // 20):04d}" for side in (0, 1)]
        rows.append(f"P{number},{ids[0]},{ids[1]},Warm,Aloof")
        for side, file_id in enumerate(ids):
            folder = root / "improvised" / "train" / "0000" / f"{(7 * number + 31 * side) % 50:04d}"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{file_id}.json").write_text(json.dumps(metadata(rng, file_id)), "utf-8")
            with (folder / f"{file_id}.wav").open("wb") as stream:
                stream.write(header(SECONDS * RATE))
                stream.truncate(44 + 2 * SECONDS * RATE)
    (root / "assignments.csv").write_text("\n".join(rows) + "\n", "utf-8")
    return root


def header(frames: int) -> bytes:
    """The header of a mono 16-bit WAV file."""
    form = struct.pack("<IHHIIHH", 16, 1, 1, RATE, 2 * RATE, 2, 16)
    return b"RIFF" + struct.pack("<I", 36 + 2 * frames) + b"WAVEfmt " + form + b"data" + struct.pack("<I", 2 * frames)


def metadata(rng: random.Random, file_id: str) -> dict[str, object]:
    """Seventy-five stretches of eight words, and 180 spans of speech."""
    segments, at = [], 0.0
    for _ in range(75):
        words = [
            {
                "word": f"w{rng.randrange(8000)}",
                "start": at + 0.3 * n,
                "end": at + 0.3 * n + 0.21,
                "score": rng.random(),
            }
            for n in range(8)
        ]
        text = " ".join(str(word["word"]) for word in words)
        segments.append({"words": words, "start": at, "end": at + 2.4, "transcript": text})
        at = round(at + 3.9, 3)
    vad = [{"start": round(1.6 * n, 2), "end": round(1.6 * n + 1, 2)} for n in range(180)]
    return {"id": file_id, "metadata:transcript": segments, "metadata:vad": vad}


def least(root: Path, files: Mapping[FileId, Files]) -> int:
    """Open and parse every file, and look at nothing."""
    frames = 0
    for entry in files.values():
        assert entry.audio is not None
        assert entry.metadata is not None
        with wave.open(str(root / entry.audio)) as stream:
            frames += stream.getnframes()
        json.loads((root / entry.metadata).read_bytes())
    return frames


def processor_s(work: Callable[[], object]) -> float:
    """Processor time of one call, s."""
    before = time.process_time()
    work()
    return time.process_time() - before


@pytest.mark.benchmark(group="Seamless reader", timer=time.process_time)
def test_reading(benchmark: BenchmarkFixture, root: Path) -> None:
    def read() -> int:
        findings = Findings()
        corpus = read_seamless(root, root / "assignments.csv", findings=findings)
        assert len(findings) == 0
        return len(corpus.conversations)

    files = find_files(root, Findings())
    assert least(root, files) == 2 * CONVERSATIONS * SECONDS * RATE
    floor = min(processor_s(lambda: least(root, files)) for _ in range(3))
    assert benchmark.pedantic(read, rounds=3, warmup_rounds=1) == CONVERSATIONS
    ours = benchmark.stats.stats.min
    benchmark.extra_info["times the least"] = round(ours / floor, 2)
    benchmark.extra_info["s for 2,431 conversations"] = round(ours * SAMPLED / CONVERSATIONS, 2)
    assert ours < 10 * floor
