"""What the worst files cost: each is read in a process of its own, whose processor time and memory are looked at afterwards."""

from __future__ import annotations

import json
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

resource = pytest.importorskip("resource", reason="this system does not say what a process took")

READING = """
import json, resource, sys
from pathlib import Path
from earmark.manifests.findings import Findings
from earmark.scoring.submissions import Limits, read_submission
findings = Findings()
submission = read_submission(
    Path(sys.argv[1]), choices=("P", "N"), probability=True, findings=findings, limits=Limits(bytes=(1 << 30) + 64)
)
used = resource.getrusage(resource.RUSAGE_SELF)
peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1 << 10)
status = Path("/proc/self/status")
if status.exists():  # there the usage counts what the process was before it became this one
    peak = next(int(line.split()[1]) << 10 for line in status.read_text().splitlines() if line.startswith("VmHWM"))
print(json.dumps({
    "counts": findings.counts,
    "rows": submission.table.num_rows,
    "seconds": used.ru_utime + used.ru_stime,
    "megabytes": peak / 1e6,
}))
"""
GIB = 1 << 30
ROW = b'{"presentation_id":"p1","choice":"P"}\n'


def gzip_bomb(path: Path, first: bytes = ROW) -> None:
    """Ten gigabytes of zeros behind one row, in one member whose blocks are the same one over and over."""
    pack = zlib.compressobj(9, wbits=31)
    begin = pack.compress(first) + pack.flush(zlib.Z_FULL_FLUSH)
    block = pack.compress(bytes(1 << 24)) + pack.flush(zlib.Z_FULL_FLUSH)
    path.write_bytes(begin + block * 640 + pack.flush())


def csv_bomb(path: Path) -> None:
    """The same behind the names of columns."""
    gzip_bomb(path, b"presentation_id,choice\n")


def gzip_members(path: Path) -> None:
    """The same in members of 16 MiB."""
    pack = zlib.compressobj(9, wbits=31)
    member = pack.compress(bytes(1 << 24)) + pack.flush()
    path.write_bytes(member * 640)


def zstd_bomb(path: Path) -> None:
    """Ten gigabytes in blocks that say one byte 131,072 times."""
    path.write_bytes(b"\x28\xb5\x2f\xfd\x00\x58" + (((1 << 17) << 3 | 2).to_bytes(3, "little") + b"x") * 81_920)


def zstd_blocks(path: Path) -> None:
    """Millions of blocks that hold nothing."""
    path.write_bytes(b"\x28\xb5\x2f\xfd\x00\x58" + b"\0\0\0" * 20_000_000)


def gzip_nothing(path: Path) -> None:
    """Millions of members that hold nothing."""
    pack = zlib.compressobj(9, wbits=31)
    path.write_bytes((pack.compress(b"") + pack.flush()) * 2_000_000)


def long_line(path: Path) -> None:
    """A line of a gigabyte."""
    with path.open("wb") as stream:
        stream.write(ROW + b'{"presentation_id":"p2","response":"')
        for _ in range(64):
            stream.write(b"x" * (1 << 24))
        stream.truncate(GIB)


def packed_line(path: Path) -> None:
    """A line of half a gigabyte that expands to less than is suspicious at any place."""
    pack = zlib.compressobj(1, wbits=31)
    text = bytes(range(48, 112)) * (1 << 10)
    with path.open("wb") as stream:
        stream.write(pack.compress(b'{"presentation_id":"'))
        for n in range(1 << 13):
            stream.write(pack.compress(n.to_bytes(4, "little").hex().encode() * 80 + text))
        stream.write(pack.flush())


def brackets(path: Path) -> None:
    """A hundred thousand brackets that are opened."""
    path.write_bytes(b"[" * 100_000 + b"\n" + b'{"a":' * 100_000 + b"\n" + ROW)


Made = tuple[Callable[[Path], None], str, dict[str, int], int]
WORST: dict[str, Made] = {
    "gzip bomb": (gzip_bomb, "jsonl.gz", {"expands-too-much": 1, "line-too-long": 1}, 1),
    "gzip bomb as csv": (csv_bomb, "csv", {"expands-too-much": 1, "line-too-long": 1}, 0),
    "gzip bomb of members": (gzip_members, "jsonl", {"expands-too-much": 1, "line-too-long": 1}, 0),
    "zstd bomb": (zstd_bomb, "jsonl.zst", {"expands-too-much": 1, "line-too-long": 1}, 0),
    "zstd of empty blocks": (zstd_blocks, "jsonl", {"bad-compression": 1}, 0),
    "gzip of empty members": (gzip_nothing, "jsonl", {"bad-compression": 1}, 0),
    "line of a gigabyte": (long_line, "jsonl", {"line-too-long": 1}, 1),
    "packed line": (packed_line, "jsonl", {"line-too-long": 1}, 0),
    "brackets": (brackets, "jsonl", {"too-deep": 2}, 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WORST)
def test_the_worst_files_take_two_seconds_and_little_memory(tmp_path: Path, name: str) -> None:
    make, suffix, codes, rows = WORST[name]
    path = tmp_path / f"f.{suffix}"
    make(path)
    done = subprocess.run([sys.executable, "-c", READING, str(path)], capture_output=True, check=True)
    took = json.loads(done.stdout)
    assert took["counts"] == {f"submission.{code}": count for code, count in codes.items()}
    assert took["rows"] == rows
    assert took["seconds"] < 2
    assert took["megabytes"] < 200
