"""Reports: plain data, written deterministically and read back."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.manifests.errors import EarmarkError
from earmark.manifests.report import (
    ALL,
    OVERALL,
    BaselineEntry,
    IntervalEntry,
    MetricEntry,
    Report,
    UseEntry,
    read_report,
)

REALS = st.none() | st.floats(allow_nan=False, allow_infinity=False)
WORDS = st.text(st.characters(codec="ascii", categories=["L"]), max_size=4)
INTERVALS = st.builds(
    IntervalEntry,
    by=WORDS,
    clusters=st.integers(0, 10**9),
    method=WORDS,
    level=st.just(0.95),
    low=REALS,
    high=REALS,
    reason=st.none() | WORDS,
)
METRICS = st.builds(
    MetricEntry,
    metric=WORDS,
    facet=st.sampled_from([OVERALL, "S0"]),
    slice=st.sampled_from([ALL, "role"]),
    value=REALS,
    unit=WORDS,
    n=st.integers(0, 10**12),
    chance=REALS,
    p=REALS,
    p_adjusted=REALS,
    reason=st.none() | WORDS,
    intervals=st.lists(INTERVALS, max_size=2).map(tuple),
)
REPORTS = st.builds(
    Report,
    signature=st.dictionaries(
        WORDS, st.none() | st.integers(-(10**12), 10**12) | WORDS | st.lists(st.booleans(), max_size=2), max_size=3
    ),
    submission=st.dictionaries(WORDS, st.dictionaries(WORDS, WORDS, max_size=2), max_size=2),
    label_source=WORDS,
    headline=WORDS,
    counts=st.dictionaries(WORDS, st.dictionaries(WORDS, st.integers(0, 10**12), max_size=2), max_size=2),
    metrics=st.lists(METRICS, max_size=3).map(tuple),
    baselines=st.lists(st.builds(BaselineEntry, name=WORDS, value=REALS, reason=st.none() | WORDS), max_size=2).map(
        tuple
    ),
    use=st.none() | st.builds(UseEntry, intended=WORDS, out_of_scope=WORDS),
)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report") / "report.json"


@given(report=REPORTS)
def test_writing_and_reading(file: Path, report: Report) -> None:
    report.write(file)
    written = file.read_bytes()
    again = read_report(file)
    assert again.as_json() == report.as_json()
    again.write(file)
    assert file.read_bytes() == written
    assert written.endswith(b"}\n")
    assert b"\r" not in written


@given(REPORTS)
def test_floats_have_six_digits_and_integers_all(report: Report) -> None:
    said = report.as_json()
    for metric, entry in zip(report.metrics, said["metrics"], strict=True):
        assert entry["n"] == metric.n
        for name in ("value", "chance", "p", "p_adjusted"):
            exact, kept = getattr(metric, name), entry[name]
            assert (exact is None) == (kept is None)
            if exact is not None:
                assert repr(kept) == repr(float(f"{exact:.5e}") + 0.0)
                assert math.isclose(kept, exact, rel_tol=1e-5, abs_tol=1e-300)


@given(report=REPORTS)
def test_a_report_of_before_statements_of_use_stays_as_it_was(file: Path, report: Report) -> None:
    older = {name: said for name, said in report.as_json().items() if name != "use"}
    file.write_text(json.dumps(older), encoding="utf-8", newline="\n")
    again = read_report(file)
    assert again.use is None
    assert again.as_json() == older, "and so its hash, which leaderboards know it by, stays the same too"
    assert (report.as_json() == older) == (report.use is None)


def test_keys_are_sorted_and_order_of_insertion_leaves_no_trace(file: Path) -> None:
    def written(*names: str) -> str:
        counts = {name: {"ok": 1, "missing": 0} for name in names}
        Report(
            signature=dict.fromkeys(names, 1), submission={}, label_source="", headline="", counts=counts, metrics=()
        ).write(file)
        return file.read_text(encoding="utf-8")

    assert written("a", "b") == written("b", "a")
    assert list(json.loads(written("b", "a"))) == sorted(json.loads(written("b", "a")))


def test_find() -> None:
    one = MetricEntry(metric="auroc", facet="S0", value=0.5, n=1)
    other = MetricEntry(metric="auroc", facet=OVERALL, value=None, n=0, reason="no item")
    report = Report(signature={}, submission={}, label_source="", headline="auroc", counts={}, metrics=(one, other))
    assert report.find("auroc", "S0") is one
    assert report.find("auroc") is other
    assert report.find("auroc", "S0", "role") is None


def test_what_is_undefined_must_be_null(file: Path) -> None:
    metric = MetricEntry(metric="auroc", facet="S0", value=math.nan, n=1)
    report = Report(signature={}, submission={}, label_source="", headline="", counts={}, metrics=(metric,))
    file.unlink(missing_ok=True)
    with pytest.raises(ValueError, match="not JSON compliant"):
        report.write(file)
    assert not file.exists()


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b'{"a":1,"a":2}', b'{"headline": 3}', b"\xff"])
def test_files_that_are_no_report(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(data)
    with pytest.raises(EarmarkError, match=r"report\.json is no report"):
        read_report(path)
    with pytest.raises(EarmarkError, match=r"cannot read .*absent"):
        read_report(tmp_path / "absent")
