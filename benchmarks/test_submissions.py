"""A million prediction rows read and checked, beside a loop over the standard library's JSON that is as strict.

The clock is the processor time of the process, all its threads together, so that it is nearly the same on a busy machine.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import pytest

from earmark.manifests.findings import Findings
from earmark.scoring.submissions import read_submission
from earmark.scoring.submissions.collecting import Collector
from earmark.scoring.submissions.lines import read_lines
from earmark.scoring.submissions.rows import Limits, Rules

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

ROWS = 1_000_000
LIMITS = Limits(bytes=1 << 30)
BASE32 = "abcdefghijklmnopqrstuvwxyz234567"


def parsed(rng: random.Random, id: str) -> str:
    """A row of parsed fields, 92 bytes with its line end."""
    return f'{{"presentation_id":"{id}","run":0,"choice":"{rng.choice("PN")}","probability":{rng.random():.4f}}}'


def raw(rng: random.Random, id: str) -> str:
    """A row with a raw response: fences, escapes and quotation marks."""
    answer = json.dumps({"choice": rng.choice("PN"), "probability": round(rng.random(), 2)})
    return json.dumps(
        {"presentation_id": id, "response": f"The voice stays “low”.\n```json\n{answer}\n```", "latency_s": 0.5}
    )


def one_bad_in_a_thousand(rng: random.Random, id: str) -> str:
    """A row of parsed fields, now and then with a key that stands twice."""
    row = parsed(rng, id)
    return row.replace("{", '{"run":0,', 1) if rng.random() < 0.001 else row


KINDS = {"parsed": (parsed, ROWS), "raw": (raw, ROWS // 4), "one bad in a thousand": (one_bad_in_a_thousand, ROWS)}


@cache
def file(kind: str) -> Path:
    make, count = KINDS[kind]
    rng = random.Random(1)  # noqa: S311 - a benchmark's input, not a secret
    path = Path(mkdtemp()) / "rows.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for _ in range(count):
            stream.write(make(rng, "p" + "".join(rng.choices(BASE32, k=26))) + "\n")
    return path


def ours(path: Path) -> int:
    """Read and check."""
    findings = Findings()
    submission = read_submission(path, choices=("P", "N"), probability=True, findings=findings, limits=LIMITS)
    return submission.table.num_rows + len(submission.bad)


def ours_line_by_line(path: Path) -> int:
    """The slow twin: strict JSON and every rule, line by line."""
    collector = Collector(path.name, Rules(("P", "N"), probability=True, limits=LIMITS), Findings())
    with path.open("rb") as stream:
        read_lines(stream, collector, fast=False)
    return collector.table().num_rows + len(collector.bad)


def strict_loop(path: Path) -> int:
    """The least that is strict: duplicate keys and constants refused by one decoder that is used again; no field is checked."""

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        value = dict(pairs)
        if len(value) < len(pairs):
            raise ValueError("a key stands twice")
        return value

    def refuse(name: str) -> object:
        raise ValueError(name)

    decode = json.JSONDecoder(object_pairs_hook=unique, parse_constant=refuse).decode
    rows = []
    with path.open("rb") as stream:
        for line in stream:
            try:
                rows.append(decode(line.decode()))
            except ValueError:
                rows.append({})
    return len(rows)


def seconds(read: Callable[[Path], int], path: Path, count: int, rounds: int) -> float:
    """Processor time of the best round."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        assert read(path) == count
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("kind", KINDS)
def test_rows_a_second(benchmark: BenchmarkFixture, kind: str) -> None:
    path, count = file(kind), KINDS[kind][1]
    benchmark.pedantic(ours, (path,), rounds=3, warmup_rounds=1)
    fast = seconds(ours, path, count, 5)
    loop = seconds(strict_loop, path, count, 2)
    slow = seconds(ours_line_by_line, path, count, 1)
    size = path.stat().st_size / count
    print(f"\n{kind}, {size:.0f} bytes a row: {count / fast:,.0f} rows/s")
    print(
        f"strict loop {count / loop:,.0f} (ratio {loop / fast:.1f}), slow twin {count / slow:,.0f} (ratio {slow / fast:.1f})"
    )
    benchmark.extra_info.update(rows_a_second=count / fast, loop=count / loop, twin=count / slow)
    if kind == "parsed":
        assert count / fast >= 400_000


# The high-water mark of the process itself; `ru_maxrss` would begin with that of its parent.
PEAK = """
import sys
from pathlib import Path
from earmark.manifests.findings import Findings
from earmark.scoring.submissions import Limits, read_submission
def peak():
    return next(int(line.split()[1]) // 1024 for line in Path("/proc/self/status").open() if line.startswith("VmHWM"))
before = peak()
read_submission(Path(sys.argv[1]), choices=("P", "N"), probability=True, findings=Findings(), limits=Limits(bytes=1 << 31))
print(before, peak())
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc, which is Linux's")
@pytest.mark.parametrize("kind", ["parsed", "one line of a gigabyte"])
def test_memory(benchmark: BenchmarkFixture, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "line.jsonl"
    if kind == "parsed":
        path = file(kind)
    else:
        with path.open("wb") as stream:
            stream.write(b'{"presentation_id":"p","response":"')
            for _ in range(1024):
                stream.write(b"x" * (1 << 20))
            stream.write(b'"}\n')

    def peak() -> tuple[int, ...]:
        run = subprocess.run([sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True)  # noqa: S603
        return tuple(map(int, run.stdout.split()))

    before, after = benchmark.pedantic(peak, rounds=1)
    print(f"\n{kind}: {after} MB at the peak, {before} MB of them imports")
    assert after < 500
