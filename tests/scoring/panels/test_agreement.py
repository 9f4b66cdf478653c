"""Figures of agreement against walks over items and raters, scikit-learn and statsmodels."""

from __future__ import annotations

import csv
import io
import json
import warnings
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss
from tests.support.panel_releases import write_pairs_release

from earmark.manifests.findings import Findings
from earmark.manifests.panels import Entry, Panel
from earmark.manifests.release import Release, open_release
from earmark.scoring.measuring import Options, measure
from earmark.scoring.panels.agreement import (
    GLOSSARY,
    Agreement,
    MeanOfDefined,
    agreement_figures,
    measure_agreement,
    ratings_csv,
)
from earmark.scoring.panels.sheets import Rated
from earmark.scoring.ratings import read_ratings
from earmark.statistics.kappa import MISSING
from earmark.statistics.rates import Ratio

OPTIONS = Options(resamples=200)


@st.composite
def tables(draw: st.DrawFn) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    raters, items = draw(st.integers(1, 4)), draw(st.integers(1, 7))
    labels = draw(st.lists(st.sampled_from([0, 1, 2, MISSING]), min_size=raters * items, max_size=raters * items))
    return np.array(labels, np.int64).reshape(raters, items)


def mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def slow_ceiling(labels: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> float | None:
    of_raters = []
    for rater in range(len(labels)):
        shares = []
        for column in labels.T.tolist():
            own = column.pop(rater)
            others = Counter(label for label in column if label != MISSING)
            if own == MISSING or not others:
                continue
            leading = [label for label, votes in others.items() if votes == max(others.values())]
            shares.append((own in leading) / len(leading))
        of_raters += [mean(shares)] if shares else []
    return mean([value for value in of_raters if value is not None])


def slow_cohen(labels: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> float | None:
    kappas = []
    for first, second in combinations(labels, 2):
        both = (first != MISSING) & (second != MISSING)
        if len({*first[both].tolist(), *second[both].tolist()}) > 1:
            kappas.append(float(cohen_kappa_score(first[both], second[both])))
    return mean(kappas)


@settings(max_examples=40)
@given(tables(), st.data())
def test_figures_are_the_slow_ones(
    labels: np.ndarray[tuple[int, int], np.dtype[np.int64]], data: st.DataObject
) -> None:
    items = labels.shape[1]
    facets = np.array(data.draw(st.lists(st.sampled_from("xy"), min_size=items, max_size=items)), np.str_)
    gold = np.array(data.draw(st.lists(st.integers(0, 2), min_size=items, max_size=items)), np.int64)
    figures = agreement_figures(labels, facets, 3, gold)
    entries = {(entry.metric, entry.facet): entry for entry in measure(figures, (("item",),), Options(resamples=5))}
    assert {facet for _, facet in entries} == {*facets.tolist(), "overall"}
    for (metric, facet), entry in entries.items():
        here = labels[:, (facets == facet) | (facet == "overall")]
        right = gold[(facets == facet) | (facet == "overall")]
        given = here != MISSING
        assert entry.n == here.shape[1]
        match metric:
            case "raters_per_item":
                expected = float(given.sum(axis=0).mean())
            case "cohen_kappa":
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", message=".*single label.*")
                    expected = slow_cohen(here)  # type: ignore[assignment]  # may be undefined
            case "rater_ceiling":
                expected = slow_ceiling(here)  # type: ignore[assignment]  # may be undefined
            case "human_accuracy":
                shares = [mean((here[:, n] == right[n])[given[:, n]].tolist()) for n in range(len(right))]
                expected = mean([share for share in shares if share is not None])  # type: ignore[assignment]  # may be undefined
            case _:
                continue
        assert entry.value == (None if expected is None else pytest.approx(expected, abs=1e-12)), metric
        assert (entry.reason is None) == (entry.value is not None)


def test_a_full_table_against_statsmodels() -> None:
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 3, (6, 50))
    labels[:4] = labels[0]  # four agree
    entries = measure(agreement_figures(labels, np.full(50, "x"), 3), (("item",),), OPTIONS)
    found = {entry.metric: entry for entry in entries if entry.facet == "x"}
    counts = np.stack([(labels == label).sum(axis=0) for label in range(3)], axis=1)
    fleiss = found["fleiss_kappa"]
    assert fleiss.value == pytest.approx(statsmodels_fleiss(counts))
    assert "human_accuracy" not in found
    for entry in entries:
        (interval,) = entry.intervals
        assert (interval.by, interval.clusters) == ("item", 50)
        assert entry.value is not None
        if entry.metric == "raters_per_item":
            assert interval.reason == "every replicate gives the same value"
        else:
            assert interval.low is not None
            assert interval.high is not None
            assert interval.low < entry.value < interval.high


def test_intervals_draw_items() -> None:
    """An interval of a rate over n items is about as wide as the binomial says."""
    labels = np.zeros((2, 100), np.int64)
    labels[1, :50] = 1
    figures = [f for f in agreement_figures(labels, np.full(100, "x"), 2) if f.metric == "observed_agreement"]
    entry = measure(figures, (("item",),), Options(resamples=2000))[0]
    assert entry.value == 0.5
    low, high = entry.intervals[0].low, entry.intervals[0].high
    assert low is not None
    assert high is not None
    assert high - low == pytest.approx(2 * 1.96 * 0.05, rel=0.15)


def test_one_rater_and_one_label_are_undefined() -> None:
    alone = measure(agreement_figures(np.array([[0, 1, 2]]), np.full(3, "x"), 3), (("item",),), OPTIONS)
    same = measure(agreement_figures(np.zeros((3, 4), np.int64), np.full(4, "x"), 3), (("item",),), OPTIONS)
    said = {entry.metric: (entry.value, entry.reason) for entry in alone}
    assert said["raters_per_item"] == (1, None)
    assert said["cohen_kappa"][0] is None
    assert said["observed_agreement"] == (None, "no rows")
    assert said["rater_ceiling"] == (None, "no item has two raters")
    said = {entry.metric: (entry.value, entry.reason) for entry in same}
    for metric in ("fleiss_kappa", "krippendorff_alpha"):
        assert said[metric] == (None, "no item has two labels, or all labels are one")
    assert said["observed_agreement"] == (1, None)
    assert said["cohen_kappa"] == (
        None,
        "of every two raters: the two raters share no item, or gave all shared items one label",
    )
    for entry in (*alone, *same):
        assert entry.value is not None or entry.intervals[0].low is None


def test_a_mean_leaves_out_what_is_undefined_in_a_draw() -> None:
    parts = (Ratio.of_rows([1.0], [0], 3), Ratio.of_rows([0.0], [1], 3))
    both = MeanOfDefined(parts, 3, "why")
    np.testing.assert_array_equal(both.replicates(np.array([[1.0, 1, 0], [2, 0, 1], [0, 0, 3]])), [0.5, 1, np.nan])
    assert both.support.tolist() == [True, True, False]
    assert MeanOfDefined((), 3, "why").reason() == "why"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    cells = {("style", "non_tie", "same"): 3, ("style", "both_bad", "same"): 2, ("control", "both_good", "same"): 2}
    return write_pairs_release(tmp_path_factory.mktemp("agreement") / "release", cells)


def rated_by_gold(release: Release) -> tuple[Panel, Rated]:
    """Ann says the gold, Ben always the first clip."""
    golds = {
        row["item_id"]: ("first", "second", "tie").index(row["gold"]) for row in release.table("answers").to_pylist()
    }
    items = release.table("items").to_pylist()
    entries = tuple(
        Entry(item=row["item_id"], presentation=f"p{n}", check=row["facet"] == "control") for n, row in enumerate(items)
    )
    panel = Panel(
        format=1,
        name="p",
        release="hand@1.0.0",
        content_hash=release.manifest.content_hash,
        protocol="both-orders",
        raters=("ann", "ben"),
        secret="0" * 64,
        entries=entries,
    )
    labels = np.array([[golds[entry.item] for entry in entries], [0] * len(entries)], np.int64)
    counts = {"owed": len(entries), "ok": len(entries)}
    return panel, Rated(("ann", "ben"), entries, labels, {"ann": counts, "ben": counts})


def test_checks_are_counted_apart(release: Release) -> None:
    panel, rated = rated_by_gold(release)
    agreement = measure_agreement(release, panel, rated, OPTIONS)
    assert {entry.facet for entry in agreement.metrics} == {"style", "overall"}
    assert agreement.raters["ann"]["checks"] == {"right": 2, "of": 2, "reason": None}
    assert agreement.raters["ben"]["checks"] == {"right": 0, "of": 2, "reason": None}
    accuracy = agreement.find("human_accuracy")
    assert accuracy is not None
    assert accuracy.value == pytest.approx((5 + 2) / 10)
    assert agreement.find("nothing") is None


def test_without_answers_there_is_no_accuracy(release: Release, tmp_path: Path) -> None:
    panel, rated = rated_by_gold(release)
    public = Release(release.path, release.manifest, tmp_path / "nowhere")
    agreement = measure_agreement(public, panel, rated, OPTIONS)
    assert agreement.find("human_accuracy") is None
    assert agreement.find("krippendorff_alpha") is not None
    assert agreement.raters["ann"]["checks"] == {
        "right": None,
        "of": 2,
        "reason": "this copy of the release has no answers",
    }
    assert agreement.signature["answers_hash"] is None


def test_the_json_has_every_key_and_no_nan(release: Release) -> None:
    panel, rated = rated_by_gold(release)
    agreement = measure_agreement(open_release(release.path), panel, rated, OPTIONS)
    value = json.loads(json.dumps(agreement.as_json(), allow_nan=False))
    assert value.keys() == {"signature", "raters", "metrics", "glossary"}
    assert {entry["metric"] for entry in value["metrics"]} == set(GLOSSARY)
    assert isinstance(agreement, Agreement)


def test_ratings_are_read_by_their_own_reader(release: Release, tmp_path: Path) -> None:
    _, rated = rated_by_gold(release)
    (tmp_path / "ratings.csv").write_text(ratings_csv(rated), encoding="utf-8")
    findings = Findings()
    ratings = read_ratings(tmp_path / "ratings.csv", {entry.item for entry in rated.entries}, findings)
    assert len(findings) == 0
    assert ratings.raters == ("ann", "ben")
    golds = {row["item_id"]: row["gold"] for row in release.table("answers").to_pylist()}
    rows = list(csv.DictReader(io.StringIO(ratings_csv(rated))))
    assert len(rows) == 10
    for row in rows:
        said = {"first": "1", "second": "-1", "tie": "0"}[golds[row["item_id"]]] if row["rater"] == "ann" else "1"
        assert row["rating"] == said
