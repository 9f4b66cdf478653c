"""Rungs that are crossed or nested, steps down from what is undefined too often, and BCa, as `measure` gives them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scoring.measuring.test_measure import ratio
from tests.support.golden import GOLDEN

from earmark.manifests.release import open_release
from earmark.manifests.report import OVERALL, MetricEntry
from earmark.scoring.measuring import Figure, Ladder, Options, Part, measure
from earmark.scoring.signature import signature
from earmark.statistics.designs import Crossed, Nested
from earmark.statistics.intervals import intervals
from earmark.statistics.quantiles import Quantile
from earmark.statistics.ranking import Auroc
from earmark.statistics.rates import Ratio

OPTIONS = Options(resamples=60, seed=3)


@settings(max_examples=20)
@given(st.data())
@pytest.mark.parametrize(("rung", "design"), [("speaker x prompt", Crossed), ("speaker > prompt", Nested)])
def test_a_rung_of_two_units_is_their_design(
    rung: str, design: type[Crossed] | type[Nested], data: st.DataObject
) -> None:
    """Whatever the clusters are called, and whatever else the facet has."""
    cell = st.tuples(st.integers(0, 40), st.integers(0, 9), st.integers(-8, 8))
    rows = data.draw(st.lists(cell, min_size=2, max_size=40))
    who, what, value = (np.array(column) for column in zip(*rows, strict=True))
    half = np.arange(len(rows)) % 2 == 0
    levels = {"speaker": who * 3 + 5, "prompt": what + 2}
    whole = Figure("all", "A", (Part(levels, partial(Ratio.of_rows, value)),))
    some = Figure(
        "half", "A", (Part({name: codes[half] for name, codes in levels.items()}, partial(Ratio.of_rows, value[half])),)
    )
    entries = measure([whole, some], [(rung,)], OPTIONS)
    made, place = design.of_rows(who, what)
    found = intervals(
        {"all": Ratio.of_rows(value, place, made.cells), "half": Ratio.of_rows(value[half], place[half], made.cells)},
        clusters=made.cells,
        replicates=60,
        seed=3,
        weights=made.weights(60, 3),
    )
    for entry in entries:
        [interval] = entry.intervals
        expected = found[entry.metric]
        assert (entry.value, interval.low, interval.high) == (expected.value, expected.low, expected.high)
        chosen = slice(None) if entry.metric == "all" else half
        many = [len(set(column[chosen].tolist())) for column in (who, what)]
        assert (interval.by, interval.clusters) == (rung, min(many) if design is Crossed else many[0])


def test_both_of_two_crossed_units_must_be_many() -> None:
    ladder: Ladder = ("speaker x prompt", "speaker", "unit")
    many = np.arange(120) % 24
    values = np.random.default_rng(0).random(120).tolist()
    for prompts, by, reason in ((25, "speaker x prompt", None), (7, "speaker", "conditional on 24 speakers")):
        figure = ratio(values, speaker=many.tolist(), prompt=(np.arange(120) % prompts).tolist())
        [entry] = measure([figure], [ladder], OPTIONS)
        assert (entry.intervals[0].by, entry.intervals[0].reason) == (by, reason)
        assert entry.intervals[0].low is not None


def test_no_rows_are_in_no_cell() -> None:
    [entry] = measure([ratio([])], [("speaker x prompt",)], OPTIONS)
    assert (entry.value, entry.intervals[0].reason) == (None, "no rows")


def two_poles(rare: int, facet: str, first: int) -> Figure:
    """The share of 60 units by two poles, `rare` of them of the one, whose prompts come from `rare` alone."""
    rng = np.random.default_rng(first)
    label = np.arange(60) < rare
    levels = {
        "prompt": first + np.where(label, 0, 1 + np.arange(60) % 23),
        "conversation": first + np.arange(60) // 2,
        "unit": first + np.arange(60),
    }
    return Figure("auroc", facet, (Part(levels, partial(Auroc.of_rows, rng.normal(size=60), label)),), chance=0.5)


BY_PROMPT: tuple[Ladder, ...] = (("prompt", "conversation", "unit"),)


def overall(*parts: Figure) -> Figure:
    return Figure("auroc", OVERALL, tuple(part for figure in parts for part in figure.parts), chance=0.5)


@settings(max_examples=8)
@given(st.integers(1, 30), st.integers(0, 99))
def test_a_mean_with_a_part_that_is_often_undefined_is_resampled_by_the_next_unit(rare: int, seed: int) -> None:
    """By prompt one part has no positives in a third of the replicates; by the rung that serves it has what that one gives."""
    options = Options(resamples=120, seed=seed)
    parts = [two_poles(rare, "A", 0), two_poles(30, "B", 100)]
    figures = [*parts, overall(*parts)]
    entries = measure(figures, BY_PROMPT, options)
    assert entries[:2] == measure(parts, BY_PROMPT, options)  # facets stay as they are: without an interval
    assert "undefined in" in str(entries[0].intervals[0].reason)
    tried = {unit: measure(figures[2:], ((unit,),), options)[0] for unit in BY_PROMPT[0]}
    served = [unit for unit in BY_PROMPT[0] if "undefined in" not in str(tried[unit].intervals[0].reason)]
    [interval] = entries[2].intervals
    unit = served[0] if served else "prompt"
    alone = tried[unit].intervals[0]
    assert (interval.by, interval.low, interval.high, entries[2].p) == (unit, alone.low, alone.high, tried[unit].p)
    if served and alone.low is not None:
        lost = str(tried["prompt"].intervals[0].reason)
        assert interval.reason == f"conditional on 48 prompts: by prompt {lost}"
    assert entries[2].value == tried["prompt"].value


def test_where_no_unit_helps_there_is_no_interval_and_the_first_reason_stands() -> None:
    parts = [two_poles(1, "A", 0), two_poles(30, "B", 100)]
    [entry] = measure([overall(*parts)], BY_PROMPT, OPTIONS)
    [interval] = entry.intervals
    assert (interval.by, interval.low, entry.p) == ("prompt", None, None)
    assert "of 60 replicates" in str(interval.reason)


def bca(values: list[float], metric: str = "share", facet: str = "A", chance: float | None = None) -> MetricEntry:
    [entry] = measure(
        [ratio(values, facet, metric, chance)], [("speaker", "unit")], Options(resamples=300, method="bca")
    )
    return entry


def test_bca_is_the_engine_s_and_says_where_percentiles_stand_in() -> None:
    values = np.random.default_rng(1).exponential(size=40)
    [interval] = bca(values.tolist()).intervals
    statistic = {"it": Ratio.of_rows(values, np.arange(40), 40)}
    expected = intervals(statistic, clusters=40, replicates=300, seed=0, method="bca")["it"]
    assert (interval.method, interval.low, interval.high) == ("bca", expected.low, expected.high)
    [still] = bca([0.5] * 40).intervals
    assert (still.method, still.low, still.high) == ("percentile", 0.5, 0.5)
    assert still.reason == (
        "every replicate gives the same value; BCa is undefined: the figure is the same without any of its clusters"
    )


def test_a_signature_names_the_method_where_it_is_not_the_usual_one() -> None:
    release = open_release(GOLDEN / "release")
    usual, other = (signature(release, "unlinked", Options(method=method)) for method in ("percentile", "bca"))
    assert {**usual, "interval": "bca"} == other
    assert "interval" not in usual


@pytest.mark.parametrize(("facet", "told"), [(OVERALL, True), ("A", False)])
def test_the_standard_errors_of_what_leads_are_checked(facet: str, told: bool) -> None:
    """A median of few distinct values is the same without any one of its rows."""
    column = partial(Quantile.of_rows, np.repeat([0.0, 1.0, 2.0], 20))
    figure = Figure("median", facet, (Part({"speaker": np.arange(60)}, column),), chance=0.0)
    [entry] = measure([figure], [("speaker",)], Options(resamples=300))
    assert ("the jackknife's standard error is 0, the bootstrap's" in str(entry.intervals[0].reason)) == told
