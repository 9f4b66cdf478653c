"""Exact p against SciPy, Holm against statsmodels, z against the paper's, and which cells are tested."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests
from tests.scoring.pairs.studies import Study, decisions_of, release_of, studies

from earmark.manifests.report import MetricEntry
from earmark.scoring.measuring import Options
from earmark.scoring.measuring.exact import exact_p, whole_successes
from earmark.scoring.pairs import evaluate
from earmark.scoring.pairs.testing import CELLS, against_chance, z_score


def cell(
    metric: str, facet: str, successes: float, n: int, chance: float | None = 1 / 3, slice: str = "all"
) -> MetricEntry:
    value = successes / n if n else None
    return MetricEntry(metric=metric, facet=facet, slice=slice, value=value, n=n, chance=chance, p=0.5, reason="none")


@given(st.integers(1, 300), st.data())
@settings(max_examples=40)
def test_p_is_scipy_s_of_whole_pairs(n: int, data: st.DataObject) -> None:
    chance = data.draw(st.sampled_from([1 / 3, 1 / 2]))
    halves = data.draw(st.integers(0, 2 * n))
    found = exact_p(cell("accuracy", "style", halves / 2, n, chance))
    candidates = {k: binomtest(k, n, chance).pvalue for k in {halves // 2, -(-halves // 2)}}
    chosen = whole_successes(halves / 2, n * chance)
    assert found == pytest.approx(candidates[chosen])
    assert abs(chosen - n * chance) == pytest.approx(min(abs(k - n * chance) for k in candidates))


@given(st.lists(st.tuples(st.integers(1, 60), st.floats(0, 1)), min_size=2, max_size=5))
@settings(max_examples=5, deadline=None)  # statsmodels takes a second a call where cores are shared
def test_holm_is_statsmodels_over_all_cells(drawn: list[tuple[int, float]]) -> None:
    facets = ["style", "rate", "emphasis", "age", "gender"]
    cells = []
    for facet, (n, share) in zip(facets, drawn, strict=False):
        cells += [
            cell("accuracy", facet, round(2 * n * share), 2 * n),
            cell("accuracy_tie", facet, round(n * share), n),
        ]
    found = [entry for entry in against_chance(cells) if entry.metric in CELLS]
    p = [entry.p for entry in found]
    right = multipletests(p, method="holm")[1]
    assert [entry.p_adjusted for entry in found] == pytest.approx(right.tolist())


def test_only_cells_are_tested_and_the_whole_once() -> None:
    entries = [
        cell("accuracy", "rate", 20, 30, 0.5),
        cell("accuracy_non_tie", "rate", 20, 30, 0.5),
        cell("accuracy_tie", "rate", 0, 0, None),
        cell("accuracy", "style", 18, 30),
        cell("accuracy", "style", 18, 30, slice="sex:male"),
        cell("accuracy_a", "style", 18, 30),
        cell("accuracy", "control", 18, 30),
        cell("accuracy", "overall", 18, 30),
    ]
    found = {(entry.metric, entry.facet, entry.slice): entry for entry in against_chance(entries)}
    rate, style = found["accuracy", "rate", "all"], found["accuracy", "style", "all"]
    assert rate.p is not None
    assert style.p is not None
    assert rate.p_adjusted == pytest.approx(rate.p)  # the larger of two, so the same parts are no third test
    assert style.p_adjusted == pytest.approx(2 * style.p)
    twin = found["accuracy_non_tie", "rate", "all"]
    assert (twin.p, twin.p_adjusted) == (rate.p, rate.p_adjusted)
    for place in (("accuracy_tie", "rate", "all"), ("accuracy", "style", "sex:male"), ("accuracy_a", "style", "all")):
        assert (found[place].p, found[place].p_adjusted) == (None, None)
    assert found["accuracy", "control", "all"].p is None
    assert found["accuracy", "overall", "all"].p == 0.5  # the bootstrap's own
    assert found["accuracy_z", "style", "all"].value == pytest.approx((0.6 - 1 / 3) / math.sqrt(2 / 9 / 30))
    assert found["accuracy_tie_z", "rate", "all"].value is None
    assert found["accuracy_tie_z", "rate", "all"].reason == "none"
    impossible = against_chance([cell("accuracy", "age", 0, 5, 0.0)])
    assert [entry.p for entry in impossible] == [None, None]
    assert impossible[1].reason == "its chance level is 0 or 1"


@pytest.mark.parametrize(
    ("value", "chance", "n", "z"),
    [(0.491, 1 / 3, 1440, 12.7), (0.486, 0.5, 375, -0.54), (0.333, 1 / 3, 1000, -0.02)],
)
def test_z_by_hand(value: float, chance: float, n: int, z: float) -> None:
    assert z_score(value, chance, n) == pytest.approx(z, abs=0.01)


@given(studies())
@settings(max_examples=8)
def test_other_judges_and_other_cells_change_no_raw_p(study: Study) -> None:
    release, options = release_of(study), Options(resamples=10)
    entries = {(e.metric, e.facet): e for e in evaluate(release, decisions_of(study), options) if e.slice == "all"}
    for facet in {pair.facet for pair in study.pairs} - {"control"}:
        kept = [n for n, pair in enumerate(study.pairs) if pair.facet == facet]
        lone = Study(
            tuple(study.pairs[n] for n in kept),
            tuple(
                type(said)(kept.index(said.pair), said.order, said.run, said.choice, said.outcome)
                for said in study.said
                if said.pair in kept
            ),
        )
        for entry in evaluate(release_of(lone), decisions_of(lone), options):
            if entry.facet == facet and entry.slice == "all" and entry.metric in CELLS:
                assert (entry.p, entry.value) == (entries[entry.metric, facet].p, entries[entry.metric, facet].value)
                # Pairs that others share speakers with are numbered apart, so intervals are the same too.
                assert entry.intervals == entries[entry.metric, facet].intervals
