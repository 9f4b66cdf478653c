"""What the worst hostile files cost who checks them: each is read in a process of its own, under the largest limits there are.

The clock is the processor time of that process, imports included; the peak is its own high-water mark.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

MIB = 1 << 20

READ = """
import json, sys, time
from pathlib import Path
from earmark.manifests.findings import Findings
from earmark.manifests.grammars import JsonGrammar
from earmark.scoring.decisions.readings import read_rows
from earmark.scoring.submissions import read_submission
findings = Findings()
submission = read_submission(Path(sys.argv[1]), choices=("P", "N"), probability=True, findings=findings)
read_rows(submission, JsonGrammar(("P", "N")), ("P", "N"))
status = Path("/proc/self/status").read_text().splitlines()
peak = next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
print(json.dumps([time.process_time(), peak, findings.counts]))
"""
"""The high-water mark of the process itself; `ru_maxrss` would begin with that of its parent."""


class Worst(NamedTuple):
    """A hostile file, and what its check may cost.

    Args:
        suffix: How its name ends.
        make: Its bytes, in pieces.
        code: A code that its check must find; None where the file is sound.
        seconds: Most processor time.
        megabytes: Most memory.
    """

    suffix: str
    make: Callable[[], Iterator[bytes]]
    code: str | None
    seconds: float
    megabytes: int


def gzip_bomb() -> Iterator[bytes]:
    """Ten gigabytes of spaces in one member: a flushed block stands for 64 MiB and is repeated."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(b" " * (64 * MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    yield b"\x1f\x8b\x08" + bytes(6) + b"\xff"
    for _ in range(160):
        yield block
    yield b"\x03\0" + bytes(8)


def zstd_bomb() -> Iterator[bytes]:
    """Ten gigabytes of spaces in 160 frames."""
    frame = bytes(pa.compress(b" " * (64 * MIB), codec="zstd", asbytes=True))
    for _ in range(160):
        yield frame


def long_line() -> Iterator[bytes]:
    yield b'{"presentation_id":"p","response":"'
    for _ in range(1023):
        yield b"x" * MIB
    yield b'"}\n'


def brackets() -> Iterator[bytes]:
    yield b"[" * 100_000 + b"\n"


def many_brackets() -> Iterator[bytes]:
    """A thousand lines of a megabyte less one, each of brackets."""
    line = b"[" * (MIB - 1) + b"\n"
    for _ in range(200):
        yield line


def nul_bytes() -> Iterator[bytes]:
    for _ in range(1000):
        yield bytes(MIB)


def blank_lines() -> Iterator[bytes]:
    for _ in range(20):
        yield b"\n" * MIB


def bad_rows() -> Iterator[bytes]:
    """Two million lines that are no JSON."""
    for _ in range(20):
        yield b"no\n" * 100_000


def wrong_rows() -> Iterator[bytes]:
    """A million rows with a value out of range in each."""
    for n in range(10):
        yield b"".join(
            b'{"presentation_id":"p%d","choice":"P","probability":2}\n' % (n * 100_000 + m) for m in range(100_000)
        )


def digits() -> Iterator[bytes]:
    """Numbers of a million digits, whose conversion would be quadratic."""
    for _ in range(50):
        yield b'{"presentation_id":"p","choice":"P","run":' + b"9" * (MIB - 100) + b"}\n"


def many_keys() -> Iterator[bytes]:
    """Lines with tens of thousands of fields that there are not."""
    line = b'{"presentation_id":"p","choice":"P",' + b",".join(b'"k%d":0' % n for n in range(80_000)) + b"}\n"
    for _ in range(20):
        yield line


def braces() -> Iterator[bytes]:
    """Two thousand responses of 600 bytes that open objects in vain."""
    for n in range(2000):
        yield json.dumps({"presentation_id": f"p{n}", "response": f"{n}" + '"{"' * 200}).encode() + b"\n"


def many_nan() -> Iterator[bytes]:
    """The same, and a number that is none in each."""
    line = b'{"presentation_id":"p","choice":"P",' + b",".join(b'"k%d":NaN' % n for n in range(80_000)) + b"}\n"
    for _ in range(20):
        yield line


def hundred_keys() -> Iterator[bytes]:
    """As many fields that there are not as fit in each of as many rows as may be."""
    fields = b",".join(b'"k%d":0' % n for n in range(100))
    for n in range(40_000):
        yield b'{"presentation_id":"p%d","choice":"P",%s}\n' % (n, fields)


def nested() -> Iterator[bytes]:
    """A tenth of what a protocol of 10,000 presentations allows, of what takes a response longest to read."""
    said = '{"":' * 60 + "[" + "[[0]]," * 10_870 + '}{"choice":"P'
    for n in range(1000):
        yield json.dumps({"presentation_id": f"p{n}", "response": f"{n}{said}"}).encode() + b"\n"


def honest() -> Iterator[bytes]:
    """Six hundred thousand raw rows of a kilobyte: as many bytes as a protocol of 10,000 presentations allows."""
    words = "The second clip sounds warmer and slower than the first. " * 17
    for n in range(600_000):
        said = f'{n} {words}{{"choice": "P", "probability": 0.8}}'
        yield json.dumps({"presentation_id": f"p{n % 10_000}", "run": n // 10_000, "response": said}).encode() + b"\n"


def blank_records() -> Iterator[bytes]:
    """CSV of twenty million blank lines, and a bad record in every megabyte."""
    yield b"presentation_id,choice\n"
    for _ in range(20):
        yield b"\n" * MIB + b"x\n"


def quotes() -> Iterator[bytes]:
    """A cell that is opened in the second record and never closed, over a gigabyte."""
    yield b'presentation_id,choice\n"'
    for _ in range(1000):
        yield (b"x" * 63 + b"\n") * (MIB // 64)


def repeated_text() -> Iterator[bytes]:
    """Parquet: a text of 64 KiB for each of a million rows, of which the file holds one."""
    table = pa.table(
        {
            "presentation_id": pa.DictionaryArray.from_arrays(pa.array([0] * MIB, pa.int32()), pa.array(["p"])),
            "response": pa.DictionaryArray.from_arrays(pa.array([0] * MIB, pa.int32()), pa.array(["x" * 65536])),
        }
    )
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    yield sink.getvalue().to_pybytes()


def null_lists() -> Iterator[bytes]:
    """Parquet: a list of fifty million nulls."""
    lists = pa.ListArray.from_arrays(pa.array([0, 50_000_000], pa.int32()), pa.nulls(50_000_000, pa.string()))
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"presentation_id": ["p"], "evidence": lists}), sink, compression="zstd")
    yield sink.getvalue().to_pybytes()


WORST = {
    "gzip, 10 GiB out of 10 MB": Worst(".jsonl.gz", gzip_bomb, "submission.expands-too-much", 2, 200),
    "zstd, 10 GiB out of 1 MB": Worst(".jsonl.zst", zstd_bomb, "submission.expands-too-much", 2, 200),
    "one line of 1 GiB": Worst(".jsonl", long_line, "submission.line-too-long", 2, 200),
    "100,000 nested brackets": Worst(".jsonl", brackets, "submission.too-deep", 2, 200),
    "200 lines of a million brackets": Worst(".jsonl", many_brackets, "submission.too-deep", 20, 300),
    "1 GB of NUL": Worst(".jsonl", nul_bytes, None, 5, 300),
    "20 million blank lines": Worst(".jsonl", blank_lines, "submission.blank-line", 10, 300),
    "2 million lines of no JSON": Worst(".jsonl", bad_rows, "submission.not-json", 60, 1000),
    "a million values out of range": Worst(".jsonl", wrong_rows, "submission.out-of-range", 60, 1000),
    "50 numbers of a million digits": Worst(".jsonl", digits, "submission.number-overflow", 10, 300),
    "20 rows of 80,000 unknown fields": Worst(".jsonl", many_keys, "submission.unknown-field", 10, 300),
    "20 rows of 80,000 NaN in unknown fields": Worst(".jsonl", many_nan, "submission.nan", 20, 300),
    "40,000 rows of 100 unknown fields": Worst(".jsonl", hundred_keys, "submission.unknown-field", 30, 300),
    "2,000 responses of open braces": Worst(".jsonl", braces, None, 5, 300),
    "1,000 responses of 64 KiB of nested lists": Worst(".jsonl", nested, None, 60, 400),
    "an honest file of 600,000 long responses": Worst(".jsonl", honest, None, 60, 1200),
    "CSV: 20 million blank lines": Worst(".csv", blank_records, "submission.blank-line", 20, 300),
    "an open quotation mark over 1 GB": Worst(".csv", quotes, "submission.line-too-long", 20, 300),
    "Parquet: 64 GiB of one text": Worst(".parquet", repeated_text, "submission.too-large", 5, 300),
    "Parquet: a list of 50 million nulls": Worst(".parquet", null_lists, "submission.too-long", 5, 300),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc, which is Linux's")
@pytest.mark.parametrize("name", WORST)
def test_cost_of_a_hostile_file(benchmark: BenchmarkFixture, name: str, tmp_path: Path) -> None:
    worst = WORST[name]
    path = tmp_path / f"worst{worst.suffix}"
    with path.open("wb") as stream:
        for piece in worst.make():
            stream.write(piece)

    def cost() -> list[object]:
        run = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True)  # noqa: S603 (our own interpreter)
        found = json.loads(run.stdout)
        assert isinstance(found, list)
        return found

    seconds, peak, counts = benchmark.pedantic(cost, rounds=1)
    print(f"\n{name}, {path.stat().st_size / 1e6:.2f} MB: {seconds:.2f} s, {peak} MB at the peak, {counts}")
    assert worst.code is None or worst.code in counts
    assert seconds < worst.seconds
    assert peak < worst.megabytes
