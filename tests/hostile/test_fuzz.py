"""Whatever is uploaded, a check ends soon, in findings or one known error, and its counts are consistent.

`pytest -m slow tests/hostile/test_fuzz.py` looks for EARMARK_FUZZ_SECONDS seconds, 120 without.
"""

from __future__ import annotations

import json
import os
import time
import tracemalloc
from collections import Counter
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hostile.case import IDS
from tests.hostile.case import sound as json_rows
from tests.hostile.csv_files import HEAD
from tests.hostile.csv_files import sound as csv_rows
from tests.hostile.mutations import SOUND, Upload, uploads

from earmark.manifests.errors import EarmarkError
from earmark.manifests.findings import Findings, Severity
from earmark.manifests.release import Release
from earmark.scoring.decisions import Outcome
from earmark.scoring.decisions.counts import counts
from earmark.scoring.face import read
from earmark.scoring.submissions.collecting import Collector
from earmark.scoring.submissions.columns import table_rows
from earmark.scoring.submissions.csv_file import read_csv
from earmark.scoring.submissions.lines import read_lines
from earmark.scoring.submissions.rows import Limits, Rules

SECONDS = float(os.environ.get("EARMARK_FUZZ_SECONDS", "120"))
MOST_MEMORY = 64 << 20
"""Bytes that Python may take for a file of a few kilobytes, held against four presentations."""


def looked_at(upload: Upload, release: Release, folder: Path) -> Findings | None:
    """Check the file; everything that must hold of the outcome does."""
    path = folder / f"upload{upload.suffix}"
    path.write_bytes(upload.data)
    findings = Findings()
    try:
        submission, decisions = read(release, path, None, findings)
    except EarmarkError:
        return None
    told = findings.as_json()
    json.dumps(told, allow_nan=False).encode("ascii")
    kept = Counter(finding.code.name for finding in findings)
    assert kept == {code: min(count, findings.cap) for code, count in findings.counts.items()}
    assert sum(findings.count(severity) for severity in Severity) == len(findings) == sum(findings.counts.values())
    assert findings.exit_code == int(findings.count(Severity.ERROR) > 0)
    for finding in findings:
        finding.text().encode("utf-8")
        assert finding.row is None or finding.row >= 1
    came_to = counts(release, decisions)["overall"]
    assert came_to["owed"] == len(IDS) == sum(came_to[outcome.name.lower()] for outcome in Outcome)
    assert came_to["missing"] == findings.counts.get("submission.missing", 0)
    assert came_to["repeated_rows"] == findings.counts.get("submission.repeated", 0)
    # Every row is good or bad; a bad one has a finding, and a file without an error has none.
    assert findings.failed or not submission.bad
    assert all(bad.reason and bad.line >= 1 for bad in submission.bad)
    if not findings.failed and not came_to["missing"]:
        assert came_to["ok"] + came_to["unparsable"] + came_to["failed"] + came_to["abstained"] == len(IDS)
    return findings


def both_ways(upload: Upload, limits: Limits | None = None) -> Findings:
    """The fast reader of JSON Lines or CSV and the slow one make the same of it."""
    made, read = [], read_csv if upload.suffix == ".csv" else read_lines
    for fast in (True, False):
        rules = Rules(("P", "N"), probability=True, limits=limits or Limits.owing(len(IDS)))
        collector = Collector(f"upload{upload.suffix}", rules, Findings())
        header = read(BytesIO(upload.data), collector, fast=fast)
        rows = repr(table_rows(collector.table()))  # NaN is not equal to itself, its name is
        made.append((rows, collector.bad_rows(), collector.rows, collector.findings.as_json(), header))
    assert made[0] == made[1]
    return collector.findings


@given(uploads())
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_no_upload_breaks_a_check(public: Release, tmp_path_factory: pytest.TempPathFactory, upload: Upload) -> None:
    looked_at(upload, public, tmp_path_factory.getbasetemp())
    if upload.suffix in (".jsonl", ".csv"):
        both_ways(upload)


@given(
    st.sampled_from([".jsonl", ".csv"]),
    st.lists(st.tuples(st.sampled_from(["", "", "", " ", "\r", "x", "row"]), st.integers(1, 90)), max_size=5),
    st.integers(1, 200),
)
@settings(max_examples=25)
def test_blank_lines_are_counted_alike_however_many_and_wherever(
    suffix: str, runs: list[tuple[str, int]], most: int
) -> None:
    sound = json_rows() if suffix == ".jsonl" else csv_rows()
    texts = [sound[n % 4] if text == "row" else text for text, count in runs for n in range(count)]
    data = "".join(f"{text}\n" for text in ([] if suffix == ".jsonl" else [HEAD]) + texts).encode()
    findings = both_ways(Upload(suffix, data), Limits(rows=most))
    if "submission.too-many-rows" not in findings.counts:
        blank = sum(text in ("", "\r") or (text == " " and suffix == ".jsonl") for text in texts)
        assert findings.counts.get("submission.blank-line", 0) == blank


@given(
    st.sampled_from(sorted(SOUND)).flatmap(lambda suffix: st.tuples(st.just(suffix), st.sampled_from(SOUND[suffix])))
)
@settings(max_examples=10)
def test_what_is_spoilt_was_sound(
    public: Release, tmp_path_factory: pytest.TempPathFactory, file: tuple[str, bytes]
) -> None:
    findings = looked_at(Upload(*file), public, tmp_path_factory.getbasetemp())
    assert findings is not None
    assert not findings.failed


@pytest.mark.slow
def test_uploads_for_minutes(public: Release, tmp_path: Path) -> None:
    """As long as asked for: no error that nobody foresaw, no file that takes long or much memory."""
    begun, tried, longest, largest = time.monotonic(), 0, 0.0, 0

    @given(uploads())
    @settings(
        max_examples=2000,
        deadline=None,
        database=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
    )
    def search(upload: Upload) -> None:
        nonlocal tried, longest, largest
        tried += 1
        start = time.process_time()
        looked_at(upload, public, tmp_path)
        longest = max(longest, time.process_time() - start)
        if upload.suffix in (".jsonl", ".csv"):
            both_ways(upload)
        if tried % 50 == 0:
            tracemalloc.start()
            looked_at(upload, public, tmp_path)
            largest = max(largest, tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()

    while time.monotonic() - begun < SECONDS:
        search()
    print(f"{tried} uploads, the longest {longest:.2f} s, at most {largest / 2**20:.1f} MiB of Python's memory")  # noqa: T201 - with -s
    assert tried > 500
    assert largest < MOST_MEMORY


@given(st.data())
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
def test_a_spoilt_packing_never_passes_for_whole(
    public: Release, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """A gzip or zstd file that was cut off is never without an error, wherever it was cut."""
    from tests.hostile.containers import gz, zst

    pack, suffix = data.draw(st.sampled_from([(gz, ".jsonl.gz"), (zst, ".jsonl.zst")]))
    whole = pack(SOUND[".jsonl"][1] * 3)
    cut = whole[: data.draw(st.integers(1, len(whole) - 1))]
    findings = looked_at(Upload(suffix, cut), public, tmp_path_factory.getbasetemp())
    assert findings is not None
    assert findings.failed
    assert findings.counts.keys() & {"submission.bad-compression", "submission.not-utf8", "submission.not-json"}
