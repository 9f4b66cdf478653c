"""A million prediction rows read, checked and aligned, beside a loop over the standard library's JSON that is as strict.

`pytest benchmarks/test_submissions.py --benchmark-only -s` prints rows a second, ratios and memory. The clock is the processor
time of the process, all its threads together, so that it is nearly the same on a busy machine.
"""

from __future__ import annotations

import csv
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from earmark.manifests.families.pairs import PAIRS
from earmark.manifests.families.stance import STANCE
from earmark.manifests.family import Family
from earmark.manifests.findings import Findings
from earmark.scoring.decisions import Outcome, Owed, decide
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


WORDS = (
    "the",
    "voice",
    "stays",
    "low",
    "and",
    "slow;",
    "pauses",
    "fall",
    "before",
    "each",
    "clause",
    "while",
    "breath",
    "is",
    "heard",
)


def prose(rng: random.Random, least: int) -> str:
    """So many characters of words, or a few more."""
    words: list[str] = []
    while least > 0:
        words.append(rng.choice(WORDS))
        least -= len(words[-1]) + 1
    return " ".join(words)


def long_json(rng: random.Random, id: str) -> str:
    """A row of 600 bytes: reasons, then the answer as stance's grammar has it."""
    answer = {"choice": rng.choice("PN"), "probability": round(rng.random(), 2), "evidence": [prose(rng, 60)]}
    return json.dumps({"presentation_id": id, "response": f"{prose(rng, 385)}\n```json\n{json.dumps(answer)}\n```"})


def long_marks(rng: random.Random, id: str) -> str:
    """A row of 600 bytes: reasons, then the mark as the grammar of pairs has it."""
    response = f"Audio A: {prose(rng, 240)}\nAudio B: {prose(rng, 240)}\nVerdict: [[{rng.choice(('A', 'B', 'Tie'))}]]"
    return json.dumps({"presentation_id": id, "response": response})


def empty(_rng: random.Random, _id: str) -> str:
    """The shortest row that is no row."""
    return "{}"


def wrong(_rng: random.Random, id: str) -> str:
    """A row in which two fields are wrong, and no two rows are alike."""
    return f'{{"presentation_id":"{id}","run":0,"choice":"X","probability":1.5}}'


KINDS = {"parsed": (parsed, ROWS), "raw": (raw, ROWS // 4), "one bad in a thousand": (one_bad_in_a_thousand, ROWS)}
BAD = {"empty": (empty, ROWS), "wrong": (wrong, ROWS // 4)}
RESPONSES = {"json": (long_json, ROWS // 4, STANCE), "marks": (long_marks, ROWS // 4, PAIRS)}
FAULTS = {"empty": 1, "wrong": 2}
SUFFIXES = ("jsonl", "csv", "parquet")


@cache
def file(kind: str) -> Path:
    make, count = (KINDS | BAD | {name: given[:2] for name, given in RESPONSES.items()})[kind]
    rng = random.Random(1)  # noqa: S311 - a benchmark's input, not a secret
    path = Path(mkdtemp()) / "rows.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for _ in range(count):
            stream.write(make(rng, "p" + "".join(rng.choices(BASE32, k=26))) + "\n")
    return path


@cache
def as_table(kind: str, suffix: str) -> Path:
    """The same rows in another format."""
    lines = file(kind)
    if suffix == "jsonl":
        return lines
    rows = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    path = lines.with_suffix(f".{suffix}")
    if suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return path


@cache
def owed(kind: str) -> Owed:
    """A protocol that owes what the rows are about; they stand in another order."""
    lines = file(kind).read_text(encoding="utf-8").splitlines()
    ids = tuple(sorted(json.loads(line)["presentation_id"] for line in lines))
    return Owed("both-orders", ids, ids, ("PN",) * len(ids), pa.array(ids))


def aligned(path: Path, asked: Owed, family: Family) -> int:
    """Read, check, align and, where there are responses, parse; how many are ok."""
    findings = Findings()
    submission = read_submission(
        path, choices=family.choices, probability=family.probability, findings=findings, limits=LIMITS
    )
    decisions = decide(asked, submission, family.grammar, family.choices, findings)
    return int((decisions.outcome == Outcome.OK).sum())


def ours(path: Path) -> int:
    """Read and check; how many rows are good."""
    findings = Findings()
    submission = read_submission(path, choices=("P", "N"), probability=True, findings=findings, limits=LIMITS)
    return submission.table.num_rows + len(submission.bad)


def refused(path: Path) -> int:
    """Read and check what has no good row; how many findings there are, one or two of each row."""
    findings = Findings()
    read_submission(path, choices=("P", "N"), probability=True, findings=findings, limits=LIMITS)
    return len(findings)


def ours_line_by_line(path: Path) -> int:
    """The slow twin: strict JSON and every rule, line by line."""
    collector = Collector(path.name, Rules(("P", "N"), probability=True, limits=LIMITS), Findings())
    with path.open("rb") as stream:
        read_lines(stream, collector, fast=False)
    return collector.table().num_rows + len(collector.bad)


def strict_loop(path: Path) -> int:
    """The least that is strict: duplicate keys and constants refused by one decoder that is used again; no field is checked."""
    decode = strict_decoder()
    rows = []
    with path.open("rb") as stream:
        for line in stream:
            try:
                rows.append(decode(line.decode()))
            except ValueError:
                rows.append({})
    return len(rows)


def strict_decoder() -> Callable[[str], dict[str, object]]:
    """Decodes an object in which no key stands twice."""

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        value = dict(pairs)
        if len(value) < len(pairs):
            raise ValueError("a key stands twice")
        return value

    def refuse(name: str) -> object:
        raise ValueError(name)

    return json.JSONDecoder(object_pairs_hook=unique, parse_constant=refuse).decode


def strict_loop_with_ids(path: Path) -> int:
    """The same loop, which also sees to it that no id stands twice."""
    decode = strict_decoder()
    rows: dict[str, dict[str, object]] = {}
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            row = decode(line.decode())
            if rows.setdefault(row["presentation_id"], row) is not row:
                raise ValueError(f"line {number} repeats an id")
    return len(rows)


def seconds(read: Callable[[Path], int], path: Path, count: int, rounds: int) -> float:
    """Processor time of the best round."""
    return in_turns(read, (path,), count, rounds)[0]


def in_turns(read: Callable[[Path], int], paths: Sequence[Path], count: int, rounds: int) -> list[float]:
    """Processor time of the best round of each, one after the other in every round."""
    best = [float("inf")] * len(paths)
    for _ in range(rounds):
        for n, path in enumerate(paths):
            start = time.process_time()
            assert read(path) == count
            best[n] = min(best[n], time.process_time() - start)
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


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_aligned(benchmark: BenchmarkFixture, suffix: str) -> None:
    path, asked = as_table("parsed", suffix), owed("parsed")
    benchmark.pedantic(aligned, (path, asked, STANCE), rounds=3, warmup_rounds=1)
    fast = seconds(lambda path: aligned(path, asked, STANCE), path, ROWS, 5)
    read = seconds(ours, path, ROWS, 5)
    lines = seconds(lambda path: aligned(path, asked, STANCE), file("parsed"), ROWS, 3)
    loop = seconds(strict_loop_with_ids, file("parsed"), ROWS, 2)
    print(f"\n{suffix}: {ROWS / fast:,.0f} rows/s aligned ({ROWS / read:,.0f} read), strict loop {ROWS / loop:,.0f}")
    print(f"{loop / fast:.1f} times the loop, {lines / fast:.2f} times JSON Lines")
    benchmark.extra_info.update(aligned=ROWS / fast, read=ROWS / read, loop=ROWS / loop)
    assert ROWS / fast >= 600_000
    assert loop / fast >= 2


@pytest.mark.parametrize("kind", RESPONSES)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_responses(benchmark: BenchmarkFixture, kind: str, suffix: str) -> None:
    path, asked, count, family = as_table(kind, suffix), owed(kind), *RESPONSES[kind][1:]
    benchmark.pedantic(aligned, (path, asked, family), rounds=1, warmup_rounds=1)
    fast, lines = in_turns(lambda path: aligned(path, asked, family), (path, file(kind)), count, 5)
    size = file(kind).stat().st_size / count
    print(f"\n{kind} in {suffix}, {size:.0f} bytes a line: {count / fast:,.0f} rows/s read, aligned and parsed")
    print(f"{lines / fast:.2f} times JSON Lines ({count / lines:,.0f})")
    benchmark.extra_info.update(rows_a_second=count / fast, lines=count / lines)
    assert count / fast >= 100_000
    assert suffix == "jsonl" or fast <= lines


@pytest.mark.parametrize("kind", BAD)
def test_nothing_but_bad_rows(benchmark: BenchmarkFixture, kind: str) -> None:
    path, count = file(kind), BAD[kind][1]
    benchmark.pedantic(refused, (path,), rounds=1)
    taken = seconds(refused, path, count * FAULTS[kind], 1)
    print(f"\n{kind}: {count / taken:,.0f} rows/s refused, {path.stat().st_size / taken / 1e6:.1f} MB/s")
    benchmark.extra_info.update(rows_a_second=count / taken)


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


ALIGNED = """
import sys
from pathlib import Path
import pyarrow as pa
sys.path.insert(0, sys.argv[1])
from earmark.manifests.families.stance import STANCE
from earmark.scoring.decisions import Owed
import test_submissions
def peak():
    return next(int(line.split()[1]) // 1024 for line in Path("/proc/self/status").open() if line.startswith("VmHWM"))
ids = tuple(Path(sys.argv[3]).read_text().split())
asked = Owed("both-orders", ids, ids, ("PN",) * len(ids), pa.array(ids))
before = peak()
test_submissions.aligned(Path(sys.argv[2]), asked, STANCE)
print(before, peak())
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc, which is Linux's")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_memory_aligned(benchmark: BenchmarkFixture, suffix: str, tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("\n".join(owed("parsed").ids), encoding="utf-8")
    arguments = [str(Path(__file__).parent), str(as_table("parsed", suffix)), str(tmp_path / "ids.txt")]

    def peak() -> tuple[int, ...]:
        command = [sys.executable, "-c", ALIGNED, *arguments]
        run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 (our own interpreter)
        return tuple(map(int, run.stdout.split()))

    before, after = benchmark.pedantic(peak, rounds=1)
    print(f"\n{suffix}: {after} MB at the peak, {before} MB of them imports and the million ids of the protocol")
    assert after < 600


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
        run = subprocess.run([sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True)  # noqa: S603 (our own interpreter)
        return tuple(map(int, run.stdout.split()))

    before, after = benchmark.pedantic(peak, rounds=1)
    print(f"\n{kind}: {after} MB at the peak, {before} MB of them imports")
    assert after < 500
