"""What calls took: each figure is that of a loop over calls, whatever order, run or repetition the rows come in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.tiny import write_tiny_release

from earmark.manifests.findings import Findings
from earmark.manifests.release import Release
from earmark.manifests.report import EFFICIENCY, OVERALL, MetricEntry
from earmark.pages.efficiency import MEANS, efficiency_table, efficiency_text
from earmark.scoring.efficiency import NO_COST, NO_ITEM, NO_LATENCY, NO_TIME, NO_TOKENS, NOT_SINGLE, efficiency
from earmark.scoring.face import read, score, write_report
from earmark.scoring.measuring import Options

FEW = Options(resamples=100)
Call = dict[str, object]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """Four items, each asked in both orders."""
    return write_tiny_release(tmp_path_factory.mktemp("efficient") / "release", items=4)


def places(release: Release) -> list[tuple[str, str]]:
    """Presentations and their items, by id."""
    table = release.table("presentations")
    return sorted(zip(table["presentation_id"].to_pylist(), table["item_id"].to_pylist(), strict=True))


def write(path: Path, rows: Sequence[Call], serving: str | None = None) -> Path:
    head = [{"earmark": {"run": {"serving": serving}}}] if serving else []
    path.write_text("\n".join(json.dumps(row) for row in [*head, *rows]), encoding="utf-8")
    return path


def found(release: Release, rows: Sequence[Call], folder: Path, serving: str | None = None) -> dict[str, MetricEntry]:
    submission, decisions = read(release, write(folder / "file.jsonl", rows, serving), None, Findings())
    return {entry.metric: entry for entry in efficiency(submission, decisions, FEW)}


VALUES = st.none() | st.sampled_from([0, 0.5, 1, 2.25, 300])
TOKENS = st.none() | st.integers(0, 50)
CALLS = st.lists(
    st.fixed_dictionaries(
        {"place": st.integers(0, 7), "run": st.integers(0, 1), "status": st.sampled_from(["ok", "failed"])},
        optional={"latency_s": VALUES, "output_tokens": TOKENS, "cost_usd": VALUES},
    ),
    max_size=24,
)


def rows_of(release: Release, calls: Sequence[Call]) -> list[Call]:
    ids = [id for id, _ in places(release)]
    return [
        {
            **{name: value for name, value in call.items() if name != "place"},
            "presentation_id": ids[int(str(call["place"]))],
            **({"choice": "P"} if call["status"] == "ok" else {}),
        }
        for call in calls
    ]


def by_hand(release: Release, calls: Sequence[Call], *, single: bool) -> dict[str, tuple[float | None, int]]:
    """Values and n, by loops."""
    said: dict[tuple[int, int], list[Call]] = {}
    for call in calls:
        said.setdefault((int(str(call["place"])), int(str(call["run"]))), []).append(call)

    def of(place: tuple[int, int], name: str) -> float | None:
        values = {float(str(call[name])) for call in said[place] if call.get(name) is not None}
        return values.pop() if len(values) == 1 else None

    known = {name: {place: of(place, name) for place in said} for name in ("latency_s", "output_tokens", "cost_usd")}
    latency = [value for value in known["latency_s"].values() if value is not None]
    both = [
        (tokens, seconds)
        for place in said
        if (tokens := known["output_tokens"][place]) is not None and (seconds := known["latency_s"][place]) is not None
    ]
    costs = [value for value in known["cost_usd"].values() if value is not None]
    items: dict[str, list[int]] = {}
    for n, (_, item) in enumerate(places(release)):
        items.setdefault(item, []).append(n)
    of_items = []
    for owed in items.values():
        theirs = [known["cost_usd"][place] for place in said if place[0] in owed]
        if {place[0] for place in said if place[0] in owed} == set(owed) and None not in theirs:
            of_items.append(sum(value for value in theirs if value is not None))
    seconds = sum(each for _, each in both)

    def quantile(q: float) -> float | None:
        return float(np.quantile(latency, q, method="inverted_cdf")) if latency else None

    share = (lambda count: count / len(said)) if said else lambda _: None
    return {
        "latency_mean": (float(np.mean(latency)) if latency else None, len(latency)),
        "latency_median": (quantile(0.5), len(latency)),
        "latency_p95": (quantile(0.95), len(latency)),
        "latency_coverage": (share(len(latency)), len(said)),
        "output_tokens_per_second": (sum(t for t, _ in both) / seconds, len(both)) if single and seconds else (None, 0),
        "tokens_coverage": (share(len(both)), len(said)),
        "cost_per_100_calls": (100 * float(np.mean(costs)) if costs else None, len(costs)),
        "cost_per_100_items": (100 * float(np.mean(of_items)) if of_items else None, len(of_items)),
        "cost_coverage": (share(len(costs)), len(said)),
    }


@settings(max_examples=25)
@given(calls=CALLS, single=st.booleans(), data=st.data())
def test_every_figure_is_that_of_a_loop_over_calls(
    calls: list[Call], single: bool, data: st.DataObject, release: Release, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, serving = tmp_path_factory.mktemp("calls"), "single_stream" if single else "batched"
    entries = found(release, rows_of(release, calls), folder, serving)
    expected = by_hand(release, calls, single=single)
    assert list(entries) == list(expected) == list(MEANS)
    for metric, (value, n) in expected.items():
        entry = entries[metric]
        assert (entry.facet, entry.slice, entry.chance, entry.p) == (OVERALL, EFFICIENCY, None, None)
        assert entry.value == (None if value is None else pytest.approx(value))
        assert entry.n == n
        assert (entry.reason is None) == (entry.value is not None)
        if entry.value is not None and not metric.endswith("_coverage"):
            (interval,) = entry.intervals
            assert interval.low is None or interval.high is None or interval.low <= interval.high
    shuffled = data.draw(st.permutations(calls))
    again = data.draw(st.lists(st.sampled_from(calls), max_size=3)) if calls else []
    assert found(release, rows_of(release, [*shuffled, *again]), folder, serving) == entries


def all_of(release: Release, **fields: object) -> list[Call]:
    """A call of every presentation."""
    return [{"presentation_id": id, "choice": "P", **fields} for id, _ in places(release)]


def test_each_gap_has_its_reason(release: Release, tmp_path: Path) -> None:
    def reasons(rows: list[Call], serving: str | None = None) -> list[str | None]:
        entries = found(release, rows, tmp_path, serving)
        return [entries[name].reason for name in ("latency_mean", "output_tokens_per_second", "cost_per_100_items")]

    assert reasons(all_of(release)) == [NO_LATENCY, NO_TOKENS, NO_COST]
    timed = all_of(release, latency_s=2, output_tokens=10, cost_usd=0.01)
    assert reasons(timed) == reasons(timed, "batched") == [None, NOT_SINGLE, None]
    assert reasons(timed, "single_stream") == [None, None, None]
    assert reasons(all_of(release, latency_s=0, output_tokens=10), "single_stream")[1] == NO_TIME
    assert reasons(timed[:1])[2] == NO_ITEM
    assert found(release, timed[:0], tmp_path)["latency_coverage"].reason == "nothing was answered"


def test_runs_are_calls_and_repetitions_are_not(release: Release, tmp_path: Path) -> None:
    once = all_of(release, latency_s=2, output_tokens=10, cost_usd=0.01)
    twice = [*once, *({**row, "run": 1} for row in once)]
    single, double, repeated = (
        found(release, rows, tmp_path, "single_stream") for rows in (once, twice, [*once, *once[:3]])
    )
    assert repeated == single
    assert single["output_tokens_per_second"].value == double["output_tokens_per_second"].value == 5
    assert [each["cost_per_100_calls"].value for each in (single, double)] == [pytest.approx(1), pytest.approx(1)]
    assert [each["cost_per_100_items"].value for each in (single, double)] == [pytest.approx(2), pytest.approx(4)]
    # Two prices of one call are none.
    assert found(release, [*once, {**once[0], "cost_usd": 9}], tmp_path)["cost_per_100_calls"].n == len(once) - 1


def test_what_is_not_owed_took_nothing(release: Release, tmp_path: Path) -> None:
    rows = all_of(release, latency_s=2)
    stranger = {"presentation_id": "p" + "a" * 26, "choice": "P", "latency_s": 999}
    assert found(release, [*rows, stranger], tmp_path) == found(release, rows, tmp_path)


def test_it_stands_apart_on_the_page_and_on_the_terminal(release: Release, tmp_path: Path) -> None:
    rows = [{**row, "latency_s": 1 + n, "output_tokens": 8, "cost_usd": 0.001} for n, row in enumerate(all_of(release))]
    scored = score(release, write(tmp_path / "file.jsonl", rows, "single_stream"), options=FEW)
    assert efficiency_text(scored.report) == (
        "efficiency, not ranked: latency mean 4.500 s, median 4.000 s, p95 8.000 s (n 8); speed 1.778 tokens/s (n 8); "
        "cost per 100 calls 0.100 USD, per 100 items 0.200 USD (n 8)"
    )
    page = write_report(release, scored, tmp_path / "out").read_text(encoding="utf-8")
    assert page.count('id="efficiency"') == page.count('href="#efficiency"') == 1
    section = page.split('id="efficiency"')[1].split("</section>")[0]
    assert all(means in section for means in MEANS.values())
    assert "4.500 s" in section
    assert "4.500 s" not in page.replace(section, "")
    silent = score(release, write(tmp_path / "file.jsonl", all_of(release)), options=FEW)
    assert efficiency_text(silent.report) == ""
    assert efficiency_table(silent.report) is None
    assert 'id="efficiency"' not in write_report(release, silent, tmp_path / "silent").read_text(encoding="utf-8")
    plain = [entry for entry in scored.report.metrics if entry.slice != EFFICIENCY]
    assert plain == [entry for entry in silent.report.metrics if entry.slice != EFFICIENCY]
