"""Exact p against SciPy, Holm against statsmodels over which cells, and the detectable difference of each facet."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests
from tests.scoring.dialogues.studies import Study, coin, decisions_of, mistaken, perfect, release_of, studies
from tests.support.dialogue_releases import some_dialogues

from earmark.manifests.report import MetricEntry
from earmark.scoring.dialogues import evaluate
from earmark.scoring.dialogues.testing import CELLS, DETECTABLE, detectable_entry
from earmark.scoring.measuring import Options
from earmark.scoring.measuring.exact import whole_successes
from earmark.statistics.power import pairs_needed

Entries = dict[tuple[str, str, str], MetricEntry]


def entries_of(study: Study) -> Entries:
    found = evaluate(release_of(study), decisions_of(study), Options(resamples=5))
    return {(entry.metric, entry.facet, entry.slice): entry for entry in found}


@settings(max_examples=3)
@given(studies(least=2))
def test_p_is_scipy_s_and_holm_statsmodels(study: Study) -> None:
    entries = entries_of(study)
    subscales = [e for (m, f, s), e in entries.items() if m in CELLS and f != "overall"]
    composites = [e for (m, _, s), e in entries.items() if m in CELLS and s.startswith("composite:")]
    for family in (subscales, composites):
        p = [entry.p for entry in family]
        assert [e.p_adjusted for e in family] == pytest.approx(multipletests(p, method="holm")[1].tolist())
    for entry in (*subscales, *composites, *(entries[cell, "overall", "all"] for cell in CELLS)):
        assert entry.value is not None
        assert entry.chance == (0.25 if entry.metric == "acc_traj" else 0.5)
        successes = whole_successes(entry.value * entry.n, entry.n * entry.chance)
        assert entry.p == pytest.approx(binomtest(successes, entry.n, entry.chance).pvalue)
    tested = {id(entry) for entry in (*subscales, *composites)}
    for entry in entries.values():
        if id(entry) not in tested:
            assert entry.p_adjusted is None
            assert (entry.p is None) == (entry.metric not in CELLS or entry.slice != "all")


def test_a_listener_stands_out_and_a_position_does_not() -> None:
    study = Study(some_dialogues(45), "sequential-4")
    heard, stuck = entries_of(study.saying(perfect)), entries_of(study.saying(lambda *_: "1"))
    assert (heard["acc_traj", "overall", "all"].p or 1) < 1e-20
    assert all((stuck[cell, "overall", "all"].p or 0) > 0.8 for cell in CELLS)


def test_the_detectable_difference_needs_as_many_dialogues() -> None:
    entries = entries_of(Study(some_dialogues(90)).saying(coin))
    found, share = entries[DETECTABLE, "overall", "all"], entries["acc_traj", "overall", "all"].value
    assert found.value is not None
    assert share is not None
    assert pairs_needed(found.value, 2 * share * (1 - share)) == pytest.approx(90, abs=1)


def test_where_nothing_could_be_found_there_is_a_reason() -> None:
    never = entries_of(Study(some_dialogues(3)).saying(mistaken))[DETECTABLE, "overall", "all"]
    assert (never.value, never.reason) == (None, "no dialogue would have one of them right alone")
    entry = MetricEntry(metric="acc_traj", facet="x", value=0.5, n=2)
    few = detectable_entry(entry, 0.5)
    assert (few.value, few.reason) == (None, "these are too few dialogues for any difference to be found")
    nothing = detectable_entry(MetricEntry(metric="acc_traj", facet="x", value=None, n=0, reason="none"), None)
    assert (nothing.value, nothing.reason) == (None, "none")
